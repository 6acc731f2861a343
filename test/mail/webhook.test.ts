// Messages by HTTP: what servers get in each form, when it is sent again, and where nothing is sent.
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import * as assert from 'uvu/assert'
import { parseConfig } from '../../src/config/config.ts'
import { createWebhook } from '../../src/mail/webhook.ts'
import type { About } from '../../src/mail/webhook-formats.ts'
import { needs } from '../support/needs.ts'
import { temporaryFolder } from '../support/program.ts'
import { certificateIn } from '../support/smtp.ts'

const test = needs('openssl')
const folder = temporaryFolder()

const now = Date.parse('2026-03-09T06:30:00.250Z')
const message = { subject: 'shop.example: <Überblick> & "mehr"', text: 'Größe\n@everyone <!channel>\n' }
const about: About = { event: 'alert', facts: { id: 3, kind: 'spike', state: 'raised', current: 120, goal: null } }

type Request = { method: string; path: string; headers: IncomingHttpHeaders; body: string }
type Reply = (response: ServerResponse, number: number) => void

const status =
  (code: number, headers = {}): Reply =>
  response =>
    void response.writeHead(code, headers).end()

/** Starts a server that keeps what it gets; `reply` answers. */
const serve = async (server: Server, reply: Reply) => {
  const requests: Request[] = []
  server.on('request', async (request, response) => {
    requests.push({
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: await text(request),
    })
    reply(response, requests.length)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    requests,
    port,
    close: () => {
      server.closeAllConnections()
      return new Promise(done => server.close(done))
    },
  }
}

type Options = { flags?: Record<string, string>; secret?: string; timeout?: number; path?: string; host?: string }

const send = async (
  server: Server,
  reply: Reply,
  { flags = {}, secret, timeout = 60_000, path = '/hooks/KEY', host = '127.0.0.1' }: Options = {},
) => {
  const { requests, port, close } = await serve(server, reply)
  const pauses: number[] = []
  const results: (string | null)[] = []
  const scheme = 'setSecureContext' in server ? 'https' : 'http'
  const webhook = createWebhook({
    config: parseConfig({ webhook: `${scheme}://${host}:${port}${path}`, webhookAllowPrivate: 'true', ...flags }, {}),
    secret: secret ?? null,
    site: 'shop.example',
    dashboard: 'https://stats.shop.example/',
    clock: () => now,
    sleep: async milliseconds => {
      pauses.push(milliseconds)
    },
    timeout,
    onResult: error => results.push(error),
  })
  const error = await webhook.deliver(message, about).then(
    () => null,
    (reason: Error) => reason.message,
  )
  await webhook.stop()
  await close()
  assert.equal(results, [error])
  return { error: error?.replaceAll(String(port), 'PORT') ?? null, requests, pauses }
}

const bodyFor = async (format: string, path?: string) => {
  const { requests } = await send(createServer(), status(204), {
    flags: { webhookFormat: format },
    ...(path !== undefined && { path }),
  })
  const [request] = requests
  assert.equal([requests.length, request?.method], [1, 'POST'])
  assert.is(request?.headers['content-type'], 'application/json')
  return { path: request?.path, body: JSON.parse(request?.body ?? '') }
}

test('a program gets the message, what it is about, and where it comes from', async () => {
  const { path, body } = await bodyFor('json')
  assert.is(path, '/hooks/KEY')
  assert.equal(body, {
    event: 'alert',
    at: '2026-03-09T06:30:00.250Z',
    site: 'shop.example',
    dashboard: 'https://stats.shop.example/',
    ...message,
    facts: about.facts,
  })
})

test('each chat gets its own form, in which nobody is called and nothing is a link that is none', async () => {
  assert.equal((await bodyFor('slack')).body, {
    text: '*shop.example: &lt;Überblick&gt; &amp; "mehr"*\nGröße\n@everyone &lt;!channel&gt;\n',
  })
  assert.equal((await bodyFor('discord')).body, {
    content: `**${message.subject}**\n${message.text}`,
    allowed_mentions: { parse: [] },
  })
  const ntfy = await bodyFor('ntfy', '/push/my%20site')
  assert.equal(ntfy, {
    path: '/push/',
    body: {
      topic: 'my site',
      title: message.subject,
      message: message.text,
      click: 'https://stats.shop.example/',
    },
  })
  const { body } = await bodyFor('teams')
  const [{ contentType, content }] = body.attachments
  assert.equal([body.type, contentType], ['message', 'application/vnd.microsoft.card.adaptive'])
  assert.equal(
    content.body.map((block: { text: string }) => block.text),
    [message.subject, message.text],
  )
})

test('with a secret it is signed over the time and the text, and without one it is not', async () => {
  const { requests } = await send(createServer(), status(200), { secret: 'a secret' })
  const [request] = requests
  const second = Math.floor(now / 1000)
  const expected = createHmac('sha256', 'a secret').update(`${second}.${request?.body}`).digest('hex')
  assert.is(request?.headers['footfall-signature'], `t=${second},v1=${expected}`)
  const { requests: others } = await send(createServer(), status(200))
  assert.is(others[0]?.headers['footfall-signature'], undefined)
})

test('a failure for now is tried three times in all, one for good once', async () => {
  for (const code of [408, 425, 429, 500, 503]) {
    const later = await send(createServer(), status(code))
    assert.equal(
      [later.error, later.requests.length, later.pauses],
      [`127.0.0.1:PORT answered with ${code}.`, 3, [10_000, 60_000]],
    )
  }
  for (const code of [400, 404, 410, 424]) {
    const { error, requests, pauses } = await send(createServer(), status(code))
    assert.equal([error, requests.length, pauses], [`127.0.0.1:PORT answered with ${code}.`, 1, []])
  }
  const recovered = await send(createServer(), (response, number) => status(number < 3 ? 500 : 200)(response, number))
  assert.equal([recovered.error, recovered.requests.length], [null, 3])
  const [first, , last] = recovered.requests
  assert.is(first?.body, last?.body)
})

test('redirects are not followed', async () => {
  const { requests: elsewhere, port, close } = await serve(createServer(), status(200))
  for (const code of [301, 302, 307, 308]) {
    const { error, requests } = await send(
      createServer(),
      status(code, { location: `http://127.0.0.1:${port}/inside` }),
    )
    assert.match(error ?? '', new RegExp(`^127\\.0\\.0\\.1:PORT answered with ${code}\\. Redirects are not followed`))
    assert.is(requests.length, 1)
  }
  await close()
  assert.equal(elsewhere, [])
})

test('an answer without end is not read', async () => {
  const { error } = await send(createServer(), response => {
    response.writeHead(200)
    const write = (): void => void (response.destroyed || response.write('x'.repeat(1 << 20), write))
    write()
  })
  assert.is(error, null)
})

test('a server that does not answer is given up in time', async () => {
  const { error, requests } = await send(createServer(), () => {}, { timeout: 50 })
  assert.is(error, '127.0.0.1:PORT did not answer within 0.05 seconds.')
  assert.is.not(requests.length, 0)
})

test('a server that is not there, and one that breaks off, are said', async () => {
  const gone = await send(createServer(), response => response.destroy())
  assert.match(gone.error ?? '', /^127\.0\.0\.1:PORT: socket hang up$/)
  const { port, close } = await serve(createServer(), status(200))
  await close()
  const webhook = createWebhook({
    config: parseConfig({ webhook: `http://localhost:${port}/KEY`, webhookAllowPrivate: 'true' }, {}),
    secret: null,
    site: null,
    dashboard: null,
    clock: () => now,
    sleep: async () => {},
    onResult: () => {},
  })
  const error = await webhook.deliver(message, about).catch((reason: Error) => reason.message)
  assert.match(String(error), new RegExp(`^localhost:${port}: .*ECONNREFUSED`))
  assert.not.match(String(error), /KEY/)
})

test('a certificate of an unknown authority is refused', async () => {
  const secure = createSecureServer(certificateIn(folder.path('.')))
  const { error, requests } = await send(secure as unknown as Server, status(200), { host: 'localhost' })
  assert.match(error ?? '', /^localhost:PORT: .*certificate/)
  assert.equal(requests, [])
})

test('nothing is sent into a private network, by address or by name, unless that is allowed', async () => {
  const inside = ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '0x7f.1', '2130706433', '0.0.0.0', '[::]']
  for (const host of [...inside, '10.0.0.1', '169.254.169.254', '[fd00::1]', '[64:ff9b::7f00:1]']) {
    const { error, requests, pauses } = await send(createServer(), status(200), {
      flags: { webhookAllowPrivate: 'false' },
      host,
    })
    assert.match(error ?? '', /is in a private network\. .*--webhook-allow-private\.$/, host)
    assert.equal([requests, pauses], [[], []], host)
  }
  const { error } = await send(createServer(), status(200), { host: 'localhost' })
  assert.is(error, null)
})

test('an address that cannot be one is refused without being repeated', () => {
  for (const url of ['chat.example.org/KEY', 'ftp://chat.example.org/KEY', 'https://me:KEY@chat.example.org/', 'KEY'])
    assert.throws(
      () => parseConfig({ webhook: url }, {}),
      ({ message: said }: Error) => said.startsWith('--webhook takes a URL') && !said.includes(`'${url}'`),
    )
})

test.run()
