// What the service notes by itself: computed for each answer from what the file knows.
import * as v from 'valibot'
import { query } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { historyTitles } from '../lib/histories.ts'
import { addDays, type Day, dayText, eachDay, timeText, type Zone } from '../lib/time.ts'
import type { Imported } from '../rollup/imported.ts'
import type { ZoneChange } from '../rollup/zone.ts'
import sqlText from '../sql/annotation-automatic.sql'
import type { AutomaticKind } from './sentences.ts'
import { type DayHours, findSilences, type Silence } from './silence.ts'

const sql = statements(sqlText)

export const changesQuery = query(
  sql('annotation.changes'),
  v.object({ start: v.number(), end: v.number() }),
  v.object({ at: v.number(), action: v.string(), details: v.string() }),
)
export const hoursQuery = query(
  sql('annotation.hours'),
  v.object({ from: v.number(), to: v.number() }),
  v.object({ day: v.number(), views: v.number(), hours: v.number() }),
  { reads: ['site_day', 'hour_day'] },
)
export const suspectsQuery = query(
  sql('annotation.suspects'),
  v.object({ from: v.number(), to: v.number() }),
  v.object({ day: v.number(), visits: v.number(), suspect: v.number() }),
  { reads: ['site_day', 'dimension_rollup'] },
)

/** `until` is the last day or the end; null for a single day or moment, or if it goes on. */
export type Automatic = {
  day: Day
  at: string
  until: string | null
  kind: AutomaticKind
  values: Readonly<Record<string, string | number>>
}

export type Facts = {
  zone: Zone
  from: Day
  to: Day
  now: number
  imported: readonly Imported[]
  zoneChanges: readonly ZoneChange[]
  /** The first day with complete raw rows; 0 if nothing was ever purged. */
  rawFrom: Day
  /** The first day on which anything was counted; null before that. */
  first: Day | null
  /**
   * Null for a caller who may not see them: settings and versions, what was counted by the hour, and visits that look
   * automated, with those of the days before the range that its first days are judged with.
   */
  internal: {
    changes: readonly v.InferOutput<typeof changesQuery.row>[]
    days: readonly DayHours[]
    suspects: readonly SuspectDay[]
  } | null
}

type SuspectDay = v.InferOutput<typeof suspectsQuery.row>

/** The days of a week, and the share and the number of its visits from which on a note says that they look automated. */
export const suspectDays = 7
const suspectShare = 0.1
const leastVisits = 30

/** Views a day in the range from which on a day without any is worth a note. */
const usualViews = 20

const readDetails = v.parser(v.record(v.string(), v.union([v.string(), v.number()])))

const span = (from: Day, to: Day): Pick<Automatic, 'day' | 'at' | 'until'> => ({
  day: from,
  at: dayText(from),
  until: from === to ? null : dayText(to),
})

/** Neighbours among days, as one span. */
const joined = (days: readonly Day[]): { from: Day; to: Day }[] => {
  const found: { from: Day; to: Day }[] = []
  for (const day of days) {
    const before = found.at(-1)
    if (before !== undefined && addDays(before.to, 1) === day) before.to = day
    else found.push({ from: day, to: day })
  }
  return found
}

/** Days at the end of a week with many visits that look automated; neighbours are one note. */
const suspectSpans = ({ from, to }: Facts, days: readonly SuspectDay[]) => {
  const known = new Map(days.map(one => [one.day, one]))
  return joined(
    eachDay(from, to).filter(last => {
      if (!known.has(last)) return false
      const week = eachDay(addDays(last, 1 - suspectDays), last).flatMap(day => known.get(day) ?? [])
      const visits = week.reduce((sum, one) => sum + one.visits, 0)
      return visits >= leastVisits && week.reduce((sum, one) => sum + one.suspect, 0) > visits * suspectShare
    }),
  )
}

/** Days without a view among days with many that no silence covers; neighbours are one note. */
const emptyDays = ({ zone, from, to, now, first }: Facts, days: readonly DayHours[], silences: readonly Silence[]) => {
  const [begin, end] = [Math.max(from, addDays(first ?? to, 1)), Math.min(to, addDays(zone.dayOf(now), -1))]
  const views = new Map(days.map(one => [one.day, one.views]))
  const covers = (day: Day): boolean =>
    silences.some(one => one.from < zone.startOf(addDays(day, 1)) && (one.to ?? now) > zone.startOf(day))
  const found: Day[] = []
  let [sum, count] = [0, 0]
  for (let day = begin; day <= end; day = addDays(day, 1)) {
    const counted = views.get(day) ?? 0
    sum += counted
    count += 1
    if (counted === 0 && !covers(day)) found.push(day)
  }
  return count === 0 || sum / count < usualViews ? [] : joined(found)
}

/** Automatic annotations of a range, in no order. Only names of settings, never their values. */
export const automaticOf = (facts: Facts): Automatic[] => {
  const { zone, from, to, now, imported, zoneChanges, rawFrom, first, internal } = facts
  const inRange = (day: Day): boolean => day >= from && day <= to
  const known: Automatic[] = [
    ...imported
      .filter(({ first_day, last_day }) => first_day <= to && last_day >= from)
      .map(({ kind, first_day, last_day }) => ({
        ...span(first_day, last_day),
        kind: 'imported' as const,
        values: { format: kind === 'requests' || kind === 'access-log' ? kind : historyTitles[kind] },
      })),
    ...zoneChanges
      .filter(({ first_day }) => inRange(first_day))
      .map(({ first_day, previous, timezone }) => ({
        ...span(first_day, first_day),
        kind: 'timezone' as const,
        values: { previous, timezone },
      })),
    ...(inRange(rawFrom) && first !== null && first < rawFrom
      ? [{ ...span(rawFrom, rawFrom), kind: 'retention' as const, values: {} }]
      : []),
  ]
  if (internal === null) return known
  const silences = first === null ? [] : findSilences(zone, internal.days, { from, to, first, now })
  return [
    ...known,
    ...silences.map(silence => ({
      day: zone.dayOf(silence.from),
      at: timeText(silence.from),
      until: silence.to === null ? null : timeText(silence.to),
      kind: 'silent' as const,
      values: {},
    })),
    ...emptyDays(facts, internal.days, silences).map(empty => ({
      ...span(empty.from, empty.to),
      kind: 'no_visits' as const,
      values: {},
    })),
    ...suspectSpans(facts, internal.suspects).map(one => ({
      ...span(one.from, one.to),
      kind: 'suspect' as const,
      values: {},
    })),
    ...internal.changes.map(({ at, action, details }) => ({
      day: zone.dayOf(at),
      at: timeText(at),
      until: null,
      kind: action === 'version_changed' ? ('version' as const) : ('setting' as const),
      values: readDetails(JSON.parse(details)),
    })),
  ]
}
