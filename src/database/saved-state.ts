import * as v from 'valibot'
import findNote from '../sql/note.find.sql'
import saveNote from '../sql/note.save.sql'
import takeNoteSql from '../sql/note.take.sql'
import { get, query, run, type Db } from './query.ts'

const findQuery = query(findNote, v.object({ name: v.string() }), v.object({ value: v.string() }))
const takeQuery = query(takeNoteSql, v.object({ name: v.string() }), v.object({ value: v.string() }))
const saveQuery = query(saveNote, v.object({ name: v.string(), value: v.string() }), v.object({}))

/**
 * What the service notes about itself, for the commands beside it: `service` how it was started, `clients` what it sees, `places` the city database,
 * `watched` what its log and its login have seen, `written` that it stopped with all visits written, `demo` that its figures are made up, `imports` which days came from elsewhere.
 */
export type StateName = 'service' | 'clients' | 'geoip' | 'watched' | 'written' | 'demo' | 'imports'

export const saveState = (db: Db, name: StateName, value: object): void => {
  run(db, saveQuery, { name, value: JSON.stringify(value) })
}

/** Takes a note away; whether there was one. */
export const consumeState = (db: Db, name: StateName): boolean => get(db, takeQuery, { name }) !== undefined

/** Null if there is none, or none of this shape. */
export const loadState = <Schema extends v.GenericSchema>(
  db: Db,
  name: StateName,
  schema: Schema,
): v.InferOutput<Schema> | null => {
  const text = get(db, findQuery, { name })?.value
  const parsed = v.safeParse(schema, text === undefined ? null : JSON.parse(text))
  return parsed.success ? parsed.output : null
}
