import { addDays, dayText, parseDay } from '../../lib/time.ts'
import { change } from '../../reports/numbers.ts'
import { findAnomaly, weeksBack } from '../anomaly.ts'
import { before, compared } from '../compare.ts'
import { question, type QuestionContext, type Category, type Head } from '../question.ts'
import type { DataOf, RowOf } from '../reports.ts'
import { figure, list, largestFirst } from '../shapes.ts'

export const summaryOf = ({ get }: Pick<QuestionContext, 'get'>) =>
  get('summary', { interval: 'day', compare: 'previous' })

type Point = { date: string; visitors: number; sessions: number; views: number }

/** The days of a summary without future days, which would look like days without visitors. */
export const days = ({ series }: DataOf<'summary'>, { today }: Pick<QuestionContext, 'today'>): Point[] =>
  series.flatMap(point => ('date' in point && parseDay(point.date) <= today ? [point] : []))

const total = (head: Head, metric: 'visitors' | 'views' | 'sessions') =>
  figure(head, {
    unit: 'count',
    label: metric,
    load: async context => {
      const { data, source } = await summaryOf(context)
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
  question(head, 'anomaly', async context => {
    // The current day is incomplete, so it cannot be tested for a drop.
    const latest = direction === 'down' ? addDays(context.today, -1) : context.today
    const day = Math.min(context.range.to, latest)
    const { data, source } = await context.get('summary', {
      from: dayText(addDays(day, -7 * weeksBack)),
      to: dayText(day),
      interval: 'day',
    })
    const points = days(data, context)
    const { current, ...finding } = findAnomaly(points, direction)
    const date = dayText(day)
    const values = {
      date: { date },
      current,
      ...finding,
      baseline: { decimal: finding.baseline },
      change: { percent: Math.abs(finding.change ?? 0) },
      detected: String(finding.detected),
    }
    return { viz: { ...finding, direction, date, current }, source, values }
  })

const dayColumns = ['date', 'visitors', 'sessions', 'views'] as const
const pointValues = (point: Point) => ({ date: { date: point.date }, n: point.visitors })

/** The ungrouped rows of /sources. */
export type SourceRow = Exclude<RowOf<'sources'>, { sources: unknown }>
export const flat = (data: DataOf<'sources'>): SourceRow[] => data.flatMap(row => ('sources' in row ? [] : [row]))

export const traffic: Category = {
  id: 'traffic_overview',
  questions: [
    total(['q2', 'free', 'direct'], 'visitors'),
    total(['q3', 'free', 'direct'], 'views'),
    total(['q4', 'free', 'direct'], 'sessions'),
    question(['q6', 'free', 'calculated'], 'delta', async context => {
      const {
        data: { totals, previous },
        source,
      } = await summaryOf(context)
      const { from, to } = before(context)
      const then = previous?.totals.visitors ?? 0
      const relative = change(totals.visitors, then)
      const viz = {
        current: totals.visitors,
        previous: then,
        change: relative,
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
        trend: context.trend(relative),
      }
      return { viz, source, values, empty: totals.visitors === 0 && then === 0 ? 'visits' : undefined }
    }),
    list(['q7', 'free', 'direct'], {
      load: summaryOf,
      rows: (data, context) => largestFirst(days(data, context), row => row.visitors).filter(row => row.visitors > 0),
      columns: dayColumns,
      values: pointValues,
      empty: 'visits',
    }),
    list(['q8', 'free', 'direct'], {
      load: summaryOf,
      rows: (data, context) => {
        const all = days(data, context)
        const over = all.filter(({ date }) => all.length === 1 || parseDay(date) < context.today)
        return data.totals.visitors === 0 ? [] : largestFirst(over, row => -row.visitors)
      },
      columns: dayColumns,
      values: pointValues,
      empty: 'visits',
    }),
    question(['q9', 'free', 'direct'], 'line', async context => {
      const { data, source } = await summaryOf(context)
      const points = days(data, context)
      const series = (['visitors', 'sessions', 'views'] as const).map(key => ({
        key,
        label: context.label(key),
        points: points.map(point => ({ date: point.date, value: point[key] })),
      }))
      const [best] = largestFirst(points, ({ visitors }) => visitors)
      const values = {
        n: data.totals.visitors,
        date: { date: best?.date ?? dayText(context.range.to) },
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
    list(['q12', 'paid', 'calculated'], {
      load: async context => {
        const [now, then] = await Promise.all([context.all('sources', {}), context.all('sources', before(context))])
        const data = compared(
          { ...now, data: flat(now.data) },
          { ...then, data: flat(then.data) },
          ({ channel, source, domain }) => [channel, source, domain].join('\n'),
          row => row.sessions,
        )
        return { data, source: now.source }
      },
      rows: (data, context) =>
        largestFirst(data, ({ difference }) => Math.abs(difference))
          .filter(({ difference }) => difference !== 0)
          .map(({ row: { channel, source, domain }, current, previous, difference, change }) => ({
            channel,
            source,
            domain,
            sessions: current,
            previous_sessions: previous,
            difference,
            change,
            name: channel === 'Direct' ? context.label('Direct') : source,
          })),
      columns: ['channel', 'source', 'domain', 'sessions', 'previous_sessions', 'difference', 'change'],
      empty: 'change',
      values: first => ({
        source: first.name,
        n: first.sessions,
        previous: first.previous_sessions,
        direction: first.difference > 0 ? 'up' : 'down',
      }),
    }),
  ],
}
