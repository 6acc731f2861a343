// Decides which visits are suspect: once they have ended, and all again when the operator chooses otherwise.
import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import { bitOf, bitsOf, boughtBit, isSuspect, logBit, suspicionRules } from '../bots/rules.ts'
import { all, type Db, get, query, run } from '../database/query.ts'
import { loadState, saveState } from '../database/saved-state.ts'
import { statements } from '../database/statements.ts'
import { addDays, type Day, eachDay, type Zone } from '../lib/time.ts'
import { loadChoice, type SuspectChoice, saveChoice } from '../settings/suspects.ts'
import sqlText from '../sql/suspects.sql'
import { type Changes, markDirty, noChanges } from './changes.ts'

const sql = statements(sqlText)

const id = v.object({ id: v.number() })
const endedVisit = v.object({
  id: v.number(),
  started_at: v.number(),
  ended_at: v.number(),
  views: v.number(),
  read_views: v.number(),
  seconds: v.number(),
  scroll: v.number(),
  shortest_gap: v.number(),
  longest_gap: v.number(),
  events: v.number(),
})

const leaveOutQuery = query(sql('left-out.add'), id)
const takeInQuery = query(sql('left-out.remove'), id)
const trustQuery = query(sql('session.trust'), v.object({ id: v.number(), bought: v.number() }))
const judgeQuery = query(sql('session.judge'), v.object({ id: v.number(), evidence: v.number(), suspect: v.number() }))
const evidenceQuery = query(
  sql('session.with-evidence'),
  v.object({ started_at: v.number(), id: v.number(), limit: v.number() }),
  v.object({ started_at: v.number(), id: v.number() }),
)
const visitQuery = query(
  sql('session.judged'),
  id,
  v.object({
    id: v.number(),
    started_at: v.number(),
    ended_at: v.number(),
    evidence: v.number(),
    suspect: v.number(),
    is_left_out: v.number(),
  }),
)
const endedQuery = query(sql('session.ended'), v.object({ from: v.number(), until: v.number() }), endedVisit)
const dayQuery = query(
  sql('session.evidence'),
  v.object({ start: v.number(), end: v.number() }),
  v.object({ evidence: v.number(), visits: v.number() }),
)
const suspectsQuery = query(
  sql('session.suspects'),
  v.object({ start: v.number(), end: v.number() }),
  v.object({ visits: v.number() }),
)
const hasEventsQuery = query(
  sql('session.has-events'),
  v.object({ id: v.number(), started_at: v.number(), ended_at: v.number() }),
  v.object({ found: v.number() }),
)

/** Whether a visit that began at a time is suspect, as the operator and the shares of the rules have it. */
export const isSuspectTo = ({ ignored, off }: SuspectChoice, evidence: number, at: number): boolean =>
  evidence !== 0 &&
  isSuspect(evidence, bitsOf([...ignored, ...off.filter(({ since }) => since <= at).map(({ rule }) => rule)]))

export const leaveOut = (db: Db, session: number): void => {
  run(db, leaveOutQuery, { id: session })
}

/** Never suspects a visit that bought something. @returns whether it was in no figure until now */
export const trust = (db: Db, session: number): boolean => {
  run(db, trustQuery, { id: session, bought: boughtBit })
  return run(db, takeInQuery, { id: session }) > 0
}

type Visit = v.InferOutput<typeof visitQuery.row>

/** Writes a judgement if it is another one. @returns whether figures change */
const save = (db: Db, before: Visit, evidence: number, choice: SuspectChoice, changes: Changes): boolean => {
  const suspect = isSuspectTo(choice, evidence, before.started_at)
  const isOut = suspect && choice.suspects === 'leave_out'
  const moves = isOut !== (before.is_left_out === 1)
  const turns = suspect !== (before.suspect === 1)
  if (evidence !== before.evidence || turns) run(db, judgeQuery, { id: before.id, evidence, suspect: suspect ? 1 : 0 })
  if (moves) run(db, isOut ? leaveOutQuery : takeInQuery, { id: before.id })
  if (!turns && !moves) return false
  changes.sessions.push(before.id)
  // Events are only ever added to the rollups of today, and views of what comes back are not among the changes.
  if (moves && (!isOut || get(db, hasEventsQuery, before)?.found === 1)) changes.whole = true
  return true
}

/** Hits wait while so many visits are judged. */
const chunk = 500

/** Judges visits by what is known of them by now, and marks the days that change. @returns how many did */
const judge = (
  db: Db,
  zone: Zone,
  visits: readonly { id: number; evidenceFrom: (evidence: number) => number }[],
  changes: Changes,
): number => {
  let changed = 0
  const days = new Set<Day>()
  db.transaction(() => {
    const choice = loadChoice(db)
    for (const { id, evidenceFrom } of visits) {
      const found = get(db, visitQuery, { id })
      if (found === undefined || !save(db, found, evidenceFrom(found.evidence), choice, changes)) continue
      changed += 1
      for (const day of eachDay(zone.dayOf(found.started_at), zone.dayOf(found.ended_at))) days.add(day)
    }
    for (const day of days) markDirty(db, day)
  }).immediate()
  return changed
}

/** Seconds after its last sign of life at which a visit has ended, and for which a record may still be dated back. */
const ended = 30 * 60
const late = 3600

const manyPages = 60
const manyEqual = 8

/** What the end of a visit tells. */
const endOf = (one: v.InferOutput<typeof endedVisit>): number => {
  const hours = Math.max(1, (one.ended_at - one.started_at) / 3600)
  const isFast = one.views > manyPages * hours && one.read_views === 0
  const isEven = one.views >= manyEqual && one.shortest_gap > 0 && one.shortest_gap === one.longest_gap
  const isNobody = one.views === 1 && one.events === 0 && one.seconds === 0 && one.scroll === 0
  return (
    (isFast ? bitOf('many_pages') : 0) | (isEven ? bitOf('equal_gaps') : 0) | (isNobody ? bitOf('nobody_there') : 0)
  )
}

const endBits = bitsOf(['many_pages', 'equal_gaps', 'nobody_there'])
/** Rules for which it must be known what was seen. */
const seenBits = bitsOf(['many_pages', 'nobody_there'])

/** Judges the visits with evidence that ended in a time span. */
const judgeSpan = (db: Db, zone: Zone, span: { from: number; until: number }, changes: Changes): void => {
  const visits = all(db, endedQuery, span).map(one => {
    const end = endOf(one)
    const evidenceFrom = (evidence: number): number =>
      (evidence & ~endBits) | ((evidence & logBit) === 0 ? end : end & ~seenBits)
    return { id: one.id, evidenceFrom }
  })
  for (let first = 0; first < visits.length; first += chunk)
    judge(db, zone, visits.slice(first, first + chunk), changes)
}

/** Judges the visits that ended on some days, after an import. @returns how many visits of these days are suspect */
export const judgeDays = (db: Db, zone: Zone, days: readonly Day[], now: number): number => {
  let suspects = 0
  for (const day of days) {
    const [start, end] = [zone.startOf(day), zone.startOf(addDays(day, 1))]
    judgeSpan(db, zone, { from: start - 1, until: Math.min(end - 1, now - ended) }, noChanges())
    suspects += get(db, suspectsQuery, { start, end })?.visits ?? 0
  }
  return suspects
}

const judgedSchema = v.object({ until: v.number() })

/**
 * Judges the visits with evidence that have ended since the last call, and those before that for which a late record may
 * have come.
 * @returns what changed in the figures
 */
export const judgeEnded = (db: Db, zone: Zone, now: number): Changes => {
  const changes = noChanges()
  const until = now - ended
  const before = loadState(db, 'judged', judgedSchema)?.until ?? 0
  judgeSpan(db, zone, { from: before - late, until }, changes)
  db.transaction(() => {
    saveState(db, 'judged', { until })
    if (zone.dayOf(before) !== zone.dayOf(until)) adjustRules(db, zone, until)
  }).immediate()
  return changes
}

/** Fewer visits of a day say nothing about a rule. */
const leastVisits = 30

/**
 * A rule of headers that fires for more than half of a day's visits tells of a proxy that removes them, not of the
 * visitors: it is off from that day on, until it no longer does. @returns whether anything changed
 */
const adjustRules = (db: Db, zone: Zone, now: number): boolean => {
  const day = addDays(zone.dayOf(now), -1)
  const span = { start: zone.startOf(day), end: zone.startOf(addDays(day, 1)) }
  const rows = all(db, dayQuery, span)
  const count = (mask: number): number =>
    rows.reduce((sum, { evidence, visits }) => sum + ((evidence & mask) === mask ? visits : 0), 0)
  if (count(0) < leastVisits) return false
  const choice = loadChoice(db)
  const off = headerRules.flatMap(rule => {
    const known = choice.off.find(one => one.rule === rule)
    return count(bitOf(rule)) * 2 > count(0) ? [known ?? { rule, since: span.start }] : []
  })
  if (isDeepStrictEqual(off, choice.off)) return false
  saveChoice(db, { ...choice, off, judged: false })
  return true
}

const headerRules = suspicionRules.filter(({ kind }) => kind === 'headers').map(({ code }) => code)

/** Judges all visits again by the current choice; returns how many changed. Hits are taken in between. */
export const judgeAll = async (db: Db, zone: Zone): Promise<number> => {
  let changed = 0
  let after = { started_at: -1, id: -1 }
  for (let more = true; more; ) {
    const visits = all(db, evidenceQuery, { ...after, limit: chunk })
    const same = visits.map(({ id }) => ({ id, evidenceFrom: (evidence: number) => evidence }))
    changed += judge(db, zone, same, noChanges())
    after = visits.at(-1) ?? after
    more = visits.length > 0
    await setImmediate()
  }
  db.transaction(() => saveChoice(db, { ...loadChoice(db), judged: true })).immediate()
  return changed
}
