import type { Db } from '../database/query.ts'
import { errorText } from '../lib/errors.ts'
import { rescue } from '../database/rescue.ts'
import type { Log } from '../runtime/log.ts'
import type { Clock } from '../lib/time.ts'

/** The file has lost its name under the service: what was acknowledged goes to another one. */
export const saveRescueCopy = (db: Db, path: string, clock: Clock, log: Log): void => {
  try {
    const file = rescue(db, path, new Date(clock()).toISOString().replace(/[-:]|\.\d+/g, ''))
    log.warn(
      "the database was deleted or moved away under the service; what it held is kept, 'footfall restore' brings it back",
      { file },
    )
  } catch (error) {
    log.error('the database was deleted or moved away under the service, and what it held could not be kept', {
      reason: errorText(error),
    })
  }
}
