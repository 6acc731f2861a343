// `footfall report` prints what the API answers, while the service runs; `footfall tail` prints views as they come.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openDatabase } from '../../src/database/open.ts'
import { createAppPassword } from '../../src/identity/app-passwords.ts'
import { footfallHere } from '../support/command.ts'
import { footfall, type Running, sources, start, temporaryFolder } from '../support/program.ts'
import { sendRecord } from '../support/records.ts'
import { firefox } from '../support/service.ts'
import { until } from '../support/wait.ts'

const { path, remove } = temporaryFolder()
const data = path('test.db')
const dayText = (offset: number): string => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
/** Yesterday to tomorrow: a midnight during the test does no harm. */
const [from, to] = [dayText(-1), dayText(1)]
const days = ['--from', from, '--to', to]
let service: Running
let authorization: string

const post = (endpoint: string, body: object): Promise<Response> =>
  sendRecord(`${service.url}/analytics/v1/${endpoint}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'text/plain', 'user-agent': firefox, 'x-forwarded-for': '203.0.113.7' },
  })
const api = async (name: string): Promise<any> =>
  (await fetch(`${service.url}/analytics/v1/${name}`, { headers: { authorization } })).json()

const report = (...args: string[]) => footfallHere(['report', '--data', data, ...args])

test.before(async () => {
  service = await start(['--data', data])
  const { db } = openDatabase(data)
  authorization = `Basic ${btoa(`admin:${createAppPassword(db, { login: 'admin', name: 'test' }, 0).password}`)}`
  db.close()
  for (const [index, page] of ['/', '/blog', '/=cmd', '/blog'].entries()) {
    await post('hit', {
      page_url: page,
      title: page === '/=cmd' ? '=1+1' : `Page, "${page}"`,
      pvid: `view-${index}-of-this-test`,
    })
  }
  await post('event', { name: 'signup', properties: { plan: 'pro' }, value: 5 })
  await until(async () => {
    assert.is((await api(`summary?from=${from}&to=${to}`)).data.totals.views, 4)
    assert.is((await api(`events?from=${from}&to=${to}`)).data.length, 1)
  })
})

const names = [
  'summary',
  'sources',
  'sources?group_by=channel',
  'pages',
  'pages?search=blog',
  'pages/entry',
  'pages/exit',
  'realtime',
  'utm',
  'events',
  'events/signup',
  'dimensions/browser',
  'dimensions/hour',
  'pages?device=desktop&page=/blog',
  'summary?event=signup',
]

test('--json is the answer of the API, for every report', async () => {
  for (const name of names) {
    // On the command line sources are by name.
    const asked = name === 'sources' ? 'sources?group_by=source' : name
    const ask = async () => (await api(`${asked}${asked.includes('?') ? '&' : '?'}from=${from}&to=${to}`)).data
    // A minute that ends between two answers changes those of the last minutes.
    for (let before = await ask(), after: unknown; ; before = after) {
      const { status, stdout, stderr } = await report(name, '--json', ...days)
      assert.is(status, 0, `${name}: ${stderr}`)
      after = await ask()
      if (name === 'realtime' && !isDeepStrictEqual(before, after)) continue
      assert.equal(JSON.parse(stdout).data, after, name)
      break
    }
  }
})

test('without a range it is the last 30 days, and a table for people', async () => {
  assert.match((await report('pages')).stdout, /^PAGE +TITLE +VISITORS +VIEWS[^\n]+\n\/blog +Page, "\/blog" +1 +2 /)
  const summary = (await report('summary')).stdout
  assert.match(summary, /^totals\.visitors +1$/m)
  assert.match(summary, /^series\nDATE +VISITORS/m)
  assert.is(summary.match(/^\d{4}-\d\d-\d\d /gm)?.length, 30)
  assert.match((await report('events/signup')).stdout, /^value_sum +5$/m)
})

test('what rows are compared with, and a value that nothing has, are shown below the table', async () => {
  const compared = await report('pages?compare=previous')
  assert.match(compared.stdout, /^\/blog .* 0 +-$/m)
  assert.match(compared.stdout, /\nCompared with [\d-]{10} to [\d-]{10}, until [\d-]{10}T[\d:]{8}Z\./)
  const unmatched = await report('pages?page=/blgo')
  assert.match(unmatched.stdout, /No page is called "\/blgo"\. Nearest: \/blog\./)
})

test('--csv is for spreadsheets, and no title becomes a formula', async () => {
  const lines = (await report('pages', '--csv')).stdout.split('\n')
  assert.is(
    lines[0],
    'page,title,visitors,views,sessions,entries,exits,bounces,total_duration,avg_time_on_page,avg_scroll_depth,share',
  )
  assert.match(lines[1] ?? '', /^\/blog,"Page, ""\/blog""",1,2,/)
  assert.ok(lines.some(line => line.startsWith("/=cmd,'=1+1,")))
  // An empty table has its header, too: the same as a full one.
  const empty = async (name: string): Promise<string> =>
    (await report(name, '--csv', '--from', '2020-01-01', '--to', '2020-01-02')).stdout
  assert.is(await empty('pages'), `${lines[0]}\n`)
  assert.is(await empty('pages?_fields=data.page,data.views'), 'page,views\n')
  for (const name of ['summary', 'sources', 'events', 'dimensions/country', 'revenue/timeseries'])
    assert.is((await empty(name)).split('\n')[0], (await report(name, '--csv')).stdout.split('\n')[0], name)
  assert.is((await report('utm?group_by=term', '--csv')).stdout, 'utm_term,visitors,sessions,views,bounces\n')
})

test('what is wrong is said, with what is right', async () => {
  const wrong: [string[], number, RegExp][] = [
    [['nope'], 2, /There is no such report\. Reports: summary, sources, pages/],
    [['pages', '--from', '2026-02-30'], 2, /2026-02-30 is not a date/],
    [['pages', '--to', 'today'], 2, /today is not a date; write it as 2026-/],
    [['pages', '--from', '2026-03-02', '--to', '2026-03-01'], 2, /from/],
    [['pages?limit=900'], 2, /limit must be between 1/],
    [['dimensions/shoes'], 2, /type/i],
    [['pages', '--json', '--csv'], 2, /cannot be combined/],
    [['events/never-seen'], 1, /^No event of this name has been recorded\.$/m],
  ]
  for (const [args, code, pattern] of wrong) {
    const { status, stderr } = await report(...args)
    assert.is(status, code, args.join(' '))
    assert.match(stderr, pattern)
  }
  assert.is((await footfallHere(['report', 'pages', '--data', path('missing.db')])).status, 1)
  assert.is((await footfallHere(['report'])).status, 2)
})

test('tail shows a view once it is there, and ends with Ctrl+C', async () => {
  const [program, ...words] = sources.command
  const child = spawn(program, [...words, 'tail', '--json', '--data', data], { stdio: ['ignore', 'pipe', 'pipe'] })
  let [shown, said] = ['', '']
  child.stdout.setEncoding('utf8').on('data', text => {
    shown += text
  })
  child.stderr.setEncoding('utf8').on('data', text => {
    said += text
  })
  while (!said.includes('Waiting')) await once(child.stderr, 'data')
  await post('hit', { page_url: '/late', title: 'Late' })
  while (!shown.includes('\n')) await once(child.stdout, 'data')
  child.kill('SIGINT')
  assert.equal(await once(child, 'close'), [0, null])
  const { time, ...view } = JSON.parse(shown)
  assert.equal(view, {
    page: '/late',
    title: 'Late',
    country: 'AU',
    device: 'desktop',
    browser: 'Firefox',
    os: 'Linux',
    channel: 'Direct',
    source: 'Direct',
  })
  assert.match(time, /^\d{4}-\d\d-\d\dT/)
})

test('export writes the tables of reports as report prints them, whole lists and several into a folder', async () => {
  const { db } = openDatabase(data)
  db.transaction(() => {
    for (let index = 0; index < 230; index++)
      db.prepare(
        "insert into dimension_rollup (dimension, value, period, within, visitors, sessions, views, bounces) select dimension, 'Browser ' || ?, period, within, 0, 0, 0, 0 from dimension_rollup where dimension = 'browser' limit 1",
      ).run(index)
  })()
  db.close()
  const exported = (...args: string[]) => footfallHere(['export', '--format', 'csv', '--data', data, ...args])
  const table = async (name: string, ...range: string[]): Promise<string> => {
    const { status, stderr } = await exported(path('table.csv'), '--report', name, ...range)
    assert.equal([status, stderr], [0, ''], name)
    return readFileSync(path('table.csv'), 'utf8')
  }
  // The view that came last is to be in the reports before they are compared.
  await until(async () => assert.match((await report('pages', '--csv', ...days)).stdout, '/late'))
  // An export leaves out days without visits.
  const { series } = JSON.parse((await report('summary', '--json', ...days)).stdout).data
  const visited: string[] = series.filter(({ views }: any) => views > 0).map(({ date }: any) => date)
  const visitedDays = ['--from', visited[0] ?? '', '--to', visited.at(-1) ?? '']
  for (const name of [
    'summary',
    'sources',
    'pages',
    'pages?search=blog',
    'events',
    'events/signup',
    'dimensions/hour',
    'revenue/summary',
    'revenue/timeseries',
  ])
    assert.is(await table(name, ...visitedDays), (await report(name, '--csv', ...visitedDays)).stdout, name)
  const browsers = (await table('dimensions/browser')).trimEnd().split('\n')
  assert.is(browsers.length, 232)
  const pages: string[] = []
  for (const offset of [0, 200]) {
    const { stdout } = await report(`dimensions/browser?limit=200&offset=${offset}`, '--csv', ...visitedDays)
    pages.push(...stdout.trimEnd().split('\n').slice(1))
  }
  assert.equal(browsers.slice(1), pages)
  assert.is((await exported(path('all'), '--report', 'all')).status, 0)
  const files = readdirSync(path('all'))
  assert.is(files.length, 32)
  assert.ok(
    ['pages-entry.csv', 'dimensions-os_version.csv', 'revenue-by-channel.csv'].every(name => files.includes(name)),
  )
  const printed = footfall(['export', '--format', 'csv', '--data', data, '--report', 'sources'])
  assert.is(readFileSync(path('all/sources.csv'), 'utf8'), printed.stdout)
  const wrong: [string[], number, RegExp][] = [
    [['--report', 'nope'], 2, /There is no such report/],
    [['--report', ' ,'], 2, /takes report names/],
    [['--report', 'pages,events'], 2, /needs a folder/],
    [[path('sub.ndjson'), '--format', 'archive', '--report', 'pages'], 2, /--report requires --format csv/],
  ]
  for (const [args, code, message] of wrong) {
    const { status, stderr } = await exported(...args)
    assert.is(status, code, args.join(' '))
    assert.match(stderr, message)
  }
})

test.after(async () => {
  service.process.kill('SIGTERM')
  await service.ended
  remove()
})
test.run()
