// The commands: export to files and to the standard output, while a service runs; imports that are killed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openReadOnly } from '../../src/database/open.ts'
import { createZone } from '../../src/lib/time.ts'
import { drifted, flags, rows } from '../support/archive-traffic.ts'
import { footfallHere } from '../support/command.ts'
import { withFolder } from '../support/folder.ts'
import { footfall, sources } from '../support/program.ts'
import { firefox, withService } from '../support/service.ts'
import { until } from '../support/wait.ts'

/** Rows of a CSV by the rules of RFC 4180. */
const parseCsv = (text: string): string[][] => {
  const found = [...text.matchAll(/("(?:[^"]|"")*"|[^,\n]*)(,|\n)/g)]
  const table: string[][] = [[]]
  for (const [, cell = '', end] of found) {
    table.at(-1)?.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)
    if (end === '\n') table.push([])
  }
  return table.slice(0, -1)
}

const views = ['=1+1', '+49', '-x', '@me', '\ttab', 'a,"b"', 'plain\nline', 'O’Neil']

test('a table of views while the service runs: one row a view, quoted, and no formula', () =>
  withService({ start: '2026-03-10T12:00:00Z', flags }, async ({ file, hit, clock, settled }) => {
    for (const [index, title] of views.entries()) {
      await hit(
        { page_url: `/p/${index}?utm_source==cmd`, title, referrer: 'https://www.google.de/' },
        { 'x-forwarded-for': `203.0.${index}.7` },
      )
      clock.now += 60_000
    }
    clock.now += 86_400_000
    await hit({ page_url: '/late' })
    await settled()
    const { status, stdout, stderr } = footfall(['export', '--format', 'csv', '--to', '2026-03-10', '--data', file])
    assert.is(`${stderr}${status}`, '0')
    const [head = [], ...table] = parseCsv(stdout)
    assert.equal(head.slice(0, 8), ['time', 'day', 'visitor', 'session', 'host', 'page', 'title', 'seconds'])
    assert.is(table.length, views.length)
    const cellsOf = (name: string): string[] => table.map(row => row[head.indexOf(name)] ?? 'none')
    // What collection trims is trimmed here as well; what begins like a formula is led by an apostrophe.
    assert.equal(cellsOf('title'), ["'=1+1", "'+49", "'-x", "'@me", 'tab', 'a,"b"', 'plain line', 'O’Neil'])
    assert.equal(
      cellsOf('utm_source'),
      views.map(() => "'=cmd"),
    )
    assert.equal(
      cellsOf('channel'),
      views.map(() => 'Organic Search'),
    )
    assert.is(table[0]?.[0], '2026-03-10T12:00:00Z')
    assert.equal(new Set(cellsOf('day')), new Set(['2026-03-10']))
    assert.is(
      table.some(row => row.some(cell => /^[=+\-@\t\r]/.test(cell))),
      false,
    )

    // The archive of the day under way contains what its single visits add up to, even where rollups are behind.
    await hit({ page_url: '/just-now' })
    const path = join(file, '../now.ndjson.gz')
    assert.is((await footfallHere(['export', path, '--format', 'archive', '--data', file])).status, 0)
    const lines = gunzipSync(readFileSync(path))
      .toString()
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))
    assert.equal(
      [lines[0].footfall_archive, lines[0].timezone, lines[0].from, lines[0].to],
      [3, 'Europe/Berlin', '2026-03-10', '2026-03-11'],
    )
    assert.equal(
      [...new Set(lines.slice(1).map(line => line.type))],
      ['session', 'view', 'ledger', 'rollup'].filter(type => lines.some(line => line.type === type)),
    )
    assert.is(lines.filter(line => line.type === 'view').length, views.length + 2)
    const copy = join(file, '../copy.db')
    assert.is((await footfallHere(['import', path, '--format', 'archive', '--data', copy])).status, 0)
    assert.equal(await rows(copy, 'select sum(views) from site_day'), [[views.length + 2]])
  }))

test('an import needs the file alone', () =>
  withService({ flags }, async ({ file }) => {
    const { status, stderr } = footfall(['import', '-', '--format', 'archive', '--data', file])
    assert.is(status, 1)
    assert.match(stderr, 'is in use by')
  }))

test('wrong names and days, and files that cannot be written, are said', () =>
  withFolder(async folder => {
    const data = join(folder, 'test.db')
    assert.match(footfall(['export', '--format', 'csv', '--data', data]).stderr, 'There is no database')
    writeFileSync(join(folder, 'empty.csv'), '')
    await footfallHere(['import', join(folder, 'empty.csv'), '--format', 'requests', '--data', data])
    const run = (...args: string[]) => footfallHere(['export', ...args, '--data', data])
    assert.equal(
      [
        (await run('--format', 'xml')).status,
        (await run('--format', 'csv', '--from', '2026-02-30')).status,
        (await run('--format', 'csv', '--from', '2026-03-02', '--to', '2026-03-01')).status,
      ],
      [2, 2, 2],
    )
    assert.match((await run(join(folder, 'none/x.csv'), '--format', 'csv')).stderr, 'cannot be written')
    assert.match((await run(data, '--format', 'csv')).stderr, 'is the database itself')
    assert.match((await run('/dev/null', '--format', 'csv')).stderr, /^$/)
    assert.ok(existsSync('/dev/null') && !statSync('/dev/null').isFile())
    const { stdout, status } = footfall(['export', '-', '--format', 'archive', '--data', data])
    assert.is(status, 0)
    assert.equal(stdout.trimEnd().split('\n').length, 1)
    // An archive without a day comes in as well.
    writeFileSync(join(folder, 'empty.ndjson'), stdout)
    assert.is(
      (await footfallHere(['import', join(folder, 'empty.ndjson'), '--format', 'archive', '--data', data])).status,
      0,
    )
    assert.equal(unfinished(folder), [])
  }))

const unfinished = (folder: string): string[] => readdirSync(folder).filter(name => name.includes('.partial-'))

const recording = (count: number): string =>
  Array.from(
    { length: count },
    (_, index) =>
      `${JSON.stringify({
        endpoint: index % 4 === 3 ? 'event' : 'hit',
        time: new Date(Date.parse('2026-01-01T00:00:00Z') + index * 60_000).toISOString(),
        ip: `203.0.${index % 97}.7`,
        user_agent: firefox,
        body:
          index % 4 === 3
            ? { name: 'signup', properties: { plan: `p${index % 3}` } }
            : { page_url: `/p/${index % 50}?utm_source=s${index % 9}`, title: `T${index % 11}` },
      })}\n`,
  ).join('')

const tables = [
  'select id % 1099511627776, started_at, views, events from session order by id',
  'select id, session_id % 1099511627776 from view order by id',
  'select id, value from event order by id',
  'select * from site_day order by day',
  'select day, hour, views from hour_day order by 1, 2',
  'select * from ledger order by 1, 2',
]

/** Kills a program as soon as it has come so far. */
const killWhen = async (isFarEnough: () => boolean, [program = '', ...words]: readonly string[]): Promise<void> => {
  const child = spawn(program, words, { stdio: 'ignore' })
  const closed = once(child, 'close')
  while (child.exitCode === null && !isFarEnough()) await wait(5)
  assert.is(child.exitCode, null, 'it was finished before it was killed')
  child.kill('SIGKILL')
  await closed
}

const daysIn = (file: string): number => {
  try {
    const db = openReadOnly(file)
    try {
      return Number(db.prepare('select count(*) from import_progress').pluck().get())
    } finally {
      db.close()
    }
  } catch {
    // It is only being made.
    return 0
  }
}

test('killed in the middle and started again, an import brings back every day once', () =>
  withFolder(async folder => {
    const source = join(folder, 'source.db')
    const requests = join(folder, 'requests.ndjson')
    writeFileSync(requests, recording(40_000))
    assert.is((await footfallHere(['import', requests, '--format', 'requests', '--data', source])).status, 0)
    const archive = join(folder, 'whole.ndjson.gz')
    assert.is((await footfallHere(['export', archive, '--format', 'archive', '--data', source])).status, 0)
    const expected = await Promise.all(tables.map(sql => rows(source, sql)))

    const killed = join(folder, 'killed.db')
    const [program, ...words] = sources.command
    // On a busy machine a program may come to its end while the test does not run: then it begins again.
    await until(async () => {
      for (const end of ['', '-wal', '-shm', '-lock']) rmSync(`${killed}${end}`, { force: true })
      for (const days of [1, 5, 9])
        await killWhen(
          () => daysIn(killed) >= days,
          [program, ...words, 'import', archive, '--format', 'archive', '--data', killed],
        )
    })
    const { status, stdout, stderr } = await footfallHere(['import', archive, '--format', 'archive', '--data', killed])
    assert.is(`${stderr}${status}`, '0')
    assert.match(stdout, 'days imported before the interruption: 2026-01-01')
    assert.equal(await Promise.all(tables.map(sql => rows(killed, sql))), expected)
    assert.equal(await drifted(killed, 0, createZone('UTC')), [])
    // Days there are not taken twice, which is said as a refusal once the import was finished.
    const again = await footfallHere(['import', archive, '--format', 'archive', '--data', killed])
    assert.is(again.status, 1)
    assert.match(again.stdout, '28  days already present: 2026-01-01 to 2026-01-28')
    assert.equal(await Promise.all(tables.map(sql => rows(killed, sql))), expected)

    // A killed export leaves no file that could be taken for one.
    const late = join(folder, 'late.ndjson.gz')
    await until(async () => {
      rmSync(late, { force: true })
      await killWhen(
        () => unfinished(folder).length > 0,
        [program, ...words, 'export', late, '--format', 'archive', '--data', source],
      )
      assert.not(existsSync(late))
    })
    // The next one is not kept from it by what the other has left.
    assert.is((await footfallHere(['export', late, '--format', 'archive', '--data', source])).status, 0)
    assert.equal(unfinished(folder), [])
  }))

test.run()
