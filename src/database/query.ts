import type Database from 'better-sqlite3'
import * as v from 'valibot'
import { isCode } from './errors.ts'

export type Db = Database.Database

/** Values by column or parameter name. */
export type Shape = v.ObjectSchema<v.ObjectEntries, undefined>

/**
 * Notes about a statement: its name if it is not from a file of src/sql, and which rollup tables it reads, because a
 * segment's report has to derive these first.
 */
export type QueryNotes = { name?: string; reads?: readonly string[] }

/** A statement, with the names and types of its parameters and of the columns it returns. */
export type Query<P extends Shape = Shape, R extends Shape = Shape> = {
  sql: string
  params: P
  row: R
  name: string | undefined
  reads: readonly string[]
}

/** No parameters, or no columns. */
export const none = v.object({})

/** Every query of the program, so that a test can compare each with the schema of the file. */
export const queries: Query[] = []

export const query = <P extends Shape = typeof none, R extends Shape = typeof none>(
  sql: string,
  params: P = none as Shape as P,
  row: R = none as Shape as R,
  { name, reads = [] }: QueryNotes = {},
): Query<P, R> => {
  const made = { sql, params, row, name, reads }
  queries.push(made)
  return made
}

const compiled = new WeakMap<Db, Map<string, Database.Statement<unknown[], unknown>>>()

/** The compiled statement, cached for each connection: compiling costs more than running most statements. */
export const prepare = (db: Db, sql: string): Database.Statement<unknown[], unknown> => {
  let statements = compiled.get(db)
  if (statements === undefined) compiled.set(db, (statements = new Map()))
  let statement = statements.get(sql)
  if (statement === undefined) statements.set(sql, (statement = db.prepare(sql)))
  return statement
}

export const all = <P extends Shape, R extends Shape>(
  db: Db,
  query: Query<P, R>,
  params: v.InferInput<P>,
): v.InferOutput<R>[] => {
  return prepare(db, query.sql).all(params) as v.InferOutput<R>[]
}

export const get = <P extends Shape, R extends Shape>(
  db: Db,
  query: Query<P, R>,
  params: v.InferInput<P>,
): v.InferOutput<R> | undefined => {
  return prepare(db, query.sql).get(params) as v.InferOutput<R> | undefined
}

/** Runs a statement that returns no rows. Returns how many rows it changed. */
export const run = <P extends Shape, R extends Shape>(db: Db, query: Query<P, R>, params: v.InferInput<P>): number => {
  return prepare(db, query.sql).run(params).changes
}

/** Returns the rows one by one; the connection can do nothing else until the last one is read. */
export const iterate = <P extends Shape, R extends Shape>(
  db: Db,
  query: Query<P, R>,
  params: v.InferInput<P>,
): IterableIterator<v.InferOutput<R>> => {
  return prepare(db, query.sql).iterate(params) as IterableIterator<v.InferOutput<R>>
}

/** Reads rows as `all` does, of a connection that it knows. */
export type List = <P extends Shape, R extends Shape>(query: Query<P, R>, params: v.InferInput<P>) => v.InferOutput<R>[]

/** Milliseconds that a statement waits for another process's lock. */
export const busyTimeout = 5000

/**
 * Runs work that waits at most that long for another process's lock. Nothing else of this process runs meanwhile.
 * @throws SQLITE_BUSY when the time is over
 */
export const withBusyTimeout = <T>(db: Db, milliseconds: number, work: () => T): T => {
  db.exec(`pragma busy_timeout = ${milliseconds}`)
  try {
    return work()
  } finally {
    db.exec(`pragma busy_timeout = ${busyTimeout}`)
  }
}

/** For work that comes again soon: false if the lock was held for longer. */
export const tryWithBusyTimeout = (db: Db, milliseconds: number, work: () => void): boolean => {
  try {
    withBusyTimeout(db, milliseconds, work)
    return true
  } catch (error) {
    if (!isCode(error, 'SQLITE_BUSY')) throw error
    return false
  }
}
