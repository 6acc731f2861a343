import * as v from 'valibot'
import sqlText from '../sql/note.sql'
import { type Db, get, query, run } from './query.ts'
import { statements } from './statements.ts'

const sql = statements(sqlText)

const findQuery = query(sql('find'), v.object({ name: v.string() }), v.object({ value: v.string() }))
const takeQuery = query(sql('take'), v.object({ name: v.string() }), v.object({ value: v.string() }))
const saveQuery = query(sql('save'), v.object({ name: v.string(), value: v.string() }))

/**
 * State of the service for commands that run at the same time: `service` how it was started, `clients` whether
 * visitors' addresses are distinct, `geoip` the downloads of GeoIP databases, `watched` counts of its log and logins,
 * `demo` that the figures are made up, `imports` which days were
 * imported, `logs` which access logs, `purged` the first day that the last complete purge has kept, `sources` since when the operator's file of
 * sources is in use, `version` which version has served the file, `mail` and `webhook` how the last message was sent,
 * `goals_told` which goals were posted on a day,
 * `digest` which digests were, `jobs` since when they are due, `disk` the free space of the last days, `alert_command` how --alert-command ended last,
 * `refused_orders` the orders of the shop that cannot be read,
 * `log_held` since when the log cannot be emptied of what was erased, `wordpress_zone` WordPress' time zone,
 * `rules` the operator's own rules of what is not counted,
 * `suspects` what is done with visits that look automated, `judged` until when visits were judged,
 * `options` the options that were set in the dashboard, `import_step` how far the day is that an import is writing,
 * `recording_numbers` the numbers of the next visit and visitor of a recording that is imported beside a service.
 */
export type StateName =
  | 'service'
  | 'clients'
  | 'geoip'
  | 'watched'
  | 'demo'
  | 'imports'
  | 'logs'
  | 'purged'
  | 'sources'
  | 'version'
  | 'mail'
  | 'webhook'
  | 'goals_told'
  | 'disk'
  | 'alert_command'
  | 'digest'
  | 'jobs'
  | 'refused_orders'
  | 'log_held'
  | 'wordpress_zone'
  | 'rules'
  | 'suspects'
  | 'judged'
  | 'options'
  | 'import_step'
  | 'recording_numbers'

/** `since` in seconds since 1970; null once the log was emptied. */
export const logHeldSchema = v.object({ since: v.nullable(v.number()) })

export const saveState = (db: Db, name: StateName, value: object): void => {
  run(db, saveQuery, { name, value: JSON.stringify(value) })
}

/** Removes a saved state; whether there was one. */
export const consumeState = (db: Db, name: StateName): boolean => get(db, takeQuery, { name }) !== undefined

/** Null if there is none of this shape. */
export const loadState = <Schema extends v.GenericSchema>(
  db: Db,
  name: StateName,
  schema: Schema,
): v.InferOutput<Schema> | null => {
  const text = get(db, findQuery, { name })?.value
  const parsed = v.safeParse(schema, text === undefined ? null : JSON.parse(text))
  return parsed.success ? parsed.output : null
}
