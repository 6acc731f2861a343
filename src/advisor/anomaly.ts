import { addDays, type Day, parseDay } from '../lib/time.ts'
import { ratio } from '../reports/numbers.ts'
import { chanceOf } from './chance.ts'

export type Point = { date: string; visitors: number }
export type Finding = {
  detected: boolean
  current: number
  baseline: number | null
  change: number | null
  threshold: number | null
  method: 'same_weekdays' | 'seven_days' | 'not_enough_data'
}

/** The number of weeks from which the same weekday is compared. */
export const weeksBack = 8
const minWeekdays = 4
const minDays = 7
/** A day is unusual beyond two standard deviations, 30 % of the mean and what chance explains: a steady site has almost no deviation. */
const maxDeviations = 2
const minChange = 0.3

const meanOf = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0) / values.length

const standardDeviation = (values: readonly number[], mean: number): number =>
  Math.sqrt(meanOf(values.map(value => (value - mean) ** 2)))

const round = (value: number): number => Math.round(value * 100) / 100

/** Points without those of days before the first whole one; the last stays, as it is tested. */
export const wholeDays = <P extends Point>(points: readonly P[], firstWhole: Day): P[] =>
  points.filter(({ date }, index) => index === points.length - 1 || parseDay(date) >= firstWhole)

/**
 * Compares a day with the same weekdays of the last eight weeks if at least four have data, because weekends differ;
 * otherwise with the seven days before. Days before the first visitor count as unknown.
 * @param points consecutive days, the tested day last
 * @param first the index of the first day that is known
 */
export const findAnomaly = (
  points: readonly Point[],
  direction: 'up' | 'down',
  first = points.findIndex(({ visitors }) => visitors > 0),
): Finding => {
  const last = points.at(-1)
  const current = last?.visitors ?? 0
  const earlier = first < 0 || last === undefined ? [] : points.slice(first, -1)
  const dayBefore = (count: number): Day => addDays(parseDay(last?.date ?? '1970-01-01'), -count)
  const weekdays = new Set(Array.from({ length: weeksBack }, (_, week) => dayBefore(7 * (week + 1))))
  const same = earlier.filter(({ date }) => weekdays.has(parseDay(date)))
  const method =
    same.length >= minWeekdays ? 'same_weekdays' : earlier.length >= minDays ? 'seven_days' : 'not_enough_data'
  if (method === 'not_enough_data')
    return { detected: false, current, baseline: null, change: null, threshold: null, method }
  const values = (method === 'same_weekdays' ? same : earlier.slice(-minDays)).map(({ visitors }) => visitors)
  const mean = meanOf(values)
  const spread = maxDeviations * standardDeviation(values, mean)
  const margin = Math.max(spread, minChange * mean, chanceOf(mean, values.length))
  const threshold = direction === 'down' ? Math.max(0, mean - margin) : mean + margin
  const detected = direction === 'down' ? current < threshold : current > threshold
  return {
    detected,
    current,
    baseline: round(mean),
    change: ratio(current - mean, mean),
    threshold: round(threshold),
    method,
  }
}
