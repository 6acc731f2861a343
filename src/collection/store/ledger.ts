import * as v from 'valibot'
import { type Db, query, run } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import type { Day } from '../../lib/time.ts'
import sqlText from '../../sql/ledger.sql'
import type { Outcome } from '../record.ts'
import { other } from './cardinality-limit.ts'

const sql = statements(sqlText)

const addQuery = query(sql('add'), v.object({ day: v.number(), outcome: v.string(), requests: v.number() }))
const addHourQuery = query(
  sql('ledger-hour.add'),
  v.object({ hour: v.number(), outcome: v.string(), requests: v.number() }),
)
const forgetHoursQuery = query(sql('ledger-hour.forget-before'), v.object({ hour: v.number() }))
const addHostQuery = query(
  sql('foreign-host.add'),
  v.object({ day: v.number(), host: v.string(), requests: v.number(), other: v.string(), max: v.number() }),
)

/** The outcome of one request, and the day on which it arrived. */
export type Entry = { day: Day; outcome: Outcome }

/**
 * Accounts for every request of a day: received = accepted + repeated + refusals. `trimmed` counts values cut short.
 */
export type Ledger = {
  /** Counts an entry in memory until the next write. */
  count: (day: Day, outcome: Outcome) => void
  /** Counts a request that a rule of the operator has refused, by the rule's name. */
  countRule: (day: Day, name: string) => void
  trim: (day: Day, values: number) => void
  /** Counts a refused host by name; at most 100 new names a day. */
  countForeignHost: (day: Day, host: string) => void
  /** Writes the counts in memory, and entries that depend on the caller's transaction. */
  write: (db: Db, entries?: readonly Entry[]) => void
  /** Called after the transaction of the last write was committed. */
  settle: () => void
  isEmpty: () => boolean
  /** Committed requests by outcome since the start. */
  totals: () => ReadonlyMap<string, number>
}

type Counts = Map<Day, Map<string, number>>

const add = (counts: Counts, day: Day, outcome: string, requests: number): void => {
  let ofDay = counts.get(day)
  if (ofDay === undefined) counts.set(day, (ofDay = new Map()))
  ofDay.set(outcome, (ofDay.get(outcome) ?? 0) + requests)
}

const addEntry = (counts: Counts, { day, outcome }: Entry): void => {
  add(counts, day, 'received', 1)
  add(counts, day, outcome, 1)
}

/** A rule's refusals stand apart by day only. */
const foldRule = (outcome: string): string => (outcome.startsWith('rule:') ? 'rule' : outcome)

const maxHosts = 100

const maxHours = 48

const writeCounts = (db: Db, counts: Counts, hour: number): void => {
  for (const [day, ofDay] of counts) {
    for (const [outcome, requests] of ofDay) {
      run(db, addQuery, { day, outcome, requests })
      run(db, addHourQuery, { hour, outcome: foldRule(outcome), requests })
    }
  }
}

/** @param now seconds since 1970 */
export const createLedger = (now: () => number): Ledger => {
  let lastHour = 0
  const pending: Counts = new Map()
  const hosts: Counts = new Map()
  const totals = new Map<string, number>()
  let written: readonly Counts[] = []
  return {
    countForeignHost: (day, host) => {
      const known = hosts.get(day)
      add(hosts, day, known === undefined || known.size < maxHosts || known.has(host) ? host : other, 1)
    },
    count: (day, outcome) => addEntry(pending, { day, outcome }),
    countRule: (day, name) => {
      add(pending, day, 'received', 1)
      add(pending, day, `rule:${name}`, 1)
    },
    trim: (day, values) => {
      if (values > 0) add(pending, day, 'trimmed', values)
    },
    write: (db, entries = []) => {
      const committing: Counts = new Map()
      for (const entry of entries) addEntry(committing, entry)
      const hour = Math.floor(now() / 3600)
      if (hour !== lastHour) run(db, forgetHoursQuery, { hour: hour - maxHours })
      lastHour = hour
      writeCounts(db, pending, hour)
      writeCounts(db, committing, hour)
      written = [pending, committing]
      for (const [day, ofDay] of hosts) {
        for (const [host, requests] of ofDay) run(db, addHostQuery, { day, host, requests, other, max: maxHosts })
      }
    },
    totals: () => totals,
    settle: () => {
      for (const ofDay of written.flatMap(counts => [...counts.values()])) {
        for (const [given, requests] of ofDay) {
          const outcome = foldRule(given)
          totals.set(outcome, (totals.get(outcome) ?? 0) + requests)
        }
      }
      written = []
      pending.clear()
      hosts.clear()
    },
    isEmpty: () => pending.size === 0 && hosts.size === 0,
  }
}
