import * as v from 'valibot'
import { digestPeriods } from '../digest/period.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { ApiError } from '../http/errors.ts'
import { languageEntry, languageOf } from '../http/language.ts'
import { timeSchema } from '../http/schemas.ts'
import { timeText } from '../lib/time.ts'
import { MailError } from '../mail/error.ts'
import type { Context } from './context.ts'

const time = v.nullable(timeSchema)
const timeOrNull = (seconds: number | null): string | null => (seconds === null ? null : timeText(seconds))

const stateSchema = v.object({
  way: v.pipe(
    v.nullable(v.picklist(['smtp', 'command'])),
    v.description(
      'How messages are sent: FOOTFALL_SMTP_URL or --mail-command, which are set at the start alone, as they may hold a ' +
        'password. Null if neither is.',
    ),
  ),
  sent_at: v.pipe(time, v.description('When the last message was sent.')),
  failed_at: v.pipe(time, v.description('When one failed after that.')),
  error: v.pipe(v.nullable(v.string()), v.description('Why.')),
})
export type MailAnswer = v.InferOutput<typeof stateSchema>

const stateOf = ({ mail }: Context): MailAnswer => {
  const { sentAt, failedAt, error } = mail.state()
  return { way: mail.way, sent_at: timeOrNull(sentAt), failed_at: timeOrNull(failedAt), error }
}

const messageSchema = v.object({ subject: v.string(), text: v.string() })
export type DigestAnswer = v.InferOutput<typeof messageSchema>

const period = v.optional(v.pipe(v.picklist(digestPeriods), v.description('The last whole one of these.')), 'week')

const common = { can: 'manage_options', tag: 'Settings' } as const

export const mailEndpoints: readonly Endpoint<Context>[] = [
  endpoint({
    ...common,
    method: 'GET',
    path: '/mail',
    summary: 'How messages are sent, and how the last one was',
    output: stateSchema,
    handle: (context: Context) => ({ data: stateOf(context) }),
  }),
  endpoint({
    ...common,
    method: 'POST',
    path: '/mail/test',
    summary: 'Send a message to all who get digests and alerts, in one attempt',
    errors: { 409: ['rest_mail_unset'], 502: ['rest_mail_failed'] },
    body: v.object(languageEntry),
    output: stateSchema,
    handle: async (context: Context, call) => {
      try {
        await context.mail.test(languageOf(call.body.lang, call))
      } catch (error) {
        if (!(error instanceof MailError)) throw error
        throw context.mail.isReady
          ? new ApiError(502, 'rest_mail_failed', error.message)
          : new ApiError(409, 'rest_mail_unset', error.message)
      }
      return { data: stateOf(context) }
    },
  }),
  endpoint({
    ...common,
    method: 'GET',
    path: '/digest',
    summary: 'The digest of the last whole day, week or month, as it is sent',
    query: v.object({ period, ...languageEntry }),
    output: messageSchema,
    handle: async ({ mail }: Context, call) => {
      const { subject, text } = await mail.digest(call.query.period, languageOf(call.query.lang, call), call.signal)
      return { data: { subject, text } }
    },
  }),
]
