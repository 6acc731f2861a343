// The file of version 0.1.0 (schema 12) with today's code: every report, login and link as it was, and what a migration
// of every kind leaves of it.
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { connect } from '../../src/database/connect.ts'
import { quoted } from '../../src/database/copy-check.ts'
import { openDatabase } from '../../src/database/open.ts'
import type { Db } from '../../src/database/query.ts'
import { restore } from '../../src/database/restore.ts'
import { type Migration, newestVersion, type Schema, schema, versionOf } from '../../src/database/schema.ts'
import { dirtyDays } from '../../src/rollup/changes.ts'
import { rawDays, rawFrom } from '../../src/rollup/raw-from.ts'
import { rebuildDirtyDays } from '../../src/rollup/rebuild.ts'
import { isWhole } from '../../src/rollup/whole.ts'
import { chooseZone } from '../../src/rollup/zone.ts'
import { holdAnswers, recorded, writeBaseFile } from '../support/base-file.ts'
import { needs } from '../support/needs.ts'
import { temporaryFolder } from '../support/program.ts'
import { hasSalt, saltsOf } from '../support/salts.ts'

const folder = temporaryFolder()
const base = folder.path('base.db')
writeBaseFile(base)

test.after(() => folder.remove())

let copies = 0
const copyOfBase = (): string => {
  const path = folder.path(`copy-${(copies += 1)}.db`)
  copyFileSync(base, path)
  return path
}

const plucked = (db: Db, sql: string, ...values: unknown[]): any[] =>
  db
    .prepare(sql)
    .pluck()
    .all(...values)
const tablesOf = (db: Db): string[] =>
  plucked(db, "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name")
const countsOf = (db: Db): Record<string, number> =>
  Object.fromEntries(tablesOf(db).map(table => [table, plucked(db, `select count(*) from ${quoted(table)}`)[0]]))
/** The schema without comments and spaces, which `alter table` moves, and without the statistics of the planner. */
const schemaOf = (db: Db): string[] =>
  (
    db
      .prepare(
        "select type || ' ' || name || ': ' || sql as text from sqlite_schema where sql is not null and name not like 'sqlite_%'",
      )
      .all() as {
      text: string
    }[]
  )
    .map(({ text }) => text.replace(/--.*$/gm, '').replace(/["\s]+/g, ' '))
    .sort()

type Part = { type: string; name: string; sql: string }

const withLater = (...later: Migration[]): Schema => ({ ...schema, migrations: [...schema.migrations, ...later] })

test('the file is of schema 12, and holds something of every kind', () => {
  const db = connect(base, { readonly: true })
  assert.is(versionOf(db), 12)
  const counts = countsOf(db)
  db.close()
  const empty = Object.keys(counts).filter(table => counts[table] === 0)
  // What only a real shop, an alert or a moment brings.
  assert.equal(empty, ['alert_history', 'dirty_day', 'shop_purchase', 'shop_webhook'])
})

test('a new file has the schema of a migrated one', () => {
  const migrated = openDatabase(copyOfBase()).db
  const fresh = openDatabase(folder.path('fresh.db')).db
  assert.is(versionOf(migrated), newestVersion())
  assert.equal(schemaOf(migrated), schemaOf(fresh))
  migrated.close()
  fresh.close()
})

test('every report, login and link answers as version 0.1.0 did', async () => {
  assert.ok(recorded().length > 150)
  await holdAnswers(copyOfBase())
})

type Rollup = {
  dimension: string
  period: number
  value: string
  within: string
  sessions: number
  views: number
  bounces: number
}

test('visits keep less of screens, languages and versions: each sum is that of the values that became one', () => {
  const path = copyOfBase()
  const before = connect(path)
  // What the recorded traffic has not: names that browsers have frozen, and numbers that are finer than a major one.
  before.exec(`
    update client set os_version = '10' where os = 'Windows';
    update client set os_version = iif(id % 2, '10.15', '10.14') where os = 'macOS';
    update client set browser_version = browser_version || '.0' where browser = 'Firefox' and id % 2;
    insert into segment (name, filters, created_by, created_at) values ('old', '{"screen":"!390x844, 393x852,1512x982","language":"de-CH,de-AT,pt-*,zh-TW,fr-*","os_version":"macOS 10.15","page":"/a,/b"}', null, 0);
    update app_password set filters = '{"screen":"nonsense","language":"(other)"}' where uuid = (select min(uuid) from app_password);
  `)
  const rollups = (db: Db): Rollup[] =>
    db
      .prepare(
        `select dimension, period, value, within, sessions, views, bounces from dimension_rollup
         where dimension in ('screen', 'language')`,
      )
      .all() as Rollup[]
  const visits = (db: Db): any[] =>
    db
      .prepare(
        `select s.id, s.views, s.started_at, c.device, c.browser, c.browser_version, c.os, c.os_version, a.text as screen, b.text as language
         from session s join client c on c.id = s.client_id left join label a on a.id = s.screen_id left join label b on b.id = s.language_id order by s.id`,
      )
      .all()
  const [oldRollups, oldVisits] = [rollups(before), visits(before)]
  before.close()
  const { db } = openDatabase(path)

  const classOf = (screen: string): string => {
    const width = Number(screen.split('x')[0])
    const [from = 0] = [1920, 1536, 1280, 1024, 768, 430, 360, 0].filter(least => least <= width)
    return (
      {
        0: '0-359',
        360: '360-429',
        430: '430-767',
        768: '768-1023',
        1024: '1024-1279',
        1280: '1280-1535',
        1536: '1536-1919',
        1920: '1920+',
      }[from] ?? ''
    )
  }
  const plain = (tag: string): string =>
    tag.startsWith('pt-BR')
      ? 'pt-BR'
      : tag.startsWith('zh-')
        ? /TW|HK|Hant/.test(tag)
          ? 'zh-Hant'
          : 'zh-Hans'
        : (tag.split('-')[0] ?? '')
  const coarse = (visit: any): any => ({
    ...visit,
    screen: visit.screen && classOf(visit.screen),
    language: visit.language && plain(visit.language),
    browser_version: visit.browser_version?.split('.')[0] ?? null,
    os_version:
      visit.os === 'Windows' || visit.os_version === '10.15'
        ? null
        : visit.os_version === '10.14'
          ? '10'
          : visit.os_version,
  })
  assert.ok(oldVisits.length > 1000)
  const kept = visits(db)
  // Of Android the same versions are frozen as of Windows.
  const frozen = (visit: any): any =>
    visit.os === 'Android' && visit.os_version === '10' ? { ...visit, os_version: null } : visit
  assert.equal(kept, oldVisits.map(coarse).map(frozen))

  const sums = (rows: readonly Rollup[]): Record<string, number[]> => {
    const all: Record<string, number[]> = {}
    for (const { dimension, period, value, within, sessions, views, bounces } of rows) {
      const name = value === '' ? '' : dimension === 'screen' ? classOf(value) : plain(value)
      const sum = (all[[dimension, period, name, within].join(' ')] ??= [0, 0, 0])
      ;[sessions, views, bounces].forEach((figure, index) => (sum[index] = (sum[index] ?? 0) + figure))
    }
    return all
  }
  assert.equal(
    Object.fromEntries(
      rollups(db)
        .map(({ dimension, period, value, within, sessions, views, bounces }): [string, number[]] => [
          [dimension, period, value, within].join(' '),
          [sessions, views, bounces],
        ])
        .sort(),
    ),
    Object.fromEntries(Object.entries(sums(oldRollups)).sort()),
  )
  assert.equal(plucked(db, "select count(*) from dimension_rollup where dimension = 'timezone'"), [0])
  assert.equal(plucked(db, 'select count(*) from packed_day'), [0])
  assert.equal(
    plucked(db, "select text from label where text glob '*[0-9]x[0-9]*' or text glob 'Europe/*' or text glob 'de-*'"),
    [],
  )
  assert.equal(JSON.parse(plucked(db, "select filters from segment where name = 'old'")[0]), {
    screen: '!360-429,1280-1535',
    language: 'de,pt-*,zh-Hant,fr',
    os_version: 'macOS',
    page: '/a,/b',
  })
  assert.equal(JSON.parse(plucked(db, 'select filters from app_password where filters is not null order by uuid')[0]), {
    screen: 'nonsense',
    language: '(other)',
  })
  db.close()
})

test('after the days on which a visitor had two of what is one now, the single visits give the sums again', () => {
  const path = copyOfBase()
  const before = connect(path)
  const zone = chooseZone(before, null)
  // The second visit of a visitor gets another screen of the same width, in its row and in the sums of its day.
  const pairs = before
    .prepare(
      `select two.id, two.screen_id, two.started_at as at, two.views, two.views = 1 and two.events = 0 as bounced, l.text
       from session one
       join session two on two.visitor_id = one.visitor_id and two.id > one.id and two.screen_id = one.screen_id
       join label l on l.id = two.screen_id
       where two.started_at < one.started_at + 14400
       group by one.visitor_id
       having count(*) = 1 and max(one.rekeyed_visitor_id) is null and max(two.rekeyed_visitor_id) is null`,
    )
    .all() as { id: number; at: number; views: number; bounced: number; text: string }[]
  const [pair] = pairs.filter(({ at }) => zone.hourOf(at) > 5 && zone.hourOf(at) < 20)
  assert.ok(pair)
  const day = zone.dayOf(pair.at)
  const other = pair.text.replace(/x.*/, 'x1')
  before.prepare('insert into label (text, hash) values (?, text_hash(?))').run(other, other)
  before
    .prepare('update session set screen_id = (select id from label where text = ?) where id = ?')
    .run(other, pair.id)
  before
    .prepare(
      `update dimension_rollup set sessions = sessions - 1, views = views - ?, bounces = bounces - ?
       where dimension = 'screen' and period = ? and value = ?`,
    )
    .run(pair.views, pair.bounced, day, pair.text)
  before
    .prepare("insert into dimension_rollup values ('screen', ?, ?, '', 1, 1, ?, ?)")
    .run(day, other, pair.views, pair.bounced)
  before.close()
  const { db } = openDatabase(path)
  assert.equal(
    dirtyDays(db).map(one => one.day),
    [day],
  )
  assert.not(isWhole(db, zone, day))
  rebuildDirtyDays(db, zone)
  const from = rawFrom(db)
  assert.equal(
    rawDays(db, zone).filter(day => day >= from && !isWhole(db, zone, day)),
    [],
  )
  db.close()
})

/** Makes a table again, as SQLite's documentation says: with all that hangs on it, and without views meanwhile. */
const rebuild =
  (table: string): Migration =>
  db => {
    const views = db.prepare("select name, sql from sqlite_schema where type = 'view'").all() as Part[]
    const parts = db
      .prepare("select type, name, sql from sqlite_schema where tbl_name = ? and type <> 'view' and sql is not null")
      .all(table) as Part[]
    const create = parts.find(({ type }) => type === 'table')?.sql ?? ''
    for (const { name } of views) db.exec(`drop view ${quoted(name)}`)
    db.exec(create.replace(new RegExp(`^create table "?${table}"?`, 'i'), 'create table made_again'))
    db.exec(`insert into made_again select * from ${quoted(table)}`)
    db.exec(`drop table ${quoted(table)}`)
    db.exec(`alter table made_again rename to ${quoted(table)}`)
    for (const { type, sql } of [...parts, ...views]) if (type !== 'table') db.exec(sql)
  }

test('a migration may make any table again: no row of any table is lost, and no answer changes', async () => {
  const path = copyOfBase()
  const opened = openDatabase(path)
  const before = countsOf(opened.db)
  const [tables, shape] = [tablesOf(opened.db), schemaOf(opened.db)]
  const parents = plucked(
    opened.db,
    'select distinct parent."table" from sqlite_schema as s join pragma_foreign_key_list(s.name) as parent where s.type = \'table\'',
  )
  opened.db.close()
  assert.equal(parents.sort(), ['funnel', 'goal', 'session', 'user'])
  const { db } = openDatabase(path, { schema: withLater(...tables.map(rebuild)) })
  assert.equal(countsOf(db), before)
  assert.equal(schemaOf(db), shape)
  assert.equal(db.pragma('integrity_check', { simple: true }), 'ok')
  // The next version of the program would have these migrations; this one has not.
  db.pragma(`user_version = ${newestVersion()}`)
  db.close()
  await holdAnswers(path)
})

test('a migration is undone by the copy that was made before: no row, login or salt is lost, and no copy has a salt', async () => {
  const path = copyOfBase()
  const before = connect(path, { readonly: true })
  const [counts, shape, salts] = [countsOf(before), schemaOf(before), plucked(before, 'select salt from day_salt')]
  assert.ok(salts.length > 0)
  before.close()
  const { db, copy } = openDatabase(path, { schema: withLater('create table later (id integer primary key) strict') })
  db.close()
  const { kept, undone } = restore(copy ?? '', path, 'stamp')
  assert.is(undone, true)
  assert.equal(
    saltsOf(path).map(({ salt }) => salt),
    salts.map(salt => salt.toString('hex')),
  )
  for (const file of [copy ?? '', kept ?? '']) {
    assert.is((statSync(file).mode & 0o777).toString(8), '600')
    for (const salt of salts) assert.not(hasSalt(readFileSync(file), salt.toString('hex')), `${file} has a salt`)
  }
  const after = connect(path, { readonly: true })
  assert.is(versionOf(after), 12)
  // Who had the file to itself is nobody any more.
  assert.equal([countsOf(after), schemaOf(after)], [{ ...counts, holder: 0 }, shape])
  after.close()
  await holdAnswers(path)
})

/** Runs a migration as a process of its own, whose files may have so many bytes. */
const migrateWithin = (bytes: number, path: string, migration: string) =>
  spawnSync(
    'prlimit',
    [
      `--fsize=${bytes}`,
      process.execPath,
      join(process.argv[1] ?? '', '../../drill/migrate-child.mjs'),
      path,
      migration,
    ],
    { encoding: 'utf8' },
  )

needs('prlimit')(
  'a migration that the disk has no room for is refused with a sentence, and the file is as it was',
  () => {
    const path = copyOfBase()
    const bytes = readFileSync(path)
    const large = `create table later (id integer primary key, text text) strict;
    with recursive n (i) as (select 1 union all select i + 1 from n where i < 4000)
    insert into later select i, hex(randomblob(1000)) from n`
    // No room for the copy; then for the copy alone.
    for (const limit of [bytes.length / 2, bytes.length + 100_000]) {
      const { status, stderr } = migrateWithin(Math.round(limit), path, large)
      assert.is(status, 1)
      assert.match(stderr, `DatabaseError: ${path} could not be written`)
      assert.match(stderr, 'Is the disk full?')
      assert.ok(readFileSync(path).equals(bytes), 'the file was changed')
      assert.not(existsSync(`${path}-wal`))
    }
    assert.is(migrateWithin(100_000_000, path, large).status, 0)
  },
)

test.run()
