// Annotations in archives and backups: they come back once, also on days without visits, and only valid ones.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openDatabase } from '../../src/database/open.ts'
import { footfallHere } from '../support/command.ts'
import { withFolder } from '../support/folder.ts'

import { refuseDay } from '../support/refuse-day.ts'
import { withService } from '../support/service.ts'

const json = { 'content-type': 'application/json' }

/** A visit on 10 March; an annotation on it, one by time on the 9th, one before any visit, and one to come. */
const record = (file: string): Promise<void> =>
  withService({ file, flags: { timezone: 'Europe/Berlin' } }, async ({ api, hit, settled }) => {
    await hit({ page_url: '/' })
    await settled()
    for (const body of [
      { text: 'Today', at: '2026-03-10', link: 'https://example.org/' },
      { text: 'Past midnight "in" Berlin', at: '2026-03-08T23:30:00Z', kind: 'deploy' },
      { text: 'Founded', at: '1999-12-31', kind: 'campaign' },
      { text: 'Planned', at: '2026-12-24' },
    ])
      assert.is((await api('/annotations', { method: 'POST', headers: json, body: JSON.stringify(body) })).status, 201)
  })

const rowsOf = (file: string): unknown[] => {
  const { db } = openDatabase(file)
  const rows = db
    .prepare('select at, whole_day, text, kind, link, created_by, created_at from annotation order by text')
    .all()
  db.close()
  return rows
}

const run = async (status: number, ...args: string[]): Promise<string> => {
  const ended = await footfallHere(args)
  assert.is(ended.status, status, ended.stderr)
  return ended.stdout + ended.stderr
}

test('an archive brings annotations back, once', () =>
  withFolder(async folder => {
    const [data, copy, archive, again] = ['a.db', 'b.db', 'a.ndjson', 'b.ndjson'].map(name => join(folder, name)) as [
      string,
      string,
      string,
      string,
    ]
    await record(data)
    await run(0, 'export', archive, '--format', 'archive', '--data', data)
    const lines = readFileSync(archive, 'utf8').split('\n')
    assert.equal(
      lines
        .filter(line => line.startsWith('{"type":"annotation"'))
        .map(line => JSON.parse(line))
        .map(({ day, at, text }) => [day, at, text]),
      [
        ['1999-12-31', '1999-12-31', 'Founded'],
        ['2026-03-09', '2026-03-08T23:30:00Z', 'Past midnight "in" Berlin'],
        ['2026-03-10', '2026-03-10', 'Today'],
        ['2026-12-24', '2026-12-24', 'Planned'],
      ],
    )
    await run(0, 'import', archive, '--format', 'archive', '--data', copy)
    assert.match(await run(1, 'import', archive, '--format', 'archive', '--data', copy), /already present were skipped/)
    assert.equal(rowsOf(copy), rowsOf(data))
    await run(0, 'rebuild', '--data', copy)
    await run(0, 'export', again, '--format', 'archive', '--data', copy)
    const withoutHeader = (file: string): string[] =>
      readFileSync(file, 'utf8')
        .split('\n')
        .slice(1)
        .map(line => line.replace(/,"sha256":"\w+"/, ''))
    assert.equal(withoutHeader(again).length, withoutHeader(archive).length)
    assert.equal(
      withoutHeader(again).filter(line => line.includes('annotation')),
      withoutHeader(archive).filter(line => line.includes('annotation')),
    )
    // A range of days has the annotations of these days.
    await run(0, 'export', again, '--format', 'archive', '--from', '2026-03-09', '--to', '2026-03-09', '--data', copy)
    assert.equal(readFileSync(again, 'utf8').match(/"type":"annotation"/g)?.length, 1)
  }))

test('a line that is no annotation refuses its day, and the others are imported', () =>
  withFolder(async folder => {
    const [data, archive] = [join(folder, 'a.db'), join(folder, 'a.ndjson')]
    await record(data)
    await run(0, 'export', archive, '--format', 'archive', '--data', data)
    await refuseDay(
      archive,
      [
        ['"at":"2026-03-08T23:30:00Z"', '"at":"2026-03-08T22:30:00Z"', /an annotation is not of this day/],
        ['"at":"2026-03-08T23:30:00Z"', '"at":"2026-03-10"', /an annotation is not of this day/],
        ['Past midnight', 'a\\nb', /an annotation is not valid/],
        ['"kind":"deploy"', '"kind":"party"', /an annotation is not valid/],
        ['"kind":"deploy","link":null', '"kind":"deploy","link":"javascript:x"', /an annotation is not valid/],
        ['"kind":"deploy"', '"kind":"deploy","more":1', /cannot be read/],
      ],
      '2026-03-09',
      copy => assert.is(rowsOf(copy).length, 3),
    )
  }))

test('a backup holds annotations, and a restore brings them back', () =>
  withFolder(async folder => {
    const [data, copy] = [join(folder, 'a.db'), join(folder, 'copy.db')]
    await record(data)
    const before = rowsOf(data)
    await run(0, 'backup', copy, '--data', data)
    await run(0, 'annotate', 'remove', '1', '--data', data)
    assert.is(rowsOf(data).length, 3)
    await run(0, 'restore', copy, '--data', data)
    assert.equal(rowsOf(data), before)
  }))

test('erasing a day keeps what was noted of it', () =>
  withFolder(async folder => {
    const data = join(folder, 'a.db')
    await record(data)
    const before = rowsOf(data)
    await run(0, 'forget', '--day', '2026-03-10', '--data', data)
    assert.equal(rowsOf(data), before)
  }))

test.run()
