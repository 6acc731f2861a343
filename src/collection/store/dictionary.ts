import * as v from 'valibot'
import { type Db, get, type Query, query, type Shape } from '../../database/query.ts'
import { createLruCache } from '../../lib/lru-cache.ts'

const id = v.object({ id: v.number() })
const cacheSize = 10_000

/** The two statements of a dictionary table: find a value's id, and add a value. */
export type Statements<S extends Shape> = { find: Query<S, typeof id>; add: Query<S, typeof id> }

export const idQueries = <S extends Shape>(find: string, add: string, schema: S): Statements<S> => ({
  find: query(find, schema, id),
  add: query(add, schema, id),
})

/** A table that stores each value once, under an id. */
export type Dictionary<Value> = {
  /** The value's id; null if it is new and not allowed. */
  intern: (value: Value, allow?: () => boolean) => number | null
  /** The id of a value that is not limited. */
  idOf: (value: Value) => number
  /** Clears the cache, since a rollback may have removed values. */
  reset: () => void
}

export const createDictionary = <S extends Shape>(
  db: Db,
  { find, add }: Statements<S>,
): Dictionary<v.InferInput<S>> => {
  const [only, ...further] = Object.keys(find.params.entries)
  /** The cache key of a value; most dictionaries have a single column. */
  const keyOf = (value: Readonly<Record<string, unknown>>): string =>
    only !== undefined && further.length === 0 ? String(value[only]) : Object.values(value).join('\n')
  const cache = createLruCache<string, number>(cacheSize)

  const intern = (value: v.InferInput<S>, allow = () => true): number | null => {
    const key = keyOf(value)
    const cached = cache.get(key)
    if (cached !== undefined) return cached
    const row = get(db, find, value) ?? (allow() ? get(db, add, value) : undefined)
    if (row === undefined) return null
    cache.set(key, row.id)
    return row.id
  }

  return {
    intern,
    idOf: value => {
      const id = intern(value)
      if (id === null) throw new Error('a dictionary gave no id')
      return id
    },
    reset: () => cache.clear(),
  }
}
