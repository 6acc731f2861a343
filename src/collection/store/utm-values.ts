import * as v from 'valibot'
import type { Utm } from '../../channel/channel.ts'
import { get, query, type Db } from '../../database/query.ts'
import { createLruCache } from '../../lib/lru-cache.ts'
import addValue from '../../sql/utm-value.add.sql'
import findValue from '../../sql/utm-value.find.sql'
import { other, type CardinalityLimit } from './cardinality-limit.ts'

const text = v.object({ text: v.string() })
const key = { name: v.string(), folded: v.string() }
const findQuery = query(findValue, v.object(key), text)
const addQuery = query(addValue, v.object({ ...key, text: v.string() }), text)

const cacheSize = 5000

/** UTM values are compared without case and stored in their first spelling, or as `(other)` beyond the daily limit. */
export const createUtmValues = (db: Db, limit: CardinalityLimit) => {
  const cache = createLruCache<string, string>(cacheSize)

  const stored = (name: keyof Utm, value: string | null): string | null => {
    if (value === null) return null
    const folded = value.toLowerCase()
    const cached = cache.get(`${name} ${folded}`)
    if (cached !== undefined) return cached
    const row =
      get(db, findQuery, { name, folded }) ??
      (limit.allow(`utm_${name}`, [folded, value]) ? get(db, addQuery, { name, folded, text: value }) : undefined)
    if (row === undefined) return other
    cache.set(`${name} ${folded}`, row.text)
    return row.text
  }

  return {
    stored: (utm: Utm): Utm => ({
      source: stored('source', utm.source),
      medium: stored('medium', utm.medium),
      campaign: stored('campaign', utm.campaign),
      term: stored('term', utm.term),
      content: stored('content', utm.content),
    }),
    reset: () => cache.clear(),
  }
}
