// What the running program logs: a line an entry in both formats, as much as the level says, and nothing of a visitor;
// and whether it is well.
import { readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createHealthHandler } from '../../src/http/health.ts'
import { atPaths, closeServer, listen } from '../../src/http/server.ts'
import { createLog, limitRepeats, logLevels } from '../../src/runtime/log.ts'
import { needs } from '../support/needs.ts'
import { built, footfall, footfallBeside, start, temporaryFolder } from '../support/program.ts'
import { firefox } from '../support/service.ts'
import { until } from '../support/wait.ts'

const folder = temporaryFolder()
const packageText = readFileSync('package.json', 'utf8')
test.after(folder.remove)

const secrets = [
  '203.0.113.77',
  '2001:db8:77::1',
  'Firefox',
  'secret-page',
  'jane@example.org',
  'wrong-password',
  'eyJhbGciOi',
  'visitor-0123456789abcdef',
  'hush-hush-key',
]
const json = { 'content-type': 'application/json' }

/** Traffic of all kinds, good and bad, with all that must not be logged. */
const bother = async (url: string, file: string): Promise<void> => {
  const { stdout } = await footfallBeside(['app-password', 'create', 'admin', '--name', 'log', '--data', file])
  const authorization = `Basic ${btoa(`admin:${stdout.trimEnd().split('\n').at(-1)}`)}`
  const api = `${url}/analytics/v1`
  const visitor = { 'user-agent': firefox, 'x-forwarded-for': '203.0.113.77' }
  const send = (path: string, body: string, headers: Record<string, string> = {}) =>
    fetch(`${api}${path}`, { method: 'POST', body, headers: { ...json, ...visitor, ...headers } }).then(answer =>
      answer.text(),
    )
  await send(
    '/hit',
    '{"page_url":"/secret-page?mail=jane@example.org","title":"secret-page","visitor_id":"visitor-0123456789abcdef"}',
  )
  await send('/hit', '{"page_url":"/secret-page"}', { 'x-forwarded-for': '2001:db8:77::1' })
  await send('/hit', '{"page_url":"/secret-page","token":"eyJhbGciOiJIUzI1NiJ9.e30.x"}')
  await send('/hit', 'secret-page is no JSON')
  await send('/hit', `{"page_url":"/secret-page${'x'.repeat(9000)}"}`)
  await send('/event', '{"name":"secret-page","properties":{"mail":"jane@example.org"}}')
  await send('/forget', '{"visitor_id":"visitor-0123456789abcdef"}')
  await send('/session', '{"login":"jane@example.org","password":"wrong-password"}')
  await send('/woocommerce/webhook', '{"id":1,"billing":{"email":"jane@example.org"}}', {
    'x-wc-webhook-signature': 'eyJhbGciOi',
  })
  await send('/orders', '[{"id":"secret-page","billing":{"email":"jane@example.org"}}]', { authorization })
  await fetch(`${api}/settings`, {
    method: 'PUT',
    body: '{"geoip_license_key":"hush-hush-key"}',
    headers: { ...json, authorization },
  })
  await fetch(`${url}/login?token=eyJhbGciOi`, { headers: visitor })
  await send('/cron/run', '{"jobs":["salt","optimize","backup"]}', { authorization })
}

const runs: readonly [format: string, level: (typeof logLevels)[number]][] = [
  ['json', 'debug'],
  ['text', 'debug'],
  ['json', 'info'],
  ['text', 'error'],
]

for (const [format, level] of runs) {
  test(`--log-format ${format} --log-level ${level}`, async () => {
    const file = folder.path(`${format}-${level}.db`)
    const running = await start([
      '--data',
      file,
      '--log-format',
      format,
      '--log-level',
      level,
      '--geoip-city',
      'test/fixtures/mmdb/GeoIP2-City-Test-Invalid-Node-Count.mmdb',
    ])
    await bother(running.url, file)
    running.process.kill('SIGTERM')
    assert.is(await running.ended, 0)
    const lines = running.output.stderr.split('\n').slice(0, -1)
    if (format === 'json') {
      const [first, last] = running.output.stdout
        .split('\n')
        .slice(0, -1)
        .map(line => JSON.parse(line))
      assert.match(first.login_url, `${running.url}/login?token=`)
      assert.match(first.password, /^[A-Za-z0-9]{24}$/)
      assert.equal([last.message, last.url, last.dashboard_url], ['listening', running.url, `${running.url}/`])
    }
    const entries = lines.map(line => {
      if (format === 'json') return JSON.parse(line) as { time: string; level: string; message: string }
      const [, time = '', own = '', message = ''] = line.match(/^(\S+Z) (error|warn|info|debug) +(.+)$/) ?? []
      return { time, level: own, message }
    })
    for (const { time, level: own, message } of entries) {
      assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      assert.ok(
        logLevels.indexOf(own as typeof level) <= logLevels.indexOf(level) &&
          logLevels.indexOf(own as typeof level) >= 0,
        own,
      )
      assert.ok(message !== '')
    }
    const has = (text: string): boolean => entries.some(({ message }) => message.startsWith(text))
    assert.equal(
      [has('the GeoIP database cannot be used'), has('stopping'), has('a job ran')],
      [level !== 'error', level !== 'error', level === 'debug'],
    )
    assert.equal(
      secrets.filter(one => running.output.stderr.includes(one)),
      [],
    )
  })
}

test('with --login-file the first start shows no login; what ends the service is JSON as well', async () => {
  const login = folder.path('login')
  const json = ['--log-format', 'json', '--login-file', login]
  const running = await start(['--data', folder.path('login.db'), ...json])
  const port = new URL(running.url).port
  const second = footfall(['serve', '--port', port, '--data', folder.path('second.db'), '--log-format', 'json'])
  assert.is(second.status, 1)
  const [failure] = second.stderr.split('\n')
  assert.match(JSON.parse(failure ?? '').message, `Port ${port} of 127.0.0.1 is already in use.`)
  const bad = footfall(['serve', '--timezone', 'Nowhere', '--log-format', 'json', '--data', folder.path('bad.db')])
  assert.is(bad.status, 2)
  assert.match(JSON.parse(bad.stderr).message, 'Nowhere')
  running.process.kill('SIGTERM')
  assert.is(await running.ended, 0)
  const [link = '', name, password = ''] = readFileSync(login, 'utf8').split('\n')
  assert.match(link, `${running.url}/login?token=`)
  assert.match(password, /^[A-Za-z0-9]{24}$/)
  assert.is(name, 'admin')
  assert.is(statSync(login).mode & 0o777, 0o600)
  const printed = running.output.stdout + running.output.stderr
  assert.not(printed.includes(password) || printed.includes(link))
  // A file that is there already keeps what it has.
  const another = await start(['--data', folder.path('another.db'), ...json])
  another.process.kill('SIGTERM')
  await another.ended
  assert.match(another.output.stderr, /could not be written to --login-file/)
  assert.match(another.output.stdout, '"login":"admin"')
  assert.match(readFileSync(login, 'utf8'), link)
})

test('an error that repeats is written once, then once a minute with its number, then its end', () => {
  const lines: string[] = []
  const minutes: (() => void)[] = []
  const log = limitRepeats(
    createLog({ level: 'info', format: 'text', write: line => lines.push(line.slice(25).trimEnd()), clock: () => 0 }),
    work => {
      minutes.push(work)
      return () => minutes.splice(minutes.indexOf(work), 1)
    },
  )
  const pass = (): void => {
    for (const work of [...minutes]) work()
  }
  const take = (): string[] => lines.splice(0)
  for (let number = 0; number < 300; number++) log.error('a commit failed', { reason: 'full', request_id: number })
  log.error('a commit failed', { reason: 'locked' })
  assert.equal(take(), ['error a commit failed reason=full request_id=0', 'error a commit failed reason=locked'])
  pass()
  assert.equal(take(), [
    'error a commit failed reason=full times=299',
    'info  a commit failed: not in the last minute reason=locked',
  ])
  log.error('a commit failed', { reason: 'full' })
  pass()
  assert.equal(take(), ['error a commit failed reason=full times=1'])
  pass()
  assert.equal([take(), minutes.length], [['info  a commit failed: not in the last minute reason=full'], 0])
  log.error('a commit failed', { reason: 'full' })
  assert.equal(take(), ['error a commit failed reason=full'], 'a new one is written at once')
  // Errors of any text take no more than a bounded part of the memory.
  for (let number = 0; number < 500; number++) log.error('a request failed', { reason: `row ${number}` })
  assert.equal([take().length, minutes.length], [500, 100])
})

/** As `npm start` starts it, and the executable. */
const [node = '', ...flags] = (/exec (\.\/base-node.*?main\.cjs)/.exec(packageText)?.[1] ?? '').split(' ')
const started = [
  { name: 'npm start', command: [node, ...flags] as [string, ...string[]], needs: [] },
  { ...built, needs: ['the executable'] },
] as const

for (const program of started) {
  needs(...program.needs)(
    `${program.name}: SIGHUP reloads nothing and ends nothing, SIGUSR1 opens no debugger`,
    async () => {
      const running = await start(['--data', folder.path(`signals-${program.needs.length}.db`)], { program })
      running.process.kill('SIGHUP')
      await until(() => assert.match(running.output.stderr, /SIGHUP: nothing to reload/))
      running.process.kill('SIGUSR1')
      assert.is((await fetch(`${running.url}/healthz`)).status, 200)
      running.process.kill('SIGTERM')
      assert.is(await running.ended, 0)
      assert.not.match(running.output.stderr, /Debugger listening/)
    },
  )
}

test('it is well while the database answers, and 503 when it does not', async () => {
  let well = true
  const handle = atPaths(new Map([['/stats/healthz', createHealthHandler(() => well)]]))
  const server = createServer((request, response) => {
    if (!handle(request, response)) response.writeHead(404).end()
  })
  const url = await listen(server, '127.0.0.1', 0)
  const ask = async (path = '/stats/healthz', method = 'GET') => {
    const answer = await fetch(`${url}${path}`, { method })
    return [answer.status, await answer.text()]
  }
  assert.equal(await ask(), [200, '{"status":"ok"}'])
  assert.equal(await ask('/stats/healthz?x=1', 'HEAD'), [200, ''])
  assert.equal(await ask('/healthz'), [404, ''])
  well = false
  assert.equal(await ask(), [503, '{"status":"error"}'])
  await closeServer(server)
})

test.run()
