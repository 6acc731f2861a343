import { quoted } from './copy-check.ts'
import type { Db } from './query.ts'

/** Bytes after which the disk is given what was copied, about. */
const bytesAtOnce = 2 ** 21
const [fewest, most] = [1, 50_000]

const isNumbered = (db: Db, table: string): boolean =>
  db.prepare("select wr from pragma_table_list where schema = 'source' and name = ?").pluck().get(table) === 0

/**
 * Copies a table from `source` to `main`, part by part where its rows are numbered; `put` takes each part to the disk and
 * gives its bytes. Put there in one go, a whole file would keep the syncs of others waiting, those of hits for instance.
 */
export const copyTable = (db: Db, table: string, put: () => number): void => {
  const all = `insert into main.${quoted(table)} select * from source.${quoted(table)}`
  if (!isNumbered(db, table)) {
    db.exec(all)
    put()
    return
  }
  const ends = db.prepare(`select max(rowid) from (select rowid from source.${quoted(table)} where rowid > ? order by rowid limit ?)`).pluck()
  const part = db.prepare(`${all} where rowid > ? and rowid <= ?`)
  let rows = 128
  let from = Number.MIN_SAFE_INTEGER
  for (let to = ends.get(from, rows); typeof to === 'number'; to = ends.get(from, rows)) {
    part.run(from, to)
    rows = put() > bytesAtOnce ? Math.max(fewest, Math.floor(rows / 2)) : Math.min(most, rows * 2)
    from = to
  }
}
