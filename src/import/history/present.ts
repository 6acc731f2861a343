import type { Db } from '../../database/query.ts'
import type { Day } from '../../lib/time.ts'
import { historyDays } from '../../rollup/imports.ts'
import { rawFrom } from '../../rollup/raw-from.ts'
import { daysWithData } from '../../rollup/whole.ts'

const firstOfAll = 19700101
const lastOfAll = 99991231

/** What a database has already, which decides on days. */
export type Present = { own: Set<Day>; firstVisits: Day | null }

export const presentIn = (db: Db): Present => {
  const days = daysWithData(db, firstOfAll, lastOfAll)
  const histories = historyDays(db)
  const imported = new Set(histories.map(({ day }) => day))
  const from = rawFrom(db)
  return {
    own: new Set([...days, ...imported]),
    firstVisits: days.find(day => day >= from && !imported.has(day)) ?? null,
  }
}
