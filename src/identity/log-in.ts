import { setTimeout } from 'node:timers/promises'
import * as v from 'valibot'
import { noteFailedLogin } from '../audit/audit.ts'
import { createThrottle } from '../collection/ingest/clients.ts'
import { type Db, get, query } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { ApiError, tooManyRequests } from '../http/errors.ts'
import { type Clock, toSeconds } from '../lib/time.ts'
import sqlText from '../sql/log-in.sql'
import type { BestEffortWrites } from './best-effort-writes.ts'
import type { Origin } from './cookie.ts'
import type { Devices } from './devices.ts'
import { createLoginGate } from './login-gate.ts'
import type { Entrant } from './login-sessions.ts'
import { verifyPassword } from './password-hash.ts'
import { secondFactorOf, useCode } from './second-factor.ts'

/**
 * The second step of a login, after the password was right: whether the user may enter. False for a wrong or used code,
 * which is a failed login. Throws 401 without a code where one is needed, and 429 after too many codes.
 */
type SecondStep = (userId: number, code: string | undefined, isKnownDevice: boolean) => boolean

/**
 * Of each account, wherever they come from: ten at once, then one in 90 seconds. Someone who has the password and many
 * addresses would otherwise guess a code within days. The owner's devices are exempt; they have ten failures each.
 */
const limit = { burst: 10, rate: 1 / 90 }

const codeNeeded = (): ApiError =>
  new ApiError(401, 'rest_second_factor', 'The code of the second factor is needed: send it as code.')

const createSecondStep = ({ db, clock }: { db: Db; clock: Clock }): SecondStep => {
  const spend = createThrottle()
  return (userId, code, isKnownDevice) => {
    if (secondFactorOf(db, userId).confirmedAt === null) return true
    if (code === undefined) throw codeNeeded()
    const seconds = isKnownDevice ? 0 : spend(String(userId), limit, clock())
    if (seconds > 0) throw tooManyRequests(seconds)
    return useCode(db, userId, code, toSeconds(clock()))
  }
}

const sql = statements(sqlText)

const findQuery = query(
  sql('user.find-password'),
  v.object({ login: v.string() }),
  v.object({ id: v.number(), login: v.string(), password_hash: v.string() }),
)

export type LogInDeps = {
  db: Db
  clock: Clock
  wait?: (milliseconds: number) => Promise<void>
  /** Identifies a device that has logged in to the account before. */
  deviceOf: Devices['find']
  tryWrite: BestEffortWrites
}

/**
 * `from` is the request with the attempt, and its code of the second factor. A code of null asks for none: then only the
 * password is to be proved.
 */
export type LogIn = (
  login: string,
  password: string,
  from: Origin & { request: Request; code?: string | null | undefined },
) => Promise<Entrant | null>

const pause = (milliseconds: number): Promise<void> => setTimeout(milliseconds, undefined, { ref: false })

/**
 * Verifies the password of an account and its second factor; null if login, password or code is wrong, in constant
 * time. Throws 401 if the password is right and a code is missing, 429 after too many failures (see createLoginGate).
 */
export const createLogIn = ({ db, clock, wait = pause, deviceOf, tryWrite }: LogInDeps): LogIn => {
  const gate = createLoginGate({ clock, wait })
  const secondStep = createSecondStep({ db, clock })
  return (login, password, { request, code, ...origin }) => {
    const device = deviceOf(request, origin, login)
    return gate({ login, address: origin.address, device }, async () => {
      const user = get(db, findQuery, { login })
      const isCorrect = await verifyPassword(password, user?.password_hash ?? null)
      const isEnough = isCorrect && user !== undefined && (code === null || secondStep(user.id, code, device !== null))
      if (isEnough) return { userId: user.id, passwordHash: user.password_hash }
      tryWrite(() => noteFailedLogin(db, toSeconds(clock()), user?.login ?? null))
      return null
    })
  }
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
