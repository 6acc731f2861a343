// How busy the generated site is by day and hour.
import occasions from '../../data/demo/occasions.json'
import { addDays, type Day, daysBetween, dayText, eachDay, weekday, type Zone } from '../lib/time.ts'
import { logNormal, type Random } from './random.ts'

/** January to December: more tea is sold in winter, most before Christmas. */
const months = [1.1, 1.04, 0.98, 0.94, 0.9, 0.82, 0.78, 0.8, 0.93, 1.04, 1.16, 1.3]
/** Monday to Sunday. */
const weekdays = [1.07, 1.08, 1.05, 1, 0.91, 0.83, 1.03]
/** From midnight on, in the visitor's time zone. */
const hours = [
  1.2, 0.7, 0.45, 0.35, 0.35, 0.6, 1.4, 2.6, 3.9, 4.8, 5.2, 5.3, 5.2, 5, 5, 4.9, 4.8, 4.9, 5.3, 5.9, 6.3, 6, 4.6, 2.6,
]
/** Visits at the end of the year relative to its beginning. */
const growth = 1.7

const daySeconds = 86_400

export type Occasion = (typeof occasions)[number]

/** A day of an occasion: `share` of the usual visits are added; it is negative while the site is down. */
export type Happening = { occasion: Occasion; share: number; campaign: string }

/** The Friday after the fourth Thursday of November. */
const blackFriday = (year: number): Day => {
  const first = year * 10_000 + 1101
  return addDays(first, ((11 - weekday(first)) % 7) + 21 + 1)
}

const monthly = (days: readonly Day[]): Day[] => days.filter(day => day % 100 <= 7 && weekday(day) === 2)

const startsOf = ({ ago, every }: Occasion, from: Day, to: Day): Day[] => {
  if (ago !== undefined) return [addDays(to, -ago)]
  if (every === 'month') return monthly(eachDay(from, to))
  return [Math.floor(from / 10_000), Math.floor(to / 10_000)].map(blackFriday)
}

/** The occasions of a year by day. */
export const happenings = (from: Day, to: Day): Map<Day, Happening[]> => {
  const byDay = new Map<Day, Happening[]>()
  for (const occasion of occasions) {
    for (const start of new Set(startsOf(occasion, from, to))) {
      occasion.course.forEach((share, index) => {
        const day = addDays(start, index)
        byDay.set(day, [...(byDay.get(day) ?? []), { occasion, share, campaign: dayText(start).slice(0, 7) }])
      })
    }
  }
  return byDay
}

/** The position of a day in the year, 0..1. */
export const progressOf = (day: Day, from: Day, to: Day): number =>
  (daysBetween(from, day) - 1) / Math.max(1, daysBetween(from, to) - 1)

/** How busy a day is relative to an average one, without occasions. */
export const busyness = (day: Day, progress: number): number =>
  (months[(Math.floor(day / 100) % 100) - 1] ?? 1) * (weekdays[weekday(day) - 1] ?? 1) * growth ** (progress - 0.5)

/** A random factor for the visits of a day. */
export const dailyVariation = (random: Random): number => logNormal(random, 1, 0.07)

const hourSums = hours.reduce<number[]>((sums, hour) => [...sums, (sums.at(-1) ?? 0) + hour], [])

const timeOfDay = (random: Random): number => {
  const target = random() * (hourSums.at(-1) ?? 0)
  return (hourSums.findIndex(sum => sum > target) + random()) * 3600
}

/** A random time on the site's day, distributed by the hours of the visitor's time zone. */
export const arrivalTime = (random: Random, day: Day, site: Zone, visitor: Zone): number => {
  const start = site.startOf(day)
  const second = timeOfDay(random) + visitor.startOf(day) - start
  return start + Math.floor((second + daySeconds) % daySeconds)
}
