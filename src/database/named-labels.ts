import sqlText from '../sql/named-labels.sql'
import type { Db } from './query.ts'
import { statements } from './statements.ts'

const sql = statements(sqlText)

/** Creates the view temp.named_label: what deletes texts asks it which ones are still named. */
export const createNamedLabels = (db: Db): void => {
  db.exec(sql('label.named.script'))
}
