// The names of a site as its file has them; read again when there are new ones.
import * as v from 'valibot'
import { query } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { addDays, type Day } from '../../lib/time.ts'
import { bindParameters, type Read } from '../../reports/pool.ts'
import sqlText from '../../sql/ask-names.sql'
import { createNames, type Names } from './names.ts'

const sql = statements(sqlText)

const count = v.number()
const stateQuery = query(
  sql('state'),
  v.object({}),
  v.object({
    pages: count,
    campaigns: count,
    origins: count,
    places: count,
    events: count,
    products: count,
    goals: count,
    segments: count,
    funnels: count,
    annotations: count,
  }),
)
const pagesQuery = query(sql('pages'), v.object({}), v.object({ value: v.string(), title: v.string() }), {
  reads: ['page_rollup', 'period'],
})
const othersQuery = query(
  sql('others'),
  v.object({}),
  v.object({ kind: v.string(), value: v.string(), text: v.string() }),
  { reads: ['revenue_period'] },
)

/** Pages of so many days can be named. */
const days = 400

type Kept = { state: string; names: Promise<Names> }
/** By the reader of a file. */
const kept = new WeakMap<Read, Kept>()

const load = async (read: Read, today: Day): Promise<Names> => {
  const [pages, others] = await read([bindParameters(pagesQuery, {}), bindParameters(othersQuery, {})], {
    range: { from: addDays(today, -days), to: today },
  })
  return createNames(pages, others)
}

export const namesOfSite = async (read: Read, today: Day): Promise<Names> => {
  const [[found]] = await read([bindParameters(stateQuery, {})])
  const state = JSON.stringify([found, today])
  const known = kept.get(read)
  if (known?.state === state) return known.names
  const names = load(read, today)
  kept.set(read, { state, names })
  return names.catch((error: unknown) => {
    kept.delete(read)
    throw error
  })
}
