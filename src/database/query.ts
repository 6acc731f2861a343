import type Database from 'better-sqlite3'
import type * as v from 'valibot'

export type Db = Database.Database

/** Values by column or parameter name. */
export type Shape = v.ObjectSchema<v.ObjectEntries, undefined>

/**
 * What else is to be known of a statement: the name of one that does not come from a file of src/sql, and the tables it
 * reads of those that a report about a segment has to derive first.
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

/** The compiled statement, kept by the connection: compiling costs more than most of our statements. */
export const prepare = (db: Db, sql: string): Database.Statement<unknown[], unknown> => {
  let statements = compiled.get(db)
  if (statements === undefined) compiled.set(db, (statements = new Map()))
  let statement = statements.get(sql)
  if (statement === undefined) statements.set(sql, (statement = db.prepare(sql)))
  return statement
}

/**
 * Puts the values of an object, in the order of its statement's names, behind others. A statement is given them one by one:
 * out of an array, the addon takes a value at more cost than it binds it.
 */
export type Values = (params: object, values: unknown[]) => unknown[]

/**
 * Written out for the names, which stand in one of our statements: so the engine learns where each value lies, where a
 * loop over the names has it search for every one. A hit takes a twentieth less time by it.
 */
export const valuesOf = (names: readonly string[]): Values =>
  new Function(
    'params',
    'values',
    `values.push(${names.map(name => `params.${name}`).join()}); return values`,
  ) as Values

type Bound = { statement: Database.Statement<unknown[], unknown>; read: Values }

const kept = new WeakMap<Db, Map<string, Bound>>()

/** A statement without comments, its parameters unnamed, and their names in the order in which they stand. */
const unname = (sql: string): { sql: string; names: string[] } => {
  const names: string[] = []
  const bare = sql.replace(/--.*$/gm, '').replace(/@(\w+)/g, (_, name: string) => {
    names.push(name)
    return '?'
  })
  return { sql: bare, names }
}

/** By names, the engine of SQLite would look each value up under a text that is made anew each time: more work than most statements do. */
const bind = (db: Db, { sql }: Query): Bound => {
  let statements = kept.get(db)
  if (statements === undefined) kept.set(db, (statements = new Map()))
  let bound = statements.get(sql)
  if (bound === undefined) {
    const { sql: bare, names } = unname(sql)
    statements.set(sql, (bound = { statement: prepare(db, bare), read: valuesOf(names) }))
  }
  return bound
}

export const all = <P extends Shape, R extends Shape>(
  db: Db,
  query: Query<P, R>,
  params: v.InferInput<P>,
): v.InferOutput<R>[] => {
  const { statement, read } = bind(db, query)
  return statement.all(...read(params, [])) as v.InferOutput<R>[]
}

export const get = <P extends Shape, R extends Shape>(
  db: Db,
  query: Query<P, R>,
  params: v.InferInput<P>,
): v.InferOutput<R> | undefined => {
  const { statement, read } = bind(db, query)
  return statement.get(...read(params, [])) as v.InferOutput<R> | undefined
}

/** Runs a statement that gives no rows; answers how many rows it changed. */
export const run = <P extends Shape, R extends Shape>(db: Db, query: Query<P, R>, params: v.InferInput<P>): number => {
  const { statement, read } = bind(db, query)
  return statement.run(...read(params, [])).changes
}

/** The rows one by one; the connection can do nothing else until the last one is taken. */
export const iterate = <P extends Shape, R extends Shape>(
  db: Db,
  query: Query<P, R>,
  params: v.InferInput<P>,
): IterableIterator<v.InferOutput<R>> => {
  const { statement, read } = bind(db, query)
  return statement.iterate(...read(params, [])) as IterableIterator<v.InferOutput<R>>
}
