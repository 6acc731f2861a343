// The program with every secret set and everything asked of it: no secret is in an answer, a log line, a crash or a
// file.
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type environmentOnly, secretNames, variableOf } from '../../src/config/config.ts'
import { keepOpen } from '../support/keep-open.ts'
import { footfall, footfallBeside, start, temporaryFolder } from '../support/program.ts'
import { firefox } from '../support/service.ts'
import { refusal, startSmtp } from '../support/smtp.ts'

const folder = temporaryFolder()
const data = folder.path('test.db')
const json = { 'content-type': 'application/json' }

/** One for each secret that the program knows, so that a new one is searched for from its first day. */
const secrets: Record<string, string> = Object.fromEntries(
  secretNames.map((name, index) => [
    variableOf(name as keyof typeof environmentOnly),
    `Se${index}cret-${name}-0123456789-abcdefghijklmnop`,
  ]),
)
const smtpAddress = (port: number): string => `smtp://owner:${secrets.FOOTFALL_SMTP_URL}@127.0.0.1:${port}`

/** The one that is part of an address. */
const environment = { ...secrets, FOOTFALL_SMTP_URL: smtpAddress(9) }
const license = 'L1cense-0123456789-abcdef'

/** As it is, and as encodings show it. */
const shapes = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64').replace(/=+$/, '').slice(0, -1),
  Buffer.from(secret).toString('hex'),
]

const leaks = (text: string, more: readonly string[] = []): string[] =>
  [...Object.values(secrets), ...more].filter(secret => shapes(secret).some(shape => text.includes(shape)))

/** A shop that fails in all the ways that end up in a log. */
const startShop = async (): Promise<{ url: string; asked: () => number; close: () => void }> => {
  let asked = 0
  const server = createServer((request, response) => {
    asked += 1
    // What a careless shop shows in its error: all of the request.
    response
      .writeHead(asked % 2 === 0 ? 401 : 500, { 'content-type': 'application/json' })
      .end(JSON.stringify({ code: 'broken', message: request.url, headers: request.headers }))
  })
  await new Promise<void>(ready => keepOpen(server).listen(0, '127.0.0.1', ready))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => asked,
    close: () => server.close(),
  }
}

test('the search finds what is there, so that it can fail', () => {
  assert.ok(secretNames.length >= 5)
  for (const secret of Object.values(secrets))
    for (const shape of shapes(secret)) assert.equal(leaks(`a ${shape} b`), [secret])
})

/** A mail server that repeats the password in its refusal. */
const startMail = () =>
  startSmtp({
    onAuth: ({ username, password }, _, done) =>
      done(refusal(535, `${username} ${password} ${Buffer.from(`\0${username}\0${password}`).toString('base64')}`)),
  })

test('driven: answers, log lines, commands and files', async () => {
  const shop = await startShop()
  const mail = await startMail()
  const withMail = { ...environment, FOOTFALL_SMTP_URL: smtpAddress(mail.port) }
  const running = await start(
    ['--data', data, '--log-level', 'debug', '--woocommerce-url', shop.url, '--metrics-listen', '127.0.0.1:0'],
    { env: environment },
  )
  const seen: string[] = []
  try {
    const made = footfall(['app-password', 'create', 'admin', '--name', 'test', '--data', data], { env: environment })
    const key = made.stdout.trim().split('\n').at(-1) ?? ''
    const authorization = `Basic ${btoa(`admin:${key}`)}`
    const ask = async (path: string, init: RequestInit = {}): Promise<number> => {
      const answer = await fetch(`${running.url}${path}`, {
        ...init,
        headers: { authorization, ...(init.headers as Record<string, string>) },
      })
      seen.push(`${path.split('?', 1)[0]}: ${JSON.stringify([...answer.headers])} ${await answer.text()}`)
      return answer.status
    }
    const api = '/analytics/v1'
    assert.is(
      await ask(`${api}/settings`, {
        method: 'PUT',
        headers: json,
        body: JSON.stringify({ geoip_license_key: license }),
      }),
      200,
    )
    for (const path of [
      `${api}/diagnostics`,
      `${api}/settings`,
      `${api}/privacy-audit`,
      `${api}/openapi.json`,
      api,
      `${api}/revenue/wc-status`,
      '/metrics',
      '/',
      '/login',
      '/healthz',
      `${api}/summary?from=2026-03-01&to=2026-03-10&explain=1`,
    ])
      assert.is(await ask(path), 200, path)
    assert.ok([200, 207].includes(await ask(`${api}/self-test`, { method: 'POST' })))
    assert.ok(
      [200, 207].includes(
        await ask(`${api}/cron/run`, {
          method: 'POST',
          headers: json,
          body: '{"jobs":["rollup","backfill","backup"]}',
        }),
      ),
    )
    await ask(`${api}/revenue/backfill`, { method: 'POST', headers: json, body: '{}' })
    // Secrets that a client sends are its own, but none of them comes back or is written down.
    const {
      FOOTFALL_ADMIN_PASSWORD: password = '',
      FOOTFALL_JWT_SECRET: jwt = '',
      FOOTFALL_WOOCOMMERCE_WEBHOOK_SECRET: hook = '',
    } = secrets
    assert.is(
      await ask(`${api}/session`, {
        method: 'POST',
        headers: json,
        body: JSON.stringify({ login: 'admin', password }),
      }),
      200,
    )
    await ask(`${api}/session`, { method: 'POST', headers: json, body: JSON.stringify({ login: password, password }) })
    await ask(`${api}/session?password=${password}`, {
      method: 'POST',
      headers: json,
      body: `{"password":"${password}`,
    })
    await ask(`${api}/summary`, { headers: { authorization: `Bearer ${jwt}` } })
    await ask(`${api}/woocommerce/webhook`, {
      method: 'POST',
      headers: { ...json, 'x-wc-webhook-signature': hook },
      body: '{}',
    })
    await ask(`${api}/hit`, {
      method: 'POST',
      headers: { ...json, 'user-agent': firefox, 'x-forwarded-for': '203.0.113.7' },
      body: JSON.stringify({ page_url: '/a', token: jwt }),
    })
    assert.ok(shop.asked() > 0, 'the shop was never asked')
    const sending = ['digest', '--send', '--mail-to', 'owner@example.org', '--log-level', 'debug', '--data', data]
    const unsent = await footfallBeside(sending, { env: withMail })
    assert.match(unsent.stderr, /535 owner/)
    seen.push(`sending: ${unsent.stdout} ${unsent.stderr}`)
    assert.is(await ask(`${api}/diagnostics`), 200)
    assert.match(seen.at(-1) ?? '', /"mail_failed"/)

    for (const args of [
      ['diagnostics', '--json'],
      ['diagnostics'],
      ['privacy-audit', '--json'],
      ['settings'],
      ['settings', 'get'],
      ['shop', 'status'],
      ['backup', folder.path('copy.db')],
      ['export', folder.path('all.ndjson')],
      ['user', 'list'],
      ['app-password', 'list', 'admin'],
      ['--help'],
      ['serve', '--help'],
    ]) {
      const { stdout, stderr } = await footfallBeside(args.includes('--help') ? args : [...args, '--data', data], {
        env: environment,
      })
      seen.push(`${args.join(' ')}: ${stdout} ${stderr}`)
    }
    for (const text of seen) assert.equal(leaks(text, [license, key, key.replaceAll(' ', '')]), [], text.slice(0, 400))
  } finally {
    running.process.kill('SIGTERM')
    await running.ended
    shop.close()
    await mail.close()
  }
  assert.equal(leaks(running.output.stdout + running.output.stderr, [license]), [])
  // The settings are in the file with their key; secrets of the environment are in no file, not even in a name.
  for (const name of readdirSync(folder.path('.'), { recursive: true, encoding: 'utf8' })) {
    assert.equal(leaks(name, [license]), [], name)
    if (/\.(db|ndjson|json|gz|db-wal)$/.test(name))
      assert.equal(leaks(readFileSync(join(folder.path('.'), name)).toString('latin1')), [], name)
  }
})

test('crashes: a start that fails and a process that is cut off say nothing', async () => {
  const broken = folder.path('broken.db')
  const cases: [string, string[], Record<string, string>][] = [
    ['no folder', ['serve', '--data', '/nonexistent/x.db', '--port', '0', '--log-level', 'debug'], {}],
    ['no port', ['serve', '--data', broken, '--port', 'x'], {}],
    [
      'an address of nobody',
      ['serve', '--data', broken, '--port', '0', '--host', '203.0.113.1', '--log-level', 'debug'],
      {},
    ],
    ['a shop that is no address', ['serve', '--data', broken, '--port', '0', '--woocommerce-url', 'x'], {}],
    [
      'an invalid key',
      ['serve', '--data', folder.path('other.db'), '--port', '0'],
      { FOOTFALL_JWT_PUBLIC_KEY: 'k3y-that-is-none-0123456789' },
    ],
    [
      'a short secret',
      ['serve', '--data', folder.path('third.db'), '--port', '0'],
      { FOOTFALL_JWT_SECRET: 'sh0rt-s3cret' },
    ],
    [
      'a mail server that is no address',
      ['serve', '--data', folder.path('sixth.db'), '--port', '0'],
      { FOOTFALL_SMTP_URL: 'smtps://owner:p4ssw0rd-0123456789@mail.example.org/inbox' },
    ],
    [
      'a short password',
      ['serve', '--data', folder.path('fourth.db'), '--port', '0'],
      { FOOTFALL_ADMIN_PASSWORD: 'sh0rt' },
    ],
  ]
  for (const [name, args, more] of cases) {
    const { status, stdout, stderr } = await footfallBeside(args, { env: { ...environment, ...more } })
    assert.ok(status !== 0, `${name} starts`)
    assert.equal(leaks(stdout + stderr, Object.values(more)), [], `${name}: ${stderr}`)
  }
  const running = await start(['--data', folder.path('fifth.db')], { env: environment })
  running.process.kill('SIGABRT')
  await running.ended
  assert.equal(leaks(running.output.stdout + running.output.stderr), [])
})

test.after(() => folder.remove())
test.run()
