// Backups of a running service, what they leave out, and putting them back; also with a kill in the midst of it.
import { spawn } from 'node:child_process'
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { connect } from '../src/database/connect.ts'
import { problemsOf } from '../src/database/copy.ts'
import { openDatabase } from '../src/database/open.ts'
import type { Db } from '../src/database/query.ts'
import { withFolder } from './folder.ts'
import { footfall, sources } from './program.ts'
import { firefox, withService, type Running } from './service.ts'

const run = (...args: string[]) => footfall(args)
const reports = ['/summary', '/pages', '/sources', '/events', '/dimensions/country', '/utm'].map(path => `${path}?from=2026-03-01&to=2026-03-31`)
const answers = ({ api }: Running): Promise<unknown[]> => Promise.all(reports.map(async path => (await api(path)).body.data))
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
  db.prepare('insert into page (path) values (?)').run(name)
  db.prepare("with recursive n (i) as (select 1 union all select i + 1 from n where i < ?) insert into page (path) select '/' || hex(randomblob(60)) || i from n where i <= ?").run(pages, pages)
  db.exec("insert into day_salt (day, salt, expires_at) values (20260310, x'c0ffee00c0ffee00c0ffee00c0ffee00', 9999999999)")
  db.close()
  return path
}
const salt = Buffer.from('c0ffee00c0ffee00c0ffee00c0ffee00', 'hex')
const nameOf = (path: string): unknown => value(path, 'select path from page where id = 1')

test('a backup made beside the service gives the same reports, and holds no salt and no login', () => withFolder(async folder => {
  const copy = join(folder, 'copy.db')
  let before: unknown[] = []
  await withService({}, async running => {
    for (const page of ['/a', '/b', '/a']) await running.hit({ page_url: `${page}?utm_source=news` }, { 'x-forwarded-for': '12.0.0.1' })
    const event = await fetch(`${running.service.url}/analytics/v1/event`, {
      method: 'POST', body: JSON.stringify({ name: 'signup', page_url: '/a' }), headers: { 'content-type': 'application/json', 'user-agent': firefox },
    })
    assert.is(event.status, 204)
    await running.settled()
    before = await answers(running)
    assert.is(value(running.file, 'select count(*) from day_salt'), 1)
    assert.is(value(running.file, 'select count(*) from login_link'), 1)
    const kept = look(running.file, db => db.prepare('select salt from day_salt').pluck().get()) as Buffer
    const { status, stdout, stderr } = run('backup', copy, '--data', running.file)
    assert.equal([status, stderr], [0, ''])
    assert.match(stdout, /copy\.db .*checked/)
    assert.not(readFileSync(copy).includes(kept))
    for (const table of ['day_salt', 'login_link', 'login_session', 'holder']) assert.is(value(copy, `select count(*) from ${table}`), 0, table)
    assert.is((statSync(copy).mode & 0o777).toString(8), '600')
    assert.equal(readdirSync(folder), ['copy.db'])
    assert.is(value(copy, 'pragma user_version'), value(running.file, 'pragma user_version'))
    const schema = "select group_concat(sql, ';') from (select sql from sqlite_schema where name not like 'sqlite_%' order by name)"
    assert.is(value(copy, schema), value(running.file, schema))
  })
  const data = join(folder, 'new.db')
  assert.is(run('restore', copy, '--data', data).status, 0)
  await withService({ file: data }, async running => {
    assert.equal(await answers(running), before)
    await running.hit({ page_url: '/a' })
    await running.settled()
    assert.is(((await running.api(reports[0] ?? '')).body.data.totals.views), 4, 'it counts on')
  })
}))

test('restore keeps the replaced file beside it, without salts', () => withFolder(folder => {
  const data = make(join(folder, 'a.db'), '/old')
  const copy = join(folder, 'copy.db')
  assert.is(run('backup', make(join(folder, 'b.db'), '/new') && copy, '--data', join(folder, 'b.db')).status, 0)
  const { status, stdout } = run('restore', copy, '--data', data)
  assert.is(status, 0)
  const kept = stdout.match(/kept as (\S+)\./)?.[1] ?? ''
  assert.equal([nameOf(data), nameOf(kept)], ['/new', '/old'])
  assert.not(readFileSync(kept).includes(salt))
  assert.equal([data, kept].map(path => (statSync(path).mode & 0o777).toString(8)), ['600', '600'])
  assert.equal(readdirSync(folder).sort(), ['a.db', 'b.db', 'copy.db', kept.slice(folder.length + 1)].sort())
}))

test('restore takes the place of a damaged file, and keeps that', () => withFolder(folder => {
  const data = join(folder, 'a.db')
  writeFileSync(data, 'no database at all '.repeat(1000))
  const copy = join(folder, 'copy.db')
  run('backup', copy, '--data', make(join(folder, 'b.db'), '/new'))
  const { status, stdout } = run('restore', copy, '--data', data)
  assert.is(status, 0)
  assert.is(nameOf(data), '/new')
  assert.match(readFileSync(stdout.match(/damaged; it is kept as (\S+)\./)?.[1] ?? '', 'utf8'), /^no database/)
}))

test('what cannot be meant is refused, and changes nothing', () => withFolder(folder => {
  const data = make(join(folder, 'a.db'), '/old', 2000)
  const copy = join(folder, 'copy.db')
  assert.is(run('backup', copy, '--data', data).status, 0)
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
    [['backup', folder, '--force'], /is not a file/],
    [['restore', path('nothing')], /There is no file/],
    [['restore', path('text')], /is no backup of Footfall/],
    [['restore', path('empty')], /is an empty database/],
    [['restore', path('foreign')], /is a database of another program/],
    [['restore', path('newer')], /written by a newer Footfall/],
    [['restore', path('half')], /is damaged/],
    [['restore', path('scratched')], /is damaged/],
  ]
  for (const [args, message] of cases) {
    const { status, stderr } = run(...args, '--data', data)
    assert.is(status, 1, args.join(' '))
    assert.match(stderr, message)
  }
  assert.is(nameOf(data), '/old')
  assert.is(nameOf(copy), '/old')
  assert.equal(readdirSync(folder).filter(name => /partial|replaced|lock/.test(name)), [])
  assert.is(run('backup', copy, '--force', '--data', data).status, 0)
  assert.is(run('backup', copy, '--data', path('nothing')).status, 1)
  assert.not(existsSync(path('nothing')))
}))

test('restore needs the file alone', () => withService({}, async ({ file }) => {
  const copy = `${file}.copy`
  run('backup', copy, '--data', file)
  const { status, stderr } = run('restore', copy, '--data', file)
  assert.is(status, 1)
  assert.match(stderr, /in use by process \d+ \(footfall serve\)/)
}))

/** Starts a command and kills it a few milliseconds after its draft has appeared. */
const killed = (args: readonly string[], folder: string, after: number): Promise<void> => new Promise(resolve => {
  const [file, ...words] = sources.command
  const child = spawn(file, [...words, ...args], { stdio: 'ignore' })
  let seen = 0
  const timer = setInterval(() => {
    if (seen === 0 && readdirSync(folder).some(name => name.includes('.partial-'))) seen = performance.now()
    if (seen > 0 && performance.now() - seen >= after) child.kill('SIGKILL')
  }, 1)
  child.on('close', () => {
    clearInterval(timer)
    resolve()
  })
})

test('killed in the midst, a backup and a restore leave the old file or the new one, and no salt', () => withFolder(async folder => {
  const data = make(join(folder, 'a.db'), '/old', 60_000)
  const [old, other, copy] = [join(folder, 'old'), join(folder, 'other.db'), join(folder, 'copy.db')]
  make(other, '/new', 60_000)
  run('backup', old, '--data', data)
  run('backup', copy, '--data', data)
  let partial = 0
  for (const after of [0, 5, 20, 60, 120, 200, 300, 400]) {
    await killed(['backup', copy, '--force', '--data', other], folder, after)
    const left = readdirSync(folder).filter(name => name.includes('.partial-'))
    partial += left.length
    assert.ok(['/old', '/new'].includes(String(nameOf(copy))))
    assert.equal(look(copy, problemsOf), [])
    for (const name of left) assert.not(readFileSync(join(folder, name)).includes(salt), 'a salt in what is left')
  }
  for (const after of [0, 5, 20, 60, 120, 200, 300, 400]) {
    await killed(['restore', old, '--data', other], folder, after)
    assert.ok(['/old', '/new'].includes(String(nameOf(other))))
    assert.equal(look(other, problemsOf), [])
    partial += readdirSync(folder).filter(name => name.includes('.partial-')).length
  }
  assert.ok(partial > 0, 'no kill came in the midst')
  run('backup', copy, '--force', '--data', data)
  run('restore', old, '--data', other)
  assert.equal(readdirSync(folder).filter(name => name.includes('.partial-')), [], 'what was left is taken away by the next')
  assert.is(nameOf(other), '/old')
}))

test.run()
