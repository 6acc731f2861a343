import { randomBytes, randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { noteAction } from '../audit/audit.ts'
import { all, type Db, get, none, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import sqlText from '../sql/pairing.sql'

const sql = statements(sqlText)

const text = v.string()
const addQuery = query(sql('add'), v.object({ uuid: text, platform: text, secret: text, created_at: v.number() }))
const listQuery = query(sql('list'), none, v.object({ uuid: text, platform: text, created_at: v.number() }))
const secretsQuery = query(sql('secrets'), none, v.object({ secret: text }))
const revokeQuery = query(sql('revoke'), v.object({ uuid: text }), v.object({ platform: text }))

/** A host platform whose tokens the service accepts. */
export type Pairing = { uuid: string; platform: string; createdAt: number }

/** Makes and keeps a secret with which a host platform signs its tokens. Only this call returns it. */
export const createPairing = (db: Db, platform: string, now: number): { uuid: string; secret: string } => {
  const [uuid, secret] = [randomUUID(), randomBytes(32).toString('base64url')]
  db.transaction(() => {
    run(db, addQuery, { uuid, platform, secret, created_at: now })
    noteAction(db, { at: now, who: 'cli' }, 'platform_connected', { platform })
  }).immediate()
  return { uuid, secret }
}

export const listedPairings = (db: Db): Pairing[] =>
  all(db, listQuery, {}).map(({ created_at, ...pairing }) => ({ ...pairing, createdAt: created_at }))

/** Ends a pairing: its tokens are refused from now on. False if there is none. */
export const endPairing = (db: Db, uuid: string, now: number): boolean =>
  db
    .transaction(() => {
      const ended = get(db, revokeQuery, { uuid: uuid.toLowerCase() })
      if (ended === undefined) return false
      noteAction(db, { at: now, who: 'cli' }, 'platform_disconnected', { platform: ended.platform })
      return true
    })
    .immediate()

/** The secrets of all pairings, newest first, as keys of HMAC. */
export const pairingSecrets = (db: Db): Uint8Array[] =>
  all(db, secretsQuery, {}).map(({ secret }) => new TextEncoder().encode(secret))
