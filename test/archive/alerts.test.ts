// Alerts that were raised, in archives and backups: they come back once, and only valid ones.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { addRaised, pendingAlerts, saveRaised } from '../../src/alerts/history.ts'
import { openDatabase } from '../../src/database/open.ts'
import { footfallHere } from '../support/command.ts'
import { withFolder } from '../support/folder.ts'

import { refuseDay } from '../support/refuse-day.ts'
import { withService } from '../support/service.ts'

/** One that was reported and is over, began past midnight in Berlin, and one of a goal that lasts. */
const record = async (file: string): Promise<void> => {
  await withService({ file, flags: { timezone: 'Europe/Berlin' } }, async ({ hit, settled }) => {
    await hit({ page_url: '/' })
    await settled()
  })
  const { db } = openDatabase(file)
  const at = Date.parse('2026-03-08T23:30:00Z') / 1000
  addRaised(db, 'silent', { values: { since: at - 21_600, bound: 6, hours: 6 }, goal: null }, at)
  for (const one of pendingAlerts(db)) saveRaised(db, { ...one, endedAt: at + 3600, toldAt: at, toldEndAt: at + 3600 })
  const goal = { values: { from: 20260309, to: 20260309, current: 0, usual: 20, goals: 1 }, goal: 'Sign-up “x”' }
  addRaised(db, 'goal', goal, at + 86_400)
  db.close()
}

const rowsOf = (file: string): unknown[] => {
  const { db } = openDatabase(file)
  const rows = db
    .prepare('select kind, began_at, ended_at, details, goal, told_at, told_end_at from alert_history')
    .all()
  db.close()
  return rows
}

const run = async (status: number, ...args: string[]): Promise<string> => {
  const ended = await footfallHere(args)
  assert.is(ended.status, status, ended.stderr)
  return ended.stdout + ended.stderr
}

test('an archive brings alerts back, once, on days without visits, too', () =>
  withFolder(async folder => {
    const [data, copy, archive, part] = [
      join(folder, 'a.db'),
      join(folder, 'b.db'),
      join(folder, 'a.ndjson'),
      join(folder, 'part.ndjson'),
    ]
    await record(data)
    await run(0, 'export', archive, '--format', 'archive', '--data', data)
    const lines = readFileSync(archive, 'utf8').split('\n')
    assert.equal(
      lines.filter(line => line.startsWith('{"type":"alert"')).map(line => JSON.parse(line).day),
      ['2026-03-09', '2026-03-10'],
    )
    await run(0, 'import', archive, '--format', 'archive', '--data', copy)
    await run(1, 'import', archive, '--format', 'archive', '--data', copy)
    assert.equal(rowsOf(copy), rowsOf(data))
    assert.is(rowsOf(copy).length, 2)
    await run(0, 'rebuild', '--data', copy)
    assert.equal(rowsOf(copy), rowsOf(data))
    await run(0, 'export', part, '--format', 'archive', '--from', '2026-03-09', '--to', '2026-03-09', '--data', copy)
    assert.equal(readFileSync(part, 'utf8').match(/"type":"alert"/g)?.length, 1)
  }))

test('a line that is no alert refuses its day', () =>
  withFolder(async folder => {
    const [data, archive] = [join(folder, 'a.db'), join(folder, 'a.ndjson')]
    await record(data)
    await run(0, 'export', archive, '--format', 'archive', '--data', data)
    await refuseDay(
      archive,
      [
        ['"began_at":"2026-03-08T23:30:00Z"', '"began_at":"2026-03-08T22:30:00Z"', /an alert is not of this day/],
        ['"kind":"silent"', '"kind":"party"', /an alert is not valid/],
        ['"ended_at":"2026-03-09T00:30:00Z"', '"ended_at":"2026-03-08T00:30:00Z"', /an alert is not valid/],
        ['"goal":null', '"goal":"a\\u202eb"', /an alert is not valid/],
        ['"bound":6', '"bound":"six"', /cannot be read/],
      ],
      '2026-03-09',
      copy => assert.is(rowsOf(copy).length, 1),
    )
  }))

test('a backup holds alerts, a restore brings them back, and erasing a day keeps them', () =>
  withFolder(async folder => {
    const [data, copy] = [join(folder, 'a.db'), join(folder, 'copy.db')]
    await record(data)
    const before = rowsOf(data)
    await run(0, 'backup', copy, '--data', data)
    await run(0, 'forget', '--day', '2026-03-10', '--data', data)
    assert.equal(rowsOf(data), before)
    await run(0, 'restore', copy, '--data', data)
    assert.equal(rowsOf(data), before)
  }))

test.run()
