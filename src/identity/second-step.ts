import { createThrottle } from '../collection/ingest/throttle.ts'
import type { Db } from '../database/query.ts'
import { ApiError, tooManyRequests } from '../http/errors.ts'
import { type Clock, toSeconds } from '../lib/time.ts'
import { secondFactorOf, useCode } from './second-factor.ts'

/**
 * The second step of a login, after the password was right: whether the user may enter. False for a wrong or used code,
 * which is a failed login. Throws 401 without a code where one is needed, and 429 after too many codes.
 */
export type SecondStep = (userId: number, code: string | undefined, isKnownDevice: boolean) => boolean

/**
 * Of each account, wherever they come from: ten at once, then one in 90 seconds. Someone who has the password and many
 * addresses would otherwise guess a code within days. The owner's devices are exempt; they have ten failures each.
 */
const limit = { burst: 10, rate: 1 / 90 }

const codeNeeded = (): ApiError =>
  new ApiError(401, 'rest_second_factor', 'The code of the second factor is needed: send it as code.')

export const createSecondStep = ({ db, clock }: { db: Db; clock: Clock }): SecondStep => {
  const spend = createThrottle()
  return (userId, code, isKnownDevice) => {
    if (secondFactorOf(db, userId).confirmedAt === null) return true
    if (code === undefined) throw codeNeeded()
    const seconds = isKnownDevice ? 0 : spend(String(userId), limit, clock())
    if (seconds > 0) throw tooManyRequests(seconds)
    return useCode(db, userId, code, toSeconds(clock()))
  }
}
