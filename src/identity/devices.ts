// Devices that have logged in: when many strangers guess passwords, attempts of these come first.
import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { type Db, get, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { type Clock, toSeconds } from '../lib/time.ts'
import sqlText from '../sql/login-device.sql'
import { deviceCookie, type Origin, readCookies, writeCookie } from './cookie.ts'
import { isToken, type Key, keyedHash } from './key.ts'

const sql = statements(sqlText)

const hash = v.instance(Buffer)
const ofUser = { user_id: v.number() }
const addQuery = query(sql('add'), v.object({ hash, ...ofUser, now: v.number() }))
const findQuery = query(sql('find'), v.object({ hash, login: v.string(), since: v.number() }), v.object({ hash }))
const replaceQuery = query(sql('replace'), v.object({ previous: hash, hash }))
const pruneQuery = query(sql('prune'), v.object({ ...ofUser, since: v.number(), keep: v.number() }))

/** Seconds that a device is known after its last login. */
const deviceLifetime = 365 * 86_400
/** Of each user; the ones used longest ago are forgotten. */
const maxDevices = 20

export type DeviceDeps = {
  db: Db
  key: Key
  clock: Clock
  /** Path prefix of the service; empty for the whole host. */
  root: string
  /** Whether the client uses HTTPS, as far as this service or a trusted proxy knows. */
  isHttps: (request: Request, origin: Origin) => boolean
}

export type Devices = ReturnType<typeof createDevices>

/** Known devices, identified by a cookie of which only the hash is stored. It grants no access. */
export const createDevices = ({ db, key, clock, root, isHttps }: DeviceDeps) => {
  const since = (): number => toSeconds(clock()) - deviceLifetime
  const hashOf = (token: string): Buffer => keyedHash(key, 'login-device', token)
  const hashesIn = (request: Request, origin: Origin): Buffer[] =>
    readCookies(request.headers.get('cookie'), deviceCookie(isHttps(request, origin)))
      .filter(isToken)
      .map(hashOf)

  return {
    /** Identifies the device if it has logged in to this account; null otherwise. */
    find: (request: Request, origin: Origin, login: string): string | null => {
      const found = hashesIn(request, origin).find(
        hash => get(db, findQuery, { hash, login, since: since() }) !== undefined,
      )
      return found?.toString('hex') ?? null
    },

    /** Remembers the device after a login, under a new token. Returns its Set-Cookie header. */
    remember: (request: Request, origin: Origin, userId: number): string => {
      const token = randomBytes(32).toString('base64url')
      const hash = hashOf(token)
      db.transaction(() => {
        // The device may be that of other users as well.
        for (const previous of hashesIn(request, origin)) run(db, replaceQuery, { previous, hash })
        run(db, addQuery, { hash, user_id: userId, now: toSeconds(clock()) })
        run(db, pruneQuery, { user_id: userId, since: since(), keep: maxDevices })
      }).immediate()
      const https = isHttps(request, origin)
      return writeCookie(deviceCookie(https), { https, root }, token, deviceLifetime)
    },
  }
}
