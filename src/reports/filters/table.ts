// The filters of reports. All that is known of one is its row here, and what the API reference says in about.ts; the
// dashboard is made from this table as well.

type FilterRow = {
  key: string
  /** The number of sessions or views that its values are compared with. */
  slot: string
  /** Where the numbers of its values are looked up; without it they are numbers, or goals. */
  lookUp?: 'pages' | 'hosts' | 'origins' | 'campaigns' | 'places' | 'clients' | 'labels' | 'events'
  /** Its values come from a list, see closed.ts: other values are refused. */
  list?: true
  /** Its values can hold `*`. */
  patterns?: true
  /** Values that differ by case are different values, as in the reports. */
  exact?: true
  /** Its value is never unknown. */
  neverUnknown?: true
  /** What it selects of orders, of which only the source is known. */
  ofOrders?: string
}

const page = { lookUp: 'pages', patterns: true, exact: true, neverUnknown: true } as const
const utm = { slot: 'campaign', lookUp: 'campaigns', patterns: true } as const
const place = { slot: 'place', lookUp: 'places' } as const
const client = { slot: 'client', lookUp: 'clients' } as const

/** In the order of the documentation and of the dashboard. */
const rows = [
  { key: 'page', slot: 'page', ...page },
  {
    key: 'entry_page',
    slot: 'entry_page',
    ...page,
    ofOrders: 'Only orders of visits that began on these pages.',
  },
  { key: 'exit_page', slot: 'exit_page', ...page },
  {
    key: 'host',
    slot: 'host',
    lookUp: 'hosts',
    patterns: true,
    ofOrders: 'Only orders of visits that began on pages of these hosts.',
  },
  {
    key: 'channel',
    slot: 'origin',
    lookUp: 'origins',
    list: true,
    neverUnknown: true,
    ofOrders: 'Only orders from these channels.',
  },
  {
    key: 'source',
    slot: 'origin',
    lookUp: 'origins',
    patterns: true,
    neverUnknown: true,
    ofOrders: 'Only orders from these sources, by name or host.',
  },
  {
    key: 'utm_source',
    ...utm,
    ofOrders: 'Only orders with these values of utm_source.',
  },
  {
    key: 'utm_medium',
    ...utm,
    ofOrders: 'Only orders with these values of utm_medium.',
  },
  {
    key: 'utm_campaign',
    ...utm,
    ofOrders: 'Only orders with these values of utm_campaign.',
  },
  {
    key: 'utm_term',
    ...utm,
    ofOrders: 'Only orders with these values of utm_term.',
  },
  {
    key: 'utm_content',
    ...utm,
    ofOrders: 'Only orders with these values of utm_content.',
  },
  { key: 'continent', ...place, list: true },
  { key: 'country', ...place, list: true },
  { key: 'region', ...place },
  { key: 'city', ...place },
  {
    key: 'device',
    ...client,
    list: true,
    neverUnknown: true,
  },
  {
    key: 'screen',
    slot: 'screen',
    lookUp: 'labels',
    list: true,
  },
  { key: 'browser', ...client },
  {
    key: 'browser_version',
    ...client,
  },
  { key: 'os', ...client },
  {
    key: 'os_version',
    ...client,
  },
  {
    key: 'language',
    slot: 'language',
    lookUp: 'labels',
    list: true,
    exact: true,
  },
  {
    key: 'suspect',
    slot: 'suspect',
    list: true,
    neverUnknown: true,
  },
  {
    key: 'hour',
    slot: 'hour',
    list: true,
    neverUnknown: true,
  },
  {
    key: 'weekday',
    slot: 'weekday',
    list: true,
    neverUnknown: true,
  },
  {
    key: 'event',
    slot: 'event',
    lookUp: 'events',
    patterns: true,
    exact: true,
    neverUnknown: true,
  },
  {
    key: 'goal',
    slot: 'reached',
    neverUnknown: true,
  },
  {
    key: 'funnel',
    slot: 'reached',
    neverUnknown: true,
  },
] as const satisfies readonly FilterRow[]

type Row = (typeof rows)[number]
export type FilterKey = Row['key']
export type OrderFilterKey = Extract<Row, { ofOrders: string }>['key']
export type ClosedKey = Extract<Row, { list: true }>['key']
export type LookUp = NonNullable<FilterRow['lookUp']>

export type FilterSlot = Row['slot'] | 'property'
/** What is selected in another way than by a column of numbers: times, events, and what was reached. */
const otherSlots = ['hour', 'weekday', 'event', 'property', 'reached'] as const
/** The columns of numbers of sessions and views that filters compare, and the pages on which events show. */
export type Slot = Exclude<FilterSlot, (typeof otherSlots)[number]> | 'event_page'
export const isColumn = (slot: FilterSlot): slot is Exclude<Slot, 'event_page'> =>
  !otherSlots.some(other => other === slot)

const table = Object.fromEntries(rows.map(row => [row.key, row])) as Readonly<
  Record<FilterKey, FilterRow & { slot: Row['slot'] }>
>

export const isFilterKey = (name: string): name is FilterKey => Object.hasOwn(table, name)
export const filterOf = (key: FilterKey): (typeof table)[FilterKey] => table[key]

export const filterKeys = rows.map(({ key }) => key)
const isOfOrders = (key: FilterKey): key is OrderFilterKey => table[key].ofOrders !== undefined
/** The filters that orders can be selected by. */
export const orderFilterKeys = filterKeys.filter(isOfOrders)

export const isClosed = (name: string): name is ClosedKey => isFilterKey(name) && table[name].list === true
export const takesPatterns = (name: string): boolean => isFilterKey(name) && table[name].patterns === true
export const isExact = (name: string): boolean => isFilterKey(name) && table[name].exact === true

/** The filters by event properties: `property.plan` is that of the key `plan`. */
export const propertyPrefix = 'property.'

export type PropertyFilter = `${typeof propertyPrefix}${string}`

/** A name of the family, with a key that a property can have. */
export const isPropertyFilter = (name: string): name is PropertyFilter =>
  name.startsWith(propertyPrefix) && name.length > propertyPrefix.length
