// Stretches of hours in which nothing was counted although something should have been: the tracker is gone, or the site.
import { addDays, type Day, eachDay, type Zone } from '../lib/time.ts'

/** `hours` are those in which something was counted, as bits from the day's first hour. */
export type DayHours = { day: Day; views: number; hours: number }
/** Whole hours as the clock shows them, in seconds since 1970; `to` is null if it goes on. */
export type Silence = { from: number; to: number | null }

const hour = 3600
/** How many hours a silence lasts at least, and how many times the longest gap that is usual on its weekday. */
export type SilenceLimits = { minHours: number; usualFactor: number }
export const usualLimits: SilenceLimits = { minHours: 6, usualFactor: 4 }
const weeks = [1, 2, 3, 4]
/** Days before a range that are needed to judge it: four weeks, and the beginning of a silence that reaches into it. */
export const daysBefore = 63
/** Days after it, in which a silence may go on. */
export const daysAfter = 35

type Hour = { day: Day; index: number; second: number; end: number }
type Gap = { hours: Hour[]; over: boolean }
/** Days in order, from `daysBefore` days before those to be judged; those without anything may be left out. */
type Days = readonly DayHours[]

const hoursOf = (zone: Zone, day: Day, until: number): Hour[] =>
  zone
    .hoursOf(day)
    .filter(({ end }) => end <= until)
    .map(({ hour: index, start, end }) => ({ day, index, second: start, end }))

/** All stretches without anything. A day whose hours are not known, as of imported sums, ends one. */
const gapsIn = (hours: readonly Hour[], heard: (day: Day, index: number) => boolean): Gap[] => {
  const gaps: Gap[] = []
  let current: Gap | null = null
  for (const one of hours) {
    if (heard(one.day, one.index)) {
      if (current !== null) current.over = true
      current = null
    } else if (current === null) gaps.push((current = { hours: [one], over: false }))
    else current.hours.push(one)
  }
  return gaps
}

/** All stretches from a day to a moment, and the hours from which each counts as silence; null if that is unknown. */
const judgeGaps = (zone: Zone, days: Days, start: Day, until: number, { minHours, usualFactor }: SilenceLimits) => {
  const known = new Map(days.map(one => [one.day, one]))
  const heard = (day: Day, index: number): boolean => {
    const { views = 0, hours = 0 } = known.get(day) ?? {}
    return hours === 0 ? views > 0 : (hours & (1 << index)) !== 0
  }
  const gaps = gapsIn(
    eachDay(start, zone.dayOf(until - 1)).flatMap(day => hoursOf(zone, day, until)),
    heard,
  )
  const longest = new Map<Day, number>()
  for (const { hours } of gaps)
    for (const { day } of hours) longest.set(day, Math.max(longest.get(day) ?? 0, hours.length))

  const boundOf = ({ hours }: Gap): number | null => {
    const begin = hours[0]?.day ?? start
    if (addDays(begin, -7 * weeks.length) < start) return null
    const [, usual = 0] = weeks.map(week => longest.get(addDays(begin, -7 * week)) ?? 0).sort((a, b) => b - a)
    const busy = weeks.filter(week => hours.some(({ day, index }) => heard(addDays(day, -7 * week), index)))
    return busy.length < weeks.length - 1 ? null : Math.max(minHours, usualFactor * usual)
  }
  return { gaps, boundOf }
}

/**
 * Silences that touch the days of a range. One lasts at least six hours, and four times the longest gap that is usual on
 * the weekday it begins on; and something was counted in the same hours of the weeks before. Of the four weeks before,
 * one may have been unusual.
 * @param days to `daysAfter` days after the range
 * @param first the first day on which anything was ever counted
 */
export const findSilences = (
  zone: Zone,
  days: Days,
  { from, to, first, now }: { from: Day; to: Day; first: Day; now: number },
): Silence[] => {
  const start = Math.max(first, addDays(from, -daysBefore))
  const until = Math.min(now, zone.startOf(addDays(to, daysAfter + 1)))
  if (start > zone.dayOf(until - 1)) return []
  const { gaps, boundOf } = judgeGaps(zone, days, start, until, usualLimits)
  return gaps
    .filter(
      ({ hours: [begin, ...rest] }) => begin !== undefined && begin.day <= to && (rest.at(-1) ?? begin).day >= from,
    )
    .filter(gap => gap.hours.length >= (boundOf(gap) ?? Infinity))
    .map(({ hours, over }) => ({
      from: hours[0]?.second ?? 0,
      to: over || until < now ? (hours.at(-1)?.end ?? 0) : null,
    }))
}

/**
 * The silence that goes on, by the same rule but to the second: `since` the last view, or the hour after it where that is
 * not known, and the hours from which it counts as one. Null if there is none.
 * @param last the second of the last view, null if there is none
 */
export const runningSilence = (
  zone: Zone,
  days: Days,
  { first, last, now, limits }: { first: Day; last: number | null; now: number; limits: SilenceLimits },
): { since: number; bound: number } | null => {
  const today = zone.dayOf(now)
  const start = Math.max(first, addDays(today, -daysBefore))
  if (start > today) return null
  const { gaps, boundOf } = judgeGaps(zone, days, start, now, limits)
  const gap = gaps.at(-1)
  const begin = gap?.hours[0]?.second
  if (gap === undefined || begin === undefined || gap.over) return null
  // Views that were imported as sums have no second of their own.
  const since = last !== null && last > begin - hour ? last : begin
  const bound = boundOf(gap)
  return bound !== null && now - since >= bound * hour ? { since, bound } : null
}
