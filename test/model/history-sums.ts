// What an import of sums must come to, said from docs/moving.md: breakdowns keep to the totals of their day, what is missing is
// distributed in proportion, and what is left over is unknown.
import fc from 'fast-check'

export const figureNames = ['visitors', 'sessions', 'views', 'bounces'] as const
type FigureName = (typeof figureNames)[number]
export type Figures = Partial<Record<FigureName, number>>

type Row = Record<FigureName, number> & { name: string }

/** A day of a program, with more than any of them has. */
export type SumsDay = {
  totals: Record<FigureName, number> & { seconds: number }
  rows: Record<'country' | 'device' | 'browser' | 'os' | 'source' | 'page', Row[]>
  /** Visits that began or ended on a page. */
  edges: { entry: Row[]; exit: Row[] }
  events: Row[]
}

const small = fc.integer({ min: 1, max: 12 })
/** @param spread how many more visits than visitors there may be */
const figures = (most: fc.Arbitrary<number>, spread: number) =>
  fc
    .tuple(most, fc.nat(spread), fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 12 }))
    .map(([visitors, more, many, bounces]) => ({
      visitors,
      sessions: visitors + more,
      views: visitors + more + many,
      bounces: Math.min(bounces, visitors),
    }))

const rows = (names: readonly string[]) =>
  fc
    .uniqueArray(fc.tuple(fc.constantFrom(...names), figures(small, 2)), {
      maxLength: names.length,
      selector: ([name]) => name,
    })
    .map(list => list.map(([name, own]): Row => ({ name, ...own })))

export const sumsDays: fc.Arbitrary<SumsDay[]> = fc.array(
  fc
    .record({
      totals: figures(fc.integer({ min: 1, max: 40 }), 30),
      seconds: fc.nat(5000),
      /** Breakdowns with one visit less than the day, as many, or one more. */
      edge: fc.option(fc.constantFrom(-1, 0, 1), { freq: 2 }),
      hasManyBounces: fc.boolean(),
      country: rows(['DE', 'FR', 'US', 'ZZ']),
      device: rows(['Desktop', 'Laptop', 'Mobile', 'Fridge']),
      browser: rows(['Chrome', 'Firefox', 'Nobody']),
      os: rows(['Windows', 'GNU/Linux', 'Plan 10']),
      source: rows(['Google', 'blog.example.net', '', 'semalt.com']),
      page: rows(['/', '/a', '/a/', '/über-uns']),
      entry: rows(['/', '/a', '/start']),
      exit: rows(['/', '/a', '/end']),
      events: rows(['signup', 'file download']),
    })
    .map(({ totals, seconds, entry, exit, events, edge, hasManyBounces, ...rest }) => {
      const one: Row[] = [{ name: '/', ...totals, sessions: Math.max(1, totals.sessions + (edge ?? 0)) }]
      const mobile = one.map(row => ({ ...row, name: 'Mobile' }))
      return {
        // Some programs count more of them than visits.
        totals: { ...totals, bounces: hasManyBounces ? totals.sessions + 3 : totals.bounces, seconds },
        rows: edge === null ? rest : { ...rest, device: mobile },
        edges: edge === null ? { entry, exit } : { entry: one, exit: one },
        events,
      }
    }),
  { minLength: 1, maxLength: 3 },
)

/** What a file says of a day: rows with the figures that it has, under our names. */
export type SaidDay = {
  day: string
  totals: Figures & { seconds?: number }
  dimensions: Partial<Record<'country' | 'device' | 'browser' | 'os', (Figures & { name: string })[]>>
  sources: (Figures & { name: string })[]
  pages: (Figures & {
    name: string
    entries?: number
    entry_visitors?: number
    exits?: number
    exit_visitors?: number
    seconds?: number
  })[]
  events: { name: string; total: number; visitors?: number }[]
  /** By the hour of the day. */
  hours: Map<number, Figures & { seconds: number }>
}

const names: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {
  // No country of that name: the row says nothing.
  country: { ZZ: null },
  device: { Desktop: 'desktop', Laptop: 'desktop', Mobile: 'mobile', Fridge: 'other' },
  browser: { Nobody: '' },
  os: { 'GNU/Linux': 'Linux', 'Plan 10': '' },
  source: {
    Google: 'Organic Search|Google|',
    'google.com': 'Organic Search|Google|google.com',
    'blog.example.net': 'Referral|blog.example.net|blog.example.net',
    '': 'Direct|Direct|',
    'semalt.com': null,
  },
  page: { '/a/': '/a' },
}

const nameOf = (kind: string, name: string): string | null => {
  const known = names[kind]?.[name]
  return known === undefined ? name : known
}

type Named = Record<string, number | string | undefined> & { name: string }

/** Rows under our names, those of one name together. */
const together = (kind: string, rows: readonly Named[]): Map<string, Record<string, number>> => {
  const all = new Map<string, Record<string, number>>()
  for (const { name: given, ...figures } of rows) {
    const name = nameOf(kind, given)
    if (name === null) continue
    const sum = all.get(name) ?? {}
    for (const [figure, value] of Object.entries(figures))
      if (typeof value === 'number') sum[figure] = (sum[figure] ?? 0) + value
    all.set(name, sum)
  }
  return all
}

type Totals = Record<FigureName, number>

const sumOf = (rows: Iterable<Record<string, number>>, name: string): number => {
  let sum = 0
  for (const row of rows) sum += row[name] ?? 0
  return sum
}

/** Whole parts of a total in proportion; the largest remainders get one more. */
const shares = (total: number, weights: readonly number[]): number[] => {
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  const exact = weights.map(weight => (all === 0 ? 0 : (total * weight) / all))
  const parts = exact.map(Math.floor)
  const byRest = exact
    .map((part, index) => [part - Math.floor(part), index] as const)
    .sort(([a, i], [b, j]) => b - a || i - j)
  if (all > 0)
    for (const [, index] of byRest.slice(0, total - parts.reduce((sum, part) => sum + part, 0)))
      parts[index] = (parts[index] ?? 0) + 1
  return parts
}

/** By what missing figures are estimated. A visit has one visitor where only one of the two is known. */
const bases: Record<FigureName, readonly FigureName[]> = {
  visitors: ['sessions', 'views'],
  sessions: ['visitors', 'views'],
  views: ['sessions', 'visitors'],
  bounces: ['sessions', 'visitors', 'views'],
}

const estimate = (rows: readonly Record<string, number>[], totals: Totals): FigureName[] => {
  const missing = figureNames.filter(name => rows.some(row => row[name] === undefined))
  for (const name of missing) {
    const base = bases[name].find(one => rows.every(row => row[one] !== undefined))
    if (base === undefined) continue
    const weights = rows.map(row => row[base] ?? 0)
    const sum = weights.reduce((all, one) => all + one, 0)
    const isCopied = (name === 'visitors' && base === 'sessions') || (name === 'sessions' && base === 'visitors')
    const share = Math.round(totals[base] === 0 ? 0 : totals[name] * Math.min(1, sum / totals[base]))
    const parts = isCopied ? weights : shares(share, weights)
    for (const [index, row] of rows.entries()) row[name] = parts[index] ?? 0
  }
  return missing
}

const plain = (rows: Map<string, Record<string, number>>, figures: readonly string[]): Record<string, number[]> =>
  Object.fromEntries([...rows].map(([name, row]) => [name, figures.map(figure => row[figure] ?? 0)]))

/** Makes a breakdown keep to the totals. */
const keep = (rows: Map<string, Record<string, number>>, totals: Totals, unknown: string) => {
  estimate([...rows.values()], totals)
  const isRefused = sumOf(rows.values(), 'sessions') > totals.sessions
  const kept = isRefused ? new Map<string, Record<string, number>>() : rows
  const left = (name: FigureName): number => totals[name] - sumOf(kept.values(), name)
  const sessions = left('sessions')
  const views = Math.max(0, left('views'))
  if (sessions > 0 || views > 0) {
    const row = kept.get(unknown) ?? {}
    const more: Totals = {
      sessions,
      views,
      visitors: Math.min(Math.max(left('visitors'), sessions > 0 ? 1 : 0), sessions),
      bounces: Math.min(Math.max(left('bounces'), 0), sessions),
    }
    for (const name of figureNames) row[name] = (row[name] ?? 0) + more[name]
    kept.set(unknown, row)
  }
  return { rows: kept, isRefused }
}

const pageFigures = [...figureNames, 'entries', 'entry_visitors', 'exits', 'exit_visitors', 'seconds']

const pagesOf = (said: SaidDay, totals: Totals, refused: string[]): Record<string, number[]> => {
  const rows = together('page', said.pages as Named[])
  estimate([...rows.values()], totals)
  for (const [figure, visitors, name] of [
    ['entries', 'entry_visitors', 'entry_page'],
    ['exits', 'exit_visitors', 'exit_page'],
  ] as const) {
    if (sumOf(rows.values(), figure) <= totals.sessions) continue
    refused.push(name)
    for (const row of rows.values()) {
      row[figure] = 0
      row[visitors] = 0
    }
  }
  const left = (total: number, figure: string): number => Math.max(0, total - sumOf(rows.values(), figure))
  const [views, entries, exits] = [
    left(totals.views, 'views'),
    left(totals.sessions, 'entries'),
    left(totals.sessions, 'exits'),
  ]
  if (views + entries + exits > 0) {
    const sessions = Math.min(totals.sessions, Math.max(views, entries, exits))
    const visitors = Math.min(totals.visitors, sessions)
    rows.set('(other)', {
      visitors,
      sessions,
      views,
      bounces: left(totals.bounces, 'bounces'),
      entries,
      entry_visitors: Math.min(entries, visitors),
      exits,
      exit_visitors: Math.min(exits, visitors),
    })
  }
  return plain(rows, pageFigures)
}

const addAll = (into: Map<string, number[]>, name: string, figures: readonly number[]): void => {
  const sum = into.get(name) ?? figures.map(() => 0)
  into.set(
    name,
    sum.map((one, index) => one + (figures[index] ?? 0)),
  )
}

/** The rows of a day as an archive has them. */
export const expectSums = (said: SaidDay) => {
  const { totals: given } = said
  const sessions = given.sessions ?? given.visitors ?? 0
  const totals = {
    visitors: given.visitors ?? sessions,
    sessions,
    views: given.views ?? 0,
    bounces: Math.min(given.bounces ?? 0, sessions),
  }
  const onPages = said.pages.reduce((sum, { seconds = 0 }) => sum + seconds, 0)
  const refused: string[] = []
  const dimensions: Record<string, Record<string, number[]>> = {}
  for (const kind of ['country', 'device', 'browser', 'os'] as const) {
    const found = keep(
      together(kind, (said.dimensions[kind] ?? []) as Named[]),
      totals,
      kind === 'device' ? 'other' : '',
    )
    if (found.isRefused) refused.push(kind)
    dimensions[kind] = plain(found.rows, figureNames)
  }
  const sources = keep(together('source', said.sources as Named[]), totals, 'Direct|Direct|')
  if (sources.isRefused) refused.push('source')
  const sourceRows = plain(sources.rows, figureNames)
  const channels = new Map<string, number[]>()
  for (const [name, figures] of Object.entries(sourceRows)) addAll(channels, name.split('|')[0] ?? '', figures)
  const continents = new Map<string, number[]>()
  for (const [name, figures] of Object.entries(dimensions.country ?? {}))
    addAll(continents, name === '' ? '' : name === 'US' ? 'NA' : 'EU', figures)
  const hours = new Map(
    [...said.hours].map(([hour, figures]) => [String(hour), { ...figures } as Record<string, number>]),
  )
  estimate([...hours.values()], totals)
  return {
    site: [...figureNames.map(name => totals[name]), onPages > 0 ? onPages : (given.seconds ?? 0)],
    dimensions: { ...dimensions, channel: Object.fromEntries(channels), continent: Object.fromEntries(continents) },
    sources: sourceRows,
    pages: pagesOf(said, totals, refused),
    events: Object.fromEntries(
      [...together('event', said.events as Named[])].map(([name, { total = 0, visitors = total }]) => [
        name,
        [total, visitors],
      ]),
    ),
    hours: plain(hours, [...figureNames, 'seconds']),
    refused: refused.sort(),
  }
}

type Line = Record<string, any>

/** The same of a day of an archive. */
export const sumsOfArchive = (text: string, day: string) => {
  const lines: Line[] = text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map(line => JSON.parse(line))
    .filter(line => line.day === day)
  const of = (table: string): Line[] => lines.filter(line => line.table === table)
  const figuresOf = (line: Line, figures: readonly string[]): number[] => figures.map(name => line[name])
  const dimensions: Record<string, Record<string, number[]>> = {}
  for (const line of of('dimension'))
    if (['country', 'device', 'browser', 'os', 'channel', 'continent'].includes(line.dimension))
      (dimensions[line.dimension] ??= {})[line.value] = figuresOf(line, figureNames)
  const table = (name: string, keyOf: (line: Line) => string, figures: readonly string[]): Record<string, number[]> =>
    Object.fromEntries(of(name).map(line => [keyOf(line), figuresOf(line, figures)]))
  const [site] = of('site')
  return {
    site: site === undefined ? null : figuresOf(site, [...figureNames, 'seconds']),
    dimensions,
    sources: table('source', ({ channel, source, domain }) => `${channel}|${source}|${domain}`, figureNames),
    pages: table('page', ({ path }) => path, pageFigures),
    events: table('event', ({ name }) => name, ['total', 'visitors']),
    hours: table('hour', ({ hour }) => String(hour), [...figureNames, 'seconds']),
  }
}
