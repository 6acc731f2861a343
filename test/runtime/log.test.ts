// What the running program logs: a line an entry in both formats, as much as the level says, and nothing of a visitor;
// and whether it is well.
import { createServer } from 'node:http'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createHealthHandler } from '../../src/http/health.ts'
import { atPaths, closeServer, listen } from '../../src/http/server.ts'
import { logLevels } from '../../src/runtime/log.ts'
import { footfallBeside, start, temporaryFolder } from '../support/program.ts'
import { firefox } from '../support/service.ts'

const folder = temporaryFolder()
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
