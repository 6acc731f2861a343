import { addDays, dayText, parseDay } from '../../lib/time.ts'
import { findAnomaly, weeksBack } from '../anomaly.ts'
import type { Source } from '../report-runner.ts'
import { before, compared } from '../compare.ts'
import { question, tableOf, type QuestionContext, type Category, type Head } from '../question.ts'
import type { DataOf, RowOf } from '../reports.ts'
import { figure, list, most } from '../shapes.ts'

const asked = { interval: 'day', compare: 'previous' } as const
const summaryOf = ({ get }: Pick<QuestionContext, 'get'>) => get('summary', asked)

type Point = { date: string; visitors: number; sessions: number; views: number }

/** The days of a summary; those of a range that have not come yet are no days with few visitors. */
export const days = ({ series }: DataOf<'summary'>, { today }: Pick<QuestionContext, 'today'>): Point[] =>
  series.flatMap(point => ('date' in point && parseDay(point.date) <= today ? [point] : []))

const total = (head: Head, metric: 'visitors' | 'views' | 'sessions') =>
  figure(head, {
    unit: 'count',
    label: metric,
    tile: async ask => {
      const { data, source } = await summaryOf(ask)
      return {
        value: data.totals[metric],
        source,
        previous: data.previous?.totals[metric],
        change: data.change?.[metric],
        empty: data.totals[metric] === 0 ? 'visits' : undefined,
      }
    },
  })

const anomaly = (head: Head, direction: 'up' | 'down') =>
  question(head, 'anomaly', async ask => {
    const asked = ask.range.to
    // A day that is not over yet has fewer visitors than it will have.
    const latest = direction === 'down' ? addDays(ask.today, -1) : ask.today
    const day = Math.min(asked, latest)
    const { data, source } = await ask.get('summary', {
      from: dayText(addDays(day, -7 * weeksBack)),
      to: dayText(day),
      interval: 'day',
    })
    const points = days(data, ask)
    const { current, ...found } = findAnomaly(points, direction)
    const date = dayText(day)
    const values = {
      date: { date },
      current,
      ...found,
      baseline: { decimal: found.baseline },
      change: { percent: Math.abs(found.change ?? 0) },
      detected: String(found.detected),
    }
    return { viz: { ...found, direction, date, current }, source, values }
  })

const dayColumns = ['date', 'visitors', 'sessions', 'views'] as const
const told = (point: Point) => ({ date: { date: point.date }, n: point.visitors })

export const sourceKey = ({
  channel,
  source,
  domain,
}: {
  channel: string
  source: string
  domain: string | null
}): string => [channel, source, domain].join('\n')

/** The flat rows of /sources. */
export type SourceRow = Exclude<RowOf<'sources'>, { sources: unknown }>
export const flat = (data: DataOf<'sources'>): SourceRow[] => data.flatMap(row => ('sources' in row ? [] : [row]))

export const traffic: Category = {
  id: 'traffic_overview',
  questions: [
    total(['q2', 'free', 'direct'], 'visitors'),
    total(['q3', 'free', 'direct'], 'views'),
    total(['q4', 'free', 'direct'], 'sessions'),
    question(['q6', 'free', 'calculated'], 'delta', async ask => {
      const {
        data: { totals, previous },
        source,
      } = await summaryOf(ask)
      const { from, to } = before(ask)
      const then = previous?.totals.visitors ?? 0
      const change = then === 0 ? null : Math.round(((totals.visitors - then) / then) * 10_000) / 10_000
      const viz = {
        current: totals.visitors,
        previous: then,
        change,
        unit: 'count' as const,
        previous_from: from,
        previous_to: to,
      }
      const direction = totals.visitors > then ? 'up' : totals.visitors < then ? 'down' : 'same'
      const values = {
        n: totals.visitors,
        previous: then,
        difference: Math.abs(totals.visitors - then),
        direction,
        trend: ask.trend(change),
      }
      return { viz, source, values, empty: totals.visitors === 0 && then === 0 ? 'visits' : undefined }
    }),
    list(['q7', 'free', 'direct'], {
      ask: summaryOf,
      rows: (data, ask) => most(days(data, ask), row => row.visitors).filter(row => row.visitors > 0),
      columns: dayColumns,
      say: told,
      empty: 'visits',
    }),
    list(['q8', 'free', 'direct'], {
      ask: summaryOf,
      rows: (data, ask) => {
        const all = days(data, ask)
        const over = all.filter(({ date }) => all.length === 1 || parseDay(date) < ask.today)
        return data.totals.visitors === 0 ? [] : most(over, row => -row.visitors)
      },
      columns: dayColumns,
      say: told,
      empty: 'visits',
    }),
    question(['q9', 'free', 'direct'], 'line', async ask => {
      const { data, source } = await summaryOf(ask)
      const points = days(data, ask)
      const series = (['visitors', 'sessions', 'views'] as const).map(key => ({
        key,
        label: ask.label(key),
        points: points.map(point => ({ date: point.date, value: point[key] })),
      }))
      const [best] = most(points, ({ visitors }) => visitors)
      const values = {
        n: data.totals.visitors,
        date: { date: best?.date ?? dayText(ask.range.to) },
        best: best?.visitors ?? 0,
        mean: { decimal: points.length === 0 ? 0 : Math.round((data.totals.visitors / points.length) * 10) / 10 },
      }
      return {
        viz: { unit: 'count', series },
        source,
        values,
        empty: data.totals.visitors === 0 ? 'visits' : undefined,
      }
    }),
    anomaly(['q10', 'free', 'calculated'], 'down'),
    anomaly(['q11', 'free', 'calculated'], 'up'),
    question(['q12', 'paid', 'calculated'], 'table', async ask => {
      const [now, then] = await Promise.all([ask.all('sources', {}), ask.all('sources', before(ask))])
      const rows = compared(
        { ...now, data: flat(now.data) },
        { ...then, data: flat(then.data) },
        sourceKey,
        row => row.sessions,
      )
      return changes(ask, rows, now.source)
    }),
  ],
}

type Changed = ReturnType<typeof compared<SourceRow>>

const changes = (ask: QuestionContext, found: Changed, source: Source) => {
  const rows = most(found, ({ difference }) => Math.abs(difference))
    .filter(({ difference }) => difference !== 0)
    .flatMap(({ now, then, current, previous, difference, change }) => {
      const known = now ?? then
      return known === null
        ? []
        : [
            {
              channel: known.channel,
              source: known.source,
              domain: known.domain,
              sessions: current,
              previous_sessions: previous,
              difference,
              change,
            },
          ]
    })
  const [first] = rows
  const viz = tableOf(ask, rows.slice(0, 10), [
    'channel',
    'source',
    'domain',
    'sessions',
    'previous_sessions',
    'difference',
    'change',
  ])
  if (first === undefined) return { viz, source, values: {}, empty: 'change' as const }
  return {
    viz,
    source,
    values: {
      source: first.channel === 'Direct' ? ask.label('Direct') : first.source,
      n: first.sessions,
      previous: first.previous_sessions,
      direction: first.difference > 0 ? 'up' : 'down',
    },
  }
}
