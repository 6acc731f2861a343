// Days that have a name: Christmas, Easter, Black Friday, in the year that is meant or the latest that has begun.
import { addDays, type Day, weekday } from '../../lib/time.ts'
import type { Range } from '../../reports/range.ts'
import { blackFriday } from '../questions/campaigns.ts'
import { relative } from './period-relative.ts'
import { custom, type PeriodWords, type Stretch } from './period-words.ts'

/** Easter Sunday of the Gregorian calendar (Meeus, Jones, Butcher). */
const easter = (year: number): Day => {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100]
  const shift = Math.floor((8 * b + 13) / 25)
  const moon = (19 * a + b - Math.floor(b / 4) - shift + 15) % 30
  const week = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - moon - (c % 4)) % 7
  const late = Math.floor((a + 11 * moon + 19 * week) / 433)
  const month = Math.floor((moon + week - 7 * late + 90) / 25)
  return year * 10_000 + month * 100 + ((moon + week - 7 * late + 33 * month + 19) % 32)
}

const around = (day: Day, before: number, after: number): Range => ({
  from: addDays(day, -before),
  to: addDays(day, after),
})
const fixed =
  (date: number, more = 0) =>
  (year: number): Range =>
    around(year * 10_000 + date, 0, more)

/** By the names of the lexicon. */
const feasts: Readonly<Record<string, (year: number) => Range>> = {
  new_year: fixed(101),
  epiphany: fixed(106),
  valentine: fixed(214),
  halloween: fixed(1031),
  all_saints: fixed(1101),
  christmas_eve: fixed(1224),
  christmas: fixed(1224, 2),
  /** Where the 26th is a day as any other. */
  noel: fixed(1224, 1),
  new_years_eve: fixed(1231),
  good_friday: year => around(easter(year), 2, -2),
  easter: year => around(easter(year), 2, 1),
  easter_sunday: year => around(easter(year), 0, 0),
  easter_monday: year => around(easter(year), -1, 1),
  holy_week: year => around(easter(year), 7, 0),
  ascension: year => around(easter(year), -39, 39),
  pentecost: year => around(easter(year), -48, 50),
  thanksgiving: year => around(blackFriday(year), 1, -1),
  black_friday: year => around(blackFriday(year), 0, 0),
  black_week: year => around(blackFriday(year), 4, 3),
  cyber_monday: year => around(blackFriday(year), -3, 3),
  advent: year => {
    const eve = year * 10_000 + 1224
    return { from: addDays(eve, -(weekday(eve) % 7) - 21), to: eve }
  },
}

const nameAt = (w: PeriodWords, at: number): string | null =>
  w.spans[at]?.concepts.find(concept => concept.startsWith('p:feasts='))?.slice('p:feasts='.length) ?? null

/** The year that is named at a place, as a number or as "last year", and how many spans name it. */
const yearAt = (w: PeriodWords, at: number): { year: number; length: number } | null => {
  const gap = w.has(at, 'in') && w.yearAt(at + 1) !== null ? 1 : 0
  const year = w.yearAt(at + gap)
  if (year !== null) return { year, length: gap + 1 }
  const named = relative(w, at)
  return named?.name.endsWith('_year') === true
    ? { year: Math.floor(named.range.from / 10_000), length: named.length }
    : null
}

const filler = (w: PeriodWords, at: number): number =>
  w.has(at, 'in') || (w.spans[at]?.known === true && w.spans[at]?.concepts.length === 0) ? 1 : 0

/** Christmas, last Christmas, Christmas 2024, Christmas last year, "letztes Jahr an Weihnachten". */
export const feast = (w: PeriodWords, at: number): Stretch | null => {
  const before = yearAt(w, at)
  const lead = before === null ? (w.has(at, 'last') ? 1 : 0) : before.length + filler(w, at + before.length)
  const name = nameAt(w, at + lead)
  const days = name === null ? undefined : feasts[name]
  if (days === undefined) return null
  const after = before === null ? yearAt(w, at + lead + 1) : null
  const isLast = w.has(at, 'last') || w.has(at + lead + 1, 'last')
  const thisYear = Math.floor(w.today / 10_000)
  const latest = (isLast ? days(thisYear).to : days(thisYear).from) > w.today ? thisYear - 1 : thisYear
  const more = after?.length ?? (w.has(at + lead + 1, 'last') ? 1 : 0)
  return custom(days(before?.year ?? after?.year ?? latest), lead + 1 + more)
}
