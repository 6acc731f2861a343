import type { Db } from './query.ts'

/** What changes the schema: SQL, or a function where SQL does not suffice. It runs in a transaction, and must not end it. */
export type Migration = string | ((db: Db) => void)

/** Every change since schema 12, the oldest that is read, in order; never edited or removed once it was released. */
export const migrations: readonly Migration[] = []
