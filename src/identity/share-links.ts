// Share links: read-only access to reports with fixed filters, optionally with a password.
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import * as v from 'valibot'
import { all, get, query, run, type Db } from '../database/query.ts'
import type { Identity } from '../http/endpoint.ts'
import { noteAction } from '../audit/audit.ts'
import add from '../sql/share-link.add.sql'
import find from '../sql/share-link.find.sql'
import list from '../sql/share-link.list.sql'
import revoke from '../sql/share-link.revoke.sql'
import { toSeconds, type Clock } from '../lib/time.ts'
import { keyedHash, type Key, createNonce, isNonce } from './key.ts'
import { createLoginGate } from './login-gate.ts'
import { hashPassword, verifyPassword } from './password-hash.ts'
import { viewReports } from './roles.ts'

const nothing = v.object({})
const hash = v.instance(Buffer)
const linkColumns = { uuid: v.string(), name: v.string(), filters: v.string() }
const addQuery = query(
  add,
  v.object({ ...linkColumns, hash, password_hash: v.nullable(v.string()), created_at: v.number() }),
  nothing,
)
const findQuery = query(
  find,
  v.object({ hash }),
  v.object({ ...linkColumns, hash, password_hash: v.nullable(v.string()) }),
)
const listQuery = query(list, nothing, v.object({ ...linkColumns, has_password: v.number(), created_at: v.number() }))
const revokeQuery = query(revoke, v.object({ uuid: v.string() }), v.object({ name: v.string() }))

/** Filters, as query parameters of a report. */
export type Filters = Readonly<Record<string, string>>
export type ShareLink = { uuid: string; name: string; filters: Filters; hasPassword: boolean; createdAt: number }
export type NewLink = { name: string; filters: Filters; password: string | null }

/** The access of an opened link. With a password, `key` must be sent with the token. */
export type ShareAccess = { name: string; filters: Filters; key: string | null }

/** `token`, or `token.key` of a link with a password. */
export const shareHeader = 'x-footfall-share'

export type ShareLinks = {
  list: () => ShareLink[]
  /** Creates a link and returns its token, of which only the hash is stored. `who` makes the change. */
  create: (link: NewLink, who: string | null) => Promise<{ uuid: string; token: string }>
  /** Revokes a link, effective immediately; false if there is none. */
  revoke: (uuid: string, who: string | null) => boolean
  /** Opens a link; null if there is none, `locked` without the correct password. Throws 429 after too many failures. */
  open: (token: string, password: string | null, address: string | null) => Promise<ShareAccess | 'locked' | null>
  /** The identity of a request with the header of a link; null if it is invalid. */
  identify: (header: string | null) => Identity | null
}

const readFilters = v.parser(v.record(v.string(), v.string()))
const pause = (milliseconds: number): Promise<void> => setTimeout(milliseconds, undefined, { ref: false })

type ShareLinkDeps = { db: Db; key: Key; clock: Clock; wait?: (milliseconds: number) => Promise<void> }

export const createShareLinks = ({ db, key, clock, wait = pause }: ShareLinkDeps): ShareLinks => {
  const now = (): number => toSeconds(clock())
  const hashOf = (token: string): Buffer => keyedHash(key, 'share-link', token)
  const gate = createLoginGate({ clock, wait })

  return {
    list: () =>
      all(db, listQuery, {}).map(({ has_password, created_at, filters, ...link }) => ({
        ...link,
        filters: readFilters(JSON.parse(filters)),
        hasPassword: has_password === 1,
        createdAt: created_at,
      })),

    create: async ({ name, filters, password }, who) => {
      const [uuid, token] = [randomUUID(), randomBytes(18).toString('base64url')]
      const password_hash = password === null ? null : await hashPassword(password)
      db.transaction(() => {
        run(db, addQuery, {
          uuid,
          name,
          filters: JSON.stringify(filters),
          hash: hashOf(token),
          password_hash,
          created_at: now(),
        })
        noteAction(db, { at: now(), who }, 'share_link_created', { name })
      }).immediate()
      return { uuid, token }
    },

    revoke: (uuid, who) =>
      db
        .transaction(() => {
          const revoked = get(db, revokeQuery, { uuid: uuid.toLowerCase() })
          if (revoked === undefined) return false
          noteAction(db, { at: now(), who }, 'share_link_revoked', { name: revoked.name })
          return true
        })
        .immediate(),

    open: async (token, password, address) => {
      const link = get(db, findQuery, { hash: hashOf(token) })
      if (link === undefined) return null
      const access = { name: link.name, filters: readFilters(JSON.parse(link.filters)) }
      const { password_hash } = link
      if (password_hash === null) return { ...access, key: null }
      if (password === null) return 'locked'
      const claim = { login: `share link ${link.uuid}`, address }
      const passed = await gate(claim, async () => ((await verifyPassword(password, password_hash)) ? true : null))
      return passed === null ? 'locked' : { ...access, key: createNonce(key, link.hash, now()) }
    },

    identify: header => {
      const [token = '', linkKey = ''] = header?.split('.') ?? []
      const link = token === '' ? undefined : get(db, findQuery, { hash: hashOf(token) })
      if (link === undefined || (link.password_hash !== null && !isNonce(key, link.hash, linkKey, now()))) return null
      return {
        id: `share:${link.uuid}`,
        login: link.name,
        role: '',
        locale: 'en',
        capabilities: [viewReports],
        userId: null,
        filters: readFilters(JSON.parse(link.filters)),
      }
    },
  }
}
