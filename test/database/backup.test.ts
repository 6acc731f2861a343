// Backups of a running service, what they leave out, and putting them back; also with a kill in the midst of it.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { connect } from '../../src/database/connect.ts'
import { copyDatabase } from '../../src/database/copy.ts'
import { problemsOf } from '../../src/database/copy-check.ts'
import { DatabaseError } from '../../src/database/errors.ts'
import { openDatabase } from '../../src/database/open.ts'
import type { Db } from '../../src/database/query.ts'
import { createPairing } from '../../src/identity/pairings.ts'
import { footfallHere } from '../support/command.ts'
import { withFolder } from '../support/folder.ts'
import { password } from '../support/known-users.ts'
import { footfallBeside, sources } from '../support/program.ts'
import { sendRecord } from '../support/records.ts'
import { hasSalt, saltsOf } from '../support/salts.ts'
import { firefox, type Running, withService } from '../support/service.ts'
import { until } from '../support/wait.ts'

const run = (...args: string[]) => footfallHere(args)
const reports = ['/summary', '/pages', '/sources', '/events', '/dimensions/country', '/utm'].map(
  path => `${path}?from=2026-03-01&to=2026-03-31`,
)
const answers = ({ api }: Running): Promise<unknown[]> =>
  Promise.all(reports.map(async path => (await api(path)).body.data))
const look = <T>(path: string, work: (db: Db) => T): T => {
  const db = connect(path, { readonly: true })
  try {
    return work(db)
  } finally {
    db.close()
  }
}
const value = (path: string, sql: string): unknown => look(path, db => db.prepare(sql).pluck().get())

/** A file with one page by name, and as many others as make it take a while to copy. */
const make = (path: string, name: string, pages = 0): string => {
  const { db } = openDatabase(path)
  db.prepare('insert into page (path, host_id) values (?, 1)').run(name)
  db.prepare(
    "with recursive n (i) as (select 1 union all select i + 1 from n where i < ?) insert into page (path, host_id) select '/' || hex(randomblob(60)) || i, 1 from n where i <= ?",
  ).run(pages, pages)
  createPairing(db, 'WordPress', 0)
  db.close()
  return path
}
const json = { 'content-type': 'application/json' }
const salt = Buffer.from('c0ffee00c0ffee00c0ffee00c0ffee00', 'hex')
const nameOf = (path: string): unknown => value(path, 'select path from page where id = 1')

test('a backup made while the service runs has the same reports, and contains no salt and no login', () =>
  withFolder(async folder => {
    const copy = join(folder, 'copy.db')
    let before: unknown[] = []
    await withService({}, async running => {
      for (const page of ['/a', '/b', '/a'])
        await running.hit({ page_url: `${page}?utm_source=news` }, { 'x-forwarded-for': '12.0.0.1' })
      const event = await sendRecord(`${running.service.url}/analytics/v1/event`, {
        method: 'POST',
        body: JSON.stringify({ name: 'signup', page_url: '/a' }),
        headers: { 'content-type': 'application/json', 'user-agent': firefox },
      })
      assert.is(event.status, 204)
      const login = await running.api('/session', {
        method: 'POST',
        as: 'nobody',
        body: JSON.stringify({ login: 'admin', password }),
        headers: { 'content-type': 'application/json' },
      })
      assert.is(login.status, 200)
      await running.settled()
      before = await answers(running)
      assert.is(saltsOf(running.file).length, 1)
      for (const table of ['login_link', 'login_session', 'login_device'])
        assert.is(value(running.file, `select count(*) from ${table}`), 1, table)
      const [{ salt: kept } = { salt: '' }] = saltsOf(running.file)
      const { status, stdout, stderr } = await run('backup', copy, '--data', running.file)
      assert.equal([status, stderr], [0, ''])
      assert.match(stdout, /copy\.db \(.*verified: it is intact/)
      assert.not(hasSalt(readFileSync(copy), kept))
      for (const table of ['login_link', 'login_session', 'login_device', 'holder'])
        assert.is(value(copy, `select count(*) from ${table}`), 0, table)
      assert.is((statSync(copy).mode & 0o777).toString(8), '600')
      assert.equal(readdirSync(folder), ['copy.db'])
      assert.is(value(copy, 'pragma user_version'), value(running.file, 'pragma user_version'))
      const schema =
        "select group_concat(sql, ';') from (select sql from sqlite_schema where name not like 'sqlite_%' order by name)"
      assert.is(value(copy, schema), value(running.file, schema))
    })
    const data = join(folder, 'new.db')
    assert.is((await run('restore', copy, '--data', data)).status, 0)
    await withService({ file: data }, async running => {
      assert.equal(await answers(running), before)
      await running.hit({ page_url: '/a' })
      await running.settled()
      assert.is((await running.api(reports[0] ?? '')).body.data.totals.views, 4, 'it counts on')
    })
  }))

test('restore keeps the replaced file next to it, without salts', () =>
  withFolder(async folder => {
    const data = make(join(folder, 'a.db'), '/old')
    const copy = join(folder, 'copy.db')
    assert.is(
      (await run('backup', make(join(folder, 'b.db'), '/new') && copy, '--data', join(folder, 'b.db'))).status,
      0,
    )
    const { status, stdout } = await run('restore', copy, '--data', data)
    assert.is(status, 0)
    assert.match(stdout, /must be connected again: 'footfall connect wordpress'/)
    const kept = stdout.match(/kept as (\S+)\./)?.[1] ?? ''
    assert.equal([nameOf(data), nameOf(kept)], ['/new', '/old'])
    assert.not(readFileSync(kept).includes(salt))
    assert.equal([value(kept, 'select count(*) from pairing'), value(data, 'select count(*) from pairing')], [0, 0])
    assert.equal(
      [data, kept].map(path => (statSync(path).mode & 0o777).toString(8)),
      ['600', '600'],
    )
    assert.equal(readdirSync(folder).sort(), ['a.db', 'b.db', 'copy.db', kept.slice(folder.length + 1)].sort())
  }))

test('a restore after a restore keeps each file that it replaced, and no visit of one gets into another', () =>
  withFolder(async folder => {
    const data = make(join(folder, 'a.db'), '/old')
    const copies = ['/one', '/two'].map(name => join(folder, `copy-${name.slice(1)}.db`))
    for (const [index, copy] of copies.entries()) {
      const source = make(join(folder, `source-${index}.db`), `/${['one', 'two'][index]}`)
      assert.is((await run('backup', copy, '--data', source)).status, 0)
    }
    const pagesOf = (path: string): unknown =>
      look(path, db => db.prepare("select path from page where path <> '' order by id").pluck().all())
    const kept: string[] = []
    const restored = async (copy: string, at: string): Promise<void> => {
      const { status, stdout, stderr } = await footfallHere(['restore', copy, '--data', data], { at })
      assert.is(status, 0, stderr)
      kept.push(stdout.match(/kept as (\S+)\./)?.[1] ?? '')
    }
    const [one = '', two = ''] = copies
    await restored(one, '2026-03-10T12:00:00Z')
    const visited = (page: string): Promise<void> =>
      withService({ file: data }, async ({ hit }) => {
        assert.is((await hit({ page_url: page })).status, 204)
      })
    await visited('/since-one')
    // Within the same second the replaced file would have the name of the first.
    const refused = await footfallHere(['restore', two, '--data', data], { at: '2026-03-10T12:00:00Z' })
    assert.is(refused.status, 1)
    assert.match(refused.stderr, /exists already\. Wait a second, then try again\./)
    assert.equal(pagesOf(data), ['/one', '/since-one'])
    await restored(two, '2026-03-10T12:00:01Z')
    assert.equal(pagesOf(data), ['/two'])
    await restored(two, '2026-03-10T12:00:02Z')
    await visited('/since-two')
    await restored(one, '2026-03-10T12:00:03Z')
    assert.equal(pagesOf(data), ['/one'])
    assert.equal(kept.map(pagesOf), [['/old'], ['/one', '/since-one'], ['/two'], ['/two', '/since-two']])
    for (const path of kept) {
      assert.not(existsSync(`${path}-wal`))
    }
    // What a restore replaced is a backup like any other.
    await restored(kept[1] ?? '', '2026-03-10T12:00:04Z')
    assert.equal(pagesOf(data), ['/one', '/since-one'])
    await visited('/later')
    assert.equal(pagesOf(data), ['/one', '/since-one', '/later'])
    assert.equal(look(data, problemsOf), [])
  }))

test('restore takes the place of a damaged file, and keeps that', () =>
  withFolder(async folder => {
    const data = join(folder, 'a.db')
    writeFileSync(data, 'no database at all '.repeat(1000))
    const copy = join(folder, 'copy.db')
    await run('backup', copy, '--data', make(join(folder, 'b.db'), '/new'))
    const { status, stdout } = await run('restore', copy, '--data', data)
    assert.is(status, 0)
    assert.is(nameOf(data), '/new')
    assert.match(readFileSync(stdout.match(/damaged; it is kept as (\S+)\./)?.[1] ?? '', 'utf8'), /^no database/)
  }))

test('what cannot be meant is refused, and changes nothing', () =>
  withFolder(async folder => {
    const data = make(join(folder, 'a.db'), '/old', 2000)
    const copy = join(folder, 'copy.db')
    assert.is((await run('backup', copy, '--data', data)).status, 0)
    const path = (name: string) => join(folder, name)
    writeFileSync(path('text'), 'hello')
    writeFileSync(path('empty'), '')
    connect(path('foreign')).exec('create table t (a)').close()
    make(path('newer'), '/newer')
    connect(path('newer')).exec('pragma user_version = 900').close()
    copyFileSync(copy, path('half'))
    truncateSync(path('half'), Math.floor(statSync(copy).size / 2))
    copyFileSync(copy, path('scratched'))
    const bytes = readFileSync(copy)
    bytes.fill(0x55, bytes.length >> 1, (bytes.length >> 1) + 9000)
    writeFileSync(path('scratched'), bytes)

    const cases: [string[], RegExp][] = [
      [['backup', copy], /copy\.db exists already\. Name another file, or add --force/],
      [['backup', data, '--force'], /is the database itself/],
      [['backup', path('no/where.db')], /folder .* does not exist/],
      [['backup', folder, '--force'], /is a folder/],
      [['restore', path('nothing')], /There is no file/],
      [['restore', path('text')], /is no backup of Footfall/],
      [['restore', path('empty')], /is an empty database/],
      [['restore', path('foreign')], /is a database of another program/],
      [['restore', path('newer')], /written by a newer Footfall/],
      [['restore', path('half')], /is damaged/],
      [['restore', path('scratched')], /is damaged/],
    ]
    for (const [args, message] of cases) {
      const { status, stderr } = await run(...args, '--data', data)
      assert.is(status, 1, args.join(' '))
      assert.match(stderr, message)
      assert.is(stderr.trimEnd().split('\n').length, 1, stderr)
    }
    assert.is(nameOf(data), '/old')
    assert.is(nameOf(copy), '/old')
    assert.equal(
      readdirSync(folder).filter(name => /partial|replaced|lock/.test(name)),
      [],
    )
    assert.is((await run('backup', copy, '--force', '--data', data)).status, 0)
    assert.is((await run('backup', copy, '--data', path('nothing'))).status, 1)
    assert.not(existsSync(path('nothing')))
  }))

test('a copy that is not what it should be never takes its place', () =>
  withFolder(folder => {
    const data = make(join(folder, 'a.db'), '/old', 3000)
    const { db } = openDatabase(data)
    db.exec('insert into site_day (day, visitors, sessions, views, bounces, seconds) values (20260310, 1, 1, 2, 0, 30)')
    db.close()
    const changed =
      (sql: string) =>
      (path: string): void => {
        connect(path).exec(sql).close()
      }
    const cases: [what: string, spoil: (path: string) => void, says: RegExp][] = [
      ['cannot be opened', path => writeFileSync(path, 'no database at all '.repeat(1000)), /not a database/],
      ['is cut off', path => truncateSync(path, Math.floor(statSync(path).size / 2)), /did not pass its check/],
      [
        'is scratched',
        path => {
          const bytes = readFileSync(path)
          bytes.fill(0x55, bytes.length >> 1, (bytes.length >> 1) + 9000)
          writeFileSync(path, bytes)
        },
        /did not pass its check/,
      ],
      ['lacks a row', changed("delete from page where path = '/old'"), /page is not what it was in the original/],
      [
        'has other figures',
        changed('update site_day set views = views + 1'),
        /site_day is not what it was in the original/,
      ],
      ['lacks a table', changed('drop table audit'), /audit is not what it was in the original/],
      [
        'holds a login',
        changed("insert into holder (pid, command, since) values (1, 'serve', 0)"),
        /holder came along/,
      ],
    ]
    for (const [index, [what, spoil, says]] of cases.entries()) {
      assert.throws(
        () => copyDatabase(data, join(folder, `copy-${index}`), { made: spoil }),
        (error: Error) =>
          error instanceof DatabaseError &&
          /^The copy did not pass its check/.test(error.message) &&
          says.test(error.message),
        what,
      )
    }
    copyDatabase(data, join(folder, 'good'))
    assert.is(nameOf(join(folder, 'good')), '/old')
  }))

test('tables are copied whole, however their rows are numbered and as large as they may be', () =>
  withFolder(folder => {
    const [data, copy] = [join(folder, 'a.db'), join(folder, 'b.db')]
    const counted = (rows: number) =>
      `with recursive n (i) as (select 0 union all select i + 1 from n where i < ${rows - 1})`
    const create = `
    create table wide (id integer primary key, text);
    create table unnamed (text);
    create table keyed (text primary key) without rowid;
    create table large (id integer primary key, bytes);
    create table "an empty one" (id integer primary key);
    create table far (id integer primary key);
    create index wide_text on wide (text);`
    connect(data)
      .exec(`
    ${create}
    insert into far values (-9223372036854775807 - 1), (-9007199254740993), (-1), (9007199254740993), (9007199254740995), (9223372036854775807);
    ${counted(70_000)} insert into wide select i * 128000000000 - 9, 'row ' || i from n;
    ${counted(300)} insert into unnamed select i from n;
    ${counted(5000)} insert into keyed select i from n;
    ${counted(4)} insert into large select i, randomblob(3000000) from n;
  `)
      .close()
    copyDatabase(data, copy, { known: { create, version: 0, migrations: [] } })
    assert.is(value(data, 'select max(id) from wide'), 8_959_871_999_999_991)
    for (const sql of [
      'select count(*) from wide',
      'select group_concat(id) || group_concat(text) from wide',
      'select group_concat(text) from unnamed',
      'select group_concat(text) from keyed',
      'select group_concat(hex(bytes)) from large',
      'select count(*) from "an empty one"',
      'select group_concat(id) from far',
      'select count(*) from sqlite_schema',
    ]) {
      assert.is(value(copy, sql), value(data, sql), sql)
    }
  }))

test('restore --dry-run says what would come and what would be missing, and changes nothing', () =>
  withFolder(async folder => {
    const copy = join(folder, 'copy.db')
    const dryRun = (data: string, file = copy) => footfallHere(['restore', file, '--dry-run', '--data', data])
    await withService({}, async running => {
      for (const page of ['/a', '/b']) await running.hit({ page_url: page }, { 'x-forwarded-for': '12.0.0.1' })
      await running.settled()
      assert.is((await footfallHere(['backup', copy, '--data', running.file])).status, 0)
      assert.match((await dryRun(running.file)).stdout, /No visit, event or order has been recorded since the backup\./)
      running.clock.now += 60_000
      for (const page of ['/c', '/d', '/e']) await running.hit({ page_url: page }, { 'x-forwarded-for': '12.0.0.1' })
      await running.settled()
      const { status, stdout, stderr } = await dryRun(running.file)
      assert.equal([status, stderr], [0, ''])
      assert.match(
        stdout,
        /copy\.db \([\d.]+ MiB, schema \d+, written 20\S+Z\) is a valid backup\. It contains 2 page views in 1 visit from 2026-03-10 to 2026-03-10, 0 orders and 2 users\./,
      )
      assert.match(stdout, /It would replace .* It contains 5 page views in 1 visit/)
      assert.match(stdout, /would be lost: 3 page views, 0 events, and 0 new or changed orders/)
      assert.match(stdout, /Nothing was changed\.\n$/)
      assert.is((await running.api(reports[0] ?? '')).body.data.totals.views, 5)
    })
    const other = make(join(folder, 'other.db'), '/other')
    const state = () => [
      readdirSync(folder).filter(name => !/-(wal|shm)$/.test(name)),
      createHash('sha256').update(readFileSync(other)).digest('hex'),
    ]
    const before = state()
    assert.match(
      (await dryRun(other)).stdout,
      /may belong to different installations: all data of the current database would be replaced/,
    )
    assert.equal(state(), before)
    assert.match((await dryRun(join(folder, 'none.db'))).stdout, /There is no database yet/)
    writeFileSync(join(folder, 'broken.db'), 'no database at all '.repeat(1000))
    assert.match(
      (await dryRun(join(folder, 'broken.db'))).stdout,
      /is damaged or not a Footfall database\. It would be renamed/,
    )
    const refused = await dryRun(other, join(folder, 'broken.db'))
    assert.is(refused.status, 1)
    assert.match(refused.stderr, /is no backup of Footfall/)
    assert.equal(
      readdirSync(folder).filter(name => /partial|replaced|lock/.test(name)),
      [],
    )
  }))

test('restore needs the file alone', () =>
  withService({}, async ({ file }) => {
    const copy = `${file}.copy`
    await run('backup', copy, '--data', file)
    const { status, stderr } = await footfallBeside(['restore', copy, '--data', file])
    assert.is(status, 1)
    assert.match(stderr, /in use by process \d+ \(footfall serve\)/)
  }))

const unfinished = (folder: string): string[] => readdirSync(folder).filter(name => name.includes('.partial-'))

/**
 * Starts a command and kills it a few milliseconds after its draft has appeared. Resolves with the signal if that ended
 * it, else with null.
 */
const killed = (
  args: readonly string[],
  folder: string,
  after: number,
  signal: NodeJS.Signals = 'SIGKILL',
): Promise<NodeJS.Signals | null> =>
  new Promise(resolve => {
    const [file, ...words] = sources.command
    const child = spawn(file, [...words, ...args], { stdio: 'ignore' })
    let seen = 0
    const timer = setInterval(() => {
      if (seen === 0 && unfinished(folder).length > 0) seen = performance.now()
      if (seen === 0 || performance.now() - seen < after) return
      clearInterval(timer)
      child.kill(signal)
    }, 1)
    child.on('close', (_, by) => {
      clearInterval(timer)
      resolve(by)
    })
  })

test('killed in the midst, a backup and a restore leave the old file or the new one, and no salt', () =>
  withFolder(async folder => {
    const data = make(join(folder, 'a.db'), '/old', 60_000)
    const [old, other, copy] = [join(folder, 'old'), join(folder, 'other.db'), join(folder, 'copy.db')]
    make(other, '/new', 60_000)
    await run('backup', old, '--data', data)
    await run('backup', copy, '--data', data)
    let partial = 0
    for (const after of [0, 5, 20, 60, 120, 200, 300, 400]) {
      await killed(['backup', copy, '--force', '--data', other], folder, after)
      const left = unfinished(folder)
      partial += left.length
      assert.ok(['/old', '/new'].includes(String(nameOf(copy))))
      assert.equal(look(copy, problemsOf), [])
      for (const name of left) assert.not(readFileSync(join(folder, name)).includes(salt), 'a salt in what is left')
    }
    for (const after of [0, 5, 20, 60, 120, 200, 300, 400]) {
      await killed(['restore', old, '--data', other], folder, after)
      assert.ok(['/old', '/new'].includes(String(nameOf(other))))
      assert.equal(look(other, problemsOf), [])
      partial += unfinished(folder).length
    }
    assert.ok(partial > 0, 'no kill came in the midst')
    await run('backup', copy, '--force', '--data', data)
    await run('restore', old, '--data', other)
    assert.equal(unfinished(folder), [], 'what was left is taken away by the next')
    assert.is(nameOf(other), '/old')
  }))

test('a signal ends a backup, a restore and an export at once, and nothing unfinished stays', () =>
  withFolder(async folder => {
    const data = make(join(folder, 'a.db'), '/old', 60_000)
    const [copy, nightly] = [join(folder, 'copy.db'), join(folder, 'nightly')]
    await run('backup', copy, '--data', data)
    const days = join(folder, 'days.ndjson')
    writeFileSync(
      days,
      Array.from({ length: 4000 }, (_, i) =>
        JSON.stringify({
          endpoint: 'hit',
          time: new Date(Date.UTC(2026, 2, 1) + i * 60_000).toISOString(),
          ip: `12.0.${i >> 8}.${i & 255}`,
          user_agent: firefox,
          body: { page_url: `https://site.example/${i}` },
        }),
      ).join('\n'),
    )
    const visits = join(folder, 'visits.db')
    const taken = await run(
      'import',
      days,
      '--format',
      'requests',
      '--data',
      visits,
      '--site-url',
      'https://site.example',
    )
    assert.is(taken.status, 0, taken.stderr)
    mkdirSync(nightly)
    const commands: [string[], string][] = [
      [['backup', copy, '--force', '--data', data], folder],
      [['restore', copy, '--data', data], folder],
      [['cron', 'backup', '--backup-folder', nightly, '--data', data], nightly],
      [['export', join(folder, 'visits.csv'), '--format', 'csv', '--data', visits], folder],
    ]
    for (const [args, where] of commands) {
      const ends: unknown[] = []
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
        ends.push(await killed(args, where, 0, signal))
        assert.equal(unfinished(where), [], `${args[0]} ${signal}`)
      }
      assert.ok(
        ends.some(end => end !== null),
        `no signal came in the midst of ${args[0]}`,
      )
    }
    assert.equal(look(data, problemsOf), [])
  }))

test('a service that stops in the midst of its backup leaves nothing of it', () =>
  withFolder(async folder => {
    const file = make(join(folder, 'a.db'), '/old', 60_000)
    const backupFolder = join(folder, 'backups')
    const nightly = join(backupFolder, 'footfall-2026-03-10.db')
    // On a busy machine the backup may come to its end while the test does not run: then it begins again.
    await until(async () => {
      rmSync(nightly, { force: true })
      await withService({ file, flags: { backupFolder } }, async ({ api }) => {
        // The service waits for its clients, but not for one that has left.
        const client = new AbortController()
        const job = { method: 'POST', body: '{"jobs":["backup"]}', headers: json, signal: client.signal }
        const left = api('/cron/run', job).catch(() => {})
        await until(() => assert.ok(unfinished(backupFolder).length > 0 || existsSync(nightly)))
        client.abort()
        await left
      })
      assert.not(existsSync(nightly), 'the backup was finished before the service stopped')
    })
    assert.equal(readdirSync(backupFolder), [])
  }))

test('the nightly backup takes away what ended processes have left, and nothing of others', () =>
  withFolder(async folder => {
    const backupFolder = join(folder, 'backups')
    mkdirSync(backupFolder)
    await withService({ flags: { backupFolder } }, async ({ api, file }) => {
      const [dead, other] = [99_999_999, process.ppid]
      const path = (name: string) => join(backupFolder, name)
      for (const name of [
        `footfall-2026-03-01.db.partial-${dead}`,
        `old.db.partial-${other}`,
        `new.db.partial-${other}`,
      ])
        writeFileSync(path(name), 'visits')
      writeFileSync(`${file}.schema-12.partial-${dead}`, 'visits')
      utimesSync(path(`old.db.partial-${other}`), 0, 0)
      const { body } = await api('/cron/run', { method: 'POST', body: '{"jobs":["backup"]}', headers: json })
      assert.is(body.ok, true)
      assert.equal(unfinished(backupFolder), [`new.db.partial-${other}`])
      assert.equal(unfinished(join(file, '..')), [])
    })
  }))

test.run()
