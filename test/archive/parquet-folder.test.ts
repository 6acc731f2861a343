// The folder of an export in Parquet: days are added, left alone or written anew; nothing in it is half, or not ours.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { sums, views } from '../../src/archive/parquet/columns.ts'
import { purgeBefore } from '../../src/rollup/purge.ts'
import { fill, later, secrets, withDb, zone } from '../support/archive-traffic.ts'
import { footfallHere, type Ran } from '../support/command.ts'
import { duckdb } from '../support/duckdb.ts'
import { withFolder } from '../support/folder.ts'
import { needs } from '../support/needs.ts'
import { footfallBeside, sources, temporaryFolder } from '../support/program.ts'
import { withService } from '../support/service.ts'
import { order, shopOf } from '../support/shop.ts'
import { withSmallDisk } from '../support/small-disk.ts'

const made = temporaryFolder()
const whole = made.path('whole.db')
test.before(() => fill(whole))
test.after(made.remove)

/** Runs with a copy of the days from 27 March to 2 April, and a folder that does not exist. */
const withDays = (work: (file: string, out: string, folder: string) => Promise<void>): Promise<void> =>
  withFolder(async folder => {
    const file = join(folder, 'test.db')
    copyFileSync(whole, file)
    await work(file, join(folder, 'out'), folder)
  })

const exportTo = (out: string, file: string, more: readonly string[] = [], at = later): Promise<Ran> =>
  footfallHere(['export', '--format', 'parquet', '--out', out, '--data', file, ...more], { at })

/** The files of a folder by path, with their bytes and the file system's number, which changes when one is replaced. */
const filesIn = (out: string): Map<string, string> =>
  new Map(
    readdirSync(out, { recursive: true, encoding: 'utf8' })
      .filter(name => statSync(join(out, name)).isFile())
      .map(name => [name, `${statSync(join(out, name)).ino} ${readFileSync(join(out, name)).toString('base64')}`]),
  )

const rowsOf = async (out: string, table: string, columns: string): Promise<unknown[][]> => {
  const [rows = []] = await duckdb(`select ${columns} from '${out}/*/${table}.parquet' order by all`)
  return rows.map(row => Object.values(row))
}

const days = 8

test('days are added when they are over, and left alone afterwards', () =>
  withDays(async (file, out) => {
    // A quarter to two: the last visit of 1 April began at ten to twelve, was heard of at half past, and can still go on.
    const early = await exportTo(out, file, ['--from', '2026-03-28'], '2026-04-01T23:45:00Z')
    assert.equal(
      [early.status, early.stderr, early.stdout],
      [
        0,
        '',
        `Written to ${out}: 2026-03-28 to 2026-03-31.\n` +
          'Not over, to be written by a later export: 2026-04-01 to 2026-04-03.\n',
      ],
    )
    const before = filesIn(out)
    assert.equal([...before.keys()].sort(), [
      'README.md',
      ...['2026-03-28', '2026-03-29', '2026-03-30', '2026-03-31'].flatMap(day =>
        ['events', 'views', 'visits'].map(name => `day=${day}/${name}.parquet`),
      ),
    ])
    assert.is(statSync(join(out, 'README.md')).mode & 0o777, 0o600)
    assert.is(statSync(join(out, 'day=2026-03-28/visits.parquet')).mode & 0o777, 0o600)
    assert.is(statSync(join(out, 'day=2026-03-28')).mode & 0o777, 0o700)

    const next = await exportTo(out, file)
    assert.is(
      next.stdout,
      `Written to ${out}: 2026-03-27, 2026-04-01 to 2026-04-03.\nThere already: 2026-03-28 to 2026-03-31.\n`,
    )
    const after = filesIn(out)
    for (const [name, bytes] of before) assert.ok(after.get(name) === bytes, name)
    assert.is(after.size, 1 + 3 * days)
    assert.is((await exportTo(out, file)).stdout, 'There already: 2026-03-27 to 2026-04-03.\n')
    assert.equal(filesIn(out), after)

    // A visit is on one day, a visit across midnight has views on two.
    assert.equal(
      await rowsOf(out, 'visits', 'count(*), count(distinct visit_id)'),
      await withDb(file, db => db.prepare('select count(*), count(*) from session').raw().all()),
    )
    assert.equal(
      await rowsOf(out, 'views', 'view_id, visit_id, visitor_id, page, title, visible_seconds, scroll_percent'),
      await withDb(file, db =>
        db
          .prepare(
            `select v.id, v.session_id, v.visitor_id, p.path, l.text, v.seconds, v.scroll
            from view v join page p on p.id = v.page_id left join label l on l.id = v.title_id order by v.id`,
          )
          .raw()
          .all(),
      ),
    )
    assert.equal(
      await rowsOf(out, 'events', 'name, value, properties, visit_id is null, order_id').then(rows =>
        rows.filter(([name]) => name === 'alone'),
      ),
      [['alone', 3, '{"of":"no visit"}', true, null]],
    )
  }))

test('--again writes days anew, and does not give single visits away for sums', () =>
  withDays(async (file, out) => {
    await exportTo(out, file)
    const first = filesIn(out)
    const path = join(out, 'day=2026-03-28/views.parquet')
    assert.is(
      (await exportTo(out, file, ['--again', '--to', '2026-03-28'])).stdout,
      `Written to ${out}: 2026-03-27 to 2026-03-28.\n`,
    )
    // The same rows make the same bytes in new files.
    assert.ok(filesIn(out).get('day=2026-03-28/views.parquet') !== first.get('day=2026-03-28/views.parquet'))
    assert.is(readFileSync(path).toString('base64'), first.get('day=2026-03-28/views.parquet')?.split(' ')[1])
    assert.is(filesIn(out).get('day=2026-03-29/views.parquet'), first.get('day=2026-03-29/views.parquet'))

    await withDb(file, db => purgeBefore(db, zone, 20260401))
    const again = await exportTo(out, file, ['--again'])
    assert.is(
      again.stdout,
      `Written to ${out}: 2026-04-01 to 2026-04-03.\n` +
        'Left as they are, as the database has no longer their single visits: 2026-03-27 to 2026-03-31.\n',
    )
    assert.ok(existsSync(path))
    assert.not(existsSync(join(out, 'day=2026-03-28/sums.parquet')))
  }))

test('a day without single visits has its sums by dimension', () =>
  withDays(async (file, out) => {
    const before = await withDb(file, db =>
      db.prepare('select sum(views), sum(visitors) from site_day where day = 20260328').raw().get(),
    )
    const countries = await withDb(file, db =>
      db
        .prepare(
          `select value, visitors, sessions, views, bounces from dimension_rollup
          where dimension = 'country' and period = 20260328 order by value`,
        )
        .raw()
        .all(),
    )
    await withDb(file, db => purgeBefore(db, zone, 20260329))
    await exportTo(out, file)
    assert.equal(readdirSync(join(out, 'day=2026-03-28')), ['sums.parquet'])
    assert.ok(existsSync(join(out, 'day=2026-03-29/visits.parquet')))
    const [site = [], found = [], dimensions = [], types = []] = await duckdb(
      `select views, visitors from '${out}/day=2026-03-28/sums.parquet' where dimension = 'site'`,
      `select coalesce(value, '') as value, visitors, visits, views, bounces from '${out}/day=2026-03-28/sums.parquet'
        where dimension = 'country' order by 1`,
      `select distinct dimension from '${out}/*/sums.parquet' order by all`,
      `describe from '${out}/day=2026-03-28/sums.parquet'`,
    )
    assert.equal(
      site.map(row => Object.values(row)),
      [before],
    )
    assert.equal(
      found.map(row => Object.values(row)),
      countries,
    )
    assert.equal(
      types.map(({ column_name }) => column_name),
      [...sums.columns.map(({ name }) => name), 'day'],
    )
    const named = sums.columns.find(({ name }) => name === 'dimension')?.about ?? ''
    for (const { dimension } of dimensions)
      assert.ok(named.includes(String(dimension)) || String(dimension).startsWith('utm_'), String(dimension))
    assert.ok(dimensions.length > 18)

    // Its visits come back with an archive: then they take the place of the sums.
    const archive = join(dirname(out), 'all.ndjson')
    assert.is((await footfallHere(['export', archive, '--format', 'archive', '--data', whole])).status, 0)
    assert.match((await footfallHere(['import', archive, '--format', 'archive', '--data', file])).stdout, 'imported')
    assert.match((await exportTo(out, file)).stdout, /^There already/)
    assert.match((await exportTo(out, file, ['--again'])).stdout, /^Written/)
    assert.equal(readdirSync(join(out, 'day=2026-03-28')).sort(), ['events.parquet', 'views.parquet', 'visits.parquet'])
  }))

test('orders follow the shop: the file of their day is written when one changes, and goes with the last', () =>
  withFolder(folder =>
    withService({ start: '2026-03-20T12:00:00Z' }, async running => {
      const { file } = running
      const out = join(folder, 'out')
      const { push } = shopOf(running)
      const unpaid = {
        id: 7,
        status: 'pending',
        total: '24.00',
        date_created_gmt: '2026-03-10T10:00:00',
        date_modified_gmt: '2026-03-10T10:00:00',
        date_paid_gmt: null,
      }
      await push(order({ id: 6 }), order(unpaid))
      const at = '2026-03-20T12:00:00Z'
      assert.is((await exportTo(out, file, [], at)).stdout, 'Only the orders written: 2026-03-10.\n')
      const columns =
        'order_id, counted, total_minor, refunded_minor, net_minor, minor_digits, created_at, paid_at, modified_at, site_day'
      const made = '2026-03-10 10:00:00+00'
      assert.equal(await rowsOf(out, 'orders', columns), [
        [6, true, 1200, 0, 1000, 2, made, '2026-03-10 10:00:03+00', '2026-03-10 10:00:05+00', '2026-03-10'],
        [7, false, 2400, 0, 2200, 2, made, null, made, '2026-03-10'],
      ])
      const before = filesIn(out)
      assert.is((await exportTo(out, file, [], at)).stdout, 'There are no days to write.\n')
      assert.equal(filesIn(out), before)

      // Paid on another day, and one refunded.
      await push(
        order({
          ...unpaid,
          status: 'completed',
          date_paid_gmt: '2026-03-12T09:00:00',
          date_modified_gmt: '2026-03-12T09:00:00',
        }),
        order({ id: 6, date_modified_gmt: '2026-03-13T10:00:00', refunds: [{ id: 61, total: '-6.00' }] }),
      )
      assert.is((await exportTo(out, file, [], at)).stdout, 'Only the orders written: 2026-03-10, 2026-03-12.\n')
      assert.equal(await rowsOf(out, 'orders', columns), [
        [6, true, 1200, 600, 500, 2, made, '2026-03-10 10:00:03+00', '2026-03-13 10:00:00+00', '2026-03-10'],
        [7, true, 2400, 0, 2200, 2, made, '2026-03-12 09:00:00+00', '2026-03-12 09:00:00+00', '2026-03-12'],
      ])
      const [refunds] = await rowsOf(
        out,
        'orders',
        "refunds->0->>'amount', lines->0->>'product', product_names->0->>'name'",
      )
      assert.equal(refunds, ['600', '101', 'Mug'])

      await push(order({ id: 6, date_modified_gmt: '2026-03-14T10:00:00', date_paid_gmt: '2026-03-12T10:00:00' }))
      assert.is((await exportTo(out, file, [], at)).stdout, 'Only the orders written: 2026-03-10, 2026-03-12.\n')
      assert.not(existsSync(join(out, 'day=2026-03-10/orders.parquet')))
      assert.equal(await rowsOf(out, 'orders', 'order_id'), [[6], [7]])
    }),
  ))

test('what is not ours, or another database’s, is left alone and said', () =>
  withDays(async (file, out, folder) => {
    const refused = async (more: readonly string[] = []): Promise<string> => {
      const { status, stderr } = await exportTo(out, file, more)
      assert.is(status, 1)
      return stderr
    }
    writeFileSync(out, 'a file')
    assert.is(
      await refused(),
      `${out} cannot be written: there is a file in its place. Days that are complete stay; the same command goes on.\n`,
    )
    rmSync(out)
    mkdirSync(out)
    writeFileSync(join(out, 'notes.txt.partial-99999999'), 'mine')
    assert.is(await refused(), `${out} is not empty and holds no export in Parquet. Name another folder.\n`)
    writeFileSync(join(out, 'README.md'), '# Mine')
    assert.match(await refused(), 'holds no export in Parquet')
    assert.equal(readdirSync(out).sort(), ['README.md', 'notes.txt.partial-99999999'])
    assert.is(readFileSync(join(out, 'README.md'), 'utf8'), '# Mine')
    rmSync(out, { recursive: true })

    // What a killed export has left in its folder is no obstacle, and goes.
    mkdirSync(out)
    writeFileSync(join(out, 'README.md.partial-99999999'), '# Footf')
    assert.is((await exportTo(out, file)).status, 0)
    assert.equal(
      readdirSync(out).filter(name => name.includes('partial')),
      [],
    )
    rmSync(out, { recursive: true })

    const other = join(folder, 'other.db')
    await footfallHere(['demo', '--data', other, '--days', '7', '--visits', '1000', '--to', '2026-03-31'], {
      at: later,
    })
    assert.is((await exportTo(out, other)).status, 0)
    assert.match(readFileSync(join(out, 'README.md'), 'utf8'), 'This is demo data')
    assert.is(await refused(), `${out} holds the export of another database. Name another folder.\n`)
    rmSync(out, { recursive: true })

    // In the midst of a day.
    await exportTo(out, file)
    const foreign = join(out, 'day=2026-03-28/views.parquet')
    for (const text of ['PAR1 by somebody else PAR1', 'x', '']) {
      writeFileSync(foreign, text)
      const before = filesIn(out)
      assert.is(
        await refused(['--again', '--from', '2026-03-28']),
        `${foreign} was not written by Footfall. Move it away, or name another folder.\n`,
      )
      assert.equal(filesIn(out), before)
    }
    rmSync(foreign)
    // A day that lacks a file is not there.
    assert.match((await exportTo(out, file)).stdout, `Written to ${out}: 2026-03-28.`)
  }))

test('the table of the documentation for ClickHouse has the columns of page views, in their order', () => {
  const [, text = ''] = /create table views \(([\s\S]*?)\) engine/.exec(readFileSync('docs/beyond.md', 'utf8')) ?? []
  const types = { integer: 'Int64', text: 'String', day: 'Date', time: "DateTime64(3, 'UTC')" } as const
  const expected = views.columns.map(({ name, type, nullable }) => {
    const plain = Object.entries(types).find(([known]) => known === type)?.[1] ?? type
    return `${name} ${nullable ? `Nullable(${plain})` : plain}`
  })
  assert.is(text.replace(/\s+/g, ' ').trim(), expected.join(', '))
})

test('wrong arguments are said', () =>
  withDays(async (file, out) => {
    const run = async (...args: string[]): Promise<string> => {
      const { status, stderr } = await footfallHere(['export', ...args, '--data', file])
      assert.is(status, 2)
      return stderr
    }
    assert.match(await run('--format', 'parquet'), '--format parquet requires --out')
    assert.match(await run('x', '--format', 'parquet', '--out', out), 'name it with --out instead of FILE')
    assert.match(await run('--format', 'csv', '--out', out), '--out and --again require --format parquet')
    assert.match(await run('--format', 'archive', '--again'), '--out and --again require --format parquet')
    assert.match(await run('--format', 'parquet', '--out', out, '--report', 'pages'), '--report requires --format csv')
    assert.match(await run('--format', 'parquet', '--out', out, '--from', '2026-02-30'), '--from takes a day')
    assert.not(existsSync(out))
  }))

needs('root')('a folder that may not be written to ends it with a sentence', () =>
  withDays(async (file, out, folder) => {
    for (const path of [folder, file]) chmodSync(path, path === file ? 0o666 : 0o777)
    mkdirSync(out)
    const [program, ...words] = sources.command
    const child = spawn(program, [...words, 'export', '--format', 'parquet', '--out', out, '--data', file], {
      uid: 65534,
      gid: 65534,
    })
    let text = ''
    child.stderr.setEncoding('utf8').on('data', part => {
      text += part
    })
    assert.equal(await once(child, 'close'), [1, null])
    assert.match(text, /cannot be written: this user may not write there\. Days that are complete stay/)
    assert.equal(readdirSync(out), [])
  }),
)

needs('the right to mount')('a full disk leaves whole files only, and the same command goes on', () =>
  withDays((file, _, folder) =>
    withSmallDisk(1, async disk => {
      const out = join(disk, 'out')
      writeFileSync(join(disk, 'ballast'), Buffer.alloc(1_048_576 - 90_000))
      const { status, stderr, stdout } = await exportTo(out, file)
      assert.is(status, 1)
      assert.is(stdout, '')
      assert.match(
        stderr,
        /cannot be written: the disk is full\. Days that are complete stay; the same command goes on\.\n$/,
      )
      const left = [...filesIn(out).keys()]
      assert.ok(left.length > 1)
      assert.equal(
        left.filter(name => !/^README\.md$|^day=[\d-]+\/\w+\.parquet$/.test(name)),
        [],
      )
      await duckdb(...left.filter(name => name.endsWith('.parquet')).map(name => `select * from '${join(out, name)}'`))
      rmSync(join(disk, 'ballast'))
      assert.is((await exportTo(out, file)).status, 0)
      const elsewhere = join(folder, 'whole')
      await exportTo(elsewhere, file)
      const bytes = (path: string) => [...filesIn(path)].map(([name, text]) => [name, text.split(' ')[1]]).sort()
      assert.equal(bytes(out), bytes(elsewhere))
    }),
  ),
)

test('killed at any moment, it leaves no half file under its name; the next one completes the days', () =>
  withDays(async (file, out, folder) => {
    const elsewhere = join(folder, 'whole')
    await exportTo(elsewhere, file)
    const complete = filesIn(elsewhere)
    const [program, ...words] = sources.command
    const args = [...words, 'export', '--format', 'parquet', '--out', out, '--data', file]
    let killed = 0
    for (const files of [1, 3, 6, 9, 12]) {
      rmSync(out, { recursive: true, force: true })
      const child = spawn(program, args, { stdio: 'ignore' })
      const closed = once(child, 'close')
      const count = (): number => (existsSync(out) ? readdirSync(out, { recursive: true }).length : 0)
      while (child.exitCode === null && count() < files) await wait(1)
      child.kill('SIGKILL')
      const [code] = await closed
      if (code === null) killed += 1
      if (!existsSync(out)) continue
      for (const [name, text] of filesIn(out))
        if (!name.includes('.partial-')) assert.is(text.split(' ')[1], complete.get(name)?.split(' ')[1], name)
      assert.is((await exportTo(out, file)).status, 0)
      assert.equal(
        [...filesIn(out)].map(([name, text]) => [name, text.split(' ')[1]]).sort(),
        [...complete].map(([name, text]) => [name, text.split(' ')[1]]).sort(),
      )
    }
    assert.ok(killed > 0)
  }))

test('it holds no address and no user agent', () =>
  withDays(async (file, out) => {
    await exportTo(out, file)
    const tables = await Promise.all(
      ['visits', 'views', 'events'].map(name => duckdb(`from '${out}/*/${name}.parquet'`)),
    )
    const texts = [JSON.stringify(tables), readFileSync(join(out, 'README.md'), 'utf8')]
    assert.match(texts[0] ?? '', '/p/1')
    for (const text of texts) for (const secret of secrets) assert.not(text.includes(secret), secret)
  }))

for (const [archiveFormat, files] of [
  ['both', ['2026-01-01.ndjson.gz', 'README.md', 'day=2026-01-01']],
  ['parquet', ['README.md', 'day=2026-01-01']],
] as const)
  test(`retention moves single visits to ${archiveFormat}, and an export adds days to them`, () =>
    withService({ start: '2026-01-01T12:00:00Z', flags: { archiveFormat } }, async ({ api, hit, clock, file }) => {
      const headers = { 'content-type': 'application/json' }
      const settings = { retention_days: 30, retention_mode: 'archive' }
      await api('/settings', { method: 'PUT', body: JSON.stringify(settings), headers })
      await hit({ page_url: '/old?utm_source=news' })
      clock.now += 40 * 86_400_000
      await hit({ page_url: '/new' })
      clock.now += 86_400_000
      for (const [job, message] of [
        ['rollup', /up to date/],
        ['archive', /^2 rows archived\.$/],
      ] as const) {
        const { body } = await api('/cron/run', { method: 'POST', body: JSON.stringify({ jobs: [job] }), headers })
        assert.match(body.jobs[0].message, message)
      }
      const folder = `${file}-archive`
      assert.equal(readdirSync(folder).sort(), files)
      assert.equal(await rowsOf(folder, 'visits', 'entry_page, utm_source, views'), [['/old', 'news', 1]])
      const before = filesIn(folder)
      const { status, stdout, stderr } = await exportTo(folder, file, ['--again'], '2026-02-11T12:00:00Z')
      assert.equal(
        [status, stderr, stdout],
        [
          0,
          '',
          `Written to ${folder}: 2026-02-10.\nLeft as they are, as the database has no longer their single visits: 2026-01-01.\n`,
        ],
      )
      for (const [name, bytes] of before) assert.ok(filesIn(folder).get(name) === bytes, name)
      assert.equal(await rowsOf(folder, 'views', 'page'), [['/new'], ['/old']])
    }))

test('beside a running service, which goes on counting', () =>
  withFolder(folder =>
    withService({ start: '2026-03-10T12:00:00Z' }, async ({ file, hit, clock, settled }) => {
      await hit({ page_url: '/before' })
      clock.now += 86_400_000
      await settled()
      const out = join(folder, 'out')
      const exporting = footfallBeside(['export', '--format', 'parquet', '--out', out, '--data', file])
      for (let index = 0; index < 20; index++) assert.is((await hit({ page_url: `/during/${index}` })).status, 204)
      const { status, stderr } = await exporting
      assert.equal([status, stderr], [0, ''])
      assert.equal(
        (await rowsOf(out, 'views', 'page')).filter(([page]) => page === '/before'),
        [['/before']],
      )
    }),
  ))

test.run()
