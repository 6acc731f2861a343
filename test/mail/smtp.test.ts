// Messages through a mail server that speaks the protocol: encryption, logins, refusals, and servers that do not answer.
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import * as assert from 'uvu/assert'
import type { SmtpServer } from '../../src/config/smtp-url.ts'
import { createMailer, type Mailer } from '../../src/mail/mailer.ts'
import { needs } from '../support/needs.ts'
import { temporaryFolder } from '../support/program.ts'
import { certificateIn, credentials, refusal, type SmtpTest, startSmtp } from '../support/smtp.ts'

const folder = temporaryFolder()
const stranger = temporaryFolder()
let certificate: ReturnType<typeof certificateIn>
let strangersCertificate: typeof certificate

const test = needs('openssl')
test.before(() => {
  certificate = certificateIn(folder.path('.'))
  strangersCertificate = certificateIn(stranger.path('.'))
  setDefaultCACertificates([...getCACertificates(), certificate.cert.toString()])
})

const now = Date.parse('2026-03-09T06:30:00Z')
const message = { subject: 'Überblick – 1.234 Besuche', text: 'Größe\n.\nEnde', html: '<p>Größe &amp; Länge</p>' }

type Sent = { mailer: Mailer; pauses: number[]; results: (string | null)[] }

const mailerTo = (server: Partial<SmtpServer>, to = ['a@example.org', 'b@example.net'], timeout = 20_000): Sent => {
  const pauses: number[] = []
  const results: (string | null)[] = []
  const mailer = createMailer({
    config: { mailTo: to, mailFrom: null, mailCommand: null },
    smtp: { host: 'localhost', port: 0, tls: 'implicit', login: credentials, ...server },
    env: {},
    clock: () => now,
    sleep: async milliseconds => {
      pauses.push(milliseconds)
    },
    timeout,
    onResult: error => results.push(error),
  })
  return { mailer, pauses, results }
}

const failureOf = (sent: Promise<void>): Promise<string> =>
  sent.then(
    () => 'it was sent',
    (error: Error) => error.message,
  )

const withServer = async (
  options: Parameters<typeof startSmtp>[0],
  work: (server: SmtpTest) => Promise<void>,
): Promise<void> => {
  const server = await startSmtp(options)
  try {
    await work(server)
  } finally {
    await server.close()
  }
}

test('TLS and a login: the whole message arrives, and what is put into headers', () =>
  withServer({ secure: true, ...certificate }, async server => {
    const { mailer, pauses, results } = mailerTo({ port: server.port })
    await mailer.deliver(message)
    const [got] = server.received
    assert.equal(
      [got?.from, got?.to, got?.user, got?.secure],
      ['owner@example.org', ['a@example.org', 'b@example.net'], 'owner@example.org', true],
    )
    assert.equal(got?.mail.from, { name: 'Footfall', address: 'owner@example.org' })
    assert.equal(
      got?.mail.to?.map(({ address }) => address),
      ['a@example.org', 'b@example.net'],
    )
    assert.equal([got?.mail.subject, got?.mail.html?.trim()], [message.subject, message.html])
    assert.is(got?.mail.text?.trim(), message.text)
    assert.is(got?.mail.date, '2026-03-09T06:30:00.000Z')
    assert.match(got?.mail.messageId ?? '', /^<[^<>@\s]+@example\.org>$/)
    assert.match(got?.raw ?? '', /^Auto-Submitted: auto-generated\r$/m)
    assert.match(got?.raw ?? '', /^Content-Type: multipart\/alternative;/m)
    assert.not.match(got?.raw ?? '', /[^\r]\n/)
    assert.not.match(got?.raw ?? '', /[^\x00-\x7f]/)
    assert.equal([pauses, results], [[], [null]])
  }))

test('STARTTLS, which is required of other machines', async () => {
  await withServer(certificate, async server => {
    await mailerTo({ port: server.port, tls: 'required' }).mailer.deliver(message)
    assert.is(server.received[0]?.secure, true)
  })
  await withServer({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true }, async server => {
    const { mailer } = mailerTo({ port: server.port, tls: 'required' })
    assert.match(await failureOf(mailer.deliver(message)), /STARTTLS/)
    assert.is(server.received.length, 0)
  })
})

test('a certificate of nobody known is refused before the login; on this machine it is taken', async () => {
  let logins = 0
  const onAuth: Parameters<typeof startSmtp>[0] = {
    onAuth: ({ username }, _, done) => {
      logins += 1
      done(null, { user: username })
    },
  }
  for (const [secure, tls] of [
    [true, 'implicit'],
    [false, 'required'],
  ] as const)
    await withServer({ secure, ...strangersCertificate, ...onAuth }, async server => {
      assert.match(await failureOf(mailerTo({ port: server.port, tls }).mailer.deliver(message)), /certificate$/)
      assert.equal([logins, server.received.length], [0, 0])
    })
  await withServer(strangersCertificate, async server => {
    await mailerTo({ port: server.port, tls: 'offered' }).mailer.deliver(message)
    assert.is(server.received[0]?.secure, true)
  })
})

test('without encryption and login where that was asked for', () =>
  withServer({ authOptional: true, ...certificate }, async server => {
    await mailerTo({ port: server.port, tls: 'off', login: null }).mailer.deliver(message)
    assert.equal([server.received[0]?.secure, server.received[0]?.from], [false, 'a@example.org'])
  }))

test('a wrong password is final, and in no error, even if the server repeats it', () =>
  withServer(
    {
      secure: true,
      ...certificate,
      onAuth: ({ username, password }, _, done) =>
        done(refusal(535, `No: ${username} ${password} ${btoa(unescape(encodeURIComponent(password ?? '')))}`)),
    },
    async server => {
      const { mailer, pauses, results } = mailerTo({ port: server.port })
      const error = await failureOf(mailer.deliver(message))
      assert.match(error, /535 No: owner@example\.org … …/)
      assert.not.match(error, /pa:ss|w@rd|:\/\//)
      assert.equal([pauses, results, server.connections()], [[], [error], 1])
    },
  ))

test('a refusal for good is not tried again', () =>
  withServer(
    { secure: true, ...certificate, onRcptTo: (_, __, done) => done(refusal(550, 'No such user here')) },
    async server => {
      const { mailer, pauses, results } = mailerTo({ port: server.port })
      const error = await failureOf(mailer.deliver(message))
      assert.match(error, /550 No such user here/)
      assert.equal([pauses, results, server.connections()], [[], [error], 1])
    },
  ))

test('where one of the addresses is refused, the other has the message, and the error names the reason', () =>
  withServer(
    {
      secure: true,
      ...certificate,
      onRcptTo: ({ address }, _, done) =>
        address === 'b@example.net' ? done(refusal(550, 'No such user here')) : done(),
    },
    async server => {
      const { mailer, pauses, results } = mailerTo({ port: server.port })
      await mailer.deliver(message)
      assert.match(results.join(), /^1 of 2 addresses were refused: .*550 No such user here/)
      assert.equal([server.received.map(({ to }) => to), pauses], [[['a@example.org']], []])
    },
  ))

test('a refusal for now is tried three times, with pauses, under one id', async () => {
  for (const [refusals, sent] of [
    [2, true],
    [3, false],
  ] as const) {
    const ids: string[] = []
    await withServer(
      {
        secure: true,
        ...certificate,
        onData: (stream, _, done) => {
          let text = ''
          stream.on('data', (part: Buffer) => {
            text += part
          })
          stream.on('end', () => {
            ids.push(/^Message-ID: (.+)\r$/m.exec(text)?.[1] ?? '')
            done(ids.length <= refusals ? refusal(451, 'Greylisted, try later') : null)
          })
        },
      },
      async server => {
        const { mailer, pauses, results } = mailerTo({ port: server.port })
        const outcome = await failureOf(mailer.deliver(message))
        assert.match(outcome, sent ? /^it was sent$/ : /451 Greylisted, try later/)
        assert.equal([pauses, server.connections(), results], [[60_000, 300_000], 3, [sent ? null : outcome]])
        assert.is(new Set(ids).size, 1)
        assert.match(ids[0] ?? '', /@/)
      },
    )
  }
})

/** A server that does what `greet` does with each client. */
const withSocket = async (greet: (socket: Socket) => void, work: (port: number) => Promise<void>): Promise<void> => {
  const sockets: Socket[] = []
  const server = createServer(socket => {
    sockets.push(socket)
    socket.on('error', () => {})
    greet(socket)
  })
  await new Promise<void>(ready => {
    server.listen(0, '127.0.0.1', ready)
  })
  try {
    await work((server.address() as AddressInfo).port)
  } finally {
    for (const socket of sockets) socket.destroy()
    await new Promise(done => server.close(done))
  }
}

test('a server that does not greet, and one that talks without end, are left after the limit', async () => {
  const silent = (): void => {}
  const talking = (socket: Socket): void => {
    const timer = setInterval(() => socket.write('220-Welcome\r\n'), 20)
    socket.on('close', () => clearInterval(timer))
  }
  for (const greet of [silent, talking])
    await withSocket(greet, async port => {
      const { mailer, pauses } = mailerTo({ port, tls: 'off' }, undefined, 300)
      assert.is(await failureOf(mailer.deliver(message)), 'The mail server was not done within 0.3 seconds.')
      assert.is(pauses.length, 2)
    })
})

test('a greeting that comes late is in time', () =>
  withServer({ secure: true, ...certificate, onConnect: (_, done) => void setTimeout(done, 1500) }, async server => {
    await mailerTo({ port: server.port }).mailer.deliver(message)
    assert.is(server.received.length, 1)
  }))

test('nobody listens: the error names the address and port, and no password', async () => {
  const { mailer, pauses } = mailerTo({ port: 9 })
  const error = await failureOf(mailer.deliver(message))
  assert.match(error, /ECONNREFUSED/)
  assert.not.match(error, /pa:ss/)
  assert.is(pauses.length, 2)
})

test('stopping interrupts what is being sent, and waits for its end', () =>
  withSocket(
    () => {},
    async port => {
      const { mailer, results } = mailerTo({ port, tls: 'off' })
      const outcome = failureOf(mailer.deliver(message))
      await mailer.stop()
      assert.equal(results, ['Sending was interrupted.'])
      assert.is(await outcome, 'Sending was interrupted.')
    },
  ))

test.after(() => {
  folder.remove()
  stranger.remove()
})
test.run()
