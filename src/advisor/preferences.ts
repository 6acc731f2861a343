import * as v from 'valibot'
import { type Db, get, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import sqlText from '../sql/advisor-preference.sql'

const sql = statements(sqlText)

export const maxPins = 10
export const defaultPins: readonly string[] = ['q2', 'q41', 'q23', 'q72', 'q81']

const findQuery = query(sql('find'), v.object({ identity: v.string() }), v.object({ pinned: v.string() }))
const saveQuery = query(sql('save'), v.object({ identity: v.string(), pinned: v.string() }))
const removeQuery = query(sql('remove'), v.object({ identity: v.string() }))

const pinsSchema = v.array(v.string())

/** The pinned questions of each identity. */
export type Preferences = {
  /** The pins of an identity, or the defaults if it has never saved any. */
  pinned: (identity: string) => readonly string[]
  save: (identity: string, pinned: readonly string[]) => void
  remove: (identity: string) => void
}

export const createPreferences = (db: Db): Preferences => ({
  pinned: identity => {
    const row = get(db, findQuery, { identity })
    return row === undefined ? defaultPins : v.parse(pinsSchema, JSON.parse(row.pinned))
  },
  save: (identity, pinned) => {
    run(db, saveQuery, { identity, pinned: JSON.stringify(pinned) })
  },
  remove: identity => {
    run(db, removeQuery, { identity })
  },
})

/** The first ten known ids without duplicates, in the given order. */
export const admitPins = (given: readonly unknown[], isKnown: (id: string) => boolean): string[] =>
  [...new Set(given.filter((id): id is string => typeof id === 'string' && isKnown(id)))].slice(0, maxPins)
