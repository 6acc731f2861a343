import { quoted } from './copy-check.ts'
import type { Db } from './query.ts'

/** Rows of the largest part. */
const most = 50_000
/** What a row's number can be: in a file from elsewhere also what no number of JavaScript holds. */
const [least, greatest] = [-(2n ** 63n), 2n ** 63n - 1n]

const isNumbered = (db: Db, table: string): boolean =>
  db.prepare("select wr from pragma_table_list where schema = 'source' and name = ?").pluck().get(table) === 0

/**
 * Copies a table from `source` to `main`, part by part where its rows are numbered: a row may be of some bytes, or all visits of a day.
 * @param put is called after each part, and tells whether it was large
 */
export const copyTable = (db: Db, table: string, put: () => boolean): void => {
  const all = `insert into main.${quoted(table)} select * from source.${quoted(table)}`
  if (!isNumbered(db, table)) {
    db.exec(all)
    put()
    return
  }
  const ends = db
    .prepare(
      `select max(rowid) from (select rowid from source.${quoted(table)} where rowid >= ? order by rowid limit ?)`,
    )
    .pluck()
    .safeIntegers()
  const part = db.prepare(`${all} where rowid between ? and ?`)
  let rows = 1
  let from = least
  for (let to = ends.get(from, rows); typeof to === 'bigint'; to = ends.get(from, rows)) {
    part.run(from, to)
    if (to === greatest) return
    rows = put() ? Math.ceil(rows / 2) : Math.min(most, rows * 2)
    from = to + 1n
  }
}
