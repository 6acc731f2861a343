// What another program does meanwhile: it locks the file during a restore or after a commit, or starts at the same moment.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { connect } from '../../src/database/connect.ts'
import { openDatabase } from '../../src/database/open.ts'
import { createPairing } from '../../src/identity/pairings.ts'
import { footfallHere } from '../support/command.ts'
import { withFolder } from '../support/folder.ts'
import { footfallBeside } from '../support/program.ts'
import { withService } from '../support/service.ts'
import { until } from '../support/wait.ts'

/** A file with a page and a pairing. */
const make = (path: string, page: string): string => {
  const { db } = openDatabase(path)
  db.prepare('insert into page (path, host_id) values (?, 1)').run(page)
  createPairing(db, 'WordPress', 0)
  db.close()
  return path
}

const stateOf = (path: string): unknown => {
  const { db } = openDatabase(path)
  try {
    return ['select path from page', 'select * from pairing', 'pragma journal_mode'].map(sql =>
      db.prepare(sql).raw().all(),
    )
  } finally {
    db.close()
  }
}

for (const [what, begin] of [
  ['reads', ['begin', 'select count(*) from page']],
  ['writes', ['begin immediate', "insert into page (path, host_id) values ('/meanwhile', 1)"]],
  ['has the file open', ['select count(*) from page']],
] as const)
  test(`a restore while another program ${what} says so and changes nothing`, () =>
    withFolder(async folder => {
      const data = make(join(folder, 'a.db'), '/old')
      const copy = join(folder, 'copy.db')
      const source = make(join(folder, 'b.db'), '/new')
      assert.is((await footfallHere(['backup', copy, '--data', source])).status, 0)
      const before = stateOf(data)
      const other = connect(data)
      for (const statement of begin)
        if (statement.startsWith('select')) other.prepare(statement).get()
        else other.exec(statement)
      const { status, stderr } = await footfallHere(['restore', copy, '--data', data])
      assert.is(status, 1)
      assert.match(stderr, /a\.db is locked by another process/)
      assert.is(stderr.trimEnd().split('\n').length, 1, stderr)
      if (other.inTransaction) other.exec('rollback')
      other.close()
      assert.equal(stateOf(data), before)
      assert.equal(readdirSync(folder).sort(), ['a.db', 'b.db', 'copy.db'])
      assert.is((await footfallHere(['restore', copy, '--data', data])).status, 0)
      assert.match(JSON.stringify(stateOf(data)), /"\/new"/)
    }))

test('a lock between a commit and its follow-up holds the reports up, loses nothing and is not logged', () =>
  withService({}, async running => {
    const { file, hit, api, logs } = running
    await hit({ page_url: '/first' })
    await running.settled()
    const views = async (): Promise<number> =>
      (await api('/summary?from=2026-03-10&to=2026-03-10')).body.data.totals.views
    const other = connect(file)
    for (const number of [2, 3, 4]) {
      assert.is((await hit({ page_url: `/${number}` })).status, 204)
      other.exec('begin immediate')
      // Longer than the update waits until it begins.
      await wait(1000)
      other.exec('rollback')
      await until(async () => assert.is(await views(), number))
    }
    other.close()
    assert.equal(
      logs.filter(line => /\b(warn|error)\b/i.test(line)),
      [],
    )
  }))

test('of commands that start at the same moment on one file each has it alone, or says who has it', () =>
  withFolder(async folder => {
    const data = make(join(folder, 'a.db'), '/old')
    for (let round = 0; round < 2; round++) {
      const runs = await Promise.all(Array.from({ length: 4 }, () => footfallBeside(['rebuild', '--data', data])))
      assert.ok(runs.some(({ status }) => status === 0))
      for (const { status, stderr } of runs)
        if (status !== 0) {
          assert.is(status, 1)
          assert.match(stderr, /a\.db is in use by (process \d+ \(footfall rebuild\)|another process)\./, stderr)
        }
      assert.not(existsSync(`${data}-lock`))
    }
  }))

test.run()
