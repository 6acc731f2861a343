// The number that a share link shows to everybody, kept for ten minutes.
import * as v from 'valibot'
import { createThrottle } from '../collection/ingest/clients.ts'
import { query } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { tooManyRequests } from '../http/errors.ts'
import type { Counter, PublicLink } from '../identity/share-links.ts'
import { fits } from '../lib/fits.ts'
import { createLruCache } from '../lib/lru-cache.ts'
import { addDays, dayText, toSeconds } from '../lib/time.ts'
import sqlText from '../sql/counter.sql'
import { rangeEntries } from './asked-range.ts'
import type { ReportContext } from './context.ts'
import { gap, literalValue, readValue, writeValue } from './filters/syntax.ts'
import { summary } from './of/summary.ts'
import { bindParameters } from './pool.ts'
import { maxDays } from './range.ts'
import { report } from './report.ts'
import { runReport } from './run.ts'

const sql = statements(sqlText)

const sums = { views: v.number(), visitors: v.number() }
const pagesQuery = query(sql('pages'), v.object({ pattern: v.string() }), v.object(sums), {
  reads: ['page_rollup', 'period'],
})

/** The sums of pages in rollups, which stay when single visits are deleted. */
const countedPages = report({
  path: '/counter',
  summary: 'Page views of the pages of a pattern',
  query: { ...rangeEntries, pattern: v.string() },
  data: v.object(sums),
  metrics: ['views', 'visitors'],
  run: async ({ query: { pattern }, read }) => {
    const [[row]] = await read([bindParameters(pagesQuery, { pattern })])
    return { data: row ?? { views: 0, visitors: 0 } }
  },
})

/** A pattern of SQLite's GLOB for literal parts with anything between them. */
const globOf = (parts: readonly string[]): string => parts.map(part => part.replace(/[*?[]/g, '[$&]')).join('*')

/** Milliseconds. */
const keptFor = 600_000
const maxKept = 5000
/** Of a link: answers, and numbers that have to be counted. Beyond these, what is kept is shown however old it is. */
const answers = { burst: 300, rate: 100 }
const counts = { burst: 60, rate: 2 }

/** Whether a page is one of those of a pattern such as `/blog/*`, by the rules of filters. */
export const isOfPattern = (page: string, pattern: string): boolean => fits(page, readValue('page', pattern).text)

type Kept = { at: number; value: Promise<number> }

type Shown = Pick<PublicLink, 'uuid' | 'filters'> & { counter: Counter }
type Query = Readonly<Record<string, string>>

/** @returns the number for one page, or for all of the counter's pages; rounded as the link says */
export type CountPages = (link: Shown, page: string | null) => Promise<number>

export const createCounter = (context: () => ReportContext): CountPages => {
  const kept = createLruCache<string, Kept>(maxKept)
  const [spend, spendCount] = [createThrottle(), createThrottle()]

  /** Pages that visitors share are added up in no rollup, nor is what a filter selects: single visits are read. */
  const sumsOf = async ({ filters, counter }: Shown, page: string | null, range: Query) => {
    const parts = page === null ? readValue('page', counter.page).text.split(gap) : [page]
    const isFiltered = Object.keys(filters).length > 0
    if (!isFiltered && (counter.figure === 'views' || parts.length === 1)) {
      const { body } = await runReport(countedPages, { query: { ...range, pattern: globOf(parts) } }, context())
      return v.parse(countedPages.output.entries.data, body.data)
    }
    const pages = page === null ? counter.page : writeValue(literalValue(page))
    const query = { ...range, ...filters, ...(pages !== '*' && { page: pages }) }
    const { body } = await runReport(summary, { query }, context())
    return v.parse(summary.output.entries.data, body.data).totals
  }

  const count = async (link: Shown, page: string | null): Promise<number> => {
    const { since, period, figure, round } = link.counter
    const { zone, clock } = context()
    const today = zone.dayOf(toSeconds(clock()))
    // A report has no more days.
    const earliest = dayText(addDays(today, 1 - maxDays))
    const from = since !== null && since > earliest ? since : earliest
    const range = since === null ? { period: period ?? 'all' } : { from, to: dayText(today) }
    const exact = (await sumsOf(link, page, range))[figure]
    return round === 'exact' ? exact : Math.floor(exact / 100) * 100
  }

  return (link, page) => {
    const now = context().clock()
    const key = JSON.stringify([link.uuid, page])
    const known = kept.get(key)
    if (known !== undefined && now - known.at < keptFor && now >= known.at) {
      const seconds = spend(link.uuid, answers, now)
      if (seconds > 0) throw tooManyRequests(seconds)
      return known.value
    }
    const seconds = spendCount(link.uuid, counts, now)
    if (seconds > 0) {
      if (known !== undefined) return known.value
      throw tooManyRequests(seconds)
    }
    const value = count(link, page)
    kept.set(key, { at: now, value })
    value.catch(() => kept.delete(key))
    return value
  }
}
