import * as v from 'valibot'
import { installationOf, originsOf } from '../../archive/header.ts'
import type { Header } from '../../archive/lines.ts'
import { type Db, get, query } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { idsPerOrigin } from '../../lib/origins.ts'
import sqlText from '../../sql/import-archive-ids.sql'
import { DayProblem } from './problem.ts'

const sql = statements(sqlText)

const addQuery = query(
  sql('archive-origin.add'),
  v.object({ installation: v.string() }),
  v.object({ number: v.number() }),
)

const maxOrigin = 8191

/** Gives the visits and visitors that come from elsewhere a range of ids; returns its number. */
export const addOrigin = (db: Db, installation: string): number => get(db, addQuery, { installation })?.number ?? 0

/** Maps an id of a session or visitor in an archive to its id in this database. */
export type IdMapping = (id: number) => number

/**
 * Ids of this database's own installation stay unchanged. Each other installation gets a range of ids, the same for all
 * its archives.
 */
export const createIdMapping = (db: Db, { installation, origins }: Header): IdMapping => {
  const own = installationOf(db)
  const ranges = originsOf(db)
  const rangeOf = (name: string): number => (name === own ? 0 : (ranges.get(name) ?? addOrigin(db, name)))
  const rangeByNumber = new Map([
    [0, rangeOf(installation)],
    ...Object.entries(origins).map(([number, name]) => [Number(number), rangeOf(name)] as const),
  ])
  return id => {
    const range = rangeByNumber.get(Math.floor(id / idsPerOrigin))
    if (range === undefined || range > maxOrigin)
      throw new DayProblem(`the id ${id} belongs to an installation that the first line does not name`)
    return range * idsPerOrigin + (id % idsPerOrigin)
  }
}
