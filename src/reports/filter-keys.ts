/** The filters of reports, in the order of the documentation. The dashboard uses this list as well. */
export const filterKeys = [
  'page',
  'entry_page',
  'exit_page',
  'host',
  'channel',
  'source',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'continent',
  'country',
  'region',
  'city',
  'device',
  'screen',
  'browser',
  'browser_version',
  'os',
  'os_version',
  'language',
  'hour',
  'weekday',
  'event',
  'goal',
  'funnel',
] as const

export type FilterKey = (typeof filterKeys)[number]

/** The filters that orders can be selected by. */
export const orderFilterKeys = [
  'entry_page',
  'host',
  'channel',
  'source',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
] as const satisfies readonly FilterKey[]

export type OrderFilterKey = (typeof orderFilterKeys)[number]

/** The filters by event properties: `property.plan` is that of the key `plan`. */
export const propertyPrefix = 'property.'

export type PropertyFilter = `${typeof propertyPrefix}${string}`

/** A name of the family, with a key that a property can have. */
export const isPropertyFilter = (name: string): name is PropertyFilter =>
  name.startsWith(propertyPrefix) && name.length > propertyPrefix.length

export const isFilterKey = (name: string): name is FilterKey => filterKeys.some(key => key === name)
