// Which days a text names: "last month", "since March", "1 to 15 May", "vor 3 Tagen", "30 derniers jours".
import { addDays, daysBetween } from '../../lib/time.ts'
import type { Range } from '../../reports/range.ts'
import { calendarUnit, maxDays, units } from './calendar.ts'
import type { Span } from './lexicon.ts'
import { monthly, quarterly, written, yearly } from './period-dates.ts'
import { ago, named, relative, weekly } from './period-relative.ts'
import { custom, type PeriodWords, type Stretch } from './period-words.ts'

/** The days named, what the period is called, and which spans name it. */
export type Period = { name: string; range: Range; used: readonly Span[] }

const simple = (w: PeriodWords, at: number): Stretch | null =>
  named(w, at) ??
  written(w, at) ??
  relative(w, at) ??
  ago(w, at) ??
  quarterly(w, at) ??
  weekly(w, at) ??
  monthly(w, at) ??
  yearly(w, at)

/** An article or preposition before a date. */
const skip = (w: PeriodWords, at: number): number => (w.has(at, 'in') && simple(w, at) === null ? 1 : 0)

/** "1 and 15 May": the first date has no month of its own. */
const borrowing = (w: PeriodWords, at: number): Stretch | null => {
  const date = w.dayAt(at)
  const next = at + 2 + skip(w, at + 2)
  const second = w.has(at + 1, 'and') ? simple(w, next) : null
  if (date === null || second === null || second.range.from !== second.range.to) return null
  const from = second.range.from - (second.range.from % 100) + date
  return from > second.range.to ? null : custom({ from, to: second.range.to }, next - at + second.length)
}

/** From one to another, since one, or one alone. */
const stretchAt = (w: PeriodWords, start: number): Stretch | null => {
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
  return { from: daysBetween(from, end) > maxDays ? addDays(end, 1 - maxDays) : from, to: end }
}

const isCompared = (w: PeriodWords, place: number): boolean =>
  w.has(place - 1, 'than') ||
  (w.has(place - 2, 'than') && w.spans[place - 1]?.concepts.every(concept => concept.startsWith('p:')) === true)

/** "Up or down compared to last month" asks about this month. */
const counterpart = (w: PeriodWords, { name }: Stretch): { name: string; range: Range } | null => {
  if (name === 'yesterday') return { name: 'today', range: calendarUnit('day', w.today, 0) }
  const unit = units.find(one => name === `last_${one}`)
  return unit === undefined ? null : { name: `this_${unit}`, range: calendarUnit(unit, w.today, 0) }
}

/** The period that the text asks about; one that it only compares with stands for the present one. */
export const readPeriod = (w: PeriodWords, compares: boolean): Period | null => {
  let compared: { stretch: Stretch; used: Span[] } | null = null
  for (let place = 0; place < w.spans.length; place += 1) {
    const stretch = stretchAt(w, place)
    if (stretch === null || stretch.range.from > w.today) continue
    const used = w.spans.slice(place, place + stretch.length)
    if (compares && isCompared(w, place)) {
      compared ??= { stretch, used }
      place += stretch.length - 1
      continue
    }
    return { name: stretch.name, range: bounded(w, stretch.range), used: [...used, ...(compared?.used ?? [])] }
  }
  const present = compared === null ? null : counterpart(w, compared.stretch)
  return compared === null || present === null
    ? null
    : { ...present, range: bounded(w, present.range), used: compared.used }
}
