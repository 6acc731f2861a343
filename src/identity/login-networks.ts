import * as v from 'valibot'
import { type Db, get, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import sqlText from '../sql/login-network.sql'

const sql = statements(sqlText)

const networkOfUser = v.object({ user_id: v.number(), network: v.string() })
const addQuery = query(sql('add'), v.object({ ...networkOfUser.entries, now: v.number() }))
const findQuery = query(sql('find'), networkOfUser, v.object({ networks: v.number(), known: v.number() }))
const pruneQuery = query(sql('prune'), v.object({ user_id: v.number(), since: v.number() }))

/** Seconds after the last login from it for which a network is known. */
const lifetime = 365 * 86_400

/** Whether a network is new to a user who has logged in before. */
export const isNewNetwork = (db: Db, userId: number, network: string | null): boolean => {
  if (network === null) return false
  const { networks = 0, known = 0 } = get(db, findQuery, { user_id: userId, network }) ?? {}
  return networks > 0 && known === 0
}

/** Notes the network of a login. */
export const noteNetwork = (db: Db, userId: number, network: string | null, now: number): void => {
  run(db, pruneQuery, { user_id: userId, since: now - lifetime })
  if (network !== null) run(db, addQuery, { user_id: userId, network, now })
}
