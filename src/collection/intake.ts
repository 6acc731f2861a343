// What every way in shares: the limit of the visitor's address, the ledger, the caller's roles, the collector.
import { tooManyRequests } from '../http/errors.ts'
import { parseAddress } from '../lib/address/list.ts'
import { type Clock, toSeconds, type Zone } from '../lib/time.ts'
import type { Collector } from './collector.ts'
import { errorOf } from './http.ts'
import { createRouteThrottles, type Limit, type Route } from './ingest/clients.ts'
import { type Body, invalidKeys } from './ingest/values.ts'
import type { HeaderSource, Incoming, Kind, Outcome, Result } from './record.ts'

export type IntakeOptions = {
  clock: Clock
  zone: Zone
  collector: Collector
  limits: Readonly<Record<Kind, Limit>>
  tokenRoles: (authorization: string | undefined, token: unknown) => Promise<readonly string[]>
}

/** Whose record it is: the client of the connection, or whom a back end names. */
export type Visitor = { address: string | null; userAgent: string }

export type Sent = Pick<Incoming, 'byPage'> & { kind: Kind; visitor: Visitor; headers: HeaderSource; body: Body }

export type Intake = {
  /** Counts a request in the ledger as invalid if `work` refuses it. */
  countInvalid: <Value>(work: () => Value) => Value
  /** Counted as well, but for `forget`. @throws ApiError 429 */
  throttle: (route: Route, address: string | null) => void
  /** Passes a record to the collector; roles are only looked up if it has a token. */
  collect: (sent: Sent) => Promise<Result>
  /**
   * Who a body says its visitor is, and the sender where it says nothing. For senders who may say it.
   * @throws ApiError 400
   */
  visitorIn: (body: Body, sender: Visitor) => Visitor
}

const named = (body: Body, sender: Visitor): Visitor => {
  const { address: given, user_agent: agent } = body
  const address = typeof given === 'string' ? parseAddress(given) : null
  const wrong = invalidKeys({
    address: address === null && given !== undefined && given !== null,
    user_agent: typeof agent !== 'string' && agent !== undefined && agent !== null,
  })
  const error = wrong === null ? null : errorOf('invalid', wrong)
  if (error !== null) throw error
  return {
    address: address ?? sender.address,
    // Without spaces around it, as a header is.
    userAgent: typeof agent === 'string' ? agent.trim() : sender.userAgent,
  }
}

export const createIntake = ({ clock, zone, collector, limits, tokenRoles }: IntakeOptions): Intake => {
  const secondsToWait = createRouteThrottles(limits)

  const count = (outcome: Outcome): void => collector.ledger.count(zone.dayOf(toSeconds(clock())), outcome)
  const countInvalid: Intake['countInvalid'] = work => {
    try {
      return work()
    } catch (error) {
      count('invalid')
      throw error
    }
  }

  return {
    countInvalid,
    throttle: (route, address) => {
      const seconds = secondsToWait(route, address, clock())
      if (seconds === 0) return
      if (route !== 'forget') count('throttled')
      throw tooManyRequests(seconds)
    },
    collect: async ({ kind, visitor, headers, body, byPage = false }) => {
      const authorization = headers.get('authorization')
      const hasToken = authorization !== undefined || body.token !== undefined
      const roles = hasToken ? await tokenRoles(authorization, body.token) : []
      return collector.collect({ kind, at: toSeconds(clock()), ...visitor, headers, roles, byPage }, body)
    },
    visitorIn: (body, sender) => countInvalid(() => named(body, sender)),
  }
}
