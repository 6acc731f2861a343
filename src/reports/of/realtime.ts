import * as v from 'valibot'
import type { ActiveVisit } from '../../collection/store/sessions.ts'
import { query } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { firstViewId, secondOf } from '../../database/view-id.ts'
import { countSchema, timeSchema } from '../../http/schemas.ts'
import { timeText } from '../../lib/time.ts'
import sqlText from '../../sql/realtime.sql'
import { few, withFew } from '../few.ts'
import { bindParameters } from '../pool.ts'
import { report } from '../report.ts'

const sql = statements(sqlText)

const text = v.nullable(v.string())
const between = { first_view_id: v.number(), next_view_id: v.number() }
const recentQuery = query(
  sql('recent'),
  v.object({ ...between, limit: v.number() }),
  v.object({
    page: v.string(),
    title: text,
    country: text,
    device: v.string(),
    browser: text,
    channel: v.string(),
    view_id: v.number(),
  }),
)
const minutesQuery = query(sql('minutes'), v.object(between), v.object({ minute: v.number(), views: v.number() }))
const pagesQuery = query(
  sql('pages'),
  v.object({ ids: v.string() }),
  v.object({ id: v.number(), page: v.string(), title: text }),
)

/** The newest view of all; null without any. */
export const newestQuery = query(sql('newest'), v.object({}), v.object({ view_id: v.nullable(v.number()) }))

const pageCount = 10
const recentCount = 20
const minuteCount = 30

/** Distinct visitors by the page that each viewed last. */
const visitorsByPage = (active: readonly ActiveVisit[]): [page: number, visitors: number][] => {
  const seen = new Map<number, Set<number>>()
  for (const { visitor, page } of active) seen.set(page, (seen.get(page) ?? new Set()).add(visitor))
  return [...seen].map(([page, visitors]): [number, number] => [page, visitors.size])
}

const dataSchema = v.object({
  active_visitors: countSchema,
  window_seconds: countSchema,
  active_pages: v.array(v.object({ page: v.string(), title: text, visitors: countSchema })),
  recent: v.pipe(
    v.array(
      v.object({
        page: v.string(),
        title: text,
        country: text,
        device: v.string(),
        browser: text,
        channel: v.string(),
        time: timeSchema,
      }),
    ),
    v.description('Empty for share links.'),
  ),
  minutes: v.array(v.object({ time: timeSchema, views: countSchema })),
})
export type RealtimeData = v.InferOutput<typeof dataSchema>

export const realtime = report({
  path: '/realtime',
  shared: 'unfiltered',
  summary: 'Visitors on the site now',
  query: {
    window: v.optional(
      v.pipe(
        v.number(),
        v.integer(),
        v.minValue(60),
        v.maxValue(1800),
        v.description('Length of the window in seconds.'),
      ),
      300,
    ),
  },
  data: dataSchema,
  metrics: ['active_visitors', 'views'],
  run: async ({ query: { window }, read, context, now, shared }) => {
    const active = context.activeSince(now - window)
    const byPage = visitorsByPage(active)
    const thisMinute = Math.floor(now / 60)
    const firstMinute = thisMinute - minuteCount + 1
    const next_view_id = firstViewId(now + 1)
    const [pages, recent, minutes] = await read([
      bindParameters(pagesQuery, { ids: JSON.stringify(byPage.map(([page]) => page)) }),
      bindParameters(recentQuery, { first_view_id: firstViewId(now - 86_400), next_view_id, limit: recentCount }),
      bindParameters(minutesQuery, { first_view_id: firstViewId(firstMinute * 60), next_view_id }),
    ])
    const visitors = new Map(byPage)
    const viewed = pages
      .map(({ id, page, title }) => ({ page, title, visitors: visitors.get(id) ?? 0 }))
      .sort((a, b) => b.visitors - a.visitors || (a.page < b.page ? -1 : 1))
    const views = new Map(minutes.map(row => [row.minute, row.views]))
    return {
      data: {
        active_visitors: new Set(active.map(({ visitor }) => visitor)).size,
        window_seconds: window,
        active_pages: (shared ? withFew(viewed, () => ({ page: few, title: null })) : viewed).slice(0, pageCount),
        recent: (shared ? [] : recent).map(({ view_id, ...row }) => ({ ...row, time: timeText(secondOf(view_id)) })),
        minutes: Array.from({ length: minuteCount }, (_, index) => ({
          time: timeText((firstMinute + index) * 60),
          views: views.get(firstMinute + index) ?? 0,
        })),
      },
    }
  },
})
