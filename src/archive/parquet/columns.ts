// The tables of an export in Parquet: what writes them, and README.md in their folder, is made from these.

/**
 * `integer` has 64 bits, `number` is a double, `time` a moment in UTC to the millisecond, `day` a date; `json` is a text.
 */
type ColumnType = 'integer' | 'number' | 'text' | 'json' | 'time' | 'day' | 'boolean'

export type Column = {
  name: string
  type: ColumnType
  /** Whether it can be null: unknown, or not there. */
  nullable: boolean
  about: string
}

export type Table = {
  /** Its file, without .parquet. */
  name: string
  /** What one row is. */
  about: string
  columns: readonly Column[]
}

const column =
  (nullable: boolean) =>
  (type: ColumnType) =>
  (name: string, about: string): Column => ({ name, type, nullable, about })
const always = column(false)
const maybe = column(true)

const siteDay = always('day')('site_day', "the day in the site's time zone, as in the folder's name")

const utm = ['source', 'medium', 'campaign', 'term', 'content'].map(name =>
  maybe('text')(`utm_${name}`, `the value of utm_${name}`),
)

const origin = [
  always('text')('channel', 'one of the eight channels, such as Organic Search'),
  always('text')('source', 'where it came from, by name, such as Google'),
  maybe('text')('source_domain', 'the host that the source is known by'),
]

const host = maybe('text')('host', 'the host of the page, without www.')

export const visits: Table = {
  name: 'visits',
  about: 'One row is a visit, on the day on which it began.',
  columns: [
    siteDay,
    always('integer')('visit_id', 'the number of the visit'),
    always('integer')(
      'visitor_id',
      'the number of the visitor: another one on each day, unless the visitor agreed to be recognised',
    ),
    maybe('integer')(
      'rekeyed_visitor_id',
      'the number of the visitor after midnight or consent, in the midst of the visit',
    ),
    always('time')('started_at', 'when the visit began'),
    always('time')('ended_at', 'when it was last heard of'),
    always('integer')('views', 'the number of its page views'),
    always('integer')('events', 'the number of its events'),
    always('boolean')('bounced', 'whether it had one page view and no event'),
    maybe('text')('entry_host', 'the host of the first page'),
    always('text')('entry_page', 'the path of the first page'),
    maybe('text')('exit_host', 'the host of the last page'),
    always('text')('exit_page', 'the path of the last page'),
    ...origin,
    ...utm,
    maybe('text')('continent', 'the code of the continent, such as EU'),
    maybe('text')('country', 'the code of the country, such as DE'),
    maybe('text')('region', 'the region, with a city database'),
    maybe('text')('city', 'the city, with a city database'),
    always('text')('device', 'desktop, mobile, tablet, tv or other'),
    maybe('text')('browser', 'the name of the browser'),
    maybe('text')('browser_version', 'its major version'),
    maybe('text')('os', 'the name of the operating system'),
    maybe('text')('os_version', 'its major version'),
    maybe('text')('screen_width_px', 'the class of the width of the screen in CSS pixels, such as 360-429'),
    maybe('text')('language', 'the code of the language, such as de'),
  ],
}

export const views: Table = {
  name: 'views',
  about: 'One row is a page view.',
  columns: [
    siteDay,
    always('integer')('view_id', 'the number of the page view'),
    always('integer')('visit_id', 'its visit; one across midnight began on the day before'),
    always('integer')('visitor_id', 'its visitor'),
    always('time')('viewed_at', 'when the page was shown'),
    host,
    always('text')('page', 'the path of the page'),
    maybe('text')('title', 'the title of the page'),
    maybe('integer')('visible_seconds', 'the seconds for which the page was visible'),
    maybe('integer')('scroll_percent', 'how much of the page was seen, in percent'),
  ],
}

export const events: Table = {
  name: 'events',
  about: 'One row is an event.',
  columns: [
    siteDay,
    always('integer')('event_id', 'the number of the event'),
    maybe('integer')('visit_id', 'its visit, if it happened in one'),
    always('integer')('visitor_id', 'its visitor'),
    always('time')('happened_at', 'when it happened'),
    host,
    maybe('text')('page', 'the path of the page, if it is known'),
    always('text')('name', 'the name of the event'),
    maybe('number')('value', 'its value, as it was sent'),
    maybe('text')('order_id', 'the number of an order, as it was sent'),
    always('json')('properties', 'its properties: {"key": "value"}'),
  ],
}

const minor = 'in minor units of the currency'

export const orders: Table = {
  name: 'orders',
  about:
    'One row is an order in its newest state, on the day of its payment, or of its creation while it is unpaid. ' +
    'An amount is its minor units / 10 ^ minor_digits: 6240 with minor_digits 2 is 62.40.',
  columns: [
    siteDay,
    always('integer')('order_id', 'the number of the order in the shop'),
    always('text')('status', "the shop's status"),
    always('boolean')('counted', 'whether reports count it: its status counts, and it was not deleted'),
    always('text')('currency', 'the code of the currency'),
    always('integer')('minor_digits', 'the decimal places of the currency'),
    always('time')('created_at', 'when it was created'),
    maybe('time')('paid_at', 'when it was paid'),
    always('time')('modified_at', 'when it was last changed in the shop'),
    always('boolean')('deleted', 'whether it was deleted in the shop'),
    always('integer')('total_minor', `the total ${minor}`),
    always('integer')('tax_minor', `the tax in it, ${minor}`),
    always('integer')('shipping_minor', `the shipping in it, ${minor}`),
    always('integer')('refunded_minor', `what was refunded, ${minor}`),
    always('integer')('net_minor', `the total without tax, shipping and refunds, ${minor}, as reports add it up`),
    ...origin,
    always('text')('attributed_by', 'what says the source: shop, session (the visit) or nothing'),
    ...utm,
    maybe('text')('landing_host', 'the host of the first page of its visit'),
    maybe('text')('landing_page', 'the path of the first page of its visit'),
    always('json')(
      'lines',
      'what was sold: [{product, variation, units, total}], units in millionths, total in minor units',
    ),
    always('json')('coupons', '[{code, discount}], discount in minor units'),
    always('json')('refunds', '[{id, amount, at, dated, parts}], as in an archive'),
    always('json')('product_names', 'what the products are called: [{product, variation, name}]'),
  ],
}

const figure = (name: string, about: string): Column => maybe('integer')(name, about)

export const sums: Table = {
  name: 'sums',
  about:
    'A day whose single visits are not in the database has this file instead of visits, views and events. One row is ' +
    'what one value of a dimension adds up to on the day; figures that a dimension does not have are null.',
  columns: [
    siteDay,
    always('text')(
      'dimension',
      'site (one row), hour, page, title, source, country, region, city, continent, language, screen, device, browser, ' +
        'browser_version, os, os_version, system (os within browser), channel, suspect, host, utm_source and the like, event, ' +
        'event_property, event_page or funnel',
    ),
    maybe('text')(
      'value',
      'the value, such as DE; of hour its number in the day, from 0; of page, title and event_page the path; of ' +
        'funnel the stage; null if unknown',
    ),
    maybe('text')('within', 'what the value lies in: the country of a region or city, the browser of a system'),
    maybe('text')('host', 'the host of a page'),
    maybe('text')('title', 'the title of a page'),
    maybe('text')('channel', 'the channel of a source'),
    maybe('text')('source_domain', 'the host that a source is known by'),
    ...utm,
    maybe('text')('event', 'the name of an event'),
    maybe('text')('property', 'the key of a property, whose value is in value'),
    figure('visitors', 'visitors'),
    figure('visits', 'visits that began'),
    figure('views', 'page views'),
    figure('bounces', 'visits with one page view and no event; of a page those that began there'),
    figure('visible_seconds', 'the seconds for which pages were visible'),
    figure('timed_views', 'page views of which the seconds are known'),
    figure('scroll_percent_sum', 'the percent seen, added up'),
    figure('scrolled_views', 'page views of which the percent is known'),
    figure('entries', 'visits that began on the page'),
    figure('entry_visitors', 'their visitors'),
    figure('exits', 'visits that ended on the page'),
    figure('exit_visitors', 'their visitors'),
    figure('events', 'events'),
    maybe('number')('event_value_sum', 'the values of events, added up'),
  ],
}

export const tables: readonly Table[] = [visits, views, events, orders, sums]
