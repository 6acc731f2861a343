import * as v from 'valibot'
import { get, query, run, type Db } from '../../database/query.ts'
import addKey from '../../sql/event-key.add.sql'
import findKey from '../../sql/event-key.find.sql'
import addName from '../../sql/event-name.add.sql'
import findName from '../../sql/event-name.find.sql'
import addValue from '../../sql/event-value.add.sql'
import findValue from '../../sql/event-value.find.sql'
import type { Day } from '../../lib/time.ts'
import type { Interner } from './intern.ts'
import { other, type CardinalityLimit } from './cardinality-limit.ts'

const nothing = v.object({})
const name = v.object({ name_id: v.number() })
const key = v.object({ ...name.entries, key_id: v.number() })
const value = v.object({ ...key.entries, value_id: v.number() })
const names = { find: query(findName, name, name), add: query(addName, name, nothing) }
const keys = { find: query(findKey, key, v.object({ key_id: v.number() })), add: query(addKey, key, nothing) }
const values = {
  find: query(findValue, value, v.object({ value_id: v.number() })),
  add: query(addValue, value, nothing),
}

/** Numbers of event names, their keys and values; new ones are bounded a day, whatever else has had the same text. */
export type EventNames = {
  name: (day: Day, text: string) => number
  key: (day: Day, name: number, text: string) => number
  value: (day: Day, name: number, key: number, text: string) => number
}

export const createEventNames = (db: Db, { labels }: Interner, novelty: CardinalityLimit): EventNames => {
  /** The number of a text that is known where it stands, or may be from now on; else that of `(other)`. */
  const bounded = (
    text: string,
    isKnown: (id: number) => boolean,
    admit: () => boolean,
    remember: (id: number) => void,
  ): number => {
    const known = labels.intern({ text }, () => false)
    if (known !== null && isKnown(known)) return known
    if (text === other || !admit()) return labels.number({ text: other })
    const made = labels.number({ text })
    remember(made)
    return made
  }

  return {
    name: (day, text) =>
      bounded(
        text,
        name_id => get(db, names.find, { name_id }) !== undefined,
        () => novelty.admit(day, 'event'),
        name_id => run(db, names.add, { name_id }),
      ),
    key: (day, name_id, text) =>
      bounded(
        text,
        key_id => get(db, keys.find, { name_id, key_id }) !== undefined,
        () => novelty.admitKey(day, name_id),
        key_id => run(db, keys.add, { name_id, key_id }),
      ),
    value: (day, name_id, key_id, text) =>
      bounded(
        text,
        value_id => get(db, values.find, { name_id, key_id, value_id }) !== undefined,
        () => novelty.admitValue(day, name_id, key_id),
        value_id => run(db, values.add, { name_id, key_id, value_id }),
      ),
  }
}
