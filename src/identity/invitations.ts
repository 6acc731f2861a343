// Invitations: a link by which somebody makes a user for themselves, once; role and filters are those of the invitation.
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import * as v from 'valibot'
import { noteAction } from '../audit/audit.ts'
import { all, type Db, get, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { type Clock, toSeconds } from '../lib/time.ts'
import sqlText from '../sql/invitation.sql'
import { fromColumn, heldProblem, toColumn } from './held.ts'
import { isToken, type Key, keyedHash } from './key.ts'
import { createLoginGate } from './login-gate.ts'
import { assertValid, nameRule, type Rule, roleRule } from './rules.ts'
import type { Filters } from './share-links.ts'
import { type NewUser, prepareUser, type User } from './users.ts'

const sql = statements(sqlText)

const byHash = v.object({ hash: v.instance(Buffer), now: v.number() })
const name = v.object({ name: v.string() })
const given = { name: v.string(), role: v.string(), filters: v.nullable(v.string()) }
const listed = { uuid: v.string(), ...given, created_at: v.number(), expires_at: v.number() }
const addQuery = query(sql('add'), v.object({ ...listed, hash: v.instance(Buffer) }))
const listQuery = query(sql('list'), v.object({ now: v.number() }), v.object(listed))
const findQuery = query(sql('find'), byHash, v.object(given))
const consumeQuery = query(sql('consume'), byHash, name)
const withdrawQuery = query(sql('withdraw'), v.object({ uuid: v.string(), now: v.number() }), name)
const removeExpiredQuery = query(sql('remove-expired'), v.object({ now: v.number() }))

/** Seconds for which an invitation can be accepted. */
const lifetime = 7 * 86_400

const invitationRule: Rule = text =>
  nameRule(text) && 'The name of an invitation has 1 to 100 characters, no line breaks, and no space at its ends.'

/** `name` is for whom it is, for lists. */
export type NewInvitation = { name: string; role: string; filters: Filters | null }
/** Times in seconds since 1970. */
export type Invitation = NewInvitation & { uuid: string; createdAt: number; expiresAt: number }
/** Who accepts: as which user, from which address. */
type Guest = Pick<NewUser, 'login' | 'password' | 'locale'> & { address: string | null }

/** The invitations that can be accepted, the oldest first. */
export const listInvitations = (db: Db, now: number): Invitation[] =>
  all(db, listQuery, { now }).map(({ filters, created_at, expires_at, ...row }) => ({
    ...row,
    filters: fromColumn(filters),
    createdAt: created_at,
    expiresAt: expires_at,
  }))

const pause = (milliseconds: number): Promise<void> => setTimeout(milliseconds, undefined, { ref: false })

type Deps = { db: Db; key: Key; clock: Clock; wait?: (milliseconds: number) => Promise<void> }

/** `who` makes the change, for the audit log. */
export const createInvitations = ({ db, key, clock, wait = pause }: Deps) => {
  const now = (): number => toSeconds(clock())
  const hashOf = (token: string): Buffer => keyedHash(key, 'invitation', token)
  const gate = createLoginGate({ clock, wait })

  /** Makes the user and uses the invitation up, both or neither; null if somebody else has used it meanwhile. */
  const join = async (token: string, { address: _, ...guest }: Guest): Promise<User | null> => {
    const at = { hash: hashOf(token), now: now() }
    const found = isToken(token) ? get(db, findQuery, at) : undefined
    if (found === undefined) return null
    const { role, filters } = found
    const add = await prepareUser(db, { ...guest, role, filters: fromColumn(filters) }, at.now, guest.login)
    return db
      .transaction(() => {
        const used = get(db, consumeQuery, at)
        if (used === undefined) return null
        const user = add()
        noteAction(db, { at: at.now, who: user.login }, 'invitation_accepted', { name: used.name, user: user.login })
        return user
      })
      .immediate()
  }

  return {
    list: (): Invitation[] => listInvitations(db, now()),

    /**
     * Makes an invitation; only a hash of its token is stored.
     * @throws IdentityError for an invalid name or role, and for filters of an administrator
     */
    create: ({ name, role, filters }: NewInvitation, who: string | null): { uuid: string; token: string } => {
      for (const problem of [invitationRule(name), roleRule(role), heldProblem(role, filters)]) assertValid(problem)
      const [uuid, token, at] = [randomUUID(), randomBytes(32).toString('base64url'), now()]
      const row = { uuid, hash: hashOf(token), name, role, filters: toColumn(filters) }
      db.transaction(() => {
        run(db, removeExpiredQuery, { now: at })
        run(db, addQuery, { ...row, created_at: at, expires_at: at + lifetime })
        noteAction(db, { at, who }, 'invitation_created', { name, role })
      }).immediate()
      return { uuid, token }
    },

    /** Makes an invitation worthless, effective immediately; false if there is none. */
    withdraw: (uuid: string, who: string | null): boolean =>
      db
        .transaction(() => {
          const withdrawn = get(db, withdrawQuery, { uuid: uuid.toLowerCase(), now: now() })
          if (withdrawn === undefined) return false
          noteAction(db, { at: now(), who }, 'invitation_withdrawn', { name: withdrawn.name })
          return true
        })
        .immediate(),

    /**
     * Makes the guest a user; null for an invitation that is unknown, used, withdrawn or expired.
     * @throws IdentityError if the login is taken or a value is invalid: the invitation can then be used again
     * @throws ApiError 429 after too many failures from an address
     */
    accept: (token: string, guest: Guest): Promise<User | null> =>
      gate({ login: 'invitation', address: guest.address }, () => join(token, guest)),
  }
}

export type Invitations = ReturnType<typeof createInvitations>
