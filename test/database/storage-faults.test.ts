// What else may happen to the file under a running service: it becomes read-only, is moved, deleted or replaced, a page
// or the end of its log is damaged. Each is really done to a real file; what was answered with 204 stays.
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname } from 'node:path'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { connect } from '../../src/database/connect.ts'
import { needs } from '../support/needs.ts'
import { footfall, temporaryFolder } from '../support/program.ts'
import { check } from '../support/property.ts'
import { holdLedger, ledgerOf, numbers, range, type Served, sendAll, serveOn, withStatus } from '../support/served.ts'
import { until } from '../support/wait.ts'

const folder = temporaryFolder()
const { serve, endAll } = serveOn()
const atEnd: (() => void)[] = []

test.after(() => {
  endAll()
  atEnd.forEach(work => work())
  folder.remove()
})

const refuses = async ({ hit }: Served, ids: readonly number[]): Promise<void> => {
  for (const [id, { status, code, retryAfter }] of await sendAll(hit, ids)) {
    assert.equal([status, code], [503, 'storage_unavailable'], `hit ${id}`)
    assert.match(retryAfter ?? '', /^[1-9]\d*$/)
  }
}

const takes = async ({ hit }: Served, ids: readonly number[]): Promise<void> =>
  assert.is(withStatus(await sendAll(hit, ids), 204).length, ids.length)

const attributes = (sign: '+i' | '-i', paths: readonly string[]): boolean =>
  spawnSync('chattr', [sign, ...paths]).status === 0

/** The flag that stops even root; where the file system does not know it, no file of the process may have any size. */
const readOnly = (data: string, { running: { process: child } }: Served): (() => void) => {
  const files = [data, `${data}-wal`]
  if (attributes('+i', files)) {
    atEnd.push(() => attributes('-i', files))
    return () => {
      attributes('-i', files)
    }
  }
  const limit = (size: string): void =>
    assert.is(spawnSync('prlimit', ['--pid', String(child.pid), `--fsize=${size}:unlimited`]).status, 0)
  limit('0')
  return () => limit('unlimited')
}

needs('prlimit')(
  'a file that becomes read-only: 503, reports and diagnostics go on, and so does collection afterwards',
  async () => {
    const data = folder.path('readonly.db')
    const served = await serve(data)
    await takes(served, numbers(0, 5))
    assert.is(await served.settled(5), 5)
    const back = readOnly(data, served)
    await refuses(served, numbers(10, 5))
    assert.is((await served.report(`/summary?${range}`)).data.totals.views, 5)
    assert.ok((await served.critical()).includes('storage'))
    assert.is(await served.health(), 503)
    back()
    // Before anybody sends a hit: a supervisor would send none to a service that is not well.
    await until(async () => assert.is(await served.health(), 200))
    await takes(served, numbers(10, 5))
    assert.is(await served.settled(10), 10)
    assert.not((await served.critical()).includes('storage'))
    assert.is(await served.stop(), 0)
    assert.is(ledgerOf(data).storage, 5)
    holdLedger(ledgerOf(data))
  },
)

test('a file that is moved away and back: 503 meanwhile, nothing acknowledged is lost, and it goes on by itself', async () => {
  const data = folder.path('moved.db')
  const served = await serve(data)
  await takes(served, numbers(0, 5))
  assert.is(await served.settled(5), 5)
  renameSync(data, `${data}.away`)
  await refuses(served, numbers(10, 5))
  assert.ok((await served.critical()).includes('file_moved'))
  assert.is(await served.health(), 503, 'what watches over the service learns of it')
  assert.is((await served.report(`/summary?${range}`)).status, 200)
  renameSync(`${data}.away`, data)
  await takes(served, numbers(10, 5))
  assert.is(await served.settled(10), 10)
  assert.not((await served.critical()).includes('file_moved'))
  assert.is(await served.health(), 200)
  assert.is(await served.stop(), 0)
  assert.is(ledgerOf(data).storage, 5)
  holdLedger(ledgerOf(data))
})

const beside = (data: string): string[] =>
  readdirSync(dirname(data))
    .filter(name => name.startsWith(basename(data)))
    .sort()

/** Ways in which a file loses its name for good. */
const losses: readonly [name: string, lose: (data: string) => void][] = [
  [
    'deleted with its log',
    data => {
      for (const end of ['', '-wal', '-shm']) rmSync(data + end, { force: true })
    },
  ],
  ['deleted alone', data => rmSync(data)],
  ['whose log is deleted', data => rmSync(`${data}-wal`)],
  [
    'replaced by another',
    data => {
      copyFileSync(data, `${data}.other`)
      renameSync(`${data}.other`, data)
    },
  ],
]

for (const [index, [name, lose]] of losses.entries()) {
  test(`a file ${name}: 503, and what was acknowledged comes back`, async () => {
    mkdirSync(folder.path(`lost-${index}`))
    const data = folder.path(`lost-${index}/file.db`)
    const served = await serve(data)
    await takes(served, numbers(0, 8))
    assert.is(await served.settled(8), 8)
    lose(data)
    await refuses(served, numbers(10, 3))
    assert.ok((await served.critical()).includes('file_moved'))
    assert.is(await served.health(), 503)
    assert.is((await served.report(`/summary?${range}`)).status, 200)
    assert.is(await served.stop(), 0)

    const [kept = ''] = beside(data).filter(one => one.includes('.rescued-'))
    assert.match(served.running.output.stderr, kept)
    const path = folder.path(`lost-${index}/${kept}`)
    assert.is((statSync(path).mode & 0o777).toString(8), '600')
    for (const table of ['login_link', 'login_session']) {
      const db = connect(path, { readonly: true })
      assert.is(db.prepare(`select count(*) from ${table}`).pluck().get(), 0, table)
      db.close()
    }
    assert.is(footfall(['restore', path, '--data', data]).status, 0)
    const again = await serve(data)
    assert.is(await again.settled(8), 8, 'all that was acknowledged is there')
    await takes(again, numbers(0, 13))
    assert.is(await again.settled(8 + 5), 13, 'and nothing counts twice')
    assert.is(await again.stop(), 0)
  })
}

/** Fills the pages of a table or index with nonsense, the first one of it excepted where there are more. */
const damage = (data: string, name: string): void => {
  const db = connect(data, { readonly: true })
  const pages = db.prepare('select pageno from dbstat where name = ? order by pageno').pluck().all(name) as number[]
  const size = Number(db.pragma('page_size', { simple: true }))
  db.close()
  assert.ok(pages.length > 0, name)
  const bytes = readFileSync(data)
  for (const page of pages) bytes.fill(0xa5, (page - 1) * size, page * size)
  writeFileSync(data, bytes)
}

/** A stopped file with some days' worth of hits, a backup of it, and the service again on the damaged file. */
const damaged = async (name: string, table: string): Promise<{ data: string; copy: string; served: Served }> => {
  const [data, copy] = [folder.path(name), folder.path(`${name}.copy`)]
  const first = await serve(data)
  await takes(first, numbers(0, 40))
  assert.is(await first.settled(40), 40)
  assert.is(footfall(['backup', copy, '--data', data]).status, 0)
  assert.is(await first.stop(), 0)
  damage(data, table)
  return { data, copy, served: await serve(data) }
}

const restored = async (data: string, copy: string): Promise<void> => {
  assert.is(footfall(['restore', copy, '--data', data]).status, 0)
  const again = await serve(data)
  assert.is(await again.settled(40), 40)
  await takes(again, numbers(100, 5))
  assert.is(await again.settled(45), 45)
  assert.is(await again.stop(), 0)
}

test('a damaged page in the ids of the last days: 503 for hits, reports go on, and a backup mends it', async () => {
  const { data, copy, served } = await damaged('damaged-hits.db', 'recent_id')
  await refuses(served, numbers(100, 3))
  assert.is((await served.report(`/summary?${range}`)).data.totals.views, 40)
  assert.ok((await served.critical()).includes('database_damaged'))
  await served.stop()
  await restored(data, copy)
})

test('a damaged page in a rollup: the report that needs it says so, others and collection go on', async () => {
  const { data, copy, served } = await damaged('damaged-rollup.db', 'dimension_rollup')
  assert.is((await served.report(`/dimensions/browser?${range}`)).status, 503)
  assert.is((await served.report(`/summary?${range}`)).status, 200)
  await takes(served, numbers(100, 3))
  assert.ok((await served.critical()).includes('database_damaged'))
  await served.stop()
  await restored(data, copy)
})

test('a log that is torn anywhere after the last acknowledged hit, whatever is there: all acknowledged ones are there', async () => {
  const data = folder.path('torn.db')
  const served = await serve(data)
  const lengths: number[] = []
  // The first commits are those of the start; then each hit adds to the log, as there is no other writer but the
  // rollups.
  for (const id of numbers(0, 6)) {
    await takes(served, [id])
    lengths.push(statSync(`${data}-wal`).size)
  }
  const [file, log] = [readFileSync(data), readFileSync(`${data}-wal`)]
  served.running.process.kill('SIGKILL')
  await served.running.ended
  const count = (bytes: Buffer): number => {
    const copy = folder.path('torn-copy.db')
    writeFileSync(copy, file)
    rmSync(`${copy}-shm`, { force: true })
    writeFileSync(`${copy}-wal`, bytes)
    const db = connect(copy)
    assert.is(db.pragma('integrity_check', { simple: true }), 'ok')
    const views = Number(db.prepare('select count(*) from view').pluck().get())
    db.close()
    return views
  }
  assert.is(count(log), 6)
  check(
    fc.property(
      fc.nat(lengths.length - 1),
      fc.nat(20_000),
      fc.uint8Array({ maxLength: 5000 }),
      (index, beyond, noise) => {
        const from = lengths[index] ?? 0
        const kept = Math.min(log.length, from + beyond)
        assert.ok(
          count(Buffer.concat([log.subarray(0, kept), noise])) >= index + 1,
          `cut ${kept - from} bytes after hit ${index + 1}`,
        )
      },
    ),
    { numRuns: 60 },
  )
})

test('the service itself starts on a file with a torn log, and goes on', async () => {
  const data = folder.path('torn-start.db')
  const served = await serve(data)
  await takes(served, numbers(0, 5))
  assert.is(await served.settled(5), 5)
  served.running.process.kill('SIGKILL')
  await served.running.ended
  writeFileSync(`${data}-wal`, Buffer.alloc(3000, 0x37), { flag: 'a' })
  const again = await serve(data)
  assert.is(await again.settled(5), 5)
  await takes(again, numbers(0, 8))
  assert.is(await again.settled(8), 8)
  assert.is(await again.stop(), 0)
})

test.run()
