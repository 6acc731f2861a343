// Deletes texts that nothing names any more: after retention and archives.
import { setTimeout as wait } from 'node:timers/promises'
import * as v from 'valibot'
import { recordErasure } from '../database/erasures.ts'
import { get, query, run, type Db } from '../database/query.ts'
import { secondOf } from '../database/view-id.ts'
import beginScript from '../sql/sweep.begin.script.sql'
import choose from '../sql/sweep.choose.sql'
import count from '../sql/sweep.count.sql'
import deleteScript from '../sql/sweep.delete.script.sql'
import find from '../sql/sweep.find.sql'
import keep from '../sql/sweep.keep.sql'
import newest from '../sql/sweep.newest.sql'
import takeScript from '../sql/sweep.take.script.sql'

const nothing = v.object({})
const findQuery = query(find, nothing, nothing)
const newestRow = { view: v.number(), event: v.number() }
const newestQuery = query(newest, nothing, v.object({ unused: v.number(), ...newestRow }))
const chooseQuery = query(choose, v.object({ bite: v.number() }), nothing)
const keepQuery = query(keep, v.object({ ...newestRow, second: v.number() }), nothing)
const countQuery = query(count, nothing, v.object({ labels: v.number() }))

/** The service reloads its memory after each batch, so a day's texts are usually one. */
const labelsAtOnce = 5000
const gap = 5
/** A visit may change this long after its start: its dimensions are those of its first view, which can come later. */
const maxVisitSeconds = 2 * 86_400

/**
 * Finds the texts without the write lock, which takes a while, then deletes them in batches, each after another look at
 * what came in the meantime.
 * @returns the number of deleted labels
 */
export const sweepLabels = async (db: Db): Promise<number> => {
  const { unused, view, event } = db.transaction(() => {
    db.exec(beginScript)
    run(db, findQuery, {})
    return get(db, newestQuery, {}) ?? { unused: 0, view: 0, event: 0 }
  })()
  const second = secondOf(view) - maxVisitSeconds

  const sweepBatch = (): number => {
    run(db, chooseQuery, { bite: labelsAtOnce })
    db.exec(takeScript)
    run(db, keepQuery, { view, event, second })
    const { labels = 0 } = get(db, countQuery, {}) ?? {}
    if (labels === 0) return 0
    db.exec(deleteScript)
    // Other connections may have the ids of these labels in memory.
    recordErasure(db)
    return labels
  }

  let labels = 0
  for (let left = unused; left > 0; left -= labelsAtOnce) {
    labels += db.transaction(sweepBatch).immediate()
    await wait(gap)
  }
  return labels
}
