// Hours and weekdays of the site's time zone: as keys of rows, and on how many days of a range there are any.
import { addDays, type Day, eachDay, weekday, type Zone } from '../lib/time.ts'
import type { Range } from './range.ts'

const daySeconds = 86_400

/** Days with a clock change, and days that do not begin at 00:00. */
export const unevenDays = ({ from, to }: Range, zone: Zone): Day[] =>
  eachDay(from, to).filter(
    day => zone.startOf(addDays(day, 1)) - zone.startOf(day) !== daySeconds || zone.hourOf(zone.startOf(day)) !== 0,
  )

const hourName = (hour: number): string => String(hour).padStart(2, '0')

/** The hour on the clock of the n-th hour of a day, such as `09`. */
export const hourKey =
  (zone: Zone, uneven: readonly Day[]) =>
  ({ day, hour }: { day: Day; hour: number }): string =>
    hourName(uneven.includes(day) ? zone.hourOf(zone.startOf(day) + hour * 3600) : hour)

export const weekdayKey = ({ day }: { day: Day }): string => String(weekday(day))

const hoursOf = (zone: Zone, day: Day): Set<string> => {
  const hours = new Set<string>()
  for (let at = zone.startOf(day); at < zone.startOf(addDays(day, 1)); at += 3600) hours.add(hourName(zone.hourOf(at)))
  return hours
}

/** Days that have the hour of a key; a clock change may leave one out. */
const daysWithHour = (days: readonly Day[], zone: Zone, uneven: readonly Day[]): ((key: string) => number) => {
  const odd = uneven.map(day => hoursOf(zone, day))
  return key => days.length - odd.filter(hours => !hours.has(key)).length
}

const daysOnWeekday = (days: readonly Day[]): ((key: string) => number) => {
  const keys = days.map(day => weekdayKey({ day }))
  return key => keys.filter(other => other === key).length
}

/** How many days of a range until today are a weekday and have an hour. */
export const weekdayHourCounter = (
  { from, to }: Range,
  zone: Zone,
  today: Day,
): ((cell: { weekday: number; hour: number }) => number) => {
  const past = { from, to: Math.min(to, today) }
  const days = from > today ? [] : eachDay(from, past.to)
  const byWeekday = Map.groupBy(days, weekday)
  const uneven = Map.groupBy(days.length === 0 ? [] : unevenDays(past, zone), weekday)
  const counters = new Map(
    [...byWeekday].map(([day, found]) => [day, daysWithHour(found, zone, uneven.get(day) ?? [])] as const),
  )
  return cell => counters.get(cell.weekday)?.(hourName(cell.hour)) ?? 0
}

/** How many days of a range, of which none is later than today, have the hour or are the weekday of a key. */
export const dayCounter = (
  type: 'hour' | 'weekday',
  { from, to }: Range,
  zone: Zone,
  today: Day,
): ((key: string) => number) => {
  const past = { from, to: Math.min(to, today) }
  const days = from > today ? [] : eachDay(from, past.to)
  if (type === 'weekday') return daysOnWeekday(days)
  return daysWithHour(days, zone, days.length === 0 ? [] : unevenDays(past, zone))
}
