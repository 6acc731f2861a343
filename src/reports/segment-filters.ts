import * as v from 'valibot'
import { query, type Query } from '../database/query.ts'
import addFilter from '../sql/segment.filter.add.sql'
import campaigns from '../sql/segment.campaigns.sql'
import clients from '../sql/segment.clients.sql'
import labels from '../sql/segment.labels.sql'
import origins from '../sql/segment.origins.sql'
import pages from '../sql/segment.pages.sql'
import places from '../sql/segment.places.sql'
import type { FilterKey } from './filter-keys.ts'
import type { Segment } from './segment.ts'

/** Runs a statement without rows, and traces it for `explain=1`. */
export type Run = (statement: Query, params: object) => void

const nothing = v.object({})
const addFilterQuery = query(addFilter, v.object({ filter: v.string(), included: v.number() }), nothing)
const pagesQuery = query(pages, v.object({ filter: v.string(), paths: v.string() }), nothing)
const labelsQuery = query(labels, v.object({ filter: v.string(), texts: v.string() }), nothing)

/** A statement that finds the ids matching several filters; a parameter is null if its filter is not set. */
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

/** Filters on columns of one referenced table. */
const groups = {
  client: combined(clients, ['device', 'browser', 'os']),
  place: combined(places, ['country', 'region', 'city']),
  origin: combined(origins, ['channel', 'source']),
  campaign: combined(campaigns, ['utm_source', 'utm_medium', 'utm_campaign']),
} as const

const pageKeys = ['page', 'entry_page', 'exit_page'] as const
const labelKeys = ['language', 'event'] as const

/** Resolves the values of the filters to ids, so that rows are selected by comparing numbers. */
export const resolveFilters = (filters: Segment, run: Run): void => {
  for (const [filter, { sql, keys }] of Object.entries(groups)) {
    if (keys.every(key => filters[key] === undefined)) continue
    run(addFilterQuery, { filter, included: 1 })
    const params = keys.flatMap(key => [
      [key, filters[key] === undefined ? null : JSON.stringify(filters[key].values)],
      [`has_${key}`, filters[key]?.included === false ? 0 : 1],
    ])
    run(sql, Object.fromEntries(params))
  }
  for (const key of [...pageKeys, ...labelKeys]) {
    const filter = filters[key]
    if (filter === undefined) continue
    run(addFilterQuery, { filter: key, included: filter.included ? 1 : 0 })
    const values = JSON.stringify(filter.values)
    if (key === 'language' || key === 'event') run(labelsQuery, { filter: key, texts: values })
    else run(pagesQuery, { filter: key, paths: values })
  }
}
