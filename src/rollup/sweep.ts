// Deletes texts that nothing names any more: after retention and archives.
import { setTimeout as wait } from 'node:timers/promises'
import * as v from 'valibot'
import { createNamedLabels } from '../database/named-labels.ts'
import { type Db, get, none, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { secondOf } from '../database/view-id.ts'
import { recordErasure } from '../database/watch.ts'
import sqlText from '../sql/sweep.sql'

const sql = statements(sqlText)

const findQuery = query(sql('find'))
const newestRow = { view: v.number(), event: v.number() }
const newestQuery = query(sql('newest'), none, v.object({ unused: v.number(), ...newestRow }))
const chooseQuery = query(sql('choose'), v.object({ bite: v.number() }))
const keepQuery = query(sql('keep'), v.object({ ...newestRow, second: v.number() }))
const countQuery = query(sql('count'), none, v.object({ labels: v.number() }))

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
    db.exec(sql('sweep.begin.script'))
    createNamedLabels(db)
    run(db, findQuery, {})
    return get(db, newestQuery, {}) ?? { unused: 0, view: 0, event: 0 }
  })()
  const second = secondOf(view) - maxVisitSeconds

  const sweepBatch = (): number => {
    run(db, chooseQuery, { bite: labelsAtOnce })
    db.exec(sql('sweep.take.script'))
    run(db, keepQuery, { view, event, second })
    const { labels = 0 } = get(db, countQuery, {}) ?? {}
    if (labels === 0) return 0
    db.exec(sql('sweep.delete.script'))
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
