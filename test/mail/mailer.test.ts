// Messages by a command, what a message is made of, and the address of a mail server.
import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import PostalMime from 'postal-mime'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { smtpServer } from '../../src/config/environment.ts'
import { readSmtpUrl } from '../../src/config/smtp-url.ts'
import { composeMessage } from '../../src/mail/compose.ts'
import { createMailer, envelopeOf } from '../../src/mail/mailer.ts'
import { temporaryFolder } from '../support/program.ts'
import { checkAsync } from '../support/property.ts'
import { messageHeaders } from '../support/smtp.ts'

const folder = temporaryFolder()
const file = folder.path('message')
const message = { subject: 'Digest', text: 'Größe\n', html: '<p>Größe</p>' }

const byCommand = (mailCommand: string | null, { timeout = 20_000, to = ['a@example.org'] } = {}) => {
  const pauses: number[] = []
  const { deliver } = createMailer({
    config: { mailTo: to, mailFrom: 'from@example.org', mailCommand },
    smtp: null,
    env: { PATH: process.env.PATH, WHO: 'me', FOOTFALL_SMTP_URL: 'smtps://a:secret@example.org' },
    clock: () => Date.parse('2026-03-09T06:30:00Z'),
    sleep: async milliseconds => {
      pauses.push(milliseconds)
    },
    timeout,
    onResult: () => {},
  })
  return deliver(message).then(
    () => ({ error: null, pauses }),
    (error: Error) => ({ error: error.message, pauses }),
  )
}

test('a command gets the message on standard input, with line feeds, and an environment without secrets', async () => {
  assert.equal(await byCommand(`cat > '${file}'; env > '${file}.env'`), { error: null, pauses: [] })
  const raw = readFileSync(file)
  assert.not.match(raw.toString(), /\r/)
  const mail = await PostalMime.parse(raw)
  assert.equal([mail.subject, mail.text?.trim(), mail.html?.trim()], ['Digest', 'Größe', '<p>Größe</p>'])
  assert.equal([mail.from?.address, mail.to?.[0]?.address], ['from@example.org', 'a@example.org'])
  const env = readFileSync(`${file}.env`, 'utf8')
  assert.match(env, /^WHO=me$/m)
  assert.not.match(env, /FOOTFALL|secret/)
})

test('a command that fails is tried three times, and its last line of errors is reported; one that cannot be run is not', async () => {
  assert.equal(await byCommand("cat > /dev/null; echo first >&2; printf 'no\\033[31m route\\n' >&2; exit 75"), {
    error: 'The command ended with 75: no[31m route',
    pauses: [60_000, 300_000],
  })
  assert.equal(await byCommand('exit 1'), { error: 'The command ended with 1.', pauses: [60_000, 300_000] })
  const { error, pauses } = await byCommand('/nonexistent/sendmail -t')
  assert.match(error ?? '', /^The command ended with 127: .*not found/)
  assert.equal(pauses, [])
})

test('a command that does not end is killed with what it started', async () => {
  const { error, pauses } = await byCommand(`(sleep 30; touch '${file}.late') & sleep 30`, { timeout: 300 })
  assert.equal([error, pauses.length], ['The command was not done within 0.3 seconds.', 2])
  assert.is(existsSync(`${file}.late`), false)
})

test('without addresses, or without a way to send, it is said what to set', async () => {
  assert.match((await byCommand('true', { to: [] })).error ?? '', /--mail-to is not set/)
  assert.match((await byCommand(null)).error ?? '', /neither FOOTFALL_SMTP_URL nor --mail-command is set/)
})

test('the sender is --mail-from, else the user of the server, else the first address', () => {
  const config = { mailTo: ['a@example.org', 'b@example.org'], mailFrom: null }
  const server = readSmtpUrl('smtps://me%40example.net:x@mail.example.net')
  assert.is(envelopeOf({ ...config, mailFrom: 'f@example.org' }, server ?? null)?.from, 'f@example.org')
  assert.is(envelopeOf(config, server ?? null)?.from, 'me@example.net')
  assert.is(envelopeOf(config, readSmtpUrl('smtps://key:x@mail.example.net') ?? null)?.from, 'a@example.org')
  assert.is(envelopeOf(config, null)?.from, 'a@example.org')
  assert.is(envelopeOf({ ...config, mailTo: [] }, null), null)
})

test('no subject adds a header or breaks one', () =>
  checkAsync(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.constantFrom('\r\n', '\n', '\r\nBcc: x@example.org', '\0', '\u2028'),
        ),
      ),
      async parts => {
        const subject = `Digest ${parts.join('')}`
        const raw = await composeMessage(
          { ...message, subject },
          { from: 'from@example.org', to: ['a@example.org'] },
          Date.parse('2026-03-09T06:30:00Z'),
        )
        const mail = await PostalMime.parse(raw)
        assert.equal(mail.headers.map(({ key }) => key).sort(), messageHeaders)
        assert.ok(
          raw
            .toString()
            .split('\n\n', 1)[0]
            ?.split('\n')
            .every(line => line.length <= 998),
        )
        assert.is(mail.bcc, undefined)
        assert.is(mail.text?.trim(), 'Größe')
      },
    ),
    { numRuns: 200 },
  ))

test('the address of a mail server', () => {
  assert.equal(readSmtpUrl('smtps://user:pass@mail.example.org'), {
    host: 'mail.example.org',
    port: 465,
    tls: 'implicit',
    login: { user: 'user', password: 'pass' },
  })
  assert.equal(readSmtpUrl('smtp://me%40example.org:p%2Fq%3A@MAIL.example.org:2525/'), {
    host: 'mail.example.org',
    port: 2525,
    tls: 'required',
    login: { user: 'me@example.org', password: 'p/q:' },
  })
  for (const host of ['localhost', '127.0.0.1', '[::1]'])
    assert.equal([readSmtpUrl(`smtp://${host}:25`)?.tls, readSmtpUrl(`smtp://${host}:25`)?.login], ['offered', null])
  assert.is(readSmtpUrl('smtp://[::1]')?.host, '::1')
  assert.equal([readSmtpUrl('smtp://relay')?.port, readSmtpUrl('smtp://relay?tls=off')?.tls], [587, 'off'])
})

test('another address is refused without repeating it', () => {
  for (const url of [
    'mail.example.org',
    'https://u:secret@mail.example.org',
    'smtp:mail.example.org',
    'smtps://',
    'smtps://u:secret@',
    'smtps://user@mail.example.org',
    'smtps://:secret@mail.example.org',
    'smtps://u:secret@mail.example.org:99999',
    'smtps://u:secret@mail.example.org/inbox',
    'smtps://u:secret%@mail.example.org',
    'smtps://u:secret@mail.example.org?tls=off',
    'smtp://u:secret@mail.example.org?tls=none',
    'smtps://u:sec#ret@mail.example.org',
  ])
    assert.throws(
      () => smtpServer({ FOOTFALL_SMTP_URL: url }),
      (error: Error) => error.name === 'UsageError' && !/secret|mail\.example\.org[^:]|sec#/.test(error.message),
      url,
    )
  for (const env of [{}, { FOOTFALL_SMTP_URL: '' }, { FOOTFALL_SMTP_URL: ' \n' }]) assert.is(smtpServer(env), null)
})

test.after(() => folder.remove())
test.run()
