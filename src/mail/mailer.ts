// Messages to the operator, by SMTP or a command.
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { Config, Environment } from '../config/config.ts'
import type { SmtpServer } from '../config/smtp-url.ts'
import type { Sleep } from '../lib/sleep.ts'
import type { Clock } from '../lib/time.ts'
import { runCommand } from './command.ts'
import { composeMessage, type Envelope, type Message } from './compose.ts'
import { MailError, safeText, withoutAddresses } from './error.ts'
import { createOutbox } from './outbox.ts'

type SmtpError = Error & { responseCode?: number | undefined }

const connectionOf = async ({ host, port, tls }: SmtpServer, timeout: number): Promise<SMTPConnection> => {
  // Only those who send mail pay for reading it.
  const { default: Connection } = await import('nodemailer/lib/smtp-connection')
  return new Connection({
    host,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'required',
    ignoreTLS: tls === 'off',
    ...(tls === 'offered' && { tls: { rejectUnauthorized: false } }),
    // Each of these starts again with the next step, so that a limit of the whole comes first.
    connectionTimeout: 2 * timeout,
    greetingTimeout: 2 * timeout,
    socketTimeout: 2 * timeout,
    dnsTimeout: 2 * timeout,
  })
}

/** 4xx is a refusal for now, 5xx for good (RFC 5321). */
const isFinal = ({ responseCode = 0 }: SmtpError): boolean => responseCode >= 500

/** The connection's callbacks one after the other: greeting, login, message. */
const converse = (
  connection: SMTPConnection,
  { login }: SmtpServer,
  { from, to }: Envelope,
  message: Buffer,
  done: (error: SmtpError | null, rejected?: readonly SmtpError[]) => void,
): void => {
  const send = (): void =>
    connection.send({ from, to: [...to] }, message, (error, info) => done(error ?? null, info?.rejectedErrors ?? []))
  connection.connect(error => {
    if (error) return done(error)
    if (login === null) return send()
    connection.login({ user: login.user, pass: login.password }, problem => (problem ? done(problem) : send()))
  })
}

/**
 * Sends a message through a mail server.
 * @param timeout milliseconds for all of it
 * @returns null, or why the server refused some of the addresses while the others have the message
 * @throws MailError if nobody has it
 */
const sendBySmtp = async (
  server: SmtpServer,
  envelope: Envelope,
  message: Buffer,
  { timeout, signal }: { timeout: number; signal: AbortSignal },
): Promise<string | null> => {
  const connection = await connectionOf(server, timeout)
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const end = (act: () => void): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      act()
    }
    const fail = (error: MailError): void =>
      end(() => {
        connection.close()
        reject(error)
      })
    const failWith = (error: SmtpError): void => fail(new MailError(safeText(error, server.login), isFinal(error)))
    const onAbort = (): void => fail(new MailError('Sending was interrupted.', true))
    const timer = setTimeout(
      () => fail(new MailError(`The mail server was not done within ${timeout / 1000} seconds.`)),
      timeout,
    )
    signal.addEventListener('abort', onAbort, { once: true })
    // Errors after the end, as of closing, are nobody's.
    connection.on('error', failWith)
    converse(connection, server, envelope, message, (error, rejected = []) => {
      if (error !== null) return failWith(error)
      const [first] = rejected
      end(() => {
        connection.quit()
        const count = `${rejected.length} of ${envelope.to.length}`
        resolve(first === undefined ? null : `${count} addresses were refused: ${safeText(first, server.login)}`)
      })
    })
  })
}

type MailConfig = Pick<Config, 'mailTo' | 'mailFrom' | 'mailCommand'>

type Options = {
  config: MailConfig
  smtp: SmtpServer | null
  env: Environment
  clock: Clock
  sleep: Sleep
  /** Called with null when a message was sent, else with the error: after the last attempt, or of some addresses. */
  onResult: (error: string | null) => void
  /** Milliseconds for an attempt. */
  timeout?: number
  /** Milliseconds before each further attempt. */
  pauses?: readonly number[]
}

export type Mailer = {
  /** Whether there are addresses, and a way to them. */
  isReady: boolean
  /** Whether there is a way to any address. */
  hasWay: boolean
  /**
   * Sends a message to all of --mail-to, or to `others`. Temporary failures are tried again. It is sent if one of them
   * has it.
   * @throws MailError, whose text names no secret, nor any of `others`
   */
  deliver: (message: Message, others?: readonly string[]) => Promise<void>
  /** Interrupts what is being sent, and resolves when nothing is. */
  stop: () => Promise<void>
}

const attemptTimeout = 60_000
/** Many servers refuse a new sender for some minutes. */
const usualPauses = [60_000, 300_000]

/** The sender and the addresses; null without addresses. */
export const envelopeOf = (
  { mailTo, mailFrom }: Pick<Config, 'mailTo' | 'mailFrom'>,
  smtp: SmtpServer | null,
): Envelope | null => {
  const [first] = mailTo
  if (first === undefined) return null
  const user = smtp?.login?.user ?? ''
  return { from: mailFrom ?? (user.includes('@') ? user : first), to: mailTo }
}

const missingText = (envelope: Envelope | null): string =>
  envelope === null
    ? 'There is nobody to send it to: --mail-to is not set.'
    : 'There is no way to send it: neither FOOTFALL_SMTP_URL nor --mail-command is set.'

/** The way to send; null if none is set. A command comes first, as it is named for this service. */
const senderOf = ({ config: { mailCommand }, smtp, env, timeout = attemptTimeout }: Options) => {
  if (mailCommand !== null)
    return async (_: Envelope, message: Buffer, signal: AbortSignal) => {
      await runCommand(mailCommand, message, { env, timeout, signal })
      return null
    }
  if (smtp !== null)
    return (envelope: Envelope, message: Buffer, signal: AbortSignal) =>
      sendBySmtp(smtp, envelope, message, { timeout, signal })
  return null
}

export const createMailer = (options: Options): Mailer => {
  const { config, smtp, clock, sleep, onResult, pauses = usualPauses } = options
  const send = senderOf(options)
  const own = envelopeOf(config, smtp)
  const envelopeTo = (others: readonly string[]): Envelope | null => {
    const to = envelopeOf({ ...config, mailTo: [...config.mailTo, ...others] }, smtp)
    return to && { ...to, to: others }
  }
  const outbox = createOutbox({ sleep, onResult, pauses })

  return {
    isReady: own !== null && send !== null,
    hasWay: send !== null,
    deliver: (message, others) => {
      const envelope = others === undefined ? own : envelopeTo(others)
      // Composed once: if it arrives twice, as it was not acknowledged in time, its id shows that.
      let composed: Promise<Buffer> | undefined
      return outbox.send(async signal => {
        if (envelope === null || send === null) throw new MailError(missingText(envelope), true)
        composed ??= composeMessage(message, envelope, clock())
        try {
          return await send(envelope, await composed, signal)
        } catch (error) {
          throw others === undefined ? error : withoutAddresses(error, others)
        }
      })
    },
    stop: outbox.stop,
  }
}
