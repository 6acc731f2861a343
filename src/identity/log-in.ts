import { setTimeout } from 'node:timers/promises'
import * as v from 'valibot'
import { get, query, type Db } from '../database/query.ts'
import findPassword from '../sql/user.find-password.sql'
import { type Clock, toSeconds } from '../lib/time.ts'
import type { Origin } from './cookie.ts'
import type { Devices } from './devices.ts'
import { createLoginGate } from './login-gate.ts'
import type { Entrant } from './login-sessions.ts'
import { verifyPassword } from './password-hash.ts'

const findQuery = query(
  findPassword,
  v.object({ login: v.string() }),
  v.object({ id: v.number(), password_hash: v.string() }),
)

export type LogInDeps = {
  db: Db
  clock: Clock
  wait?: (milliseconds: number) => Promise<void>
  /** Identifies a device that has logged in to the account before. */
  deviceOf: Devices['find']
}

/** `from` is the request with the attempt. */
export type LogIn = (login: string, password: string, from: Origin & { request: Request }) => Promise<Entrant | null>

const pause = (milliseconds: number): Promise<void> => setTimeout(milliseconds, undefined, { ref: false })

/**
 * Verifies the password of an account; null if login or password is wrong, in constant time.
 * Throws 429 after too many failures (see createLoginGate).
 */
export const createLogIn = ({ db, clock, wait = pause, deviceOf }: LogInDeps): LogIn => {
  const gate = createLoginGate({ clock, wait })
  return (login, password, { request, ...origin }) =>
    gate({ login, address: origin.address, device: deviceOf(request, origin, login) }, async () => {
      const user = get(db, findQuery, { login })
      const isCorrect = await verifyPassword(password, user?.password_hash ?? null)
      return isCorrect && user !== undefined ? { userId: user.id, passwordHash: user.password_hash } : null
    })
}

const day = 86_400
const maxTimes = 1000

/** Wraps a login to count its failures. Stores only their times. */
export const countFailures = (logIn: LogIn, clock: Clock): { logIn: LogIn; failedLogins: () => number } => {
  const times: number[] = []
  return {
    logIn: async (...attempt) => {
      const entrant = await logIn(...attempt)
      if (entrant === null) times.push(toSeconds(clock()))
      if (times.length > maxTimes) times.shift()
      return entrant
    },
    failedLogins: () => times.filter(at => at > toSeconds(clock()) - day).length,
  }
}
