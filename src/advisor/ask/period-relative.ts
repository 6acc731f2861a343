// Periods that depend on the present day: this week, the last 30 days, three days ago, on Monday.
import { addDays, weekday } from '../../lib/time.ts'
import { lastUnits, type Unit, units } from './calendar.ts'
import { custom, type PeriodWords, type Stretch } from './period-words.ts'

/** This week, last 3 months, 30 derniers jours, semana pasada. */
export const relative = (w: PeriodWords, at: number): Stretch | null => {
  const [isThis, isLast] = [w.has(at, 'this'), w.has(at, 'last')]
  if (isThis || isLast) {
    const count = w.countAt(at + 1)
    const counted = count === null ? null : w.unitAt(at + 2)
    if (isLast && count !== null && counted !== null) return custom(lastUnits(counted, count, w.today), 3)
    const unit = w.unitAt(at + 1)
    const again = unit === null && w.has(at + 1, 'last') ? w.unitAt(at + 2) : null
    if (unit !== null)
      return isThis
        ? current(w, unit, 2)
        : isPlural(w, at + 1)
          ? custom(lastUnits(unit, 4, w.today), 2)
          : previous(w, unit, 2)
    if (again !== null) return previous(w, again, 3)
  }
  const count = w.countAt(at)
  if (count !== null && w.has(at + 1, 'last') && w.unitAt(at + 2) !== null)
    return custom(lastUnits(w.unitAt(at + 2) ?? 'day', count, w.today), 3)
  const unit = w.unitAt(at)
  // Not in "the same month last year".
  if (unit !== null && unit !== 'day' && w.has(at + 1, 'last') && w.unitAt(at + 2) === null) return previous(w, unit, 2)
  if (unit !== null && unit !== 'day' && w.has(at + 1, 'this')) return current(w, unit, 2)
  return null
}
const isPlural = (w: PeriodWords, at: number): boolean =>
  /(?:days|weeks|jours|semaines|dias|semanas|tagen|wochen)$/.test(w.wordAt(at))
const current = (w: PeriodWords, unit: Unit, length: number): Stretch => ({
  name: unit === 'day' ? 'today' : `this_${unit}`,
  range: w.unitDays(unit, 0),
  length,
})
const previous = (w: PeriodWords, unit: Unit, length: number): Stretch => ({
  name: unit === 'day' ? 'yesterday' : `last_${unit}`,
  range: w.unitDays(unit, 1),
  length,
})

/** 3 days ago, vor 3 Tagen, il y a 3 jours, hace 3 días. */
export const ago = (w: PeriodWords, at: number): Stretch | null => {
  const before = w.has(at, 'before_unit') || w.has(at, 'ago_before') ? 1 : 0
  const count = w.countAt(at + before)
  const counted = count === null ? 0 : 1
  const unit = w.unitAt(at + before + counted)
  if (unit === null || (before === 0 && !w.has(at + counted + 1, 'ago')) || (before === 1 && count === null))
    return null
  return custom(w.unitDays(unit, Math.min(count ?? 1, 500)), 2 + counted)
}

/** The weekday before w.today; "last Monday" and "lundi dernier" are the same. */
export const weekly = (w: PeriodWords, at: number): Stretch | null => {
  const skipped =
    (w.has(at, 'last') || w.has(at, 'this')) && !w.has(at, 'weekend') && w.valueAt(at, 'weekday') === null ? 1 : 0
  const place = at + skipped
  const after = w.has(place + 1, 'last') ? 1 : 0
  const number = w.valueAt(place, 'weekday')
  if (number !== null) {
    const day = addDays(w.today, -(((weekday(w.today) - number + 6) % 7) + 1))
    return custom({ from: day, to: day }, 1 + skipped + after)
  }
  if (!w.has(place, 'weekend')) return null
  const saturday = addDays(w.today, -((weekday(w.today) + 1) % 7))
  return custom({ from: saturday, to: addDays(saturday, 1) }, 1 + skipped + after)
}

/** "Of the year" is this one, unless another is named. */
const ofUnit = (w: PeriodWords, at: number): Stretch | null => {
  const unit = units.find(one => w.has(at, `of_${one}`))
  if (unit === undefined || w.yearAt(at + 1) !== null) return null
  return w.has(at + 1, 'last') ? previous(w, unit, 2) : current(w, unit, w.has(at + 1, 'this') ? 2 : 1)
}

export const named = (w: PeriodWords, at: number): Stretch | null => {
  for (const [kind, name, range] of [
    ['today', 'today', w.unitDays('day', 0)],
    ['before_yesterday', 'custom', w.unitDays('day', 2)],
    ['yesterday', 'yesterday', w.unitDays('day', 1)],
    ['year_to_date', 'this_year', w.unitDays('year', 0)],
    ['month_to_date', 'this_month', w.unitDays('month', 0)],
    ...(['week', 'month', 'quarter', 'year'] as const).map(
      unit => [`last_${unit}`, `last_${unit}`, w.unitDays(unit, 1)] as const,
    ),
  ] as const)
    if (w.has(at, kind)) return { name, range, length: 1 }
  return ofUnit(w, at)
}
