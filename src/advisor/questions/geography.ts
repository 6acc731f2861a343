import { ratio } from '../../reports/numbers.ts'
import { before, compared } from '../compare.ts'
import { Missing, question, tableOf, type QuestionContext, type Category } from '../question.ts'
import { rawQuery, sinceOf } from '../raw.ts'
import type { RowOf } from '../reports.ts'
import { figure, list, most, sum } from '../shapes.ts'

type Place = RowOf<'dimensions'>

/** All countries of a window; the database of places may be switched off. */
const countries = async ({ all, site }: QuestionContext, window: { from?: string; to?: string } = {}) => {
  const said = await all('dimensions', window, { type: 'country' })
  if (!site.geoEnabled && said.data.every(({ key }) => key === null))
    throw new Missing('geoip_unavailable', 'geoip_off')
  return said
}

const cities = async ({ all, site }: QuestionContext) => {
  const said = await all('dimensions', {}, { type: 'city' })
  if (!site.hasCities && said.data.every(({ key }) => key === null)) throw new Missing('geoip_unavailable')
  return said
}

const known = (rows: readonly Place[]): Place[] => rows.filter(({ key }) => key !== null)

const mapOf = (ask: QuestionContext, rows: readonly Place[]) =>
  rows.map(({ key, name, country, visitors, share }) => ({
    code: key,
    label: key === null ? ask.label('unknown') : country === undefined ? (name ?? key) : `${name ?? key}, ${country}`,
    value: visitors,
    share,
  }))

/** What a sentence says of the first place. */
const told = (rows: readonly Place[]) => {
  const [first] = most(known(rows), ({ visitors }) => visitors)
  return first === undefined
    ? undefined
    : {
        place: first.name ?? first.key ?? '',
        n: first.visitors,
        share: { percent: first.share },
        places: known(rows).length,
      }
}

const literal = (page: string): string => page.replaceAll(',', '\\,')
const mostPages = 20
const longestFilter = 8000
const goods = [
  '/product',
  '/produkt',
  '/produit',
  '/producto',
  '/shop',
  '/pricing',
  '/price',
  '/preis',
  '/tarif',
  '/precio',
]

/** As many pages as one filter takes, the most viewed. */
const fitting = (pages: readonly string[]): string[] => {
  let length = 0
  return pages.slice(0, mostPages).filter(page => (length += literal(page).length + 1) <= longestFilter)
}

/** The countries of sessions that saw some pages, by raw rows. */
const readers = async (ask: QuestionContext, pick: (pages: readonly RowOf<'pages'>[]) => readonly string[]) => {
  const range = await ask.rawRange()
  const asked = rawQuery(ask, range)
  const { data } = await ask.all('pages', asked)
  const pages = range === null ? [] : fitting(pick(data))
  const said = await ask.get(
    'dimensions',
    { ...asked, limit: 200, ...(pages.length > 0 && { page: pages.map(literal).join(',') }) },
    { type: 'country' },
  )
  return { pages, source: said.source, rows: pages.length === 0 ? [] : said.data, since: sinceOf(ask, range) }
}

const within = (page: string, prefixes: readonly string[]): boolean =>
  prefixes.some(prefix => page.toLowerCase().startsWith(prefix.toLowerCase()))

/** Visitors at home, abroad, and from nobody knows where. */
const homeAndAbroad = async (ask: QuestionContext) => {
  const { data, source } = await countries(ask)
  // In UTC nobody is at home; then the country with the most visitors stands for it.
  const code =
    ask.params.country?.toUpperCase() ??
    ask.site.homeCountry() ??
    most(known(data), ({ visitors }) => visitors)[0]?.key ??
    null
  const all = sum(data, ({ visitors }) => visitors)
  const part = (key: 'home' | 'abroad' | 'unknown', rows: readonly Place[]) => {
    const value = sum(rows, ({ visitors }) => visitors)
    return {
      key,
      label: key === 'home' && code !== null ? ask.country(code) : ask.label(key),
      value,
      share: ratio(value, all),
    }
  }
  const items = [
    part(
      'home',
      data.filter(({ key }) => key === code && key !== null),
    ),
    part(
      'abroad',
      data.filter(({ key }) => key !== code && key !== null),
    ),
    part(
      'unknown',
      data.filter(({ key }) => key === null),
    ),
  ]
  const [at, abroad] = items
  const values = {
    country: code === null ? '' : ask.country(code),
    home: { percent: at?.share ?? 0 },
    abroad: { percent: abroad?.share ?? 0 },
    n: all,
  }
  return {
    viz: { unit: 'count' as const, items },
    source,
    values,
    empty: all === 0 || code === null ? ('countries' as const) : undefined,
  }
}

export const geography: Category = {
  id: 'geography_and_language',
  questions: [
    question(['q72', 'free', 'direct'], 'map', async ask => {
      const { data, source } = await countries(ask)
      const values = told(data)
      return {
        viz: { unit: 'count', items: mapOf(ask, data) },
        source,
        ...(values === undefined ? { values: {}, empty: 'countries' as const } : { values }),
      }
    }),
    figure(['q73', 'free', 'direct'], {
      unit: 'count',
      label: 'visitors',
      tile: async ask => {
        const { data, source } = await countries(ask)
        const values = told(data)
        return values === undefined
          ? { value: 0, source, empty: 'countries' }
          : { value: values.n, source, label: values.place, values }
      },
    }),
    question(['q74', 'free', 'calculated', 'country'], 'donut', homeAndAbroad),
    list(['q75', 'free', 'direct'], {
      ask: ({ all }) => all('dimensions', {}, { type: 'language' }),
      rows: (data, ask) =>
        data.map(({ key, name, ...row }) => ({ ...row, language: key === null ? ask.label('unknown') : name })),
      columns: ['language', 'visitors', 'sessions', 'share'],
      empty: 'visits',
      say: first => ({ language: first.language ?? '', n: first.visitors, share: { percent: first.share } }),
    }),
    question(['q76', 'paid', 'direct'], 'map', async ask => {
      const { data, source } = await cities(ask)
      const values = told(data)
      return {
        viz: { unit: 'count', items: mapOf(ask, data) },
        source,
        ...(values === undefined ? { values: {}, empty: 'cities' as const } : { values }),
      }
    }),
    figure(['q77', 'paid', 'direct'], {
      unit: 'count',
      label: 'visitors',
      tile: async ask => {
        const { data, source } = await cities(ask)
        const values = told(data)
        return values === undefined
          ? { value: 0, source, empty: 'cities' }
          : { value: values.n, source, label: values.place, values }
      },
    }),
    question(['q78', 'paid', 'calculated'], 'table', async ask => {
      const [now, then] = await Promise.all([countries(ask), countries(ask, before(ask))])
      const rows = compared<Place>(
        now,
        then,
        ({ key }) => key ?? '',
        ({ visitors }) => visitors,
      )
        .filter(({ difference }) => difference < 0)
        .map(({ now, then, current, previous, difference, change }) => ({
          country: now?.name ?? then?.name ?? ask.label('unknown'),
          visitors: current,
          previous_visitors: previous,
          difference,
          change,
        }))
      const ordered = most(rows, ({ difference }) => -difference)
      const [first] = ordered
      const viz = tableOf(ask, ordered.slice(0, 10), [
        'country',
        'visitors',
        'previous_visitors',
        'difference',
        'change',
      ])
      return {
        viz,
        source: now.source,
        ...(first === undefined
          ? { values: {}, empty: 'losers' as const }
          : { values: { place: first.country, n: first.visitors, previous: first.previous_visitors } }),
      }
    }),
    question(['q79', 'paid', 'direct', 'page'], 'map', async ask => {
      await countries(ask)
      const { rows, pages, source, since } = await readers(ask, data =>
        ask.params.page !== undefined ? [ask.params.page] : data.slice(0, 1).map(({ page }) => page),
      )
      const values = told(rows)
      return {
        viz: { unit: 'count', items: mapOf(ask, rows) },
        source,
        ...(values === undefined
          ? { values: {}, empty: 'readers' as const }
          : { values: { ...values, ...since, page: pages[0] ?? '' } }),
      }
    }),
    question(['q80', 'paid', 'proxy', 'page'], 'map', async ask => {
      await countries(ask)
      const prefixes = ask.params.page === undefined ? goods : [ask.params.page]
      const { rows, pages, source, since } = await readers(ask, data =>
        data.filter(({ page }) => within(page, prefixes)).map(({ page }) => page),
      )
      const values = told(rows)
      return {
        viz: { unit: 'count', items: mapOf(ask, rows) },
        source,
        ...(values === undefined
          ? { values: {}, empty: 'goods' as const }
          : { values: { ...values, ...since, pages: pages.length } }),
      }
    }),
  ],
}
