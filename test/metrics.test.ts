// Metrics for monitoring: their text, who may read it, and the second port.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { metricsText } from '../src/metrics/text.ts'
import { start, temporaryFolder } from './program.ts'
import { withService, type Running } from './service.ts'

const folder = temporaryFolder()
test.after(folder.remove)

const read = ({ service, administrator }: Running, path: string, headers: Record<string, string> = { authorization: administrator }) => fetch(`${service.url}${path}`, { headers })

/** A sample's value by its name and labels, as they stand in the text. */
const samples = (text: string): Record<string, number> =>
  Object.fromEntries(text.split('\n').filter(line => line !== '' && !line.startsWith('#')).map(line => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]))

test('they count what came in, and tell of the process, the file and the jobs', () => withService({}, async running => {
  await running.hit({ page_url: '/a', pvid: 'a-view-that-is-sent-twice' })
  await running.hit({ page_url: '/a', pvid: 'a-view-that-is-sent-twice' })
  await running.hit({ page_url: '/a' }, { dnt: '1' })
  // A refusal waits for the next write; the commit of a hit takes it along.
  await running.hit({ page_url: '/b' })
  await running.api('/cron/run', { method: 'POST', body: '{"jobs":["salt"]}', headers: { 'content-type': 'application/json' } })
  const answer = await read(running, '/analytics/v1/metrics')
  assert.is(answer.status, 200)
  assert.is(answer.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
  const text = await answer.text()
  const found = samples(text)
  assert.is(found['footfall_collection_requests_total{outcome="accepted"}'], 2)
  assert.is(found['footfall_collection_requests_total{outcome="repeated"}'], 1)
  assert.is(found['footfall_collection_requests_total{outcome="dnt"}'], 1)
  assert.is(found.footfall_active_visits, 1)
  assert.is(found['footfall_job_failed{job="salt"}'], 0)
  assert.is(found['footfall_job_last_run_timestamp_seconds{job="salt"}'], 1_773_144_000)
  assert.ok((found.footfall_database_bytes ?? 0) + (found.footfall_wal_bytes ?? 0) > 100_000 && (found.process_resident_memory_bytes ?? 0) > 1e6)
  for (const line of text.trimEnd().split('\n')) assert.match(line, /^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z_]+="[^"\n]*"\})? -?[\d.e+]+)$/)
  assert.not.match(text, /203\.0\.113|Firefox|\/a\b/)
}))

test('they need the capability, below the base and outside of it', () => withService({ flags: { basePath: '/wp-json', rootPath: '/stats' } }, async running => {
  for (const path of ['/stats/wp-json/analytics/v1/metrics', '/stats/metrics']) {
    assert.is((await read(running, path)).status, 200, path)
    assert.is((await read(running, path, {})).status, 401, path)
    assert.is((await read(running, path, { authorization: running.reader })).status, 403, path)
  }
  const { paths } = await (await fetch(`${running.service.url}/stats/wp-json/analytics/v1/openapi.json`)).json() as { paths: Record<string, any> }
  assert.equal(Object.keys(paths['/metrics'].get.responses['200'].content), ['text/plain'])
}))

test('a second port answers without authentication, and metrics only', async () => {
  const running = await start(['--data', folder.path('a.db'), '--metrics-listen', '127.0.0.1:0'])
  const url = running.output.stderr.match(/metrics are answered.*url=(\S+)/)?.[1] ?? ''
  assert.match(await (await fetch(url)).text(), /^# HELP footfall_info/)
  assert.is((await fetch(new URL('/analytics/v1/settings', url))).status, 404)
  assert.is((await fetch(url, { method: 'POST' })).status, 404)
  running.process.kill('SIGTERM')
  assert.is(await running.ended, 0)
  assert.is(await fetch(url).then(() => 'open', () => 'closed'), 'closed')
})

test('a second port that is taken is named', async () => {
  const running = await start(['--data', folder.path('a.db'), '--metrics-listen', '127.0.0.1:0'])
  const port = new URL(running.url).port
  const other = await start(['--data', folder.path('b.db'), '--metrics-listen', `127.0.0.1:${port}`]).then(() => 'started', (error: Error) => error.message)
  assert.match(other, new RegExp(`Port ${port} of 127.0.0.1 .*--metrics-listen`))
  running.process.kill('SIGTERM')
  await running.ended
})

test('labels are escaped, and a metric without samples is left out', () => {
  assert.is(metricsText([
    { name: 'a', type: 'gauge', help: 'A.', samples: [{ labels: { name: 'q"\\\n' }, value: 1 }] },
    { name: 'b', type: 'gauge', help: 'B.', samples: [] },
  ]), '# HELP a A.\n# TYPE a gauge\na{name="q\\"\\\\\\n"} 1\n')
})

test.run()
