// Saved segments: filters under a name.
import * as v from 'valibot'
import { noteAction } from '../audit/audit.ts'
import { all, type Db, get, none, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { ApiError, invalidParam } from '../http/errors.ts'
import { type Clock, toSeconds } from '../lib/time.ts'
import sqlText from '../sql/saved-segment.sql'
import { parseFilters, savedSegmentQuery } from './filters/read.ts'
import type { Filters } from './segment.ts'
import { withUniqueName } from './unique-name.ts'

const sql = statements(sqlText)

const id = { id: v.number() }
const given = { name: v.string(), filters: v.string() }
const origin = { created_by: v.nullable(v.string()), created_at: v.number() }
const listQuery = query(sql('list'), none, v.object({ ...id, ...given, ...origin }))
const addQuery = query(sql('add'), v.object({ ...given, ...origin }), v.object(id))
const changeQuery = query(sql('change'), v.object({ ...id, ...given }))
const removeQuery = query(sql('remove'), v.object(id))
const usersQuery = query(sql('users'), v.object(id), v.object({ kind: v.string(), name: v.string() }))

/** `createdAt` in seconds since 1970. */
export type SavedSegment = {
  id: number
  name: string
  filters: Filters
  createdBy: string | null
  createdAt: number
}
export type NewSegment = Pick<SavedSegment, 'name' | 'filters'>

const maxSegments = 50

const unknown = (): ApiError => new ApiError(404, 'rest_segment_not_found', 'Segment not found.')

/**
 * Filters whose saved segment is named by its id.
 * @throws ApiError 400 if there is no such segment
 */
export const fixSegment = (db: Db, { segment, ...filters }: Filters): Filters => {
  if (segment === undefined) return filters
  const found = get(db, savedSegmentQuery, { wanted: segment })
  if (found === undefined) throw invalidParam('filters', `There is no segment ${segment}.`)
  return { ...filters, segment: String(found.id) }
}

/** Filters whose saved segment is named as it is called. */
export const nameSegment = (db: Db, { segment, ...filters }: Filters): Filters =>
  segment === undefined
    ? filters
    : { ...filters, segment: get(db, savedSegmentQuery, { wanted: segment })?.name ?? segment }

/** `who` makes the change, for the audit log. An unknown id throws ApiError 404. */
export const createSavedSegments = (db: Db, clock: Clock) => {
  const now = (): number => toSeconds(clock())
  const list = (): SavedSegment[] =>
    all(db, listQuery, {}).map(({ filters, created_by, created_at, ...segment }) => ({
      ...segment,
      filters: parseFilters(filters),
      createdBy: created_by,
      createdAt: created_at,
    }))
  const find = (wanted: number): SavedSegment => {
    const found = list().find(segment => segment.id === wanted)
    if (found === undefined) throw unknown()
    return found
  }

  return {
    list,
    find,
    /** As fixSegment, for the filters of a share link or an application password. */
    fix: (filters: Filters): Filters => fixSegment(db, filters),

    /** @throws ApiError 400 for a name that is taken, and beyond 50 segments */
    add: ({ name, filters }: NewSegment, who: string | null): SavedSegment =>
      db
        .transaction(() => {
          if (list().length >= maxSegments)
            throw invalidParam('name', `There are ${maxSegments} segments already, the most that can be saved.`)
          const row = { name, filters: JSON.stringify(filters), created_by: who, created_at: now() }
          const added = withUniqueName('segment', name, () => get(db, addQuery, row))
          noteAction(db, { at: now(), who }, 'segment_saved', { name })
          return find(added?.id ?? 0)
        })
        .immediate(),

    /** @throws ApiError 400 for a name that is taken */
    change: (wanted: number, { name, filters }: NewSegment, who: string | null): SavedSegment =>
      db
        .transaction(() => {
          find(wanted)
          withUniqueName('segment', name, () =>
            run(db, changeQuery, { id: wanted, name, filters: JSON.stringify(filters) }),
          )
          noteAction(db, { at: now(), who }, 'segment_changed', { name })
          return find(wanted)
        })
        .immediate(),

    /** @throws ApiError 409 if a share link or an application password shows it */
    remove: (wanted: number, who: string | null): void =>
      db
        .transaction(() => {
          const { name } = find(wanted)
          const user = get(db, usersQuery, { id: wanted })
          if (user !== undefined)
            throw new ApiError(409, 'rest_segment_in_use', `This segment is used by ${user.kind} “${user.name}”.`)
          run(db, removeQuery, { id: wanted })
          noteAction(db, { at: now(), who }, 'segment_removed', { name })
        })
        .immediate(),
  }
}

export type SavedSegments = ReturnType<typeof createSavedSegments>
