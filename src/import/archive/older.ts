// Archives of format 2, whose visits say more than is kept today.
import * as v from 'valibot'
import type { olderSessionLine, SessionLine } from '../../archive/lines.ts'
import { type Db, query, run } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { majorVersion, olderLanguage, olderSystemVersion, olderValue, screenNamed } from '../../lib/coarse.ts'
import type { Day, Zone } from '../../lib/time.ts'
import { deriveDay, spanOf } from '../../rollup/derive.ts'
import sqlText from '../../sql/import-archive-older.sql'

const sql = statements(sqlText)

const day = v.object({ day: v.number() })
const clearQuery = query(sql('archive.clear-coarse'), day)
const deriveQuery = query(sql('archive.derive-coarse'), day)

const ifKnown = <To>(text: string | null, change: (text: string) => To): To | null =>
  text === null ? null : change(text)

export const coarseSession = ({ timezone: _, ...line }: v.InferOutput<typeof olderSessionLine>): SessionLine => ({
  ...line,
  screen: ifKnown(line.screen, screenNamed),
  language: ifKnown(line.language, olderLanguage),
  browser_version: ifKnown(line.browser_version, majorVersion),
  os_version: ifKnown(line.os_version, version => olderSystemVersion(line.os, version)),
})

/** A line of a rollup with the values of today; null for one by a dimension that is gone. */
export const coarseRollup = (line: Readonly<Record<string, unknown>>): Record<string, unknown> | null => {
  const { dimension, value } = line
  if (typeof dimension !== 'string' || typeof value !== 'string') return line
  return dimension === 'timezone' ? null : { ...line, value: olderValue(dimension, value) }
}

/** Adds up the read rows of values that have become one. */
export const gatherValues = (db: Db): void => {
  db.exec(sql('archive.older.begin.script'))
  db.exec(sql('archive.gather.script'))
}

/** Derives the stored sums by these values from the single visits of a day. */
export const deriveValues = (db: Db, zone: Zone, of: Day): void => {
  deriveDay(db, spanOf(zone, of))
  run(db, clearQuery, { day: of })
  run(db, deriveQuery, { day: of })
}
