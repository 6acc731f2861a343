import * as v from 'valibot'
import { type Db, get, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { collecting, mayCall } from '../http/access.ts'
import type { Identity } from '../http/endpoint.ts'
import { truncateAddress } from '../lib/address/list.ts'
import { type Clock, toSeconds } from '../lib/time.ts'
import sqlText from '../sql/password-identification.sql'
import { fromRow, grantOf, isExpired, limitColumns } from './app-password-limits.ts'
import type { BestEffortWrites } from './best-effort-writes.ts'
import { type Key, keyedHash, sameBytes } from './key.ts'
import { administrator, localIdentity } from './roles.ts'

const sql = statements(sqlText)

const findQuery = query(
  sql('app-password.find'),
  v.object({ hash: v.instance(Buffer) }),
  v.object({
    uuid: v.string(),
    name: v.string(),
    hash: v.instance(Buffer),
    ...limitColumns,
    last_used_at: v.nullable(v.number()),
    user_id: v.number(),
    login: v.string(),
    role: v.string(),
    locale: v.string(),
  }),
)
const touchQuery = query(
  sql('app-password.touch'),
  v.object({ uuid: v.string(), now: v.number(), before: v.number(), address: v.nullable(v.string()) }),
)

type PasswordRow = v.InferOutput<typeof findQuery.row>
/** A token alone, as SDKs of analytics send one, names no login. */
type Credentials = { login: string | null; password: string }

const day = 86_400

/** Null unless the header is valid: as in WordPress, the caller is then anonymous instead of rejected. */
const readCredentials = (authorization: string | null): Credentials | null => {
  const [, encoded] = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization?.trim() ?? '') ?? []
  if (encoded === undefined) return null
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  return colon < 1 ? null : { login: text.slice(0, colon), password: text.slice(colon + 1) }
}

/** An application password in the place of a token. */
const readToken = (authorization: string): Credentials | null => {
  const [, password] = /^bearer +([A-Za-z0-9 -]{24,40})$/i.exec(authorization.trim()) ?? []
  return password === undefined ? null : { login: null, password }
}

/** Removes the spaces, dashes and tabs between the groups of a typed password (as WordPress does). */
const normalize = (password: string): string => password.replace(/[^A-Za-z0-9]/g, '')

const find = (db: Db, key: Key, { login, password }: Credentials): PasswordRow | null => {
  const plain = normalize(password)
  if (plain.length !== 24) return null
  const hash = keyedHash(key, 'app-password', plain)
  const row = get(db, findQuery, { hash })
  if (row === undefined || !sameBytes(row.hash, hash)) return null
  return login === null || row.login.toLowerCase() === login.toLowerCase() ? row : null
}

type PasswordDeps = {
  db: Db
  key: Key
  clock: Clock
  tryWrite: BestEffortWrites
  /** Whether administrators need a second factor, which no application password proves. */
  requireTotp: boolean
}

/** Identification by application password (api.md §2.1). Its use is recorded at most once a day, with the network. */
export const createPasswordIdentification = ({ db, key, clock, tryWrite, requireTotp }: PasswordDeps) => {
  const recordUse = ({ uuid, last_used_at }: PasswordRow, address: string | null, now: number): void => {
    if (last_used_at !== null && now - last_used_at < day) return
    const network = address === null ? null : truncateAddress(address)
    tryWrite(() => run(db, touchQuery, { uuid, now, before: now - day, address: network }))
  }
  const identify = (credentials: Credentials | null, address: string | null): Identity | null => {
    const row = credentials === null ? null : find(db, key, credentials)
    if (row === null) return null
    const [limits, now] = [fromRow(row), toSeconds(clock())]
    if (isExpired(limits, now)) return null
    recordUse(row, address, now)
    const unproved = requireTotp && row.role === administrator
    return { ...localIdentity(row), ...grantOf(limits), applicationPassword: row.name, ...(unproved && { unproved }) }
  }
  return {
    identifyByPassword: (authorization: string | null, address: string | null): Identity | null =>
      identify(readCredentials(authorization), address),
    mayCollect: (authorization: string | undefined, address: string | null): boolean =>
      authorization !== undefined &&
      mayCall(collecting, identify(readCredentials(authorization) ?? readToken(authorization), address)),
  }
}
