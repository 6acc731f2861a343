// Which days a text names: "last month", "since March", "1 to 15 May", "vor 3 Tagen", "30 derniers jours".
import { units as calendar } from '../../lib/calendar.ts'
import { addDays, type Day, dateOf } from '../../lib/time.ts'
import { maxDays, type Range } from '../../reports/range.ts'
import { monthDays, units } from './calendar.ts'
import { beforeBy, type Earlier, earlierAt, relation } from './comparison.ts'
import { feast } from './feasts.ts'
import type { Span } from './lexicon.ts'
import { ago, named, relative, weekly } from './period-relative.ts'
import { custom, type PeriodWords, type Stretch } from './period-words.ts'

/** Where days may lie to others. */
const sides = ['before', 'until', 'after'] as const

// Dates, months, quarters and years as people write them.

/** The latest such date that is not in the future. */
const dateIn = (w: PeriodWords, month: number, date: number, year: number | null): Range | null => {
  const thisYear = Math.floor(w.today / 10_000)
  const candidate = (one: number): Day => one * 10_000 + month * 100 + date
  const day = candidate(year ?? (candidate(thisYear) > w.today ? thisYear - 1 : thisYear))
  return addDays(day, 0) === day ? { from: day, to: day } : null
}
const monthIn = (w: PeriodWords, month: number, year: number | null): Range => {
  const thisYear = Math.floor(w.today / 10_000)
  const start = (one: number): Day => one * 10_000 + month * 100 + 1
  return monthDays(start(year ?? (start(thisYear) > w.today ? thisYear - 1 : thisYear)))
}

/** 2026-05-01, 1.5.2026, 1/5, 15.5. */
const written = (w: PeriodWords, at: number): Stretch | null => {
  const iso = dateOf(w.wordAt(at))
  if (iso !== null) return custom({ from: iso, to: iso }, 1)
  const found = /^(\d{1,2})[./-](\d{1,2})(?:[./-](\d{4}|\d{2})?)?$/.exec(w.wordAt(at))
  if (found === null) return null
  const [first, second, year] = [Number(found[1]), Number(found[2]), found[3]]
  const [date, month] = second > 12 ? [second, first] : [first, second]
  if (month < 1 || month > 12 || date < 1) return null
  return custom(dateIn(w, month, date, year === undefined ? null : Number(year.length === 2 ? `20${year}` : year)), 1)
}

/** Whether the name of a month is often another word. */
const ambiguous = (word: string): boolean => word === 'march' || (word.length <= 3 && word !== 'mai')

/** May, May 2026, 15 May, 15 de mayo 2026, May 15th. */
const monthly = (w: PeriodWords, at: number): Stretch | null => {
  const date = w.dayAt(at)
  const gap = w.has(at + 1, 'in') && w.valueAt(at + 2, 'month') !== null ? 1 : 0
  const named = date === null ? null : w.valueAt(at + 1 + gap, 'month')
  if (date !== null && named !== null) {
    const year = w.yearAt(at + 2 + gap) ?? (w.has(at + 2 + gap, 'in') ? w.yearAt(at + 3 + gap) : null)
    return custom(dateIn(w, named, date, year), 2 + gap + (year === null ? 0 : w.yearAt(at + 2 + gap) === null ? 2 : 1))
  }
  const month = w.valueAt(at, 'month')
  if (month === null) return null
  const after = w.yearAt(at + 1) === null ? w.dayAt(at + 1) : null
  if (after !== null) return custom(dateIn(w, month, after, w.yearAt(at + 2)), w.yearAt(at + 2) === null ? 2 : 3)
  const gapped = w.has(at + 1, 'in') && w.yearAt(at + 2) !== null
  const year = gapped ? w.yearAt(at + 2) : w.yearAt(at + 1)
  // "may" and "march" are verbs, "mar" is a sea: alone they need a word before them.
  const before = ['in', 'since', 'than', 'and', 'between', ...sides].some(kind => w.has(at - 1, kind))
  if (year === null && !before && w.spans.length > 1 && ambiguous(w.wordAt(at))) return null
  return custom(monthIn(w, month, year), year === null ? 1 : gapped ? 3 : 2)
}

/** Q1, T1 and 1T are quarters, H1 is half a year. */
const partOf = (w: PeriodWords, at: number): { number: number; months: number; length: number } | null => {
  const short = /^(?:([qth])([1-4])|([1-4])([qt]))$/.exec(w.wordAt(at))
  if (short !== null) return { number: Number(short[2] ?? short[3]), months: short[1] === 'h' ? 6 : 3, length: 1 }
  const number = w.dayAt(at)
  const months = w.has(at + 1, 'quarter') ? 3 : w.has(at + 1, 'half') ? 6 : 0
  return number === null || months === 0 ? null : { number, months, length: 2 }
}

/** Quarters and halves of a year: third quarter 2025, H1, first half of the year. */
const quarterly = (w: PeriodWords, at: number): Stretch | null => {
  const part = partOf(w, at)
  if (part === null || part.number * part.months > 12) return null
  const { number, months, length } = part
  const gap = w.has(at + length, 'of_year') || (w.has(at + length, 'in') && w.yearAt(at + length + 1) !== null) ? 1 : 0
  const year = w.yearAt(at + length + gap)
  const start = monthIn(w, (number - 1) * months + 1, year).from
  return custom(monthDays(start, months), length + gap + (year === null ? 0 : 1))
}

/** Spring from March, and so on: the latest that has begun. */
const seasonal = (w: PeriodWords, at: number): Stretch | null => {
  const month = w.valueAt(at, 'seasons')
  if (month === null) return null
  const year = w.yearAt(at + 1)
  return custom(monthDays(monthIn(w, month, year).from, 3), year === null ? 1 : 2)
}

const yearly = (w: PeriodWords, at: number): Stretch | null => {
  const year = w.yearAt(at)
  return year === null ? null : custom(monthDays(year * 10_000 + 101, 12), 1)
}

/** The days named, what the period is called, whether no first day is named, and which spans name it. */
export type Period = { name: string; range: Range; isOpen?: true; used: readonly Span[] }
/** `compare` as reports take it, and the spans that name it. */
export type PeriodRead = { period: Period | null; compare: string | null; compared: readonly Span[] }

/** The day of an annotation. */
const noted = (w: PeriodWords, at: number): Stretch | null => {
  const day = w.valueAt(at, 'noted')
  return day === null ? null : custom({ from: day, to: day }, 1)
}

const simple = (w: PeriodWords, at: number): Stretch | null =>
  noted(w, at) ??
  feast(w, at) ??
  named(w, at) ??
  written(w, at) ??
  relative(w, at) ??
  ago(w, at) ??
  quarterly(w, at) ??
  weekly(w, at) ??
  monthly(w, at) ??
  seasonal(w, at) ??
  yearly(w, at)

/** An article or preposition before a date. */
const skip = (w: PeriodWords, at: number): number => {
  const isFiller = w.spans[at]?.known === true && w.spans[at]?.concepts.length === 0
  return (isFiller || w.has(at, 'in')) && simple(w, at) === null ? 1 : 0
}

/** "1 and 15 May": the first date has no month of its own. */
const borrowing = (w: PeriodWords, at: number): Stretch | null => {
  const date = w.dayAt(at)
  const next = at + 2 + skip(w, at + 2)
  const second = w.has(at + 1, 'and') ? simple(w, next) : null
  if (date === null || second === null || second.range.from !== second.range.to) return null
  const from = second.range.from - (second.range.from % 100) + date
  return from > second.range.to ? null : custom({ from, to: second.range.to }, next - at + second.length)
}

/** Days beside others: "before October", "until 15 May", "two weeks before Easter", "the month after". */
const beside = (w: PeriodWords, start: number): Stretch | null => {
  const count = w.countAt(start)
  const at = count === null ? start : start + 1
  const unit = w.unitAt(at) ?? units.find(one => w.has(at, `of_${one}`)) ?? null
  const lead = unit === null ? start : at + 1
  const side = sides.find(one => w.has(lead, one))
  const place = lead + 1 + skip(w, lead + 1)
  const found = side === undefined ? null : simple(w, place)
  if (found === null) return null
  const { from, to } = found.range
  const length = place + found.length - start
  if (unit !== null) {
    const { add } = calendar[unit]
    if (side === 'before') return custom({ from: add(from, -(count ?? 1)), to: addDays(from, -1) }, length)
    return side === 'after' ? custom({ from: addDays(to, 1), to: add(to, count ?? 1) }, length) : null
  }
  if (side === 'after') return custom({ from: addDays(to, 1), to: w.today }, length)
  return { name: 'custom', range: { from: 0, to: side === 'until' ? to : addDays(from, -1) }, length, isOpen: true }
}

/** From one to another, since one, beside one, or one alone. */
const stretchAt = (w: PeriodWords, start: number): Stretch | null => {
  const aside = beside(w, start)
  if (aside !== null) return aside
  const isSince = w.has(start, 'since')
  const opened = isSince || w.has(start, 'between') ? 1 : 0
  const lead = start + opened + (w.has(start + opened, 'in') ? 1 : 0)
  const borrowed = borrowing(w, lead)
  if (borrowed !== null) return { ...borrowed, length: borrowed.length + lead - start }
  const place = start + opened + (opened > 0 ? skip(w, start + opened) : 0)
  const first = simple(w, place)
  if (first === null) return null
  const next = place + first.length
  const second = w.has(next, 'and') ? simple(w, next + 1 + skip(w, next + 1)) : null
  if (second !== null && second.range.to >= first.range.from)
    return custom({ from: first.range.from, to: second.range.to }, next + 1 + skip(w, next + 1) + second.length - start)
  if (isSince && first.range.from < w.today) return custom({ from: first.range.from, to: w.today }, next - start)
  return { ...first, length: next - start }
}

/** Not after w.today, and not longer than reports can be. */
const bounded = (w: PeriodWords, { from, to }: Range): Range => {
  const end = Math.min(to, w.today)
  return { from: Math.max(from, addDays(end, 1 - maxDays)), to: end }
}

/** Words between "than" and the days: fillers and words of periods. */
const maxBetween = 5
const isCompared = (w: PeriodWords, place: number): boolean => {
  for (let at = place - 1; at >= Math.max(place - 1 - maxBetween, 0); at -= 1) {
    if (w.has(at, 'than')) return true
    if (w.spans[at]?.known !== true || w.spans[at]?.concepts.some(concept => !concept.startsWith('p:'))) return false
  }
  return false
}

/** "Up or down compared to last month" asks about this month. */
const counterpart = (w: PeriodWords, { name }: Stretch): { name: string; range: Range } | null => {
  if (name === 'yesterday') return { name: 'today', range: w.unitDays('day', 0) }
  const unit = units.find(one => name === `last_${one}`)
  return unit === undefined ? null : { name: `this_${unit}`, range: w.unitDays(unit, 0) }
}

type Found = { place: number; stretch: Stretch; compared: boolean }

/** The stretches of days and of time before them, in their order. */
const stretchesIn = (w: PeriodWords, compares: boolean): { found: Found[]; earlier: Earlier | null } => {
  const found: Found[] = []
  let earlier: Earlier | null = null
  for (let place = 0; place < w.spans.length; place += 1) {
    const before: Earlier | null =
      earlier === null && compares && beside(w, place) === null ? earlierAt(w, place, isCompared(w, place)) : null
    if (before !== null) {
      earlier = before
      place += before.length - 1
      continue
    }
    const stretch = stretchAt(w, place)
    if (stretch === null || stretch.range.from > w.today) continue
    found.push({ place, stretch, compared: compares && isCompared(w, place) })
    place += stretch.length - 1
  }
  return { found, earlier }
}

/** The period that the text asks about, and what it compares it with; one that is only compared with stands for now. */
export const readPeriod = (w: PeriodWords, compares: boolean): PeriodRead => {
  const { found, earlier } = stretchesIn(w, compares)
  const main = found.find(({ compared }) => !compared)
  const other = found.find(({ compared }) => compared)
  const used = (one: { place: number; stretch: Stretch } | undefined): readonly Span[] =>
    one === undefined ? [] : w.spans.slice(one.place, one.place + one.stretch.length)
  const present = main?.stretch ?? (other === undefined ? null : counterpart(w, other.stretch))
  const range = present === null ? null : bounded(w, present.range)
  const period =
    present === null || range === null
      ? null
      : {
          name: present.name,
          range,
          ...(main?.stretch.isOpen === true && { isOpen: true as const }),
          used: [...used(main), ...used(other)],
        }
  if (earlier !== null) {
    const spans = w.spans.slice(earlier.place, earlier.place + earlier.length)
    return { period, compare: beforeBy(earlier, present?.name, range), compared: spans }
  }
  const compare = other === undefined ? null : relation(w, present, other.stretch)
  return { period, compare, compared: used(other) }
}
