import * as v from 'valibot'
import { installationOf, originsOf } from '../../archive/header.ts'
import type { Header } from '../../archive/lines.ts'
import { get, query, type Db } from '../../database/query.ts'
import addOrigin from '../../sql/archive-origin.add.sql'
import { DayProblem } from './problem.ts'

const addQuery = query(addOrigin, v.object({ installation: v.string() }), v.object({ number: v.number() }))

/** Numbers of sessions and visitors of one installation are below this; so many files go into one. */
const perOrigin = 2 ** 40
const most = 8191

/**
 * Numbers of sessions and visitors as this file has them. Its own stay; those of each other installation get a range of
 * their own, the same for all of its archives.
 */
export const createNumbers = (db: Db, { installation, origins }: Header): ((number: number) => number) => {
  const own = installationOf(db)
  const known = originsOf(db)
  const rangeOf = (name: string): number =>
    name === own ? 0 : (known.get(name) ?? get(db, addQuery, { installation: name })?.number ?? 0)
  const ranges = new Map([
    [0, rangeOf(installation)],
    ...Object.entries(origins).map(([number, name]) => [Number(number), rangeOf(name)] as const),
  ])
  return number => {
    const range = ranges.get(Math.floor(number / perOrigin))
    if (range === undefined || range > most)
      throw new DayProblem(`the number ${number} is of an installation that the first line does not name`)
    return range * perOrigin + (number % perOrigin)
  }
}
