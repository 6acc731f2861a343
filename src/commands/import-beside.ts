import { resolve } from 'node:path'
import { readOptions } from '../config/config.ts'
import { readDemoMark } from '../database/demo-mark.ts'
import { isServed } from '../database/lock.ts'
import type { Db } from '../database/query.ts'
import type { Beside } from '../import/history/prepare.ts'
import { besideService, holdImports } from '../import/live/beside.ts'
import { ExpectedError } from '../lib/errors.ts'
import { toSeconds, type Zone } from '../lib/time.ts'
import { adoptZone, chooseZone } from '../rollup/zone.ts'
import { lowerThreadPriority } from '../runtime/priority.ts'
import type { Call } from './command.ts'
import { withDatabase, withDatabaseAlone } from './database.ts'

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

/** Where an import writes; `beside` is how a running service goes on meanwhile, null if none runs. */
export type Place = { db: Db; zone: Zone; beside: Beside | null }

const refuseDemo = (db: Db, data: string): void => {
  if (readDemoMark(db) !== null)
    throw new ExpectedError(`${data} contains demo data. Import into a new file: name one with --data.`)
}

/** The time zone of the running service counts. @throws ExpectedError if another one is asked for */
const zoneBeside = (db: Db, timezone: string | null): Zone => {
  const zone = chooseZone(db, null)
  if (timezone !== null && timezone !== zone.name)
    throw new ExpectedError(
      `The running service counts days in ${zone.name}, not in ${timezone}. Leave --timezone out, or stop the service.`,
    )
  return zone
}

/** Progress is committed with the rows: a power cut loses only the last transactions, which are imported again. */
export const tuneForImport = (db: Db): void => {
  db.pragma('synchronous = normal')
  db.pragma('wal_autocheckpoint = 10000')
  db.pragma('cache_size = -65536')
}

/** Runs an import beside the service, if one runs, else alone. @throws ExpectedError for a file of demo data */
export const withPlace = async <T>(call: Call, use: (place: Place) => Promise<T>): Promise<T> => {
  const { data, timezone } = readOptions(['data', 'timezone'], call.flags, call.env)
  if (isServed(resolve(data)))
    return withDatabaseBeside(call, async (db, beside) => {
      // Its commits need no sync of their own: those of hits sync the same log.
      db.pragma('synchronous = normal')
      refuseDemo(db, data)
      return use({ db, zone: zoneBeside(db, timezone), beside })
    })
  return withDatabaseAlone(call, 'import', false, async db => {
    tuneForImport(db)
    refuseDemo(db, data)
    const zone = chooseZone(db, timezone)
    adoptZone(db, zone, toSeconds(call.clock()))
    return use({ db, zone, beside: null })
  })
}
