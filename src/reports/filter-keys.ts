/** The filters of reports, in the order of the documentation. The dashboard uses this list as well. */
export const filterKeys = [
  'page',
  'entry_page',
  'exit_page',
  'channel',
  'source',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'country',
  'region',
  'city',
  'device',
  'browser',
  'os',
  'language',
  'event',
] as const

export type FilterKey = (typeof filterKeys)[number]
