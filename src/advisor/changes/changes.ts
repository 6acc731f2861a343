// "What changed": the few differences of a range that matter, each with the filters that show it.

import { ApiError } from '../../http/errors.ts'
import { presentAt } from '../../lib/calendar.ts'
import { addDays, type Day, daysBetween, dayText, parseDay, toSeconds } from '../../lib/time.ts'
import { otherRange } from '../../reports/compare.ts'
import { readFirstWholeDays } from '../../reports/first-whole-day.ts'
import { findAnomaly, weeksBack, wholeDays } from '../anomaly.ts'
import type { Batch } from '../answers.ts'
import { againstPhrase, sentence, textsOf } from '../language.ts'
import { days } from '../questions/traffic.ts'
import { createReportRunner } from '../report-runner.ts'
import { type Candidate, type Change, distance, minDifference, type Reader, valueText } from './candidate.ts'
import { listChanges, sourceMover } from './movers.ts'

// The most unusual day of a range, the source behind it, and what was sold then.

/** The latest days of a range that are looked at. */
const maxDays = 35

type UnusualDay = { date: string; current: number; baseline: number; weight: number }

/** The most unusual of the days that are over, against the same weekdays before it; null without one. */
const unusualDay = async ({ get, range }: Reader, today: Day, firstWhole: Day): Promise<UnusualDay | null> => {
  const to = Math.min(range.to, addDays(today, -1))
  const tested = Math.min(daysBetween(range.from, to), maxDays)
  if (tested < 1) return null
  const { data } = await get('summary', {
    from: dayText(addDays(to, 1 - tested - 7 * weeksBack)),
    to: dayText(to),
    interval: 'day',
  })
  const points = days(data, { today })
  const found = points.slice(-tested).flatMap((point, index) => {
    const until = points.slice(0, points.length - tested + index + 1)
    const known = wholeDays(until, firstWhole)
    const findings = (['up', 'down'] as const).map(direction => findAnomaly(known, direction))
    const finding = findings.find(({ detected }) => detected)
    const baseline = Math.round(finding?.baseline ?? 0)
    return finding === undefined || Math.abs(point.visitors - baseline) < minDifference
      ? []
      : [{ date: point.date, current: point.visitors, baseline, weight: distance(point.visitors, baseline) }]
  })
  return found.sort((one, other) => other.weight - one.weight)[0] ?? null
}

/** An unusual day, and the source whose visits differ most from those a week before. */
const dayChange = async (reader: Reader, { date, current, baseline, weight }: UnusualDay): Promise<Candidate> => {
  const weekBefore = dayText(addDays(parseDay(date), -7))
  const cause = await sourceMover(
    { all: reader.all },
    { from: date, to: date, compare: `${weekBefore}..${weekBefore}` },
  )
  const isCause = cause !== null && cause.current > cause.previous === current > baseline
  return {
    kind: 'day',
    current,
    previous: baseline,
    from: date,
    to: date,
    filters: isCause ? { source: valueText(cause.name) } : {},
    values: {
      date: { date },
      current,
      baseline,
      caused: String(isCause),
      source: cause?.name ?? '',
      sessions: cause?.current ?? 0,
      before: cause?.previous ?? 0,
    },
    weight,
  }
}

/** Fewer orders of one day say nothing of a campaign. */
const minOrders = 5

/** The campaign that earned most on an unusual day; null without orders. */
const campaignChange = async ({ get }: Reader, { date, weight }: UnusualDay): Promise<Candidate | null> => {
  const { data, currency } = await get('revenueByUtm', { from: date, to: date, limit: 10 })
  const best = data.find(row => row.utm_campaign !== null && row.orders >= minOrders)
  if (best === undefined) return null
  const filters = {
    utm_campaign: valueText(best.utm_campaign ?? ''),
    ...(best.utm_source !== null && { utm_source: valueText(best.utm_source) }),
  }
  const values = {
    date: { date },
    campaign: [best.utm_source, best.utm_campaign].filter(part => part !== null).join(' / '),
    orders: best.orders,
    n: { money: best.revenue, currency },
  }
  // Behind the day that it explains.
  return {
    kind: 'campaign',
    current: best.revenue,
    previous: 0,
    from: date,
    to: date,
    filters,
    values,
    weight: weight - 0.01,
  }
}

type ChangesBatch = Pick<Batch, 'context' | 'signal' | 'language' | 'range' | 'filters' | 'compare' | 'now'>

const maxChanges = 3

/** Single visits that are gone, or a range before the first one, leave a change out; other errors are errors. */
const unlessRefused = <Result>(result: Promise<Result>): Promise<Result | null> =>
  result.catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 400) return null
    throw error
  })

/** The changes that matter most, at most one of a kind and three in all. */
export const findChanges = async (batch: ChangesBatch): Promise<Change[]> => {
  const { context, signal, language, range, filters, compare, now } = batch
  const runner = createReportRunner(context, { language: language.tag, signal }, batch, now)
  const at = toSeconds(context.clock())
  const present = presentAt(context.zone, at)
  const { today } = present
  const other = otherRange(range, compare, present)
  // Of days that are not over, as much is missing in both.
  const missing = range.to === today ? 1 - (context.zone.timeOf(at) + 1) / 86_400 : 0
  const times = (daysBetween(range.from, range.to) - missing) / (daysBetween(other.from, other.to) - missing)
  const reader = { ...runner.readFor({ reports: new Set(), left: [] }), range, compare, times }
  const { visits: firstWhole } = await readFirstWholeDays(context.read)
  const [lists, day] = await Promise.all([
    unlessRefused(listChanges(reader)),
    unlessRefused(unusualDay(reader, today, firstWhole)),
  ])
  const ofDay =
    day === null
      ? []
      : await Promise.all([
          unlessRefused(dayChange(reader, day)),
          // Orders are not filtered.
          Object.keys(filters).length > 0 ? null : unlessRefused(campaignChange(reader, day)),
        ])
  const against = againstPhrase(language, compare)
  return [...(lists ?? []), ...ofDay]
    .filter(candidate => candidate !== null)
    .sort((one, other) => other.weight - one.weight)
    .slice(0, maxChanges)
    .map(({ values, weight: _, ...change }) => ({
      ...change,
      text: sentence(language, textsOf(language).changes[change.kind], { against, ...values }),
    }))
}
