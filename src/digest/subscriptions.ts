// Digests that users have sent to themselves, or to whom they like; a link in each of them ends it.
import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { noteAction } from '../audit/audit.ts'
import { all, type Db, get, none, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { invalidParam } from '../http/errors.ts'
import { fromColumn } from '../identity/held.ts'
import { identityKey, isToken, keyedHash } from '../identity/key.ts'
import { findUserById } from '../identity/users.ts'
import type { Present } from '../lib/calendar.ts'
import { type Clock, type Day, toSeconds } from '../lib/time.ts'
import { parseFilters } from '../reports/filters/read.ts'
import type { Filters } from '../reports/segment.ts'
import sqlText from '../sql/subscription.sql'
import { lastWhole } from './period.ts'

const sql = statements(sqlText)

export const subscriptionPeriods = ['week', 'month'] as const
export type SubscriptionPeriod = (typeof subscriptionPeriods)[number]

const uuid = { uuid: v.string() }
const given = { address: v.string(), period: v.picklist(subscriptionPeriods), language: v.string() }
const stored = {
  ...uuid,
  ...given,
  user_id: v.number(),
  filters: v.string(),
  created_at: v.number(),
  sent_to: v.number(),
}
const byHash = v.object({ hash: v.instance(Buffer) })
const addQuery = query(sql('add'), v.object({ ...stored, ...byHash.entries }))
const listQuery = query(
  sql('list'),
  none,
  v.object({ ...stored, login: v.string(), role: v.string(), held: v.nullable(v.string()) }),
)
const endQuery = query(
  sql('end'),
  v.object({ ...uuid, user_id: v.nullable(v.number()) }),
  v.object({ user_id: v.number(), period: v.string() }),
)
const findQuery = query(sql('find'), byHash, v.object(uuid))
const noteSentQuery = query(sql('note-sent'), v.object({ ...uuid, sent_to: v.number() }))

/** `filters` are those that the user chose. */
export type NewSubscription = { address: string; period: SubscriptionPeriod; language: string; filters: Filters }

/** `held`: what the user is held to besides; null for nothing. `createdAt` in seconds since 1970. */
export type Subscription = NewSubscription & {
  uuid: string
  userId: number
  login: string
  role: string
  held: Filters | null
  createdAt: number
  /** The last day of the last digest, or of the period that was over when this began. */
  sentTo: Day
}

const maxSubscriptions = 10

/** `who` makes the change, for the audit log, which has no address. */
export const createSubscriptions = (db: Db, clock: Clock) => {
  const now = (): number => toSeconds(clock())
  // As hard to guess as a random one, and the same in every message, so that the link in an old one works as well.
  const tokenOf = (id: string): string => keyedHash(identityKey(db), 'unsubscribe-token', id).toString('base64url')
  const hashOf = (token: string): Buffer => keyedHash(identityKey(db), 'unsubscribe', token)
  const find = (token: string): string | undefined =>
    isToken(token) ? get(db, findQuery, { hash: hashOf(token) })?.uuid : undefined

  const list = (): Subscription[] =>
    all(db, listQuery, {}).map(({ user_id, filters, held, created_at, sent_to, ...row }) => ({
      ...row,
      userId: user_id,
      filters: parseFilters(filters),
      held: fromColumn(held),
      createdAt: created_at,
      sentTo: sent_to,
    }))

  const end = (id: string, userId: number | null, note: (user: string, period: string) => void): boolean =>
    db
      .transaction(() => {
        const ended = get(db, endQuery, { uuid: id.toLowerCase(), user_id: userId })
        if (ended === undefined) return false
        note(findUserById(db, ended.user_id)?.login ?? '', ended.period)
        return true
      })
      .immediate()

  return {
    list,
    tokenOf,

    /**
     * Adds one; the first digest is that of the period which is under way.
     * @throws ApiError 400 beyond ten of a user
     */
    add: (
      userId: number,
      { filters, ...chosen }: NewSubscription,
      present: Present,
      who: string | null,
    ): Subscription =>
      db
        .transaction(() => {
          if (list().filter(one => one.userId === userId).length >= maxSubscriptions)
            throw invalidParam(
              'address',
              `You have ${maxSubscriptions} digests already, the most that a user can have.`,
            )
          const [id, at] = [randomUUID(), now()]
          const row = {
            ...chosen,
            uuid: id,
            user_id: userId,
            hash: hashOf(tokenOf(id)),
            filters: JSON.stringify(filters),
          }
          run(db, addQuery, { ...row, created_at: at, sent_to: lastWhole(chosen.period, present).to })
          noteAction(db, { at, who }, 'digest_subscribed', { period: chosen.period })
          const added = list().find(one => one.uuid === id)
          if (added === undefined) throw new Error('The insert added no row.')
          return added
        })
        .immediate(),

    /** Ends one of a user, or (null) of any; false if there is none. */
    end: (id: string, userId: number | null, who: string | null): boolean =>
      end(id, userId, (user, period) => noteAction(db, { at: now(), who }, 'digest_ended', { user, period })),

    noteSent: (id: string, to: Day): void => {
      run(db, noteSentQuery, { uuid: id, sent_to: to })
    },

    /** Whether the link in a message still ends something. */
    isSubscribed: (token: string): boolean => find(token) !== undefined,

    /** Ends what the link in a message is of. A second time changes nothing. */
    unsubscribe: (token: string): void => {
      const id = find(token)
      if (id === undefined) return
      end(id, null, (user, period) => noteAction(db, { at: now(), who: null }, 'digest_unsubscribed', { user, period }))
    },
  }
}

export type Subscriptions = ReturnType<typeof createSubscriptions>
