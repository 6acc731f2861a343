import * as v from 'valibot'
import type { Db } from '../database/query.ts'
import type { Identity } from '../http/endpoint.ts'
import { type Clock, toSeconds } from '../lib/time.ts'
import {
  type AppPassword,
  createAppPassword,
  listAppPasswords,
  type NewAppPassword,
  revokeAppPassword,
  revokeAppPasswords,
} from './app-passwords.ts'
import type { LoginSession } from './login-sessions.ts'
import { invalidUser } from './refusal.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  removeSecondFactor,
  type SecondFactor,
  secondFactorOf,
} from './second-factor.ts'
import { endOtherSessions, endSessionOf, type ListedSession, listSessions, logOutEverywhere } from './session-list.ts'
import {
  createUser,
  findUserById,
  listUsers,
  type NewUser,
  removeUser,
  type User,
  type UserChanges,
  updateUser,
} from './users.ts'

/** Users, their application passwords, second factors and sessions, for endpoints. `who` makes the change, for the audit log. */
export type Accounts = {
  list: () => User[]
  find: (id: number) => User | undefined
  create: (user: NewUser, who: string | null) => Promise<User>
  update: (user: User, changes: UserChanges, who: string | null) => Promise<User | undefined>
  remove: (user: User, who: string | null) => boolean
  passwordsOf: (user: User) => AppPassword[]
  createPassword: (
    user: User,
    password: Omit<NewAppPassword, 'login'>,
    who: string | null,
  ) => { uuid: string; password: string }
  revokePassword: (uuid: string, who: string | null) => boolean
  revokePasswords: (user: User, who: string | null) => number
  secondFactor: (user: User) => SecondFactor
  beginSecondFactor: (user: User, host: string) => { secret: string; uri: string }
  /** Ends all sessions but the current one. Null if the code is wrong. */
  confirmSecondFactor: (user: User, code: string, current: LoginSession | null, who: string | null) => string[] | null
  removeSecondFactor: (user: User, who: string | null) => boolean
  /** Of a user, or (null) of all. */
  sessions: (userId: number | null, current: LoginSession | null) => ListedSession[]
  endSession: (uuid: string, userId: number | null, who: string | null) => boolean
  logOutEverywhere: (user: User, who: string | null) => void
}

export const createAccounts = (db: Db, clock: Clock): Accounts => {
  const now = (): number => toSeconds(clock())
  return {
    list: () => listUsers(db),
    find: id => findUserById(db, id),
    create: (user, who) => createUser(db, user, now(), who),
    update: ({ login }, changes, who) => updateUser(db, login, changes, now(), who),
    remove: ({ login }, who) => removeUser(db, login, now(), who),
    passwordsOf: ({ login }) => listAppPasswords(db, login),
    createPassword: ({ login }, password, who) => createAppPassword(db, { ...password, login }, now(), who),
    revokePassword: (uuid, who) => revokeAppPassword(db, uuid, now(), who),
    revokePasswords: ({ login }, who) => revokeAppPasswords(db, login, now(), who),
    secondFactor: ({ id }) => secondFactorOf(db, id),
    beginSecondFactor: (user, host) => beginSecondFactor(db, user, host),
    confirmSecondFactor: (user, code, current, who) =>
      db
        .transaction(() => {
          const codes = confirmSecondFactor(db, user, code, now(), who)
          if (codes !== null) endOtherSessions(db, user.id, current)
          return codes
        })
        .immediate(),
    removeSecondFactor: (user, who) => removeSecondFactor(db, user, 'second_factor_off', now(), who),
    sessions: (userId, current) => listSessions(db, userId, current, now()),
    endSession: (uuid, userId, who) => endSessionOf(db, uuid, userId, now(), who),
    logOutEverywhere: (user, who) => logOutEverywhere(db, user, now(), who),
  }
}

/** The path parameters of a route about one user. */
export const userParams = v.object({ id: v.pipe(v.string(), v.description('ID of the user, or `me`.')) })

/**
 * Finds the user with the id in a path.
 * @throws ApiError 404 if there is none, and for `me` if the caller is not a local user
 */
export const userOf = ({ find }: Accounts, id: string, identity: Identity | null): User => {
  const number = id === 'me' ? (identity?.userId ?? null) : /^\d{1,15}$/.test(id) ? Number(id) : null
  const user = number === null ? undefined : find(number)
  if (user === undefined) throw invalidUser()
  return user
}
