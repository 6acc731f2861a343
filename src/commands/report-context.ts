import { createSessions } from '../collection/store/sessions.ts'
import type { ReportContext } from '../service/context.ts'
import { readDemoMark } from '../database/demo-mark.ts'
import type { Db } from '../database/query.ts'
import { runStatements } from '../reports/answer.ts'
import type { Read } from '../reports/pool.ts'
import { createSegmentReader } from '../reports/segment-reader.ts'
import { importedDays } from '../rollup/imported.ts'
import { zoneChanges } from '../rollup/zone.ts'
import { toSeconds, type Clock, type Zone } from '../lib/time.ts'

/** What reports work with where no service is: one read-only connection, and the visits under way as the file has them. */
export const reportContext = (
  db: Db,
  zone: Zone,
  clock: Clock,
  readSegment = createSegmentReader(db.name),
): ReportContext => ({
  imported: importedDays(db),
  clock,
  zone,
  zoneChanges: zoneChanges(db),
  demo: readDemoMark(db),
  // A test holds the rows of every query against its schema, so they need no check here.
  read: (async (statements, { range = null, part, traces } = {}) =>
    part === undefined || range === null
      ? runStatements(db, statements, range, traces)
      : readSegment(statements, range, part, traces)) as Read,
  activeSince: second => {
    const sessions = createSessions(db, () => {})
    sessions.restore(toSeconds(clock()))
    return sessions.activeSince(second)
  },
})
