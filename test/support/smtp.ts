// A mail server of the test's own, and messages taken apart.

import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { makeCertificate } from './certificate.ts'

export type Received = {
  from: string
  to: string[]
  user: string | undefined
  secure: boolean
  /** As it came, with CRLF. */
  raw: string
  mail: Email
}

export type SmtpTest = {
  port: number
  received: Received[]
  /** How many clients connected. */
  connections: () => number
  close: () => Promise<void>
}

/** The headers of every message of ours; a line break in what it is made of would add one. */
export const messageHeaders = [
  'auto-submitted',
  'content-type',
  'date',
  'from',
  'message-id',
  'mime-version',
  'subject',
  'to',
]

export const credentials = { user: 'owner@example.org', password: 'pa:ss/w@rd%ü' }

/** The server's certificate for localhost, and that as a client's authority. */
export const certificateIn = (folder: string): { key: Buffer; cert: Buffer } => {
  const { key, certificate } = makeCertificate(folder, ['localhost'])
  return { key: readFileSync(key), cert: readFileSync(certificate) }
}

/** An error that the server answers with. */
export const refusal = (responseCode: number, text: string): Error => Object.assign(new Error(text), { responseCode })

/** Takes messages from anyone who has the credentials, unless `options` say otherwise. */
export const startSmtp = async (options: SMTPServerOptions = {}): Promise<SmtpTest> => {
  const received: Received[] = []
  let connections = 0
  const server = new SMTPServer({
    logger: false,
    disableReverseLookup: true,
    closeTimeout: 100,
    onAuth: ({ username, password }, _session, done) =>
      username === credentials.user && password === credentials.password
        ? done(null, { user: username })
        : done(refusal(535, 'Authentication failed')),
    onData: (stream, session, done) => {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', async () => {
        const raw = Buffer.concat(parts)
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          user: session.user === undefined ? undefined : String(session.user),
          secure: session.secure,
          raw: raw.toString('latin1'),
          mail: await PostalMime.parse(raw),
        })
        done(null)
      })
    },
    ...options,
    onConnect: (session, done) => {
      connections += 1
      if (options.onConnect === undefined) done()
      else options.onConnect(session, done)
    },
  })
  // A client that refuses the certificate is no failure of the server.
  server.on('error', () => {})
  await new Promise<void>(ready => {
    server.listen(0, '127.0.0.1', ready)
  })
  const { port } = server.server.address() as AddressInfo
  return {
    port,
    received,
    connections: () => connections,
    close: () => new Promise(done => server.close(() => done())),
  }
}
