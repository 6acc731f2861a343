// Archives: what retention puts away, and what comes back from it.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { archiveBefore, archiveFolder, writeArchiveDay } from '../../src/archive/retention.ts'
import { rollupRows } from '../../src/archive/rollups.ts'
import { addDays } from '../../src/lib/time.ts'
import { sumPeriods } from '../../src/rollup/periods.ts'
import { rawFrom } from '../../src/rollup/raw-from.ts'
import { rollupTables } from '../../src/rollup/tables.ts'
import {
  drifted,
  fill,
  firstDay,
  lastDay,
  reports,
  rows,
  secrets,
  timezone,
  withDb,
  withoutTexts,
  zone,
} from '../support/archive-traffic.ts'
import { footfallHere } from '../support/command.ts'
import { withFolder } from '../support/folder.ts'
import { footfall } from '../support/program.ts'
import { saltsOf } from '../support/salts.ts'
import { statement } from '../support/statements.ts'

test('an archive carries every table of rollups', () => {
  assert.is(rollupRows.length, rollupTables.length)
})

const second = Date.parse('2026-05-01T00:00:00Z') / 1000

const kept: { file?: string; reports?: Record<string, unknown> } = {}
const folderOf = (path: string): string => archiveFolder(path)

/** The same days for every test; filling takes longer than copying. */
const withTraffic = (
  work: (file: string, before: Record<string, unknown>, folder: string) => Promise<void>,
): Promise<void> =>
  withFolder(async folder => {
    const file = join(folder, 'test.db')
    if (kept.file === undefined) {
      await fill(file)
      kept.reports = await reports(file)
      kept.file = readFileSync(file).toString('latin1')
    } else writeFileSync(file, Buffer.from(kept.file, 'latin1'), { mode: 0o600 })
    await work(file, kept.reports ?? {}, folder)
  })

const bringBack = (data: string, archive: string, ...more: string[]) =>
  footfallHere(['import', archive, '--format', 'archive', '--data', data, ...more])
const exportTo = (data: string, archive: string, ...more: string[]) =>
  footfallHere(['export', archive, '--format', 'archive', '--data', data, ...more])

// Labels by their text: retention deletes those that nothing names, and an archive adds them again.
const label = (column: string): string => `(select text from label where id = ${column}) as ${column}`
const raw = [
  `select id, visitor_id, rekeyed_visitor_id, started_at, ended_at, views, events, entry_page_id, exit_page_id,
    origin_id, campaign_id, place_id, client_id, ${['screen_id', 'language_id'].map(label).join(', ')}
  from session order by id`,
  `select id, session_id, visitor_id, page_id, ${label('title_id')}, seconds, scroll from view order by id`,
  `select id, session_id, visitor_id, page_id, ${label('name_id')}, value, order_id from event order by id`,
  `select event_id, ${label('key_id')}, ${label('value_id')} from event_property order by 1, 2`,
]
const rawRows = async (file: string): Promise<unknown[]> => Promise.all(raw.map(sql => rows(file, sql)))

const archivesOf = (file: string): string[] => (existsSync(folderOf(file)) ? readdirSync(folderOf(file)).sort() : [])

const lines = (path: string): string[] =>
  (path.endsWith('.gz') ? gunzipSync(readFileSync(path)).toString() : readFileSync(path, 'utf8')).split('\n')

test('what retention puts away changes no report, and comes back as it was', () =>
  withTraffic(async (file, before) => {
    const rawBefore = await rawRows(file)
    await withDb(file, async db => {
      assert.ok((await archiveBefore(db, zone, addDays(lastDay, 5), folderOf(file), second)) > 0)
      assert.is(db.prepare('select count(*) from view').pluck().get(), 0)
      assert.is(db.prepare('select count(*) from event').pluck().get(), 0)
      assert.is(rawFrom(db), addDays(lastDay, 5))
    })
    // A view after midnight of the last evening has its own day.
    assert.equal(
      archivesOf(file),
      [
        '2026-03-27',
        '2026-03-28',
        '2026-03-29',
        '2026-03-30',
        '2026-03-31',
        '2026-04-01',
        '2026-04-02',
        '2026-04-03',
      ].map(day => `${day}.ndjson.gz`),
    )
    for (const name of archivesOf(file)) assert.is(statSync(join(folderOf(file), name)).mode & 0o777, 0o600)
    assert.is(statSync(folderOf(file)).mode & 0o777, 0o700)
    assert.equal(withoutTexts(await reports(file)), withoutTexts(before))

    // In no particular order; only with the last of them all later days are complete.
    const names = archivesOf(file)
    for (const name of [...names.slice(3), ...names.slice(0, 3)]) {
      const { status, stderr, stdout } = await bringBack(file, join(folderOf(file), name))
      assert.is(`${stderr}${status}`, '0', name)
      assert.match(stdout, '1  days imported')
    }
    assert.equal(await rawRows(file), rawBefore)
    assert.equal(await drifted(file), [])
    assert.is(await withDb(file, rawFrom), 0)
    assert.equal(await reports(file), before)
  }))

test('days that came back count as complete only if all later ones are', () =>
  withTraffic(async file => {
    await withDb(file, db => archiveBefore(db, zone, 20260402, folderOf(file), second))
    const back = (day: string) => bringBack(file, join(folderOf(file), `${day}.ndjson.gz`))
    const from = (): Promise<number> => withDb(file, rawFrom)
    assert.is((await back('2026-03-29')).status, 0)
    assert.is(await from(), 20260402)
    assert.is((await back('2026-04-01')).status, 0)
    assert.is(await from(), 20260401)
    assert.is((await back('2026-03-31')).status, 0)
    assert.is(await from(), 20260331)
    assert.is((await back('2026-03-30')).status, 0)
    // 2026-03-29 was there already.
    assert.is(await from(), 20260329)
    // What came back is put away again, also below the first complete day.
    await withDb(file, db => archiveBefore(db, zone, 20260402, folderOf(file), second))
    assert.is(await from(), 20260402)
    assert.is((await back('2026-03-29')).status, 0)
  }))

test('a new file made of an archive has every report as the old one did, before and after a purge', () =>
  withTraffic(async (file, before, folder) => {
    const whole = join(folder, 'whole.ndjson.gz')
    assert.is((await exportTo(file, whole)).status, 0)
    assert.is(statSync(whole).mode & 0o777, 0o600)
    const copy = join(folder, 'copy.db')
    const { status, stderr, stdout } = await bringBack(copy, whole)
    assert.is(`${stderr}${status}`, '0')
    assert.match(stdout, '8  days imported: 2026-03-27 to 2026-04-03')
    assert.equal(await reports(copy), before)
    assert.equal(await drifted(copy), [])
    assert.equal(await rows(copy, "select value from installation where name = 'timezone'"), [[timezone]])
    assert.equal(
      await rows(copy, 'select * from ledger order by 1, 2'),
      await rows(file, 'select * from ledger order by 1, 2'),
    )
    const sums = 'select period, sum(visitors), sum(views) from page_rollup where period % 100 = 0 group by 1'
    await withDb(file, db => sumPeriods(db, 20260701))
    await withDb(copy, db => sumPeriods(db, 20260701))
    assert.equal(await rows(copy, sums), await rows(file, sums))

    // Sums alone of the first days, single visits of the last ones.
    await withDb(file, db => archiveBefore(db, zone, 20260401, folderOf(file), second))
    const rest = join(folder, 'rest.ndjson')
    assert.is((await exportTo(file, rest)).status, 0)
    assert.equal(
      lines(rest)
        .filter(line => line.includes('"archive_day"'))
        .map(line => JSON.parse(line).single_visits),
      [false, false, false, false, false, true, true, true],
    )
    const other = join(folder, 'other.db')
    assert.is((await bringBack(other, rest)).status, 0)
    assert.equal(withoutTexts(await reports(other)), withoutTexts(before))
    assert.is(await withDb(other, rawFrom), 20260401)
    assert.equal(await drifted(other, 20260401), [])
    // The new file is another installation, and its days of sums get their single visits from the same source: all at
    // once.
    const all = Buffer.concat(archivesOf(file).map(name => readFileSync(join(folderOf(file), name))))
    const back = footfall(['import', '-', '--format', 'archive', '--data', other], { input: all })
    assert.is(`${back.stderr}${back.status}`, '0')
    assert.is(await withDb(other, rawFrom), 0)
    assert.equal(await drifted(other), [])
    assert.equal(await reports(other), before)
    assert.equal(await rows(other, 'select count(*) from session'), await rows(copy, 'select count(*) from session'))
  }))

test('numbers of other installations keep apart, and find back over a third one', () =>
  withTraffic(async (file, before, folder) => {
    const numbers = (path: string) =>
      rows(path, 'select id % 1099511627776, visitor_id % 1099511627776 from session order by 1')
    const first = join(folder, 'first.ndjson')
    await exportTo(file, first, '--to', '2026-03-29')
    const second = join(folder, 'second.ndjson')
    await exportTo(file, second, '--from', '2026-03-30')
    const copy = join(folder, 'copy.db')
    // The later days first: until the earlier ones come, the first of them is the first complete one.
    assert.is((await bringBack(copy, second)).status, 0)
    assert.is(await withDb(copy, rawFrom), 20260330)
    assert.is((await bringBack(copy, first)).status, 0)
    assert.is(await withDb(copy, rawFrom), 0)
    assert.equal(await rows(copy, 'select distinct id / 1099511627776 from session'), [[1]])
    assert.equal(await rows(copy, 'select distinct visitor_id / 1099511627776 from view'), [[1]])
    assert.equal(await rows(copy, 'select number from archive_origin'), [[1]])
    assert.equal(await numbers(copy), await numbers(file))
    assert.equal(await rows(copy, statement('session.next-id')), [[1]])
    assert.equal(await reports(copy), before)

    const again = join(folder, 'again.ndjson')
    await exportTo(copy, again)
    const third = join(folder, 'third.db')
    assert.is((await bringBack(third, again)).status, 0)
    assert.equal(await rows(third, 'select distinct id / 1099511627776 from session'), [[2]])
    assert.equal(await reports(third), before)
    // And home again, after the days were put away there.
    const rawBefore = await rawRows(file)
    await withDb(file, db => archiveBefore(db, zone, 20260501, folderOf(file), 1777593600))
    assert.is((await bringBack(file, again)).status, 0)
    assert.equal(await rawRows(file), rawBefore)
  }))

test('a day that has its single visits is refused, and replaced on demand', () =>
  withTraffic(async (file, before, folder) => {
    const whole = join(folder, 'whole.ndjson.gz')
    await exportTo(file, whole)
    const rawBefore = await rawRows(file)
    const refused = await bringBack(file, whole)
    assert.is(refused.status, 1)
    assert.match(refused.stderr, /--replace/)
    assert.match(refused.stdout, '8  days already present: 2026-03-27 to 2026-04-03')
    assert.equal(await rawRows(file), rawBefore)

    // A day that has lost rows and gained others.
    await withDb(file, db => {
      db.exec(
        'delete from view where id in (select id from view where page_id = (select page_id from view order by id limit 1)); update view set seconds = 99 where seconds is null',
      )
      for (const day of [20260327, 20260328, 20260329, 20260401])
        db.prepare('insert into dirty_day values (?, 1)').run(day)
    })
    const { status, stderr } = await bringBack(file, whole, '--replace')
    assert.is(`${stderr}${status}`, '0')
    assert.equal(await rawRows(file), rawBefore)
    assert.equal(await drifted(file), [])
    assert.equal(await reports(file), before)
  }))

test('an archive of another zone, none at all and a cut one are refused with a sentence', () =>
  withTraffic(async (file, before, folder) => {
    const whole = join(folder, 'whole.ndjson.gz')
    await exportTo(file, whole)
    const other = join(folder, 'other.db')
    const wished = await bringBack(other, whole, '--timezone', 'UTC')
    assert.is(wished.status, 1)
    assert.match(wished.stderr, 'those of Europe/Berlin, not of UTC')
    assert.is((await bringBack(other, whole, '--timezone', timezone)).status, 0)
    const csv = join(folder, 'x.csv')
    writeFileSync(csv, 'a,b\n')
    assert.match((await bringBack(other, csv)).stderr, 'no archive of Footfall')
    writeFileSync(csv, '{"footfall_archive":1}\n')
    assert.match((await bringBack(other, csv)).stderr, 'has the format 1')

    const packed = readFileSync(whole)
    const cut = join(folder, 'cut.ndjson.gz')
    writeFileSync(cut, packed.subarray(0, Math.floor(packed.length * 0.7)))
    const half = join(folder, 'half.db')
    const { status, stderr } = await bringBack(half, cut)
    assert.is(status, 1)
    assert.match(stderr, /cut off or damaged after line \d+/)
    assert.equal(await drifted(half), [])
    const there = (await rows(half, 'select day from site_day order by day')).length
    assert.ok(there > 0 && there < 7, `${there} days`)
    // The whole one brings the rest.
    const rest = await bringBack(half, whole)
    assert.match(rest.stdout, /days already present/)
    assert.equal(await reports(half), before)

    // Whole days are missing at the end.
    const text = lines(whole)
    const end = text.findIndex(line => line.includes('"archive_day"'))
    writeFileSync(cut.replace('.gz', ''), `${text.slice(0, end + 1).join('\n')}\n`)
    assert.match((await bringBack(join(folder, 'one.db'), cut.replace('.gz', ''))).stderr, 'ends before 2026-04-03')
  }))

test('an archive holds no salt, no hash, no address and no user agent', () =>
  withTraffic(async (file, _, folder) => {
    const hidden = await withDb(
      file,
      db =>
        [
          ...saltsOf(file).map(({ salt }) => salt),
          ...db.prepare('select hash from visitor').pluck().all(),
          ...db.prepare("select value from installation where name = 'identity_key'").pluck().all(),
          ...db.prepare('select password_hash from user').pluck().all(),
          ...db.prepare('select hash from app_password').pluck().all(),
          ...db.prepare('select key from recent_id').pluck().all(),
        ] as (Buffer | string)[],
    )
    assert.ok(hidden.length > 10)
    await withDb(file, db => writeArchiveDay(db, zone, firstDay, folderOf(file), second))
    await exportTo(file, join(folder, 'whole.ndjson'))
    const csv = join(folder, 'whole.csv')
    assert.is((await footfallHere(['export', csv, '--format', 'csv', '--data', file])).status, 0)
    const texts = [
      readFileSync(join(folder, 'whole.ndjson')),
      readFileSync(csv),
      gunzipSync(readFileSync(join(folderOf(file), '2026-03-27.ndjson.gz'))),
    ]
    for (const bytes of texts) {
      assert.ok(bytes.includes('/p/1'))
      for (const secret of secrets) assert.not(bytes.includes(secret), secret)
      for (const one of hidden) {
        const plain = Buffer.from(one)
        for (const form of [plain, Buffer.from(plain.toString('hex')), Buffer.from(plain.toString('base64'))])
          assert.not(bytes.includes(form))
      }
    }
  }))

test('a stop at any step of putting away loses nothing and doubles nothing', () =>
  withTraffic(async (file, before) => {
    const rawBefore = await rawRows(file)
    const day = join(folderOf(file), '2026-03-27.ndjson.gz')
    await withDb(file, async db => {
      // Archived, not yet deleted; and a draft that was never finished.
      await writeArchiveDay(db, zone, firstDay, folderOf(file), second)
      writeFileSync(`${day}.partial-99999999`, 'half')
      await archiveBefore(db, zone, firstDay + 1, folderOf(file), second)
    })
    const whole = readFileSync(day)
    assert.equal(archivesOf(file), ['2026-03-27.ndjson.gz'])
    // Deleted in part: the archive of the whole day must stay.
    assert.is((await bringBack(file, day)).status, 0)
    await withDb(file, async db => {
      db.exec(
        "insert into installation values ('raw_from', 20260328) on conflict (name) do update set value = excluded.value",
      )
      db.exec('delete from view where id in (select id from view order by id limit 4)')
      await archiveBefore(db, zone, firstDay + 1, folderOf(file), second + 60)
    })
    assert.equal(readFileSync(day), whole)
    assert.equal(withoutTexts(await reports(file)), withoutTexts(before))
    assert.is((await bringBack(file, day)).status, 0)
    assert.equal(await rawRows(file), rawBefore)
    // Deleted in part, and brought back before the rest was deleted.
    await withDb(file, db =>
      db.exec(
        "insert into installation values ('raw_from', 20260328) on conflict (name) do update set value = excluded.value; delete from event where id in (select id from event order by id limit 1)",
      ),
    )
    assert.is((await bringBack(file, day)).status, 0)
    assert.equal(await rawRows(file), rawBefore)
    assert.is(await withDb(file, rawFrom), 0)
  }))

test('numbers of sessions are not given again when all were put away', () =>
  withTraffic(async file => {
    const next = statement('session.next-id')
    const number = await rows(file, next)
    await withDb(file, db => archiveBefore(db, zone, 20260501, folderOf(file), second))
    assert.equal(await rows(file, 'select count(*) from session'), [[0]])
    assert.equal(await rows(file, next), number)
  }))

/** The lines that only the first of two archives has; checksums of days include the first line, with the time. */
const without = (all: readonly string[], others: readonly string[]): string[] => {
  const known = new Set(others)
  return all.filter(line => !known.has(line) && !line.includes('"table":"archive_day"'))
}

test('an export after an export says the same, before and after a purge, and takes the place of an earlier file', () =>
  withTraffic(async (file, _, folder) => {
    const path = join(folder, 'all.ndjson')
    const at = '2026-05-01T00:00:00Z'
    const exported = async (): Promise<string[]> => {
      const args = ['export', path, '--format', 'archive', '--data', file]
      assert.is((await footfallHere(args, { at })).status, 0)
      // The first line has the time of the export.
      return lines(path).slice(1)
    }
    const first = await exported()
    assert.ok((await exported()).join() === first.join())
    await withDb(file, db => archiveBefore(db, zone, addDays(firstDay, 2), folderOf(file), second))
    const purged = await exported()
    assert.ok(purged.length < first.length, 'the longer file before it is gone')
    assert.ok((await exported()).join() === purged.join())
    const sums = (all: readonly string[]): string[] =>
      all.filter(
        line => line.startsWith('{"type":"rollup"') && !/"table":"(archive_day|event_property|title)"/.test(line),
      )
    assert.equal(without(sums(purged), sums(first)), [])
    assert.equal(without(sums(first), sums(purged)), [])
    for (const name of archivesOf(file)) assert.is((await bringBack(file, join(folderOf(file), name))).status, 0)
    const restored = await exported()
    assert.equal(without(restored, first), [])
    assert.equal(without(first, restored), [])
    assert.ok((await exported()).join() === restored.join())
  }))

test('days that are put away again have archives without what was erased meanwhile', () =>
  withTraffic(async (file, _, folder) => {
    const put = (): Promise<number> =>
      withDb(file, db => archiveBefore(db, zone, addDays(firstDay, 2), folderOf(file), second))
    const textsOf = (): string[] =>
      archivesOf(file).map(name => gunzipSync(readFileSync(join(folderOf(file), name))).toString())
    assert.ok((await put()) > 0)
    const before = textsOf()
    assert.is(await put(), 0)
    assert.equal(textsOf(), before)
    assert.ok(before.every(text => text.includes('/q/')))
    for (const name of archivesOf(file)) assert.is((await bringBack(file, join(folderOf(file), name))).status, 0)
    for (let page = 0; page < 7; page++)
      await footfallHere(['forget', '--page', `shop.example/q/${page}`, '--data', file])
    assert.ok((await put()) > 0)
    assert.not.ok(textsOf().some(text => text.includes('/q/')))
    const copy = join(folder, 'copy.db')
    for (const name of archivesOf(file)) assert.is((await bringBack(copy, join(folderOf(file), name))).status, 0)
    assert.equal(await drifted(copy), [])
  }))

test.run()
