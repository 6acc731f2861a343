// Share links: read-only access to reports with fixed filters, optionally with a password.
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import * as v from 'valibot'
import { noteAction } from '../audit/audit.ts'
import { all, type Db, get, none, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import type { Identity } from '../http/endpoint.ts'
import { type Clock, toSeconds } from '../lib/time.ts'
import sqlText from '../sql/share-link.sql'
import { createNonce, isNonce, type Key, keyedHash } from './key.ts'
import { createLoginGate } from './login-gate.ts'
import { hashPassword, verifyPassword } from './password-hash.ts'
import { viewReports } from './roles.ts'

const sql = statements(sqlText)

const hash = v.instance(Buffer)
const expires_at = v.nullable(v.number())
const linkColumns = { uuid: v.string(), name: v.string(), filters: v.string(), annotations: v.number() }
/** Columns of what a link shows to everybody. */
const publicColumns = { counter: v.nullable(v.string()), frame: v.string() }
const addQuery = query(
  sql('add'),
  v.object({
    ...linkColumns,
    hash,
    password_hash: v.nullable(v.string()),
    goals: v.number(),
    created_at: v.number(),
    expires_at,
    ...publicColumns,
  }),
)
const findQuery = query(
  sql('find'),
  v.object({ hash, now: v.number() }),
  v.object({ ...linkColumns, hash, password_hash: v.nullable(v.string()), goals: v.number() }),
)
const listQuery = query(
  sql('list'),
  none,
  v.object({
    ...linkColumns,
    ...publicColumns,
    has_password: v.number(),
    goals: v.number(),
    created_at: v.number(),
    expires_at,
  }),
)
const publicQuery = query(
  sql('public'),
  v.object({ uuid: v.string(), now: v.number() }),
  v.object({ uuid: v.string(), filters: v.string(), ...publicColumns }),
)
const revokeQuery = query(sql('revoke'), v.object({ uuid: v.string() }), v.object({ name: v.string() }))

/** Filters, as query parameters of a report. */
export type Filters = Readonly<Record<string, string>>

export const counterFigures = ['views', 'visitors'] as const
export const counterRounds = ['exact', 'hundreds'] as const

/** A number that everybody may read: of the pages of a pattern, in a period such as 30d or since a day. */
export const counterSchema = v.strictObject({
  figure: v.picklist(counterFigures),
  page: v.string(),
  period: v.nullable(v.string()),
  since: v.nullable(v.string()),
  round: v.picklist(counterRounds),
})
export type Counter = v.InferOutput<typeof counterSchema>

/** Why a link cannot have such a counter; null if it can. */
export const counterProblem = (counter: Counter | null, filters: Filters): string | null => {
  if (counter === null) return null
  if (counter.period !== null && counter.since !== null) return 'counter has a period or since, not both.'
  return filters.page !== undefined && counter.page !== '*'
    ? 'The link is filtered by page already: leave page out of counter.'
    : null
}

/** `https://www.example.org`, or http, with a port if need be: what the header frame-ancestors takes. */
export const isOrigin = (text: string): boolean =>
  /^https?:\/\/[a-z0-9.-]+(?::\d+)?$|^https?:\/\/\[[0-9a-f:.]+\](?::\d+)?$/.test(text) && URL.canParse(text)
/** `goals`: whether it shows goals and funnels. Times in seconds since 1970; `expiresAt` is null for a link that never expires. */
export type ShareLink = {
  uuid: string
  name: string
  filters: Filters
  /** Whether it shows annotations. */
  annotations: boolean
  hasPassword: boolean
  goals: boolean
  createdAt: number
  expiresAt: number | null
  expired: boolean
  counter: Counter | null
  /** Origins whose pages may frame its dashboard. */
  frame: readonly string[]
}

/** What a link shows to everybody who knows its id. */
export type PublicLink = Pick<ShareLink, 'uuid' | 'filters' | 'counter' | 'frame'>

export type NewLink = Pick<
  ShareLink,
  'name' | 'filters' | 'goals' | 'annotations' | 'expiresAt' | 'counter' | 'frame'
> & {
  password: string | null
}

/** The access of an opened link. With a password, `key` must be sent with the token. */
export type ShareAccess = Pick<ShareLink, 'name' | 'filters' | 'goals' | 'annotations'> & { key: string | null }

/** `token`, or `token.key` of a link with a password. */
export const shareHeader = 'x-footfall-share'

export type ShareLinks = {
  list: () => ShareLink[]
  /** Creates a link. `who` makes the change. */
  create: (link: NewLink, who: string | null) => Promise<{ uuid: string; token: string }>
  /** A link with its token; undefined if there is none. The audit log records who has seen it. */
  show: (uuid: string, who: string | null) => (ShareLink & { token: string }) | undefined
  /** Revokes a link, effective immediately; false if there is none. */
  revoke: (uuid: string, who: string | null) => boolean
  /** Opens a link; null if there is none or it has expired, `locked` without the correct password. Throws 429 after too many failures. */
  open: (token: string, password: string | null, address: string | null) => Promise<ShareAccess | 'locked' | null>
  /** What everybody may know of a link by its id; undefined without one. */
  shown: (uuid: string) => PublicLink | undefined
  /** The identity of a request with the header of a link; null if it is invalid. */
  identify: (header: string | null) => Identity | null
}

const readFilters = v.parser(v.record(v.string(), v.string()))
const readFrame = v.parser(v.array(v.string()))

const publicParts = ({ counter, frame }: { counter: string | null; frame: string }) => ({
  counter: counter === null ? null : v.parse(counterSchema, JSON.parse(counter)),
  frame: readFrame(JSON.parse(frame)),
})

/** Every link, as of a second since 1970; reads only. */
export const listShareLinks = (db: Db, now: number): ShareLink[] =>
  all(db, listQuery, {}).map(({ has_password, created_at, expires_at, ...link }) => ({
    ...link,
    ...shownBy(link),
    ...publicParts(link),
    hasPassword: has_password === 1,
    createdAt: created_at,
    expiresAt: expires_at,
    expired: expires_at !== null && expires_at <= now,
  }))

const pause = (milliseconds: number): Promise<void> => setTimeout(milliseconds, undefined, { ref: false })

/** What a link shows. */
const shownBy = ({ filters, goals, annotations }: { filters: string; goals: number; annotations: number }) => ({
  filters: readFilters(JSON.parse(filters)),
  goals: goals === 1,
  annotations: annotations === 1,
})

type ShareLinkDeps = { db: Db; key: Key; clock: Clock; wait?: (milliseconds: number) => Promise<void> }

export const createShareLinks = ({ db, key, clock, wait = pause }: ShareLinkDeps): ShareLinks => {
  const now = (): number => toSeconds(clock())
  // The id is random and known to administrators only, so the token is as hard to guess as a random one.
  const tokenOf = (uuid: string): string =>
    keyedHash(key, 'share-link-token', uuid).subarray(0, 18).toString('base64url')
  const hashOf = (token: string): Buffer => keyedHash(key, 'share-link', token)
  const gate = createLoginGate({ clock, wait })

  const find = (token: string) => get(db, findQuery, { hash: hashOf(token), now: now() })
  const list = (): ShareLink[] => listShareLinks(db, now())

  return {
    list,

    show: (given, who) => {
      const link = list().find(({ uuid }) => uuid === given.toLowerCase())
      if (link === undefined) return undefined
      noteAction(db, { at: now(), who }, 'share_link_shown', { name: link.name })
      return { ...link, token: tokenOf(link.uuid) }
    },

    create: async ({ name, filters, goals, annotations, password, expiresAt, counter, frame }, who) => {
      const uuid = randomUUID()
      const token = tokenOf(uuid)
      const password_hash = password === null ? null : await hashPassword(password)
      db.transaction(() => {
        run(db, addQuery, {
          uuid,
          name,
          filters: JSON.stringify(filters),
          annotations: Number(annotations),
          hash: hashOf(token),
          password_hash,
          goals: Number(goals),
          created_at: now(),
          expires_at: expiresAt,
          counter: counter === null ? null : JSON.stringify(counter),
          frame: JSON.stringify(frame),
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
      const link = find(token)
      if (link === undefined) return null
      const access = { name: link.name, ...shownBy(link) }
      const { password_hash } = link
      if (password_hash === null) return { ...access, key: null }
      if (password === null) return 'locked'
      const claim = { login: `share link ${link.uuid}`, address }
      const passed = await gate(claim, async () => ((await verifyPassword(password, password_hash)) ? true : null))
      return passed === null ? 'locked' : { ...access, key: createNonce(key, link.hash, now()) }
    },

    shown: given => {
      const link = get(db, publicQuery, { uuid: given.toLowerCase(), now: now() })
      return link && { uuid: link.uuid, filters: readFilters(JSON.parse(link.filters)), ...publicParts(link) }
    },

    identify: header => {
      const [token = '', linkKey = ''] = header?.split('.') ?? []
      const link = token === '' ? undefined : find(token)
      if (link === undefined || (link.password_hash !== null && !isNonce(key, link.hash, linkKey, now()))) return null
      return {
        id: `share:${link.uuid}`,
        login: link.name,
        role: '',
        locale: 'en',
        capabilities: [viewReports],
        userId: null,
        ...shownBy(link),
      }
    },
  }
}
