// Which texts are the site's own, or those of many visits, and not what a single stranger may have sent.
import * as v from 'valibot'
import { query } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import sqlText from '../sql/known-texts.sql'
import { bindParameters, type Read, type ReadOptions } from './pool.ts'

const sql = statements(sqlText)

const findQuery = query(sql('find'), v.object({ texts: v.string() }), v.object({ text: v.string() }))

/** @returns those of the texts that the CMS has said, or that at least ten visits on at least two days hold */
export const knownTexts = async (texts: readonly string[], read: Read, options: ReadOptions): Promise<string[]> => {
  const [rows] = await read([bindParameters(findQuery, { texts: JSON.stringify(texts) })], options)
  return rows.map(({ text }) => text)
}
