import * as v from 'valibot'
import { type Db, get, query, run } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import sqlText from '../../sql/event-names.sql'
import { type CardinalityLimit, other } from './cardinality-limit.ts'
import type { Interner } from './intern.ts'

const sql = statements(sqlText)

const name = v.object({ name_id: v.number() })
const key = v.object({ ...name.entries, key_id: v.number() })
const value = v.object({ ...key.entries, value_id: v.number() })
const names = { find: query(sql('event-name.find'), name, name), add: query(sql('event-name.add'), name) }
const keys = {
  find: query(sql('event-key.find'), key, v.object({ key_id: v.number() })),
  add: query(sql('event-key.add'), key),
}
const values = {
  find: query(sql('event-value.find'), value, v.object({ value_id: v.number() })),
  add: query(sql('event-value.add'), value),
}

/** Ids of event names, their keys and values. New ones are limited per day, even if the text exists in another role. */
export type EventNames = {
  name: (text: string) => number
  key: (name: number, text: string) => number
  value: (name: number, key: number, text: string) => number
}

export const createEventNames = (db: Db, { labels }: Interner, limit: CardinalityLimit): EventNames => {
  /** The id of a text that exists in this role or is allowed to be added, else that of `(other)`. */
  const limited = (
    text: string,
    exists: (id: number) => boolean,
    allow: () => boolean,
    add: (id: number) => void,
  ): number => {
    const known = labels.intern({ text }, () => false)
    if (known !== null && exists(known)) return known
    if (text === other || !allow()) return labels.idOf({ text: other })
    const id = labels.idOf({ text })
    add(id)
    return id
  }

  return {
    name: text =>
      limited(
        text,
        name_id => get(db, names.find, { name_id }) !== undefined,
        () => limit.allow('event', [text]),
        name_id => run(db, names.add, { name_id }),
      ),
    key: (name_id, text) =>
      limited(
        text,
        key_id => get(db, keys.find, { name_id, key_id }) !== undefined,
        () => limit.allowKey(name_id, text),
        key_id => run(db, keys.add, { name_id, key_id }),
      ),
    value: (name_id, key_id, text) =>
      limited(
        text,
        value_id => get(db, values.find, { name_id, key_id, value_id }) !== undefined,
        () => limit.allowValue(name_id, key_id, text),
        value_id => run(db, values.add, { name_id, key_id, value_id }),
      ),
  }
}
