// Files as people have them: other encodings, separators and languages, damaged ones, and ones that are something else.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { strToU8, type Zippable, zipSync } from 'fflate'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withFolder } from '../support/folder.ts'
import { daysOf, type Moving, movingInto, rowsOf, samples, sumOf } from '../support/moving.ts'

const visitors = 'date,visitors,pageviews,bounces,visits,visit_duration\n'
const sample = (path: string): string => readFileSync(join(samples, path), 'utf8')
const visitsOf = async (moving: Moving): Promise<(number | undefined)[]> =>
  (await daysOf(moving)).map(([, visits]) => visits)

const within = (name: string, work: (moving: Moving) => Promise<void>): void =>
  void test(name, () => withFolder(folder => work(movingInto(folder))))

type Refusal = { name: string; text: string; reason: RegExp }

/** A row in addition to a good one of 1 March. */
const refusals: readonly Refusal[] = [
  {
    name: 'a date that does not exist',
    text: '2026-02-30,1,1,1,1,0',
    reason: /v\.csv:3: date is not a date: '2026-02-30'/,
  },
  { name: 'a negative number', text: '2026-03-02,-3,4,0,3,10', reason: /v\.csv:3: visitors is not a whole number/ },
  {
    name: 'a number beyond 2^53',
    text: '2026-03-03,9007199254740993,1,0,1,1',
    reason: /visitors is not a whole number/,
  },
  { name: 'a number with decimals', text: '2026-03-03,1.5,1,0,1,1', reason: /visitors is not a whole number/ },
  { name: 'a short row', text: '2026-03-03,1', reason: /v\.csv:3: it has 2 cells, not 6/ },
  { name: 'a long row', text: '2026-03-03,1,1,1,1,1,1', reason: /it has 7 cells, not 6/ },
  { name: 'the same day twice', text: '2026-03-01,1,1,1,1,0', reason: /the same date came before in visitors/ },
  { name: 'a day before 2000', text: '1999-12-31,1,1,1,1,0', reason: /before 2000 or after tomorrow/ },
  { name: 'a day after tomorrow', text: '2026-03-22,1,1,1,1,0', reason: /before 2000 or after tomorrow/ },
  { name: 'a text for a number', text: '2026-03-02,ehh,1,1,1,0', reason: /visitors is not a whole number.*'ehh'/ },
]

for (const { name, text, reason } of refusals)
  within(`${name} is refused by its line, and the other rows come in`, async moving => {
    const { status, stderr } = await moving.take(moving.write('v.csv', `${visitors}2026-03-01,7,16,1,7,494\n${text}\n`))
    assert.is(status, 1)
    assert.match(stderr, /^1 row was refused:/)
    assert.match(stderr, reason)
    assert.equal(await visitsOf(moving), [7, 0, 0])
  })

within('a thousand wrong rows are a few lines', async moving => {
  const rows = Array.from({ length: 1000 }, (_, index) => `2026-03-01,${'x'.repeat(index % 40)},1,1,1,0`)
  const { status, stderr } = await moving.take(moving.write('v.csv', visitors + rows.join('\n')))
  assert.is(status, 1)
  assert.ok(stderr.split('\n').length <= 20, stderr)
  assert.match(stderr, /1,000 rows were refused/)
})

type Form = { name: string; text: string | Buffer; visits?: number[] }

const umami = sample('umami/website_event.csv')
const traffic = sample('ga4/traffic.csv')
const withCells = (text: string, change: (cells: string) => string): string => text.split('\n').map(change).join('\n')

const forms: readonly Form[] = [
  { name: 'a byte order mark', text: `\uFEFF${umami}` },
  { name: 'UTF-16 with its mark', text: Buffer.from(`\uFEFF${umami}`, 'utf16le') },
  { name: 'UTF-16 without a mark', text: Buffer.from(umami, 'utf16le') },
  { name: 'carriage returns', text: umami.replaceAll('\n', '\r\n') },
  { name: 'gzip', text: gzipSync(umami) },
  { name: 'a line break in a title', text: umami.replace('Über uns', '"Über\nuns"') },
  { name: 'an unknown column', text: withCells(umami, line => (line === '' ? '' : `more,${line}`)) },
  // Cells with separators are quoted in the samples; without them the separator can be another one.
  {
    name: 'semicolons',
    text: umami
      .replaceAll('"/blog/tea, ""green"""', '/tea')
      .replaceAll('"Tea, ""green"" and black"', 'Tea')
      .replaceAll(',', ';'),
  },
  {
    name: 'tabs',
    text: umami
      .replaceAll('"/blog/tea, ""green"""', '/tea')
      .replaceAll('"Tea, ""green"" and black"', 'Tea')
      .replaceAll(',', '\t'),
  },
  { name: 'NULL as databases write it', text: umami.replaceAll(',,', ',NULL,').replaceAll(',,', ',\\N,') },
  {
    name: 'German columns',
    text: traffic.replace(
      'Date,Views,Active users,Sessions,Bounce rate',
      'Datum,Aufrufe,Aktive Nutzer,Sitzungen,Absprungrate',
    ),
  },
  {
    name: 'French columns, tabs and UTF-16',
    text: Buffer.from(
      `\uFEFF${traffic.replace('Date,Views,Active users,Sessions,Bounce rate', 'Date,Vues,Utilisateurs actifs,Sessions,Taux de rebond').replaceAll(',', '\t')}`,
      'utf16le',
    ),
  },
  {
    name: 'Spanish columns',
    text: traffic.replace(
      'Date,Views,Active users,Sessions,Bounce rate',
      'Fecha,Vistas,Usuarios activos,Sesiones,Porcentaje de rebote',
    ),
  },
  { name: 'a row of totals', text: traffic.replace('\n20260301', '\n,41,20,22,0.18\n20260301') },
  {
    name: 'days counted from the first',
    text: traffic
      .replace('\nDate,', '\nNth day,')
      .replace('\n20260301', '\n0000')
      .replace('\n20260302', '\n0001')
      .replace('\n20260303', '\n0002'),
  },
  { name: 'percent', text: traffic.replace('0.1428571429', '14.29%') },
  { name: 'several tables in one file', text: `${traffic}\n${sample('ga4/sources.csv')}` },
]

for (const { name, text, visits = [7, 9, 6] } of forms)
  within(`a file with ${name} comes in`, async moving => {
    const { status, stderr } = await moving.take(moving.write('export.csv', text))
    assert.equal([status, stderr], [0, ''])
    assert.equal(await visitsOf(moving), visits)
  })

within('numbers have the separators of their language', async moving => {
  const text = traffic.replace('20260301,16,7,7', '20260301,"1,276",1.234,"1 000"').replace('0.1428571429', '"0,5"')
  assert.is((await moving.take(moving.write('t.csv', text))).status, 0)
  assert.equal((await daysOf(moving))[0], [1234, 1000, 1276, 500, 0])
})

type Wrong = { name: string; files: Readonly<Record<string, string | Buffer>>; reason: RegExp }

const zip = (entries: Zippable): Buffer => Buffer.from(zipSync(entries))
const good = strToU8(`${visitors}2026-03-01,7,16,1,7,494\n`)

const wrong: readonly Wrong[] = [
  { name: 'an empty file', files: { 'v.csv': '' }, reason: /^v\.csv is empty\.\nNothing was imported/ },
  {
    name: 'an access log',
    files: { 'a.log': sample('access-logs/vhost-combined-with-crawlers.log') },
    reason: /a\.log is an access log: use --format access-log/,
  },
  {
    name: 'a log of Caddy',
    files: { 'a.log': sample('access-logs/caddy.log') },
    reason: /a\.log is an access log: use --format access-log/,
  },
  {
    name: 'recorded requests',
    files: { 'r.ndjson': '{"endpoint":"hit","time":"2026-03-01T10:00:00Z","body":{}}\n' },
    reason: /r\.ndjson is recorded requests: use --format requests/,
  },
  {
    name: 'the JSON of GoatCounter',
    files: {
      'paths.jsonl': '{"id":1,"path":"/","title":"Home","event":false}\n',
      'hit_stats.jsonl': '{"hour":"2026-03-01T10:00:00Z","path_id":1,"ref_id":1,"count":1}\n',
    },
    reason: /the JSON of GoatCounter has no visits: export the CSV/,
  },
  {
    name: 'a picture',
    files: { 'v.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe, 0, 0xd8]) },
    reason: /v\.png: it is neither UTF-8 nor UTF-16/,
  },
  { name: 'columns of nobody', files: { 'my_data.csv': 'a,b\n1,2\n' }, reason: /my_data\.csv has the columns a, b/ },
  {
    name: 'a dump of a database',
    files: { 'dump.sql': '-- MySQL dump 10.13\nCREATE TABLE website_event (\n' },
    reason: /This is no export of/,
  },
  {
    name: 'a quote that is not closed',
    files: { 'v.csv': `${visitors}2026-03-01,"7,16,1,7,494\n2026-03-02,1,1,1,1,1\n` },
    reason: /v\.csv: line \d is no CSV.*Nothing was imported/,
  },
  {
    name: 'a missing column',
    files: { 'e.csv': sample('umami-broken/website_event.csv') },
    reason: /e\.csv: the column event_type is missing\.\nNothing was imported\.\n.*\n {2}\\copy/,
  },
  {
    name: 'no table of totals',
    files: { 'd.csv': sample('plausible/imported_devices_20260301_20260303.csv') },
    reason: /have no table visitors/,
  },
  {
    name: 'GA4 without days',
    files: { 'p.csv': sample('ga4/pages-total.csv') },
    reason: /it has no day: add the dimension Date/,
  },
  {
    name: 'several sites',
    files: { 'e.csv': umami.replace('4cd1218c-cf26-5811-8892-2a2f529e21d6', 'other') },
    reason: /several sites.*--site:\n {2}other: 1 rows\n {2}4cd1218c/,
  },
  {
    name: 'a list that ends early',
    files: { 'm.json': sample('matomo/live-visits.json').slice(0, 20_000) },
    reason: /m\.json: the list in it ends too early/,
  },
  {
    name: 'a ZIP archive that is cut off',
    files: { 'v.zip': zip({ 'v.csv': good }).subarray(0, 90) },
    reason: /cut off, damaged or encrypted/,
  },
  {
    name: 'a ZIP archive in another',
    files: { 'v.zip': zip({ 'inner.zip': zip({ 'v.csv': good }) }) },
    reason: /inner\.zip is a ZIP archive within/,
  },
  {
    name: 'a ZIP archive of many files',
    files: { 'v.zip': zip(Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`${index}.csv`, good]))) },
    reason: /more than 200 files/,
  },
  {
    name: 'gzip that is cut off',
    files: { 'v.csv.gz': gzipSync(umami).subarray(0, 900) },
    reason: /cut off or damaged/,
  },
]

for (const { name, files, reason } of wrong)
  within(`${name} writes nothing and says why`, async moving => {
    const paths = Object.entries(files).map(([file, text]) => moving.write(file, text))
    const { status, stderr } = await moving.take(paths)
    assert.is(status, 1)
    assert.match(stderr, new RegExp(reason, 's'))
    assert.ok(stderr.split('\n').length <= 20, stderr)
    const { stdout } = await moving.run(['import', '--list', '--json'])
    assert.is(stdout, '[]')
    assert.equal(await visitsOf(moving), [0, 0, 0])
  })

within('a ZIP archive packed again has leftovers, folders and backslashes', async moving => {
  const entries = {
    'site\\imported_visitors.csv': good,
    '__MACOSX/._imported_visitors.csv': strToU8('x'),
    '.DS_Store': strToU8('y'),
    'site/notes.txt': strToU8('hello'),
  }
  const { status, stdout } = await moving.take(moving.write('again.zip', zip(entries)))
  assert.is(status, 0)
  assert.match(stdout, /Passed over +notes\.txt/)
  assert.equal(await visitsOf(moving), [7, 0, 0])
})

within('one of several sites is chosen', async moving => {
  const path = moving.write('e.csv', umami.replace('4cd1218c-cf26-5811-8892-2a2f529e21d6', 'other'))
  assert.is((await moving.take(path, '--site', 'other')).status, 0)
  assert.equal(await visitsOf(moving), [1, 0, 0])
  assert.match((await moving.take(path, '--site', 'third')).stderr, /have no website_id third/)
})

within('ids that come twice count once', async moving => {
  const { status, stdout } = await moving.take([moving.write('a.csv', umami), moving.write('b.csv', `${umami}\n`)])
  assert.is(status, 0)
  assert.match(stdout, /Repeated +50 rows, counted once/)
  assert.equal(await visitsOf(moving), [7, 9, 6])
})

within('bots, spam and foreign hosts are counted as live, and no one is known by the file', async moving => {
  const row = (cells: Record<string, string>): string =>
    ['path', 'added_iso', 'hostname', 'is_robot', 'session_id', 'document_referrer', 'user_agent', 'uuid']
      .map(name => cells[name] ?? '')
      .join(',')
  const lines = [
    'path,added_iso,hostname,is_robot,session_id,document_referrer,user_agent,uuid',
    row({
      path: '/mail/jane@example.com',
      added_iso: '2026-03-01T10:00:00Z',
      hostname: 'example.org',
      is_robot: 'false',
      session_id: 'secret-visitor-id',
      user_agent: 'Mozilla/5.0 (secret agent)',
      uuid: 'secret-uuid',
    }),
    row({
      path: '/',
      added_iso: '2026-03-01T10:00:10Z',
      hostname: 'example.org',
      is_robot: 'true',
      session_id: 'b',
      uuid: '2',
    }),
    row({
      path: '/',
      added_iso: '2026-03-01T10:00:20Z',
      hostname: 'example.net',
      is_robot: 'false',
      session_id: 'c',
      uuid: '3',
    }),
    row({
      path: '/',
      added_iso: '2026-03-01T10:00:30Z',
      hostname: 'example.org',
      session_id: 'd',
      document_referrer: 'https://semalt.com/',
      uuid: '4',
    }),
  ]
  const { status, stdout } = await moving.take(
    moving.write('sa.csv', lines.join('\n')),
    '--site-url',
    'https://example.org',
  )
  assert.is(status, 0, stdout)
  assert.match(stdout, /Not counted +(?=.*bot 1)(?=.*foreign_host 1)(?=.*spam 1)/)
  assert.equal(await visitsOf(moving), [1, 0, 0])
  assert.is(rowsOf(await moving.report('pages'))[0]?.page, '/mail/(redacted)')
  const stored = ['', '-wal']
    .map(end => readFileSync(`${moving.data}${end}`, { flag: 'a+' }).toString('latin1'))
    .join('')
  for (const secret of ['secret-visitor-id', 'secret agent', 'secret-uuid', 'jane@']) assert.not.match(stored, secret)
})

within('local times without an offset are those of the source', async moving => {
  const text = sample('wp-statistics/wp_statistics_visitor_relationships.csv')
  const paths = ['visitor', 'pages'].map(name => join(samples, `wp-statistics/wp_statistics_${name}.csv`))
  const path = moving.write('wp_statistics_visitor_relationships.csv', text)
  assert.is((await moving.take([path, ...paths], '--source-timezone', 'Asia/Tokyo')).status, 0)
  // 23:58 in Tokyo is 14:58 UTC, and no visit is across midnight.
  assert.is(sumOf(rowsOf(await moving.report('pages?limit=50', '2026-02-28', '2026-03-04')), 'views'), 41)
  assert.is((await daysOf(moving, '2026-02-28', '2026-03-03'))[0]?.[2], 3)
})

within('without the single views of WP Statistics its sums come in', async moving => {
  const paths = ['visitor', 'pages', 'summary_totals'].map(name =>
    join(samples, `wp-statistics/wp_statistics_${name}.csv`),
  )
  const { status, stdout } = await moving.take(paths)
  assert.is(status, 0, stdout)
  assert.equal(await daysOf(moving), [
    [7, 7, 16, 0, 0],
    [8, 8, 13, 0, 0],
    [5, 5, 12, 0, 0],
  ])
})

within('Simple Analytics without ids has the visits of its unique views', async moving => {
  const [header = '', ...rows] = sample('simple-analytics/example.org-2026-03-01-2026-03-03.csv').trim().split('\n')
  const text = [header.replace(/,session_id$/, ''), ...rows.map(row => row.replace(/,[^,]*$/, ''))].join('\n')
  assert.is((await moving.take(moving.write('sa.csv', text))).status, 0)
  assert.equal(await visitsOf(moving), [7, 9, 6])
  const without = moving.write('none.csv', 'added_iso,path\n2026-03-05T10:00:00Z,/\n')
  assert.match((await moving.take(without)).stderr, /the column session_id is missing/)
})

test.run()
