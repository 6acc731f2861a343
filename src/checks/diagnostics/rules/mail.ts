import { timeText } from '../../../lib/time.ts'
import type { Rule } from './rule.ts'

type ServiceConfig = Readonly<Record<string, unknown>>

const isListed = (value: unknown): boolean => Array.isArray(value) && value.length > 0

/** Whether the service was told to send messages. */
const wantsMail = ({ digest }: ServiceConfig): boolean => isListed(digest)

/** What is missing to send messages; null if nothing is. */
const mailMissing = ({ mail_to, mail_command, smtp_url }: ServiceConfig): string | null => {
  if (!isListed(mail_to)) return '--mail-to is not set'
  return mail_command === 'present' || smtp_url === 'present'
    ? null
    : 'neither FOOTFALL_SMTP_URL nor --mail-command is set'
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
          message: `No message can be sent: ${missing}.`,
          fix:
            'Set --mail-to to who gets messages, and FOOTFALL_SMTP_URL to a mail server or --mail-command to a command such ' +
            "as 'sendmail -t', then restart the service.",
        }
      )
    },
  },
  {
    id: 'mail_failed',
    status: 'warning',
    find: (_, { mail: { error, failedAt } }) =>
      error !== null && {
        message: `A message could not be sent at ${timeText(failedAt ?? 0)}: ${error.replace(/\.$/, '')}.`,
        fix: "Fix the cause, then try it with 'footfall digest --send'. This is shown until a message has been sent.",
      },
  },
]
