import type Database from 'better-sqlite3'
import type * as v from 'valibot'

export type Db = Database.Database

/** Values by column or parameter name. */
export type Shape = v.ObjectSchema<v.ObjectEntries, undefined>

/** A statement of src/sql, with the names and types of its parameters and of the columns it gives. */
export type Query<P extends Shape = Shape, R extends Shape = Shape> = { sql: string, params: P, row: R }

/** Every query of the program, so that a test can hold each against the schema of the file. */
export const queries: Query[] = []

export const query = <P extends Shape, R extends Shape>(sql: string, params: P, row: R): Query<P, R> => {
  const made = { sql, params, row }
  queries.push(made)
  return made
}

const kept = new WeakMap<Db, Map<string, Database.Statement<unknown[], unknown>>>()

/** The compiled statement, kept by the connection: compiling costs more than most of our statements. */
export const prepare = (db: Db, sql: string): Database.Statement<unknown[], unknown> => {
  let statements = kept.get(db)
  if (statements === undefined) kept.set(db, statements = new Map())
  let statement = statements.get(sql)
  if (statement === undefined) statements.set(sql, statement = db.prepare(sql))
  return statement
}

export const all = <P extends Shape, R extends Shape>(db: Db, { sql }: Query<P, R>, params: v.InferInput<P>): v.InferOutput<R>[] =>
  prepare(db, sql).all(params) as v.InferOutput<R>[]

export const get = <P extends Shape, R extends Shape>(db: Db, { sql }: Query<P, R>, params: v.InferInput<P>): v.InferOutput<R> | undefined =>
  prepare(db, sql).get(params) as v.InferOutput<R> | undefined

/** Runs a statement that gives no rows; answers how many rows it changed. */
export const run = <P extends Shape, R extends Shape>(db: Db, { sql }: Query<P, R>, params: v.InferInput<P>): number =>
  prepare(db, sql).run(params).changes

/** The rows one by one; the connection can do nothing else until the last one is taken. */
export const iterate = <P extends Shape, R extends Shape>(db: Db, { sql }: Query<P, R>, params: v.InferInput<P>): IterableIterator<v.InferOutput<R>> =>
  prepare(db, sql).iterate(params) as IterableIterator<v.InferOutput<R>>
