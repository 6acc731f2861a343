import * as v from 'valibot'
import { get, query, type Db, type Query, type Shape } from '../../database/query.ts'
import { createLruCache } from '../../lib/lru-cache.ts'

const id = v.object({ id: v.number() })
const cacheSize = 10_000

/** The two statements of a dictionary table: find a value's number, and give it one. */
export type Statements<S extends Shape> = { find: Query<S, typeof id>; add: Query<S, typeof id> }

export const statements = <S extends Shape>(find: string, add: string, schema: S): Statements<S> => ({
  find: query(find, schema, id),
  add: query(add, schema, id),
})

/** Values that come again and again are kept once and known by their number. */
export type Dictionary<Value> = {
  /** The value's number; null if it is new and may not be added. */
  intern: (value: Value, admit?: () => boolean) => number | null
  /** The number of a value that is surely small in number, or was admitted before. */
  number: (value: Value) => number
  /** A rollback may have taken numbers back. */
  reset: () => void
}

export const createDictionary = <S extends Shape>(
  db: Db,
  { find, add }: Statements<S>,
): Dictionary<v.InferInput<S>> => {
  const [only, ...further] = Object.keys(find.params.entries)
  /** One text for the whole value; most dictionaries have a single column. */
  const keyOf = (value: Readonly<Record<string, unknown>>): string =>
    only !== undefined && further.length === 0 ? String(value[only]) : Object.values(value).join('\n')
  const cache = createLruCache<string, number>(cacheSize)

  const intern = (value: v.InferInput<S>, admit?: () => boolean): number | null => {
    const key = keyOf(value)
    const known = cache.get(key)
    if (known !== undefined) return known
    const found = get(db, find, value) ?? (admit === undefined || admit() ? get(db, add, value) : undefined)
    if (found === undefined) return null
    cache.set(key, found.id)
    return found.id
  }

  return {
    intern,
    number: value => {
      const made = intern(value)
      if (made === null) throw new Error('a dictionary gave no number')
      return made
    },
    reset: () => cache.clear(),
  }
}
