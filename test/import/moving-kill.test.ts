// An import that is killed goes on where it was, and ends as one that was not.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openReadOnly } from '../../src/database/open.ts'
import { withFolder } from '../support/folder.ts'
import { type Moving, movingInto } from '../support/moving.ts'
import { sources } from '../support/program.ts'

const days = 60
const start = Date.parse('2025-10-01T00:00:00Z')

/** Visits of sixty days, some of them across midnight. */
const history = (): string => {
  const rows = Array.from({ length: days * 60 }, (_, index) => {
    const visit = Math.floor(index / 3)
    const at = new Date(start + index * 24 * 60_000).toISOString().slice(0, 19).replace('T', ' ')
    return [`s${visit % 97}`, `v${visit}`, `e${index}`, 'example.org', `/page/${index % 23}`, '1', at].join(',')
  })
  return ['session_id,visit_id,event_id,hostname,url_path,event_type,created_at', ...rows].join('\n')
}

const plausible = (): string =>
  [
    'date,visitors,pageviews,bounces,visits,visit_duration',
    ...Array.from({ length: days * 20 }, (_, index) => {
      const date = new Date(Date.parse('2020-01-01') + index * 86_400_000).toISOString().slice(0, 10)
      return `${date},${index % 40},${index % 90},0,${index % 40},0`
    }),
  ].join('\n')

const storedDays = (file: string): number => {
  if (!existsSync(file)) return 0
  let db: ReturnType<typeof openReadOnly> | undefined
  try {
    // Just created, it may be locked.
    db = openReadOnly(file)
    return Number(db.prepare('select count(*) from import_day where stored').pluck().get())
  } catch {
    return 0
  } finally {
    db?.close()
  }
}

/** Starts an import and kills it once some of its days are stored; whether it was in the midst. */
const killInTheMidst = async ({ data }: Moving, path: string, all: number): Promise<boolean> => {
  const [file, ...words] = sources.command
  const child = spawn(file, [...words, 'import', path, '--data', data], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  const before = storedDays(data)
  while (child.exitCode === null && storedDays(data) <= before) await wait(2)
  child.kill('SIGKILL')
  await ended
  const stored = storedDays(data)
  return stored > 0 && stored < all
}

/** Without the lines that name the file, and those that sum these up. */
const linesOf = (archive: string): string[] =>
  archive.split('\n').filter(line => !/"footfall_archive"|"archive_day"/.test(line))

for (const [name, text, all] of [
  ['visits', history(), days],
  ['sums', plausible(), days * 20],
] as const)
  test(`an import of ${name} that is killed goes on`, () =>
    withFolder(async folder => {
      const whole = movingInto(folder)
      const path = whole.write('history.csv', text)
      assert.is((await whole.take(path)).status, 0)
      const expected = linesOf(await whole.export())
      assert.ok(expected.length > all)
      let interrupted = 0
      for (let attempt = 0; interrupted < 2 && attempt < 8; attempt += 1) {
        const moving = { ...movingInto(folder), data: join(folder, `${attempt}.db`) }
        const run = (args: string[]) => whole.run([...args, '--data', moving.data])
        if (!(await killInTheMidst(moving, path, all))) continue
        interrupted += 1
        const list = JSON.parse((await run(['import', '--list', '--json'])).stdout)
        assert.is(list[0].state, 'unfinished')
        await killInTheMidst(moving, path, all)
        const resumed = await run(['import', path])
        assert.ok(resumed.status === 0 || /already imported/.test(resumed.stderr), resumed.stderr)
        const exported = join(folder, `${attempt}.ndjson`)
        assert.is((await run(['export', exported, '--format', 'archive'])).status, 0)
        assert.equal(linesOf(await whole.read(exported)), expected)
      }
      assert.ok(interrupted > 0)
    }))

test.run()
