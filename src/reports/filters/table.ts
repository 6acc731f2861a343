// The filters of reports. All that is known of one is its row here; the dashboard is made from this table as well.

type FilterRow = {
  key: string
  /** What it selects, for the API reference. */
  about: string
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
  { key: 'page', slot: 'page', ...page, about: 'Only views of these pages.' },
  {
    key: 'entry_page',
    slot: 'entry_page',
    ...page,
    about: 'Only visits that began on these pages.',
    ofOrders: 'Only orders of visits that began on these pages.',
  },
  { key: 'exit_page', slot: 'exit_page', ...page, about: 'Only visits that ended on these pages.' },
  {
    key: 'host',
    slot: 'host',
    lookUp: 'hosts',
    patterns: true,
    about: 'Only page views on these hosts, and visits that began there; host and pages together mean pages of it.',
    ofOrders: 'Only orders of visits that began on pages of these hosts.',
  },
  {
    key: 'channel',
    slot: 'origin',
    lookUp: 'origins',
    list: true,
    neverUnknown: true,
    about: 'Only visits of these channels.',
    ofOrders: 'Only orders from these channels.',
  },
  {
    key: 'source',
    slot: 'origin',
    lookUp: 'origins',
    patterns: true,
    neverUnknown: true,
    about: 'Only visits from these sources, by name or host.',
    ofOrders: 'Only orders from these sources, by name or host.',
  },
  {
    key: 'utm_source',
    ...utm,
    about: 'Only visits with these values of utm_source.',
    ofOrders: 'Only orders with these values of utm_source.',
  },
  {
    key: 'utm_medium',
    ...utm,
    about: 'Only visits with these values of utm_medium.',
    ofOrders: 'Only orders with these values of utm_medium.',
  },
  {
    key: 'utm_campaign',
    ...utm,
    about: 'Only visits with these values of utm_campaign.',
    ofOrders: 'Only orders with these values of utm_campaign.',
  },
  {
    key: 'utm_term',
    ...utm,
    about: 'Only visits with these values of utm_term.',
    ofOrders: 'Only orders with these values of utm_term.',
  },
  {
    key: 'utm_content',
    ...utm,
    about: 'Only visits with these values of utm_content.',
    ofOrders: 'Only orders with these values of utm_content.',
  },
  { key: 'continent', ...place, list: true, about: 'Only visits from these continents: AF, AN, AS, EU, NA, OC, SA.' },
  { key: 'country', ...place, list: true, about: 'Only visits from these countries, ISO 3166-1 alpha-2.' },
  { key: 'region', ...place, about: 'Only visits from these regions.' },
  { key: 'city', ...place, about: 'Only visits from these cities.' },
  {
    key: 'device',
    ...client,
    list: true,
    neverUnknown: true,
    about: 'Only visits on these kinds of device: desktop, mobile, tablet, tv, other.',
  },
  { key: 'screen', slot: 'screen', lookUp: 'labels', about: 'Only visits with these screen sizes.' },
  { key: 'browser', ...client, about: 'Only visits with these browsers.' },
  {
    key: 'browser_version',
    ...client,
    about: 'Only visits with these browsers of one version, such as Firefox 140.',
  },
  { key: 'os', ...client, about: 'Only visits on these operating systems.' },
  {
    key: 'os_version',
    ...client,
    about: 'Only visits on these operating systems of one version, such as iOS 18.',
  },
  {
    key: 'language',
    slot: 'language',
    lookUp: 'labels',
    list: true,
    exact: true,
    about: 'Only visits with these languages, BCP 47; de-* is German of all regions.',
  },
  {
    key: 'hour',
    slot: 'hour',
    list: true,
    neverUnknown: true,
    about: 'Only visits that began in these hours of the day, 00 to 23.',
  },
  {
    key: 'weekday',
    slot: 'weekday',
    list: true,
    neverUnknown: true,
    about: 'Only visits that began on these weekdays, 1 (Monday) to 7.',
  },
  {
    key: 'event',
    slot: 'event',
    lookUp: 'events',
    patterns: true,
    exact: true,
    neverUnknown: true,
    about: 'Only visits with one of these events.',
  },
  {
    key: 'goal',
    slot: 'reached',
    neverUnknown: true,
    about: 'Only visits that reached one of these goals, by id or name.',
  },
  {
    key: 'funnel',
    slot: 'reached',
    neverUnknown: true,
    about: 'Only visits that came through one of these funnels, by id or name; 3:2 is the second step of funnel 3.',
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
