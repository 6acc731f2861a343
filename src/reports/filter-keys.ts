/** What a report can be filtered by, in the order of the documents. The dashboard uses this list, too. */
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
