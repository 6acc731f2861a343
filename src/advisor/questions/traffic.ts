import { addDays, dayText, parseDay } from '../../lib/time.ts'
import { findAnomaly, weeksBack, wholeDays } from '../anomaly.ts'
import { chanceKind, sameCounts, sameSums } from '../chance.ts'
import { byDifference, compared, withComparison } from '../compare.ts'
import { type Category, type Head, type QuestionContext, question } from '../question.ts'
import type { DataOf, RowOf } from '../reports.ts'
import { figure, largestFirst, list } from '../shapes.ts'

/** Compared where the other range can be read. */
export const summaryOf = (context: Pick<QuestionContext, 'get' | 'compare'>) =>
  withComparison(context, query => context.get('summary', { interval: 'day', ...query }))

type Point = { date: string; visitors: number; sessions: number; views: number }

/** The days of a summary without future days, which would look like days without visitors. */
export const days = ({ series }: DataOf<'summary'>, { today }: Pick<QuestionContext, 'today'>): Point[] =>
  series.flatMap(point => ('date' in point && parseDay(point.date) <= today ? [point] : []))

const total = (head: Head, metric: 'visitors' | 'views' | 'sessions') =>
  figure(head, {
    unit: 'count',
    label: metric,
    load: async context => {
      const {
        data: { totals, previous, change },
        source,
      } = await summaryOf(context)
      const then = previous?.totals
      return {
        value: totals[metric],
        source,
        previous: then?.[metric],
        change: change?.[metric],
        // A visit has several page views, which are not independent.
        ...(metric === 'views' &&
          then !== undefined && { chance: sameSums(totals.views, totals.sessions, then.views, then.sessions) }),
        empty: totals[metric] === 0 ? 'visits' : undefined,
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
    const { current, ...finding } = findAnomaly(wholeDays(points, context.firstWhole), direction)
    const date = dayText(day)
    const values = {
      date: { date },
      current,
      ...finding,
      baseline: Math.round(finding.baseline ?? 0),
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
        data: { totals, previous, change },
        source,
      } = await context.get('summary', { interval: 'day', compare: context.compare })
      const [n, then] = [totals.visitors, previous?.totals.visitors ?? 0]
      const viz = {
        current: n,
        previous: then,
        change: change?.visitors ?? null,
        unit: 'count' as const,
        previous_from: previous?.from ?? '',
        previous_to: previous?.to ?? '',
      }
      const direction = !context.comparable
        ? 'first'
        : n === then
          ? 'same'
          : sameCounts(n, then)
            ? chanceKind(n, then)
            : n > then
              ? 'up'
              : 'down'
      const values = { n, previous: then, difference: Math.abs(n - then), direction }
      return { viz, source, values, empty: n === 0 && then === 0 ? 'visits' : undefined }
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
        const known = days(data, context).filter(({ date }) => parseDay(date) >= context.firstWhole)
        const over = known.filter(({ date }) => parseDay(date) < context.today)
        const quiet = over.length > 0 ? over : known.length > 0 ? known : days(data, context)
        return data.totals.visitors === 0 ? [] : largestFirst(quiet, row => -row.visitors)
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
      const recorded = points.filter(({ date }) => parseDay(date) >= context.firstDay).length
      const values = {
        n: data.totals.visitors,
        date: { date: best?.date ?? dayText(context.range.to) },
        best: best?.visitors ?? 0,
        days: points.length,
        mean: Math.round(data.totals.visitors / Math.max(1, recorded)),
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
        const now = await context.all('sources', { compare: context.compare })
        const data = compared(
          { data: flat(now.data), earlier: flat(now.earlier ?? []) },
          ({ channel, source, domain }) => [channel, source, domain].join('\n'),
          row => row.sessions,
        )
        return { data, source: now.source }
      },
      rows: (data, context) =>
        byDifference(data).map(
          ({ row: { channel, source, domain }, current, previous, difference, change, chance }) => ({
            channel,
            source,
            domain,
            sessions: current,
            previous_sessions: previous,
            difference,
            change,
            chance: String(chance),
            name: channel === 'Direct' ? context.label('Direct') : source,
          }),
        ),
      columns: ['channel', 'source', 'domain', 'sessions', 'previous_sessions', 'difference', 'change'],
      empty: 'change',
      compares: true,
      values: first => ({
        source: first.name,
        n: first.sessions,
        previous: first.previous_sessions,
        chance: first.chance,
      }),
    }),
  ],
}
