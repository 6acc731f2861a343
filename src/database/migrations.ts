import recentIds from '../sql/migrations/0013-recent-ids.sql'
import recountVisits from '../sql/migrations/0014-recount-visits.sql'
import type { Db } from './query.ts'

/** What changes the schema: SQL, or a function where SQL does not suffice. It runs in a transaction, and must not end it. */
export type Migration = string | ((db: Db) => void)

/** Every change since schema 12, the oldest that is read, in order; never edited or removed once it was released. */
export const migrations: readonly Migration[] = [recentIds, recountVisits]
