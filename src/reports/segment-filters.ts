import * as v from 'valibot'
import { query, type Query } from '../database/query.ts'
import ask from '../sql/segment.ask.sql'
import campaigns from '../sql/segment.campaigns.sql'
import clients from '../sql/segment.clients.sql'
import labels from '../sql/segment.labels.sql'
import origins from '../sql/segment.origins.sql'
import pages from '../sql/segment.pages.sql'
import places from '../sql/segment.places.sql'
import type { FilterKey, Segment } from './segment.ts'

/** Runs a statement that gives no rows, and notes it for `explain=1`. */
export type Run = (statement: Query, params: object) => void

const nothing = v.object({})
const askQuery = query(ask, v.object({ filter: v.string(), wanted: v.number() }), nothing)
const pagesQuery = query(pages, v.object({ filter: v.string(), paths: v.string() }), nothing)
const labelsQuery = query(labels, v.object({ filter: v.string(), texts: v.string() }), nothing)

/** A statement that finds the numbers of what fits several filters, each null where it is not asked for. */
const combined = (sql: string, keys: readonly FilterKey[]): { sql: Query; keys: readonly FilterKey[] } => ({
  sql: query(
    sql,
    v.object(
      Object.fromEntries(
        keys.flatMap(key => [
          [key, v.nullable(v.string())],
          [`has_${key}`, v.number()],
        ]),
      ),
    ),
    nothing,
  ),
  keys,
})

/** Where sessions hold one number for several values. */
const groups = {
  client: combined(clients, ['device', 'browser', 'os']),
  place: combined(places, ['country', 'region', 'city']),
  origin: combined(origins, ['channel', 'source']),
  campaign: combined(campaigns, ['utm_source', 'utm_medium', 'utm_campaign']),
} as const

const pageKeys = ['page', 'entry_page', 'exit_page'] as const
const labelKeys = ['language', 'event'] as const

/** Writes down by number what the filters want, so that rows are chosen by comparing numbers. */
export const resolveFilters = (filters: Segment, run: Run): void => {
  for (const [filter, { sql, keys }] of Object.entries(groups)) {
    if (keys.every(key => filters[key] === undefined)) continue
    run(askQuery, { filter, wanted: 1 })
    run(
      sql,
      Object.fromEntries(
        keys.flatMap(key => {
          const asked = filters[key]
          return [
            [key, asked === undefined ? null : JSON.stringify(asked.values)],
            [`has_${key}`, asked?.wanted === false ? 0 : 1],
          ]
        }),
      ),
    )
  }
  for (const filter of [...pageKeys, ...labelKeys]) {
    const asked = filters[filter]
    if (asked === undefined) continue
    run(askQuery, { filter, wanted: asked.wanted ? 1 : 0 })
    const values = JSON.stringify(asked.values)
    if (filter === 'language' || filter === 'event') run(labelsQuery, { filter, texts: values })
    else run(pagesQuery, { filter, paths: values })
  }
}
