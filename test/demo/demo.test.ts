// A made-up year: the same for the same seed, exact, marked for good, and never among real figures.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { channels } from '../../src/channel/channel.ts'
import { connect } from '../../src/database/connect.ts'
import { openDatabase } from '../../src/database/open.ts'
import { footfallHere } from '../support/command.ts'
import { temporaryFolder } from '../support/program.ts'
import { type Running, withService } from '../support/service.ts'

const folder = temporaryFolder()
const year = ['--to', '2026-03-31', '--visits', '3000', '--timezone', 'Europe/Berlin']
/** A quarter is enough to compare files; only the questions need a whole year. */
const quarter = ['--to', '2026-03-31', '--days', '91', '--visits', '1000', '--timezone', 'Europe/Berlin']
const demo = (name: string, ...more: string[]) => footfallHere(['demo', '--data', folder.path(name), ...more])
const range = 'from=2025-04-01&to=2026-03-31'
const dimensions = [
  'country',
  'region',
  'city',
  'continent',
  'language',
  'device',
  'browser',
  'os',
  'screen',
  'channel',
  'hour',
  'weekday',
]
const reports = [
  '/summary',
  '/sources',
  '/pages?limit=200',
  '/utm',
  '/events',
  '/events/add_to_cart',
  ...dimensions.map(type => `/dimensions/${type}?limit=200`),
  ...['summary', 'timeseries', 'by-channel', 'by-utm', 'by-landing', 'products', 'funnel', 'refunds', 'coupons'].map(
    name => `/revenue/${name}`,
  ),
]
const end = '2026-03-31T21:59:59Z'

type Row = Record<string, any>
const sum = (rows: readonly Row[], key: string): number => rows.reduce((all, row) => all + row[key], 0)
const dataOf = async ({ api }: Running, path: string): Promise<any> =>
  (await api(`${path}${path.includes('?') ? '&' : '?'}${range}`)).body.data
const answersOf = async (name: string): Promise<Row> => {
  const found: Row = {}
  await withService({ file: folder.path(name), start: end }, async running => {
    for (const path of reports) found[path] = await dataOf(running, path)
  })
  return found
}

test('what the owner noted is on its days', async () => {
  assert.is((await demo('noted.db', ...quarter)).status, 0)
  await withService({ file: folder.path('noted.db'), start: end }, async running => {
    const noted = await dataOf(running, '/annotations?automatic=0')
    assert.equal(
      noted.map(({ day, kind }: Row) => [day, kind]),
      [
        ['2026-01-02', 'outage'],
        ['2026-01-27', 'note'],
        ['2026-03-12', 'deploy'],
        ['2026-03-26', 'campaign'],
      ],
    )
  })
})

test('the same seed leads to the same reports, another one to others', async () => {
  const made = await demo('a.db', ...year)
  assert.equal([made.status, made.stderr], [0, ''])
  assert.match(made.stdout, /This is demo data: the figures from 2025-04-01 to 2026-03-31 are made up\./)
  const requests = Number(made.stdout.match(/([\d,]+) visitor requests/)?.[1]?.replaceAll(',', ''))
  assert.ok(requests > 3000 * 3 && requests < 3000 * 10, `${requests} requests are made for 3000 visits`)
  for (const [name, seed] of [
    ['first.db', '1'],
    ['same.db', '1'],
    ['other.db', '2'],
  ] as const)
    assert.is((await demo(name, ...quarter, '--seed', seed)).status, 0)
  const [first, same, other] = [await answersOf('first.db'), await answersOf('same.db'), await answersOf('other.db')]
  assert.equal(same, first)
  assert.not.equal(other['/summary'].totals, first['/summary'].totals)
})

test('its sums are exact, and a rebuild changes none', async () => {
  await withService({ file: folder.path('a.db'), start: end }, async running => {
    const { totals, series } = await dataOf(running, '/summary')
    for (const key of ['visitors', 'sessions', 'views', 'bounces', 'total_duration'])
      assert.is(sum(series, key), totals[key], key)
    assert.is(sum(await dataOf(running, '/pages?limit=200'), 'views'), totals.views)
    assert.is(sum(await dataOf(running, '/sources?limit=200'), 'sessions'), totals.sessions)
    for (const type of dimensions)
      assert.is(sum(await dataOf(running, `/dimensions/${type}?limit=200`), 'sessions'), totals.sessions, type)
    const revenue = await dataOf(running, '/revenue/summary')
    assert.is(sum(await dataOf(running, '/revenue/by-channel'), 'orders'), revenue.orders)
    assert.is(sum(await dataOf(running, '/revenue/timeseries'), 'orders'), revenue.orders)
  })
  const { status, stdout } = await footfallHere(['rebuild', '--data', folder.path('a.db')])
  assert.is(status, 0)
  assert.match(stdout, /No figures changed/)
})

test('every report and all questions have something to say', () =>
  withService({ file: folder.path('a.db'), start: end }, async running => {
    const { questions } = (await running.api('/advisor/questions')).body
    const post = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ids: questions.map(({ id }: Row) => id), from: '2025-04-01', to: '2026-03-31' }),
    }
    const { answers } = (await running.api('/advisor/answers', post)).body
    assert.ok(answers.length > 100)
    assert.is(answers.length, questions.length)
    assert.equal(
      answers.filter(({ status }: Row) => status !== 'ok').map(({ id, code, reason }: Row) => [id, code ?? reason]),
      [],
    )
    const grouped: Row[] = await dataOf(running, '/sources?group_by=channel')
    assert.equal(
      grouped.filter(({ sessions }) => sessions === 0),
      [],
    )
    assert.is(grouped.length, channels.length)
    const byType = async (type: string): Promise<Row[]> => dataOf(running, `/dimensions/${type}?limit=200`)
    assert.ok((await byType('country')).length >= 40)
    assert.ok((await byType('city')).length >= 60)
    const { stages } = await dataOf(running, '/revenue/funnel')
    stages.forEach(({ sessions }: Row, index: number) =>
      assert.ok(sessions > 0 && (index === 0 || sessions < stages[index - 1].sessions), `stage ${index}`),
    )
    assert.equal((await running.api(`/revenue/summary?${range}`)).body.meta.other_currencies, ['GBP'])
    const products: Row[] = await dataOf(running, '/revenue/products?limit=50')
    assert.ok(products.some(({ variants }) => variants.length > 1))
    assert.ok((await dataOf(running, '/revenue/coupons')).length > 0)
    assert.ok((await dataOf(running, '/revenue/refunds')).products.length > 0)
  }))

test('the ledger adds up, with refusals of every usual sort', () => {
  const db = connect(folder.path('a.db'), { readonly: true })
  const counts: Record<string, number> = Object.fromEntries(
    (db.prepare('select outcome, sum(requests) as n from ledger group by outcome').all() as Row[]).map(
      ({ outcome, n }) => [outcome, n],
    ),
  )
  db.close()
  const { received, trimmed = 0, ...outcomes } = counts
  assert.is(trimmed, 0, 'nothing of a made-up request has to be cut')
  assert.is(
    Object.values(outcomes).reduce((all, n) => all + n, 0),
    received,
  )
  for (const name of [
    'accepted',
    'repeated',
    'bot',
    'gpc',
    'dnt',
    'foreign_host',
    'excluded_role',
    'invalid',
    'unmatched',
  ])
    assert.ok((outcomes[name] ?? 0) > 0, name)
})

test('it holds no salt, no hash of a visitor, no address and no user agent', async () => {
  const db = connect(folder.path('a.db'), { readonly: true })
  for (const table of ['day_salt', 'visitor'].filter(
    name => db.prepare('select 1 from sqlite_schema where name = ?').get(name) !== undefined,
  )) {
    assert.is(db.prepare(`select count(*) from ${table}`).pluck().get(), 0, table)
  }
  db.close()
  const bytes = readFileSync(folder.path('a.db'))
  for (const text of ['Mozilla/5.0', '240.0.', 'day_salt (day, salt']) assert.not(bytes.includes(text), text)
  const { checks } = JSON.parse((await footfallHere(['privacy-audit', '--json', '--data', folder.path('a.db')])).stdout)
  const concerned = checks.filter(({ id }: Row) => /address|salt|agent/.test(id))
  assert.ok(concerned.length >= 3)
  assert.equal(
    concerned.filter(({ status }: Row) => status !== 'pass'),
    [],
  )
})

test('it is marked wherever figures are shown, and for good', async () => {
  const mark = { seed: 1, from: '2025-04-01', to: '2026-03-31' }
  const sentence = /This is demo data: the figures from 2025-04-01 to 2026-03-31 are made up\./
  const file = folder.path('a.db')
  const check = (path: string) =>
    withService({ file: path, start: end }, async running => {
      for (const report of ['/summary', '/revenue/summary', '/dimensions/country'])
        assert.equal((await running.api(`${report}?${range}`)).body.meta.demo, mark)
      assert.equal((await running.api('/realtime')).body.meta.demo, mark)
      const told = (await running.api('/diagnostics')).body
      assert.equal(told.demo, mark)
      assert.equal(
        told.findings.filter(({ id }: Row) => id === 'demo_data').map(({ severity }: Row) => severity),
        ['info'],
      )
      assert.is((await running.hit({ page_url: '/mine' })).status, 204)
      await running.settled()
      assert.equal(
        (await running.api(`/pages?${range}&search=mine`)).body.data.map(({ views }: Row) => views),
        [1],
        'visits are counted as usual',
      )
      assert.equal((await running.api(`/summary?${range}`)).body.meta.demo, mark, 'and change nothing of what it is')
    })
  const copy = folder.path('copy.db')
  assert.is((await footfallHere(['backup', copy, '--data', file])).status, 0)
  await check(copy)
  assert.match((await footfallHere(['report', 'summary', '--data', file])).stderr, sentence)
  assert.match((await footfallHere(['ask', 'how many visitors?', '--data', file])).stderr, sentence)
  assert.match((await footfallHere(['diagnostics', '--data', file])).stdout, sentence)
  await withService({}, async ({ api }) => {
    assert.is((await api(`/summary?${range}`)).body.meta.demo, undefined)
    assert.is((await api('/diagnostics')).body.demo, null)
  })
})

test('an archive of it stays demo data, and never comes among real figures', async () => {
  const [archive, fresh, real] = ['demo.ndjson', 'fresh.db', 'real.db'].map(folder.path) as [string, string, string]
  assert.is(
    (
      await footfallHere([
        'export',
        archive,
        '--format',
        'archive',
        '--from',
        '2026-03-01',
        '--data',
        folder.path('same.db'),
      ])
    ).status,
    0,
  )
  const bring = (path: string, source = archive) =>
    footfallHere(['import', source, '--format', 'archive', '--data', path])
  assert.is((await bring(fresh)).status, 0)
  assert.match((await footfallHere(['report', 'summary', '--data', fresh])).stderr, /This is demo data/)
  openDatabase(real).db.close()
  await withService({ file: real }, async ({ hit }) => {
    await hit({ page_url: '/real' })
  })
  const before = await footfallHere(['report', 'summary?from=2026-01-01&to=2026-12-31', '--json', '--data', real])
  const refused = await bring(real)
  assert.is(refused.status, 1)
  assert.match(refused.stderr, /The archive holds demo data, and the database real figures\. Import it into a new file/)
  assert.equal(
    JSON.parse(
      (await footfallHere(['report', 'summary?from=2026-01-01&to=2026-12-31', '--json', '--data', real])).stdout,
    ).data,
    JSON.parse(before.stdout).data,
  )
  const own = folder.path('real.ndjson')
  assert.is((await footfallHere(['export', own, '--format', 'archive', '--data', real])).status, 0)
  assert.match((await bring(fresh, own)).stderr, /The database holds demo data, and the archive real figures/)
  const requests = folder.path('requests.ndjson')
  writeFileSync(requests, '')
  const recording = await footfallHere(['import', requests, '--format', 'requests', '--data', folder.path('same.db')])
  assert.is(recording.status, 1)
  assert.match(recording.stderr, /contains demo data\. Import into a new file/)
})

test('it goes into a new file only', async () => {
  const used = folder.path('used.db')
  await withService({ file: used }, async ({ hit }) => {
    await hit({ page_url: '/real' })
  })
  const ordered = folder.path('ordered.db')
  await footfallHere([
    'import',
    'test/fixtures/woocommerce/order-simple-coupon-attribution.json',
    '--format',
    'woocommerce-orders',
    '--data',
    ordered,
  ])
  for (const path of [used, ordered, folder.path('same.db')]) {
    const { status, stdout, stderr } = await footfallHere(['demo', '--data', path, ...year])
    assert.equal([status, stdout], [1, ''])
    assert.match(stderr, /already contains visits or orders\. Demo data needs a new file: name one with --data\./)
    const db = connect(path, { readonly: true })
    assert.is(
      (db.prepare("select count(*) from session where started_at < unixepoch('2026-03-01')").pluck().get() as number) >
        0,
      path === folder.path('same.db'),
    )
    db.close()
  }
})

test('what cannot be meant is refused, and leaves no file', async () => {
  const cases: [string[], RegExp][] = [
    [['--to', '2999-01-01'], /--to takes a day .*today/],
    [['--to', 'yesterday'], /--to takes a day/],
    [['--seed', 'x'], /--seed takes a whole number/],
    [['--visits', '3'], /--visits takes a whole number from 1000/],
  ]
  for (const [args, message] of cases) {
    const { status, stderr } = await demo('none.db', ...args)
    assert.is(status, 2, args.join(' '))
    assert.match(stderr, message)
    assert.not(existsSync(folder.path('none.db')))
  }
})

test('a year that ends now has someone on the site', async () => {
  assert.is((await demo('now.db', '--visits', '1000', '--days', '91')).status, 0)
  await withService({ file: folder.path('now.db'), start: new Date().toISOString() }, async ({ api }) => {
    const { data } = (await api('/realtime?window=1800')).body
    assert.ok(data.active_visitors > 0)
    assert.ok(data.recent.length === 20)
    assert.ok(data.recent.every(({ time }: Row) => Date.parse(time) <= Date.now()))
  })
})

test.after(folder.remove)
test.run()
