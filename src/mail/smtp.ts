import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { SmtpServer } from '../config/smtp-url.ts'
import type { Envelope } from './compose.ts'
import { MailError, safeText } from './error.ts'

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
export const sendBySmtp = async (
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
