import type Database from 'better-sqlite3'
import type * as v from 'valibot'

export type Db = Database.Database

/** Values by column or parameter name. */
export type Shape = v.ObjectSchema<v.ObjectEntries, undefined>

/**
 * Notes about a statement: its name if it is not from a file of src/sql, and which rollup tables it reads, because a
 * segment's report has to derive these first.
 */
export type QueryNotes = { name?: string; reads?: readonly string[] }

/** A statement, with the names and types of its parameters and of the columns it gives. */
export type Query<P extends Shape = Shape, R extends Shape = Shape> = {
  sql: string
  params: P
  row: R
  name: string | undefined
  reads: readonly string[]
}

/** Every query of the program, so that a test can compare each with the schema of the file. */
export const queries: Query[] = []

export const query = <P extends Shape, R extends Shape>(
  sql: string,
  params: P,
  row: R,
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

/** The values of an object in the order of these names. */
export const valuesOf = (names: readonly string[], params: object): unknown[] =>
  names.map(name => (params as Record<string, unknown>)[name])

type BoundQuery = { statement: Database.Statement<unknown[], unknown>; names: readonly string[] }

const bound = new WeakMap<Db, Map<string, BoundQuery>>()

/** The statement without comments, with unnamed parameters, and their names in order. */
const unname = (sql: string): { sql: string; names: string[] } => {
  const names: string[] = []
  const bare = sql.replace(/--.*$/gm, '').replace(/@(\w+)/g, (_, name: string) => {
    names.push(name)
    return '?'
  })
  return { sql: bare, names }
}

/** Parameters are given by position: looking up their names at every run costs more than most statements. */
const boundQuery = (db: Db, { sql }: Query): BoundQuery => {
  let statements = bound.get(db)
  if (statements === undefined) bound.set(db, (statements = new Map()))
  let found = statements.get(sql)
  if (found === undefined) {
    const { sql: bare, names } = unname(sql)
    statements.set(sql, (found = { statement: prepare(db, bare), names }))
  }
  return found
}

export const all = <P extends Shape, R extends Shape>(
  db: Db,
  query: Query<P, R>,
  params: v.InferInput<P>,
): v.InferOutput<R>[] => {
  const { statement, names } = boundQuery(db, query)
  return statement.all(...valuesOf(names, params)) as v.InferOutput<R>[]
}

export const get = <P extends Shape, R extends Shape>(
  db: Db,
  query: Query<P, R>,
  params: v.InferInput<P>,
): v.InferOutput<R> | undefined => {
  const { statement, names } = boundQuery(db, query)
  return statement.get(...valuesOf(names, params)) as v.InferOutput<R> | undefined
}

/** Runs a statement that returns no rows. Returns how many rows it changed. */
export const run = <P extends Shape, R extends Shape>(db: Db, query: Query<P, R>, params: v.InferInput<P>): number => {
  const { statement, names } = boundQuery(db, query)
  return statement.run(...valuesOf(names, params)).changes
}

/** Returns the rows one by one; the connection can do nothing else until the last one is read. */
export const iterate = <P extends Shape, R extends Shape>(
  db: Db,
  query: Query<P, R>,
  params: v.InferInput<P>,
): IterableIterator<v.InferOutput<R>> => {
  const { statement, names } = boundQuery(db, query)
  return statement.iterate(...valuesOf(names, params)) as IterableIterator<v.InferOutput<R>>
}

/** Reads rows as `all` does, of a connection that it knows. */
export type List = <P extends Shape, R extends Shape>(query: Query<P, R>, params: v.InferInput<P>) => v.InferOutput<R>[]
