// The alerts of the service, for endpoints and commands.
import * as v from 'valibot'
import { type Db, get, none, query } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { type Clock, toSeconds } from '../lib/time.ts'
import sqlText from '../sql/alert-signals.sql'
import { countRaised, listRaised, pendingAlerts, type Raised } from './history.ts'
import type { AlertSwitch } from './kinds.ts'
import { type AlertChanges, alertSwitches, changeAlerts } from './switches.ts'

const sql = statements(sqlText)

const signalsQuery = query(sql('alert.signals'), none, v.object({ not_found: v.number(), goal: v.number() }))

export const alertChannels = ['mail', 'command', 'webhook'] as const
export type AlertChannel = (typeof alertChannels)[number]

/** `hasSignal`: whether the file has what the alert is about. `raised` is null unless it lasts. */
export type AlertState = AlertSwitch & { hasSignal: boolean; raised: Raised | null }

/** All alerts: their switches, and those that last as the job has noted them. */
export const alertStates = (db: Db): AlertState[] => {
  const signals = get(db, signalsQuery, {})
  const known: Readonly<Record<string, boolean>> = {
    not_found: signals?.not_found === 1,
    goal: signals?.goal === 1,
  }
  const pending = pendingAlerts(db)
  return alertSwitches(db).map(one => ({
    ...one,
    hasSignal: known[one.kind] ?? true,
    raised: pending.find(({ kind, endedAt }) => kind === one.kind && endedAt === null) ?? null,
  }))
}

export const createAlerts = (db: Db, clock: Clock, channels: readonly AlertChannel[]) => ({
  channels,
  states: () => alertStates(db),
  change: (changes: AlertChanges, who: string | null): void => changeAlerts(db, changes, who, toSeconds(clock())),
  history: (page: { limit: number; offset: number }) => ({ raised: listRaised(db, page), total: countRaised(db) }),
})

export type Alerts = ReturnType<typeof createAlerts>
