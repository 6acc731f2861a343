import * as v from 'valibot'
import { get, query, type Db } from '../../database/query.ts'
import { createLruCache } from '../../lib/lru-cache.ts'
import addValue from '../../sql/utm-value.add.sql'
import findValue from '../../sql/utm-value.find.sql'

const text = v.object({ text: v.string() })
const key = { name: v.string(), folded: v.string() }
const findQuery = query(findValue, v.object(key), text)
const addQuery = query(addValue, v.object({ ...key, text: v.string() }), text)

const cacheSize = 5000

/** UTM values are compared without case and shown as they came first. */
export type Spellings = {
  /** The first spelling; null if the value is new and may not be added. */
  first: (name: string, value: string, admit: () => boolean) => string | null
  reset: () => void
}

export const createSpellings = (db: Db): Spellings => {
  const cache = createLruCache<string, string>(cacheSize)
  return {
    first: (name, value, admit) => {
      const folded = value.toLowerCase()
      const cached = cache.get(`${name} ${folded}`)
      if (cached !== undefined) return cached
      const found =
        get(db, findQuery, { name, folded }) ?? (admit() ? get(db, addQuery, { name, folded, text: value }) : undefined)
      if (found === undefined) return null
      cache.set(`${name} ${folded}`, found.text)
      return found.text
    },
    reset: () => cache.clear(),
  }
}
