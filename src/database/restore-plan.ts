// What a restore would do, found out without changing anything.
import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import * as v from 'valibot'
import sqlText from '../sql/restore.sql'
import { type Kind, kindOf } from './backup.ts'
import { openReadOnly } from './open.ts'
import { type Db, get, none, query } from './query.ts'
import { checkBackup, inspectBackup } from './restore.ts'
import { newestVersion } from './schema.ts'
import { statements } from './statements.ts'

const sql = statements(sqlText)

const nullable = v.nullable(v.number())
const factsQuery = query(
  sql('facts'),
  none,
  v.object({
    views: v.number(),
    sessions: v.number(),
    first_day: nullable,
    last_day: nullable,
    orders: v.number(),
    users: v.number(),
    newest_view: nullable,
    newest_event: nullable,
    newest_order: nullable,
    installation: v.string(),
  }),
)
const newerQuery = query(
  sql('newer'),
  v.object({ view: v.number(), event: v.number(), order: v.number() }),
  v.object({ views: v.number(), events: v.number(), orders: v.number() }),
)

export type Facts = v.InferOutput<typeof factsQuery.row>
export type Newer = v.InferOutput<typeof newerQuery.row>

/**
 * `facts` are null in a file of an older version: a restore brings its schema up first. `writtenAt` in milliseconds.
 */
export type Described = Kind & { path: string; writtenAt: number; facts: Facts | null }

/**
 * `current` is null where there is no file yet; `described` is null where it is damaged or not ours. `newer`: what it
 * has that the backup has not; null where the two do not belong to one installation.
 */
export type RestorePlan = {
  backup: Described
  current: { path: string; described: Described | null; newer: Newer | null } | null
}

const factsOf = (db: Db, { schema }: Kind): Facts | null =>
  schema === newestVersion() ? (get(db, factsQuery, {}) ?? null) : null

const describe = (path: string): Described => {
  const db = openReadOnly(path)
  try {
    const kind = kindOf(db, path)
    return { ...kind, path, writtenAt: statSync(path).mtimeMs, facts: factsOf(db, kind) }
  } finally {
    db.close()
  }
}

const newerThan = (path: string, facts: Facts): Newer | null => {
  const db = openReadOnly(path)
  try {
    return (
      get(db, newerQuery, {
        view: facts.newest_view ?? 0,
        event: facts.newest_event ?? 0,
        order: facts.newest_order ?? -1,
      }) ?? null
    )
  } finally {
    db.close()
  }
}

const describeOr = (path: string): Described | null => {
  try {
    return describe(path)
  } catch {
    // Whatever is wrong with it, a restore keeps it next to the new file.
    return null
  }
}

const currentOf = (path: string, backup: Facts | null): RestorePlan['current'] => {
  if (!existsSync(path)) return null
  const described = describeOr(path)
  const same = backup !== null && described?.facts?.installation === backup.installation
  return { path, described, newer: same ? newerThan(path, backup) : null }
}

/**
 * Checks a backup as a restore does, and returns what it would add and remove; the service may be running.
 * @throws DatabaseError if the backup cannot be used
 */
export const planRestore = (file: string, data: string): RestorePlan => {
  const source = resolve(file)
  checkBackup(source)
  inspectBackup(source)
  const backup = describe(source)
  return { backup, current: currentOf(resolve(data), backup.facts) }
}
