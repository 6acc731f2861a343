// The requests that the service acknowledged, and the figures that its reports must therefore show.
import type { CollectionRequest } from './sender.ts'

type View = { page: string; visitor: number; seconds: number }

/** Everything answered with 204, and the requests that got no answer. */
export type AckLog = {
  views: Map<string, View>
  events: Map<string, { name: string; visitor: number }>
  /** CollectionRequest without getting an answer: possibly recorded. */
  unanswered: CollectionRequest[]
  /** Records a request that was answered with 204. */
  acknowledge: (sent: CollectionRequest) => void
}

export const createAckLog = (): AckLog => {
  const views = new Map<string, View>()
  const events = new Map<string, { name: string; visitor: number }>()
  return {
    views,
    events,
    unanswered: [],
    acknowledge: ({ endpoint, visitor, body }) => {
      const id = String(body.pvid)
      if (endpoint === 'hit' && !views.has(id)) views.set(id, { page: String(body.page_url), visitor, seconds: 0 })
      if (endpoint === 'event') events.set(String(body.event_id), { name: String(body.name), visitor })
      const view = views.get(id)
      if (endpoint === 'engagement' && view !== undefined)
        view.seconds = Math.max(view.seconds, Number(body.engagement_time))
    },
  }
}

export type Figures = {
  views: number
  sessions: number
  bounces: number
  total_duration: number
  byPage: Record<string, number>
  byEvent: Record<string, number>
}

const countBy = (keys: Iterable<string | number>): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const key of keys) counts[key] = (counts[key] ?? 0) + 1
  return counts
}

const sorted = (counts: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)))

/**
 * The figures that the acknowledged requests add up to: each visitor is one visit, which continues over all restarts.
 */
export const expectedFigures = ({ views, events }: AckLog): Figures => {
  const all = [...views.values()]
  const byVisitor = countBy(all.map(({ visitor }) => visitor))
  const withEvents = new Set([...events.values()].map(({ visitor }) => String(visitor)))
  return {
    views: all.length,
    sessions: Object.keys(byVisitor).length,
    bounces: Object.entries(byVisitor).filter(([visitor, count]) => count === 1 && !withEvents.has(visitor)).length,
    total_duration: all.reduce((sum, { seconds }) => sum + seconds, 0),
    byPage: sorted(countBy(all.map(({ page }) => page))),
    byEvent: sorted(countBy([...events.values()].map(({ name }) => name))),
  }
}

type PageRow = { page: string; views: number }
type EventRow = { name: string; total: number }
type Totals = Pick<Figures, 'views' | 'sessions' | 'bounces' | 'total_duration'>

/** The same figures, as read from the reports. */
export const reportedFigures = ({
  totals,
  pages,
  events,
}: {
  totals: Totals
  pages: PageRow[]
  events: EventRow[]
}): Figures => ({
  views: totals.views,
  sessions: totals.sessions,
  bounces: totals.bounces,
  total_duration: totals.total_duration,
  byPage: sorted(Object.fromEntries(pages.map(({ page, views }) => [page, views]))),
  byEvent: sorted(Object.fromEntries(events.map(({ name, total }) => [name, total]))),
})
