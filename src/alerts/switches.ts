// Which alerts are on, and their thresholds.
import * as v from 'valibot'
import { noteAction } from '../audit/audit.ts'
import { all, type Db, none, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import sqlText from '../sql/alert.sql'
import { type AlertKind, type AlertSwitch, alertKinds, defaultSwitches } from './kinds.ts'

const sql = statements(sqlText)

const row = v.object({
  kind: v.picklist(alertKinds),
  threshold: v.number(),
  hours: v.nullable(v.number()),
  enabled: v.number(),
})
const listQuery = query(sql('list'), none, row)
const saveQuery = query(sql('save'), row)

/** All switches, with defaults for those that were never changed. */
export const alertSwitches = (db: Db): AlertSwitch[] => {
  const saved = new Map(
    all(db, listQuery, {}).map(({ enabled, ...one }) => [one.kind, { ...one, enabled: enabled === 1 }]),
  )
  return defaultSwitches.map(usual => saved.get(usual.kind) ?? usual)
}

export type AlertChange = { enabled?: boolean | undefined; threshold?: number | undefined; hours?: number | undefined }
export type AlertChanges = Partial<Record<AlertKind, AlertChange | undefined>>

const textOf = ({ enabled, threshold, hours }: AlertSwitch): string =>
  [enabled ? 'on' : 'off', threshold, ...(hours === null ? [] : [hours])].join(', ')

/** Changes switches, all or none, and records who did it. */
export const changeAlerts = (db: Db, changes: AlertChanges, who: string | null, at: number): void =>
  db
    .transaction(() => {
      for (const before of alertSwitches(db)) {
        const change = Object.entries(changes[before.kind] ?? {}).filter(([, value]) => value !== undefined)
        const after: AlertSwitch = { ...before, ...Object.fromEntries(change) }
        if (textOf(before) === textOf(after)) continue
        run(db, saveQuery, { ...after, enabled: Number(after.enabled) })
        noteAction(db, { at, who }, 'alert_changed', { alert: before.kind, from: textOf(before), to: textOf(after) })
      }
    })
    .immediate()
