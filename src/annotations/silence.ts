// Stretches of hours in which nothing was counted although something should have been: the tracker is gone, or the site.
import { addDays, eachDay, type Day, type Zone } from '../lib/time.ts'

/** `hours` are those in which something was counted, as bits from the day's first hour. */
export type DayHours = { day: Day; views: number; hours: number }
/** Whole hours, in seconds since 1970; `to` is null if it goes on. */
export type Silence = { from: number; to: number | null }

const hour = 3600
const minHours = 6
const usualFactor = 4
const weeks = [1, 2, 3, 4]
/** Days before a range that are needed to judge it: four weeks, and the beginning of a silence that reaches into it. */
export const daysBefore = 63
/** Days after it, in which a silence may go on. */
export const daysAfter = 35

type Hour = { day: Day; index: number; second: number }
type Gap = { hours: Hour[]; over: boolean }

const hoursOf = (zone: Zone, day: Day, until: number): Hour[] => {
  const [start, end] = [zone.startOf(day), Math.min(until, zone.startOf(addDays(day, 1)))]
  const count = Math.max(0, Math.floor((end - start) / hour))
  return Array.from({ length: count }, (_, index) => ({ day, index, second: start + index * hour }))
}

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

/**
 * Silences that touch the days of a range. One lasts at least six hours, and four times the longest gap that is usual on
 * the weekday it begins on; and something was counted in the same hours of the weeks before. Of the four weeks before,
 * one may have been unusual.
 * @param days in order, from `daysBefore` days before the range to `daysAfter` days after it; those without anything may
 * be left out
 * @param first the first day on which anything was ever counted
 */
export const findSilences = (
  zone: Zone,
  days: readonly DayHours[],
  { from, to, first, now }: { from: Day; to: Day; first: Day; now: number },
): Silence[] => {
  const known = new Map(days.map(one => [one.day, one]))
  const heard = (day: Day, index: number): boolean => {
    const { views = 0, hours = 0 } = known.get(day) ?? {}
    return hours === 0 ? views > 0 : (hours & (1 << index)) !== 0
  }
  const start = Math.max(first, addDays(from, -daysBefore))
  const until = Math.min(now, zone.startOf(addDays(to, daysAfter + 1)))
  const last = zone.dayOf(until - 1)
  if (start > last) return []
  const gaps = gapsIn(
    eachDay(start, last).flatMap(day => hoursOf(zone, day, until)),
    heard,
  )
  const longest = new Map<Day, number>()
  for (const { hours } of gaps)
    for (const { day } of hours) longest.set(day, Math.max(longest.get(day) ?? 0, hours.length))

  const isSilence = ({ hours }: Gap): boolean => {
    const begin = hours[0]?.day ?? start
    if (addDays(begin, -7 * weeks.length) < start) return false
    const [, usual = 0] = weeks.map(week => longest.get(addDays(begin, -7 * week)) ?? 0).sort((a, b) => b - a)
    if (hours.length < Math.max(minHours, usualFactor * usual)) return false
    const busy = weeks.filter(week => hours.some(({ day, index }) => heard(addDays(day, -7 * week), index)))
    return busy.length >= weeks.length - 1
  }
  return gaps
    .filter(
      ({ hours: [begin, ...rest] }) => begin !== undefined && begin.day <= to && (rest.at(-1) ?? begin).day >= from,
    )
    .filter(isSilence)
    .map(({ hours, over }) => ({
      from: hours[0]?.second ?? 0,
      to: over || until < now ? (hours.at(-1)?.second ?? 0) + hour : null,
    }))
}
