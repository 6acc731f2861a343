// Hours and weekdays of the site's time zone: as keys of rows, and on how many days of a range there are any that are over.
import { addDays, type Day, eachDay, weekday, type Zone } from '../lib/time.ts'
import type { Range } from './range.ts'

const daySeconds = 86_400

/** Days with a clock change, and days that do not begin at 00:00. */
const isUneven = (day: Day, zone: Zone): boolean =>
  zone.startOf(addDays(day, 1)) - zone.startOf(day) !== daySeconds || zone.hourOf(zone.startOf(day)) !== 0

const hourName = (hour: number): string => String(hour).padStart(2, '0')

export const weekdayKey = ({ day }: { day: Day }): string => String(weekday(day))

/** An hour by its number in its day. */
type NumberedHour = { day: Day; hour: number }

/** `since`: the second after midnight at which the first day begins; `now` in seconds since 1970. */
type Stretch = { range: Range; since: number | null; zone: Zone; now: number }

/** The hours on the clock of a day that are over, of which none is before the stretch. */
const endedHours = (day: Day, { range, since, zone, now }: Stretch): Set<string> => {
  const begin = since === null || day !== range.from ? 0 : zone.secondAt(day, since)
  const hours = new Map<string, boolean>()
  for (const { start, end } of zone.hoursOf(day)) {
    const hour = hourName(zone.hourOf(start))
    hours.set(hour, start >= begin && end <= now && hours.get(hour) !== false)
  }
  return new Set([...hours].filter(([, ended]) => ended).map(([hour]) => hour))
}

/**
 * The hours and days of a range that are over. A mean counts no others: those that are under way would lower it.
 *
 * - `oddDays`: days that not every hour of the clock has once, and days under way; their hours are read by themselves
 * - `hourKey`: the hour on the clock, such as `09`
 * - `isHourOver`, `isDayOver`: whether the figures of an hour or day belong to means
 * - `daysWithHour`, `daysOnWeekday`: of how many days
 */
export const endedTimes = (stretch: Stretch) => {
  const { range, since, zone, now } = stretch
  const today = zone.dayOf(now)
  const days = range.from > today ? [] : eachDay(range.from, Math.min(range.to, today))
  const isDayOver = ({ day }: { day: Day }): boolean => day < today && (since === null || day !== range.from)
  const odd = new Map(
    days.filter(day => !isDayOver({ day }) || isUneven(day, zone)).map(day => [day, endedHours(day, stretch)] as const),
  )
  const hourKey = ({ day, hour }: NumberedHour): string =>
    hourName(odd.has(day) ? zone.hourOf(zone.hoursOf(day)[hour]?.start ?? 0) : hour)
  const hasHour = (day: Day, hour: string): boolean => odd.get(day)?.has(hour) ?? true
  const byWeekday = Map.groupBy(days, day => weekdayKey({ day }))
  return {
    oddDays: [...odd.keys()],
    hourKey,
    isHourOver: (row: NumberedHour): boolean => hasHour(row.day, hourKey(row)),
    isDayOver,
    daysWithHour: (hour: string, onWeekday?: number): number =>
      (onWeekday === undefined ? days : (byWeekday.get(String(onWeekday)) ?? [])).filter(day => hasHour(day, hour))
        .length,
    daysOnWeekday: (key: string): number => (byWeekday.get(key) ?? []).filter(day => isDayOver({ day })).length,
  }
}

export type EndedTimes = ReturnType<typeof endedTimes>
