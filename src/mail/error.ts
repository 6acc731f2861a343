import type { SmtpServer } from '../config/smtp-url.ts'
import { dropControls } from '../lib/controls.ts'
import { ExpectedError, errorText } from '../lib/errors.ts'

/** Why a message was not sent. `isFinal`: the same message would be refused again. */
export class MailError extends ExpectedError {
  override name = 'MailError'
  readonly isFinal: boolean
  constructor(message: string, isFinal = false) {
    super(message)
    this.isFinal = isFinal
  }
}

const maxLength = 300

const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** The same without addresses, and what is before their @, which servers repeat. */
export const withoutAddresses = (error: unknown, addresses: readonly string[]): unknown => {
  if (!(error instanceof MailError)) return error
  const parts = addresses.flatMap(address => [address, address.replace(/@[^@]*$/, '')])
  const pattern = parts.map(part => part.replace(/\W/g, '\\$&')).join('|')
  return new MailError(error.message.replace(new RegExp(`(?<!\\w)(?:${pattern})(?!\\w)`, 'gi'), '…'), error.isFinal)
}

/** Every form in which a server may repeat the password that it was given. */
const formsOf = ({ user, password }: { user: string; password: string }): string[] => [
  base64(`\0${user}\0${password}`),
  base64(password),
  encodeURIComponent(password),
  password,
]

/** What may be logged and stored of an error: one line without the password. */
export const safeText = (error: unknown, login: SmtpServer['login'] = null): string =>
  (login === null ? [] : formsOf(login))
    .reduce((text, form) => text.replaceAll(form, '…'), dropControls(errorText(error)))
    // Advice for those who start Node by themselves.
    .replace(/; if the root CA is installed locally.*$/, '')
    .trim()
    .slice(0, maxLength)
