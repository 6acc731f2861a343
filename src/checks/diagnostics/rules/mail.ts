import { timeText } from '../../../lib/time.ts'
import { type Sentence, say } from '../../sentences.ts'
import type { Rule } from './rule.ts'

type ServiceConfig = Readonly<Record<string, unknown>>

const isListed = (value: unknown): boolean => Array.isArray(value) && value.length > 0

/** Whether the service is configured to send messages. */
const wantsMail = ({ digest }: ServiceConfig): boolean => isListed(digest)

const postsDigests = ({ webhook, webhook_events }: ServiceConfig): boolean =>
  webhook === 'present' && Array.isArray(webhook_events) && webhook_events.includes('digests')

/** What is missing to send messages; null if nothing is. */
const mailMissing = ({ mail_to, mail_command, smtp_url, ...config }: ServiceConfig): Sentence | null => {
  if (postsDigests(config)) return null
  if (!isListed(mail_to)) return say('reason_no_recipient')
  return mail_command === 'present' || smtp_url === 'present' ? null : say('reason_no_mailer')
}

/** Rules on the messages that the service sends. */
export const mailRules: readonly Rule[] = [
  {
    id: 'mail_missing',
    status: 'warning',
    find: (_, { service }) => {
      const missing = service !== null && wantsMail(service.config) ? mailMissing(service.config) : null
      return (
        missing !== null && {
          message: say('mail_missing', { reason: missing }),
          fix: say('mail_missing_fix'),
        }
      )
    },
  },
  {
    id: 'mail_failed',
    status: 'warning',
    find: (_, { mail: { error, failedAt } }) =>
      error !== null && {
        message: say('mail_failed', { time: timeText(failedAt ?? 0), error: error.replace(/\.$/, '') }),
        fix: say('mail_failed_fix'),
      },
  },
  {
    id: 'webhook_failed',
    status: 'warning',
    find: (_, { webhook: { error, failedAt } }) =>
      error !== null && {
        message: say('webhook_failed', { time: timeText(failedAt ?? 0), error: error.replace(/\.$/, '') }),
        fix: say('webhook_failed_fix'),
      },
  },
  {
    id: 'alert_command_failed',
    status: 'warning',
    find: (_, { alertCommand }) =>
      alertCommand !== null &&
      alertCommand.error !== null && {
        message: say('alert_command_failed', {
          time: timeText(alertCommand.at),
          reason: alertCommand.error.replace(/\.$/, ''),
        }),
        fix: say('alert_command_failed_fix'),
      },
  },
]
