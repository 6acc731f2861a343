// The words of periods, by their place in a text.
import { units as calendar, type Present, unitBefore } from '../../lib/calendar.ts'
import type { Range } from '../../reports/range.ts'
import { type Unit, units } from './calendar.ts'
import type { Span } from './lexicon.ts'

/** A stretch of days read from the spans at a place, and how many spans it took; `isOpen` without a first day. */
export type Stretch = { name: string; range: Range; length: number; isOpen?: true }

/** Days without a name of their own. */
export const custom = (range: Range | null, length: number): Stretch | null =>
  range === null ? null : { name: 'custom', range, length }

/** What the span at a place says of a period: `has` kinds of words such as `last`, numbers, days of a month, years. */
export const createPeriodWords = (spans: readonly Span[], words: readonly string[], present: Present) => {
  const { today } = present
  /** The days of the unit that was so many before the present one. */
  const unitDays = (unit: Unit, back: number): Range => unitBefore(calendar[unit], present, back)
  const wordAt = (at: number): string => words[spans[at]?.start ?? -1] ?? ''
  const has = (at: number, kind: string): boolean => spans[at]?.concepts.includes(`p:${kind}`) ?? false
  const valueAt = (at: number, kind: string): number | null => {
    const found = spans[at]?.concepts.find(concept => concept.startsWith(`p:${kind}=`))
    return found === undefined ? null : Number(found.slice(kind.length + 3))
  }
  const unitAt = (at: number): Unit | null => units.find(unit => has(at, unit)) ?? null
  const digitsAt = (at: number): number | null => {
    const found = /^(\d{1,4})(?:st|nd|rd|th|er|ere|e|eme|o|a|º|ª)?$/.exec(wordAt(at))
    return found === null ? null : Number(found[1])
  }
  const countAt = (at: number): number | null => digitsAt(at) ?? valueAt(at, 'numbers')
  const dayAt = (at: number): number | null => {
    const number = digitsAt(at) ?? valueAt(at, 'ordinals') ?? valueAt(at, 'numbers')
    return number !== null && number >= 1 && number <= 31 ? number : null
  }
  const yearAt = (at: number): number | null => {
    const number = /^20\d\d$/.test(wordAt(at)) ? Number(wordAt(at)) : 0
    return number >= 2000 && number <= Math.floor(today / 10_000) ? number : null
  }
  return { spans, today, unitDays, wordAt, has, valueAt, unitAt, countAt, dayAt, yearAt }
}

export type PeriodWords = ReturnType<typeof createPeriodWords>
