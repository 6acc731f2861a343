import { resolve } from 'node:path'
import { readOptions } from '../config/config.ts'
import type { Db } from '../database/query.ts'
import type { Beside } from '../import/history/prepare.ts'
import { besideService, holdImports } from '../import/live/beside.ts'
import { lowerThreadPriority } from '../runtime/priority.ts'
import type { Call } from './command.ts'
import { withDatabase } from './database.ts'

/**
 * As withDatabase, for the only import, or undo of one, beside the running service.
 * @throws ApiError if there is another one
 */
export const withDatabaseBeside = <T>(call: Call, use: (db: Db, beside: Beside) => Promise<T>): Promise<T> =>
  withDatabase(call, async db => {
    const release = holdImports(resolve(readOptions(['data'], call.flags, call.env).data))
    lowerThreadPriority('importing')
    try {
      return await use(db, besideService())
    } finally {
      release()
    }
  })
