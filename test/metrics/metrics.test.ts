// Metrics for monitoring: their text, who may read it, and the second port.
import { readFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { metricsText } from '../../src/metrics/text.ts'
import { start, temporaryFolder } from '../support/program.ts'
import { type Running, withService } from '../support/service.ts'
import { until } from '../support/wait.ts'

const folder = temporaryFolder()
test.after(folder.remove)

const read = (
  { service, administrator }: Running,
  path: string,
  headers: Record<string, string> = { authorization: administrator },
) => fetch(`${service.url}${path}`, { headers })

/** A sample's value by its name and labels, as they are in the text. */
const samples = (text: string): Record<string, number> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter(line => line !== '' && !line.startsWith('#'))
      .map(line => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  )

type Family = { type: string; samples: { name: string; labels: Record<string, string>; value: number }[] }

/** The text format 0.0.4, read as strictly as it is specified: throws at the first line that is wrong. */
const parseStrictly = (text: string): Map<string, Family> => {
  const families = new Map<string, Family>()
  const seen = new Set<string>()
  let helped = ''
  let current = ''
  if (!text.endsWith('\n')) throw new Error('the last line has no end')
  for (const line of text.slice(0, -1).split('\n')) {
    const wrong = (reason: string): never => {
      throw new Error(`${reason}: ${line}`)
    }
    const [, kind, name = '', rest = ''] = line.match(/^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/) ?? []
    if (kind === 'HELP') {
      if (families.has(name) || /\\(?![\\n])/.test(rest)) wrong('a second or wrong HELP')
      helped = name
    } else if (kind === 'TYPE') {
      if (helped !== name || families.has(name) || !['counter', 'gauge', 'histogram'].includes(rest))
        wrong('a TYPE out of place')
      if (rest === 'counter' && !name.endsWith('_total')) wrong('a counter without _total')
      families.set(name, { type: rest, samples: [] })
      current = name
    } else {
      const [, sample = '', labelText = '', number = ''] =
        line.match(
          /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\n"])*"(?:,(?=[a-zA-Z_])|(?=\})))+)\})? (-?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|\+Inf|NaN))$/,
        ) ?? wrong('no sample')
      const family = families.get(current) ?? wrong('a sample without TYPE')
      const own = family.type === 'histogram' ? [`${current}_bucket`, `${current}_sum`, `${current}_count`] : [current]
      if (!own.includes(sample)) wrong('a sample of another family')
      if (seen.has(`${sample}{${labelText}`)) wrong('a sample that came before')
      seen.add(`${sample}{${labelText}`)
      const labels = Object.fromEntries(
        [...labelText.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', value = '']) => [key, value]),
      )
      family.samples.push({ name: sample, labels, value: Number(number) })
    }
  }
  for (const [name, { type, samples: own }] of families) {
    if (own.length === 0) throw new Error(`${name} has no sample`)
    if (type === 'counter' && own.some(({ value }) => value < 0)) throw new Error(`${name} counts below zero`)
    if (type !== 'histogram') continue
    const buckets = own.filter(sample => sample.name === `${name}_bucket`)
    const bounds = buckets.map(({ labels: { le = '' } }) => (le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le)))
    const counts = buckets.map(({ value }) => value)
    const total = own.find(sample => sample.name === `${name}_count`)?.value
    const rises = (list: readonly number[], strictly: boolean): boolean =>
      list.every(
        (one, index) => index === 0 || (strictly ? one > (list[index - 1] ?? 0) : one >= (list[index - 1] ?? 0)),
      )
    if (
      bounds.at(-1) !== Number.POSITIVE_INFINITY ||
      !rises(bounds, true) ||
      !rises(counts, false) ||
      counts.at(-1) !== total
    )
      throw new Error(`${name} is no histogram`)
  }
  return families
}

test('they count what came in, and describe the process, the file and the jobs', () =>
  withService({}, async running => {
    await running.hit({ page_url: '/a', pvid: 'a-view-that-is-sent-twice' })
    await running.hit({ page_url: '/a', pvid: 'a-view-that-is-sent-twice' })
    await running.hit({ page_url: '/a' }, { dnt: '1' })
    // A refusal waits for the next write; the commit of a hit takes it along.
    await running.hit({ page_url: '/b' })
    await running.api('/cron/run', {
      method: 'POST',
      body: '{"jobs":["salt"]}',
      headers: { 'content-type': 'application/json' },
    })
    const answer = await read(running, '/analytics/v1/metrics')
    assert.is(answer.status, 200)
    assert.is(answer.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
    const text = await answer.text()
    const found = samples(text)
    assert.is(found['footfall_collection_requests_total{outcome="accepted"}'], 2)
    assert.is(found['footfall_collection_requests_total{outcome="repeated"}'], 1)
    assert.is(found['footfall_collection_requests_total{outcome="dnt"}'], 1)
    assert.is(found.footfall_active_visits, 1)
    assert.is(found['footfall_job_failed{name="salt"}'], 0)
    assert.is(found['footfall_job_last_run_timestamp_seconds{name="salt"}'], 1_773_144_000)
    // A job that never ran has a sample as well, so that a rule notices that it never does.
    assert.is(found['footfall_job_last_run_timestamp_seconds{name="backup"}'], 1_773_144_000)
    assert.is(found['footfall_job_last_duration_seconds{name="backup"}'], undefined)
    assert.ok(
      (found.footfall_database_bytes ?? 0) + (found.footfall_wal_bytes ?? 0) > 100_000 &&
        (found.process_resident_memory_bytes ?? 0) > 1e6,
    )
    assert.equal([found.footfall_collection_trimmed_values_total, found.footfall_commit_failures_total], [0, 0])
    // Repeats are committed too, a refusal is not; commits may take several records.
    assert.equal(
      [found.footfall_collection_request_seconds_count, (found.footfall_commit_seconds_count ?? 0) <= 3],
      [4, true],
    )
    assert.is(found['footfall_api_requests_total{status="2xx"}'], found.footfall_api_request_seconds_count)
    const families = parseStrictly(text)
    // The document lists each metric with its type, and no other.
    const listed = [...readFileSync('docs/metrics.md', 'utf8').matchAll(/^\| (`[^|]+) \| (\w+) \|/gm)].flatMap(
      ([, names = '', type = '']) =>
        [...names.matchAll(/`(\w+)(?:\{(\w+)\})?`/g)].map(([, name, label]) => [name, type, label ?? '']),
    )
    const told = [...families].map(([name, family]) => [
      name,
      family.type,
      Object.keys(family.samples[0]?.labels ?? {})
        .filter(label => label !== 'le')
        .join(),
    ])
    assert.equal(listed.filter(([name = '']) => !name.startsWith('footfall_site_')).sort(), told.sort())
    assert.not.match(text, /203\.0\.113|Firefox|\/a\b/)
  }))

test('with --metrics-site they have the figures of the reports, by host and of the whole site', () =>
  withService({ flags: { metricsSite: 'true' } }, async running => {
    const from = (address: number) => ({ 'x-forwarded-for': `203.0.${address}.1` })
    running.clock.now -= 86_400_000
    await running.hit({ page_url: 'https://shop.example/a' }, from(1))
    running.clock.now += 86_400_000
    await running.hit({ page_url: 'https://shop.example/a' }, from(1))
    await running.hit({ page_url: 'https://shop.example/b' }, from(1))
    await running.hit({ page_url: 'https://blog.example/a' }, from(1))
    await running.hit({ page_url: 'https://blog.example/a' }, from(2))
    await running.settled()
    const text = await (await read(running, '/metrics')).text()
    const found = samples(text)
    const figure = (name: string, period: string, host?: string) =>
      found[`footfall_site_${name}{${host === undefined ? '' : `host="${host}",`}period="${period}"}`]
    assert.equal(
      ['visitors', 'visits', 'views'].map(name => figure(name, 'today')),
      [2, 2, 4],
    )
    assert.equal([figure('views', 'today', 'shop.example'), figure('visitors', 'today', 'blog.example')], [2, 2])
    assert.equal([figure('visitors', 'yesterday'), figure('views', '7d'), figure('views', '28d')], [1, 5, 5])
    assert.is(figure('views', 'yesterday', 'blog.example'), undefined)
    const families = parseStrictly(text)
    const documented = readFileSync('docs/metrics.md', 'utf8')
    const names = [...families.keys()].filter(name => name.startsWith('footfall_site_'))
    assert.is(names.length, 3)
    for (const name of names) assert.ok(documented.includes(`\`${name}{host,period}\``), name)
    // Kept for a minute: scraping often costs nothing more.
    await running.hit({ page_url: 'https://shop.example/a' }, from(3))
    await running.settled()
    running.clock.now += 59_000
    assert.is(samples(await (await read(running, '/metrics')).text())['footfall_site_visitors{period="today"}'], 2)
    running.clock.now += 1000
    assert.is(samples(await (await read(running, '/metrics')).text())['footfall_site_visitors{period="today"}'], 3)
  }))

test('they need the capability, below the base and outside of it', () =>
  withService({ flags: { basePath: '/wp-json', rootPath: '/stats' } }, async running => {
    for (const path of ['/stats/wp-json/analytics/v1/metrics', '/stats/metrics']) {
      assert.is((await read(running, path)).status, 200, path)
      assert.is((await read(running, path, {})).status, 401, path)
      assert.is((await read(running, path, { authorization: running.reader })).status, 403, path)
    }
    const { paths } = (await (
      await fetch(`${running.service.url}/stats/wp-json/analytics/v1/openapi.json`)
    ).json()) as { paths: Record<string, any> }
    assert.equal(Object.keys(paths['/metrics'].get.responses['200'].content), ['text/plain'])
  }))

test('a second port answers without authentication, and metrics only', async () => {
  const running = await start(['--data', folder.path('a.db'), '--metrics-listen', '127.0.0.1:0'])
  const url = await until(() => {
    const [, found] = /metrics are served.*url=(\S+)/.exec(running.output.stderr) ?? []
    assert.ok(found)
    return found ?? ''
  })
  assert.match(await (await fetch(url)).text(), /^# HELP footfall_info/)
  assert.is((await fetch(new URL('/analytics/v1/settings', url))).status, 404)
  assert.is((await fetch(url, { method: 'POST' })).status, 404)
  running.process.kill('SIGTERM')
  assert.is(await running.ended, 0)
  assert.is(
    await fetch(url).then(
      () => 'open',
      () => 'closed',
    ),
    'closed',
  )
})

test('a second port that is taken is named', async () => {
  const running = await start(['--data', folder.path('a.db'), '--metrics-listen', '127.0.0.1:0'])
  const port = new URL(running.url).port
  const other = await start(['--data', folder.path('b.db'), '--metrics-listen', `127.0.0.1:${port}`]).then(
    () => 'started',
    (error: Error) => error.message,
  )
  assert.match(other, new RegExp(`Port ${port} of 127.0.0.1 .*--metrics-listen`))
  running.process.kill('SIGTERM')
  await running.ended
})

test('labels are escaped, and a metric without samples is left out', () => {
  assert.is(
    metricsText([
      { name: 'a', type: 'gauge', help: 'A.', samples: [{ labels: { name: 'q"\\\n' }, value: 1 }] },
      { name: 'b', type: 'gauge', help: 'B.', samples: [] },
    ]),
    '# HELP a A.\n# TYPE a gauge\na{name="q\\"\\\\\\n"} 1\n',
  )
})

test.run()
