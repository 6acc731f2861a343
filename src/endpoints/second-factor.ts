import * as v from 'valibot'
import { type Call, type Endpoint, endpoint } from '../http/endpoint.ts'
import { ApiError } from '../http/errors.ts'
import { timeSchema } from '../http/schemas.ts'
import { userOf } from '../identity/accounts.ts'
import { withApiErrors } from '../identity/refusal.ts'
import type { User } from '../identity/users.ts'
import { whoOf } from '../identity/who.ts'
import { timeText } from '../lib/time.ts'
import type { Context } from './context.ts'

type FactorContext = Pick<Context, 'accounts' | 'identity'>

/** Secrets are read from the body only: a query string would end up in logs. */
const restricted = { can: 'account', guarded: true, tag: 'Users and access', accepts: ['application/json'] } as const
const unknown = { 404: ['rest_user_invalid_id'] }
const guarded = { ...unknown, 403: ['rest_user_incorrect_password'], 429: ['rest_too_many_requests'] }
const noStore = { 'Cache-Control': 'no-store' }

const withPassword = v.object({
  password: v.pipe(
    v.string(),
    v.maxLength(2048),
    v.description('The account password: a browser left open is not enough.'),
  ),
})

const state = v.object({
  confirmed: v.pipe(v.nullable(timeSchema), v.description('Since when codes are asked for; null if none are.')),
  recovery_codes: v.pipe(v.number(), v.integer(), v.description('Recovery codes that are left.')),
})

export type SecondFactorState = v.InferOutput<typeof state>

type From = Pick<
  Call<unknown, v.InferOutput<typeof withPassword>, unknown>,
  'body' | 'identity' | 'request' | 'url' | 'address'
>

/** The calling user, who has proved the password; throws 403 if it is wrong. */
const proved = async (
  { accounts, identity: { logIn } }: FactorContext,
  { body, identity, request, url, address }: From,
): Promise<User> => {
  const user = userOf(accounts, 'me', identity)
  if ((await logIn(user.login, body.password, { request, url, address, code: null })) === null)
    throw new ApiError(403, 'rest_user_incorrect_password', 'The password is incorrect.')
  return user
}

export const secondFactorEndpoints: readonly Endpoint<FactorContext>[] = [
  endpoint({
    ...restricted,
    method: 'GET',
    path: '/users/me/totp',
    summary: 'The second factor of the current user',
    output: state,
    errors: unknown,
    handle: ({ accounts }: FactorContext, { identity }) => {
      const { confirmedAt, recoveryCodes } = accounts.secondFactor(userOf(accounts, 'me', identity))
      return {
        data: { confirmed: confirmedAt === null ? null : timeText(confirmedAt), recovery_codes: recoveryCodes },
      }
    },
  }),
  endpoint({
    ...restricted,
    method: 'POST',
    path: '/users/me/totp',
    summary: 'Start to set up a second factor',
    description:
      'Nothing is asked for until a first code has confirmed it. Repeated before that, it makes a new secret.',
    body: withPassword,
    status: 201,
    output: v.object({
      secret: v.pipe(v.string(), v.description('For an app that cannot scan (base32).')),
      uri: v.pipe(v.string(), v.description('`otpauth://`, for a QR code.')),
    }),
    errors: { ...guarded, 409: ['rest_second_factor_exists'] },
    handle: async (context: FactorContext, call) => {
      const user = await proved(context, call)
      const data = await withApiErrors(() => context.accounts.beginSecondFactor(user, call.url.host))
      return { data, headers: noStore }
    },
  }),
  endpoint({
    ...restricted,
    method: 'POST',
    path: '/users/me/totp/confirm',
    summary: 'Confirm the second factor with a first code',
    description: 'From now on logins need a code. Ends all other logins of the user.',
    body: v.object({ code: v.pipe(v.string(), v.maxLength(60), v.description('Six digits from the app.')) }),
    output: v.object({
      recovery_codes: v.pipe(
        v.array(v.string()),
        v.description('Ten codes for logins without the app, each valid once. They are not shown again.'),
      ),
    }),
    errors: { ...unknown, 403: ['rest_second_factor_incorrect'] },
    handle: ({ accounts, identity: { browserSessions } }: FactorContext, { body, identity, request, url, address }) => {
      const user = userOf(accounts, 'me', identity)
      const session = browserSessions.find(request, { url, address })
      const codes = accounts.confirmSecondFactor(user, body.code, session, whoOf(identity))
      if (codes === null)
        throw new ApiError(403, 'rest_second_factor_incorrect', 'The code is wrong, or there is nothing to confirm.')
      return { data: { recovery_codes: codes }, headers: noStore }
    },
  }),
  endpoint({
    ...restricted,
    method: 'DELETE',
    path: '/users/me/totp',
    summary: 'Remove the second factor and its recovery codes',
    body: withPassword,
    output: null,
    errors: { ...guarded, 404: ['rest_user_invalid_id', 'rest_second_factor_not_found'] },
    handle: async (context: FactorContext, call) => {
      const user = await proved(context, call)
      if (!context.accounts.removeSecondFactor(user, whoOf(call.identity)))
        throw new ApiError(404, 'rest_second_factor_not_found', 'There is no second factor.')
      return { data: null }
    },
  }),
]
