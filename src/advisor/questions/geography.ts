import { ratio } from '../../reports/numbers.ts'
import { losers } from '../compare.ts'
import type { EmptyKey, Values } from '../language.ts'
import { type Category, type Head, Missing, type Question, type QuestionContext, question } from '../question.ts'
import { rawQuery, sinceOf } from '../raw.ts'
import type { Source } from '../report-runner.ts'
import type { RowOf } from '../reports.ts'
import { figure, largestFirst, list, sum } from '../shapes.ts'

type Place = RowOf<'dimensions'>

/** All countries; without any, GeoIP may be switched off. */
const countries = async ({ all, site }: QuestionContext, query: { compare?: string } = {}) => {
  const result = await all('dimensions', query, { type: 'country' })
  if (!site.geoEnabled && result.data.every(({ key }) => key === null))
    throw new Missing('geoip_unavailable', 'geoip_off')
  return result
}

const cities = async ({ all, site }: QuestionContext) => {
  const result = await all('dimensions', {}, { type: 'city' })
  if (!site.hasCities && result.data.every(({ key }) => key === null)) throw new Missing('geoip_unavailable')
  return result
}

const known = (rows: readonly Place[]): Place[] => rows.filter(({ key }) => key !== null)

const mapOf = (context: QuestionContext, rows: readonly Place[]) =>
  rows.map(({ key, name, country, visitors, share }) => ({
    code: key,
    label:
      key === null ? context.label('unknown') : country === undefined ? (name ?? key) : `${name ?? key}, ${country}`,
    value: visitors,
    share,
  }))

/** The summary values for the place with the most visitors. */
const topPlaceOf = (rows: readonly Place[]) => {
  const places = known(rows)
  const [first] = largestFirst(places, ({ visitors }) => visitors)
  return first === undefined
    ? undefined
    : {
        place: first.name ?? first.key ?? '',
        n: first.visitors,
        share: { percent: first.share },
        places: places.length,
      }
}

type Places = { data: readonly Place[]; source: Source; values?: Values }

/** A map of places. */
const map = (head: Head, empty: EmptyKey, load: (context: QuestionContext) => Promise<Places>): Question =>
  question(head, 'map', async context => {
    const { data, source, values } = await load(context)
    const top = topPlaceOf(data)
    const viz = { unit: 'count' as const, items: mapOf(context, data) }
    return { viz, source, ...(top === undefined ? { values: {}, empty } : { values: { ...top, ...values } }) }
  })

/** The place with the most visitors. */
const topPlace = (head: Head, empty: EmptyKey, load: (context: QuestionContext) => Promise<Places>): Question =>
  figure(head, {
    unit: 'count',
    label: 'visitors',
    load: async context => {
      const { data, source } = await load(context)
      const top = topPlaceOf(data)
      return top === undefined ? { value: 0, source, empty } : { value: top.n, source, label: top.place, values: top }
    },
  })

const literal = (page: string): string => page.replace(/[,*]/g, '\\$&')
const maxPages = 20
const maxFilterLength = 8000
const shopPaths = [
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

/** The most viewed pages that fit into one filter. */
const fitting = (pages: readonly string[]): string[] => {
  let length = 0
  return pages.slice(0, maxPages).filter(page => (length += literal(page).length + 1) <= maxFilterLength)
}

/** Countries of the sessions that viewed any of the pages, from raw rows. */
const readers = async (context: QuestionContext, pick: (pages: readonly RowOf<'pages'>[]) => readonly string[]) => {
  await countries(context)
  const range = await context.rawRange()
  const query = rawQuery(context, range)
  const { data } = await context.all('pages', query)
  const pages = range === null ? [] : fitting(pick(data))
  const result = await context.get(
    'dimensions',
    { ...query, limit: 200, ...(pages.length > 0 && { page: pages.map(literal).join(',') }) },
    { type: 'country' },
  )
  return { pages, source: result.source, data: pages.length === 0 ? [] : result.data, since: sinceOf(context, range) }
}

const startsWithAny = (page: string, prefixes: readonly string[]): boolean =>
  prefixes.some(prefix => page.toLowerCase().startsWith(prefix.toLowerCase()))

/** Visitors from the home country, from other countries, and from unknown ones. */
const homeAndAbroad = async (context: QuestionContext) => {
  const { data, source } = await countries(context)
  const home = context.params.country?.toUpperCase() ?? context.site.homeCountry()
  if (home === null) throw new Missing('needs_home_country')
  const all = sum(data, ({ visitors }) => visitors)
  const item = (key: 'home' | 'abroad' | 'unknown', matches: (code: string | null) => boolean) => {
    const value = sum(
      data.filter(row => matches(row.key)),
      ({ visitors }) => visitors,
    )
    const label = key === 'home' ? context.country(home) : context.label(key)
    return { key, label, value, share: ratio(value, all) }
  }
  const items = [
    item('home', code => code === home),
    item('abroad', code => code !== home && code !== null),
    item('unknown', code => code === null),
  ]
  const values = {
    country: context.country(home),
    home: { percent: items[0]?.share ?? 0 },
    abroad: { percent: items[1]?.share ?? 0 },
    home_n: items[0]?.value ?? 0,
    abroad_n: items[1]?.value ?? 0,
    n: all,
  }
  const empty = data.some(({ key }) => key !== null) ? undefined : ('countries' as const)
  return { viz: { unit: 'count' as const, items }, source, values, empty }
}

export const geography: Category = {
  id: 'geography_and_language',
  questions: [
    map(['q72', 'free', 'direct'], 'countries', countries),
    topPlace(['q73', 'free', 'direct'], 'countries', countries),
    question(['q74', 'free', 'calculated', 'country'], 'donut', homeAndAbroad),
    list(['q75', 'free', 'direct'], {
      load: ({ all }) => all('dimensions', {}, { type: 'language' }),
      rows: (data, context) =>
        data.map(({ key, name, ...row }) => ({ ...row, language: key === null ? context.label('unknown') : name })),
      columns: ['language', 'visitors', 'sessions', 'share'],
      empty: 'visits',
      values: first => ({ language: first.language ?? '', n: first.visitors, share: { percent: first.share } }),
    }),
    map(['q76', 'paid', 'direct'], 'cities', cities),
    topPlace(['q77', 'paid', 'direct'], 'cities', cities),
    list(['q78', 'paid', 'calculated'], {
      load: async context => {
        const now = await countries(context, { compare: context.compare })
        const data = losers<Place>(
          now,
          ({ key }) => key ?? '',
          ({ visitors }) => visitors,
        )
        return { data, source: now.source }
      },
      rows: (data, context) =>
        data.map(({ row, current, previous, difference, change, chance }) => ({
          country: row.name ?? context.label('unknown'),
          chance: String(chance),
          visitors: current,
          previous_visitors: previous,
          difference,
          change,
        })),
      columns: ['country', 'visitors', 'previous_visitors', 'difference', 'change'],
      empty: 'losers',
      compares: true,
      values: first => ({
        place: first.country,
        n: first.visitors,
        previous: first.previous_visitors,
        chance: first.chance,
      }),
    }),
    map(['q79', 'paid', 'direct', 'page'], 'readers', async context => {
      const { page } = context.params
      const { pages, since, ...places } = await readers(context, data =>
        page !== undefined ? [page] : data.slice(0, 1).map(row => row.page),
      )
      return { ...places, values: { ...since, page: pages[0] ?? '' } }
    }),
    map(['q80', 'paid', 'proxy', 'page'], 'goods', async context => {
      const prefixes = context.params.page === undefined ? shopPaths : [context.params.page]
      const { pages, since, ...places } = await readers(context, data =>
        data.filter(({ page }) => startsWithAny(page, prefixes)).map(({ page }) => page),
      )
      return { ...places, values: { ...since, pages: pages.length } }
    }),
  ],
}
