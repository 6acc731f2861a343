// The file on a bad day: a full disk, a lock held by others, a mode that is wrong; and reports in the midst of a storm
// of hits.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Test, test } from 'uvu'
import * as assert from 'uvu/assert'
import { openDatabase } from '../../src/database/open.ts'
import { needs } from '../support/needs.ts'
import { footfall, type Program, type Running, sources, temporaryFolder } from '../support/program.ts'
import {
  holdLedger,
  ledgerOf,
  numbers,
  pause,
  range,
  type Sent,
  sendAll,
  serveOn,
  withStatus,
} from '../support/served.ts'
import { mountDisk, unmount } from '../support/small-disk.ts'
import { patience, until } from '../support/wait.ts'

const folder = temporaryFolder()
const { serve, endAll } = serveOn()
const mounts: string[] = []
const lockers: ChildProcess[] = []

test.after(() => {
  endAll()
  for (const child of lockers) child.kill('SIGKILL')
  mounts.forEach(unmount)
  folder.remove()
})

const modes = (path: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(path)
      .sort()
      .map(name => [name, (statSync(join(path, name)).mode & 0o777).toString(8)]),
  )

test('whatever the umask, the file and all next to it are for their owner alone', async () => {
  const [node, main = ''] = sources.command
  const open: Program = { name: 'umask 0', command: ['sh', '-c', 'umask 0; exec "$@"', 'sh', node, main] }
  mkdirSync(folder.path('modes'))
  const { hit, stop } = await serve(folder.path('modes/own.db'), open)
  assert.is((await hit(1)).status, 204)
  const found = modes(folder.path('modes'))
  for (const end of ['', '-lock', '-shm', '-wal']) assert.is(found[`own.db${end}`], '600', JSON.stringify(found))
  assert.equal(
    Object.values(found).filter(mode => mode !== '600'),
    [],
    JSON.stringify(found),
  )
  assert.is(await stop(), 0)
  assert.equal(modes(folder.path('modes')), { 'own.db': '600', 'own.db.salts': '600' })
})

test('a file that others could read is closed to them', async () => {
  const data = folder.path('others.db')
  assert.is(await (await serve(data)).stop(), 0)
  chmodSync(data, 0o664)
  assert.is(await (await serve(data)).stop(), 0)
  assert.is((statSync(data).mode & 0o777).toString(8), '600')
})

test('the writer syncs each commit, and the file is laid out as designed', () => {
  const { db } = openDatabase(folder.path('pragmas.db'))
  const pragma = (name: string): unknown => db.pragma(name, { simple: true })
  const names = [
    'journal_mode',
    'synchronous',
    'auto_vacuum',
    'application_id',
    'foreign_keys',
    'secure_delete',
    'busy_timeout',
    'journal_size_limit',
  ]
  assert.equal(Object.fromEntries(names.map(name => [name, pragma(name)])), {
    journal_mode: 'wal',
    synchronous: 2,
    auto_vacuum: 2,
    application_id: Buffer.from('Foot').readInt32BE(),
    foreign_keys: 1,
    secure_delete: 1,
    busy_timeout: 5000,
    journal_size_limit: 2 ** 24,
  })
  db.close()
})

/** A disk that fills up and empties again while a service runs on it. */
type Disk = {
  name: string
  test: Test
  path: string
  prepare: () => void
  fill: (running: Running) => void
  free: (running: Running) => void
}

const mounted = (name: string): Disk => {
  const path = folder.path(name)
  const filler = join(path, 'filler')
  const fill = (): void => {
    for (const size of [65_536, 4096]) {
      try {
        for (;;) writeFileSync(filler, Buffer.alloc(size), { flag: 'a' })
      } catch {
        // Full.
      }
    }
  }
  const prepare = (): void => {
    mountDisk(path, 24)
    mounts.push(path)
  }
  return { name: 'a full disk', test: needs('the right to mount'), path, prepare, fill, free: () => rmSync(filler) }
}

/** No file of the process may grow beyond a size. To SQLite that is an input/output error. */
const limited = (name: string): Disk => {
  const path = folder.path(name)
  const limit = ({ process: child }: Running, size: string): void => {
    const { status, stderr } = spawnSync('prlimit', ['--pid', String(child.pid), `--fsize=${size}:unlimited`], {
      encoding: 'utf8',
    })
    assert.is(status, 0, stderr)
  }
  return {
    name: 'files that must not grow',
    test: needs('prlimit'),
    path,
    prepare: () => mkdirSync(path),
    fill: running => limit(running, '8192'),
    free: running => limit(running, 'unlimited'),
  }
}

const disks = (name: string): Disk[] => [mounted(`${name}-mounted`), limited(`${name}-limited`)]

for (const { name, test, path, prepare, fill, free } of disks('full')) {
  test(`${name}: 503 and Retry-After, reports go on, and so does collection when there is room again`, async () => {
    prepare()
    const data = join(path, 'full.db')
    const { running, hit, report, settled, critical, stop } = await serve(data)
    const good = await sendAll(hit, numbers(0, 20))
    assert.is(withStatus(good, 204).length, 20)
    assert.is(await settled(20), 20)

    fill(running)
    const bad = await sendAll(hit, numbers(100, 60))
    const refused = withStatus(bad, 503)
    assert.ok(
      refused.length > 10,
      `only ${refused.length} of 60 were refused: ${JSON.stringify([...bad.values()].slice(-3))}`,
    )
    assert.is(
      withStatus(bad, 204).length + refused.length,
      60,
      JSON.stringify([...bad.values()].find(({ status }) => status !== 204 && status !== 503)),
    )
    for (const id of refused) {
      assert.is(bad.get(id)?.code, 'storage_unavailable')
      assert.match(bad.get(id)?.retryAfter ?? '', /^[1-9]\d*$/)
    }
    for (const one of [`/summary?${range}`, `/pages?${range}`, '/realtime'])
      assert.is((await report(one)).status, 200, one)
    assert.ok(
      (await critical()).some(id => id === 'storage' || id === 'disk_full'),
      'diagnostics say nothing of it',
    )

    free(running)
    const later = await sendAll(hit, numbers(200, 20))
    assert.is(withStatus(later, 204).length, 20, 'it collects again, without a restart')
    const acknowledged = 40 + withStatus(bad, 204).length
    assert.is(await settled(acknowledged), acknowledged, 'what was acknowledged is there, what was refused is not')

    const again = await sendAll(hit, [...numbers(0, 20), ...numbers(100, 60)])
    assert.is(withStatus(again, 204).length, 80)
    assert.is(await settled(100), 100, 'what is sent again counts once')
    assert.equal(
      (await critical()).filter(id => id !== 'disk_full'),
      ['storage_refusals'],
      'it is over, and remembered for a day',
    )
    assert.is(await stop(), 0)
    const ledger = ledgerOf(data)
    assert.is(ledger.storage, refused.length, 'each refusal is accounted for')
    assert.is(ledger.accepted, 100)
    holdLedger(ledger)
  })
}

for (const { name, test, path, prepare, fill, free } of disks('first')) {
  test(`${name} at the first hit of a day: 503 as well, and accounted for`, async () => {
    prepare()
    const data = join(path, 'first.db')
    const { running, hit, settled, stop } = await serve(data)
    fill(running)
    const bad = await sendAll(hit, numbers(0, 40))
    assert.is(withStatus(bad, 500).length, 0, JSON.stringify(bad.get(withStatus(bad, 500)[0] ?? 0)))
    const refused = withStatus(bad, 503)
    assert.ok(refused.length > 5)
    free(running)
    const good = await sendAll(hit, numbers(0, 40))
    assert.is(withStatus(good, 204).length, 40, JSON.stringify([...good.values()].find(({ status }) => status !== 204)))
    assert.is(await settled(40), 40)
    assert.is(await stop(), 0)
    const ledger = ledgerOf(data)
    assert.is(ledger.storage, refused.length)
    holdLedger(ledger)
  })
}

for (const { name, test, path, prepare, fill, free } of disks('stop')) {
  test(`${name}: the service stops all the same, says what is wrong, and starts again when there is room`, async () => {
    prepare()
    const data = join(path, 'stop.db')
    const { running, hit, stop } = await serve(data)
    await sendAll(hit, numbers(0, 5))
    fill(running)
    await sendAll(hit, numbers(100, 40))
    const code = await stop()
    assert.ok(code === 0 || code === 1, String(code))
    assert.not.match(running.output.stderr, 'did not stop within', 'it hangs')
    assert.not.match(running.output.stderr, /\n {4}at /, 'a stack instead of a sentence')
    if (existsSync(join(path, 'filler'))) free(running)
    const again = await serve(data)
    assert.is((await again.hit(200)).status, 204)
    assert.ok((await again.settled(6)) >= 6)
    assert.is(await again.stop(), 0)
  })
}

/** Another process that holds the write lock until it is let go. */
const lockOut = async (data: string): Promise<() => Promise<void>> => {
  const script = `
    const db = new (require('better-sqlite3'))(process.argv[1])
    db.exec('begin exclusive')
    console.log('locked')
    process.stdin.on('end', () => { db.exec('commit'); db.close() }).resume()`
  const child = spawn(process.execPath, ['-e', script, data], { stdio: ['pipe', 'pipe', 'inherit'] })
  lockers.push(child)
  await once(child.stdout, 'data')
  return async () => {
    child.stdin.end()
    await once(child, 'exit')
  }
}

const scenarios = new Map<string, () => Promise<void>>()
const begun = new Map<string, Promise<void>>()

/** Tests that mostly wait: all of them begin with the first. */
const together = (name: string, work: () => Promise<void>): void => {
  scenarios.set(name, work)
  test(name, async () => {
    for (const [one, begin] of scenarios) {
      if (begun.has(one)) continue
      const running = begin()
      running.catch(() => {})
      begun.set(one, running)
    }
    await begun.get(name)
  })
}

together(
  'a file locked by another process for 7 seconds: hits wait or get 503, none is lost, none counts twice',
  async () => {
    const data = folder.path('locked.db')
    const { hit, report, settled, critical, stop } = await serve(data)
    assert.is((await hit(1)).status, 204)
    const release = await lockOut(data)
    const early: Promise<Sent>[] = []
    // A hit waits for five seconds; on a machine that stalls for longer it takes another one.
    await until(async () => {
      let isWaiting = true
      early.push(
        hit(100 + early.length).finally(() => {
          isWaiting = false
        }),
      )
      await pause(300)
      assert.is((await report(`/summary?${range}`)).status, 200)
      assert.ok(isWaiting, 'no report is answered while a hit waits for the lock')
    })
    assert.ok((await critical()).includes('storage'))
    const late = Promise.all(numbers(10, 10).map(hit))
    await pause(6700)
    await release()
    const answers = [...(await Promise.all(early)), ...(await late)]
    for (const { status, code, retryAfter } of answers) {
      assert.ok(
        status === 204 || (status === 503 && code === 'storage_unavailable' && Number(retryAfter) > 0),
        JSON.stringify({ status, code, retryAfter }),
      )
    }
    assert.is((await hit(3)).status, 204, 'it works again')
    const recorded = 2 + answers.filter(({ status }) => status === 204).length
    assert.is(await settled(recorded), recorded)
    await Promise.all([...numbers(100, early.length), ...numbers(10, 10)].map(hit))
    assert.is(await settled(12 + early.length), 12 + early.length)
    assert.is(await stop(), 0)
    const ledger = ledgerOf(data)
    assert.is(ledger.storage ?? 0, answers.filter(({ status }) => status === 503).length)
    holdLedger(ledger)
  },
)

together(
  'a lock that outlasts the first attempt of the rollup does not keep the reports behind until the next hit',
  async () => {
    const data = folder.path('behind.db')
    const { hit, settled, stop } = await serve(data)
    assert.is((await hit(1)).status, 204)
    assert.is(await settled(1), 1)
    assert.is((await hit(2)).status, 204)
    const release = await lockOut(data)
    await pause(7000)
    await release()
    assert.is(await settled(2), 2, 'nobody else comes, and the report stays as it was')
    assert.is(await stop(), 0)
  },
)

together('a locked file at the first hit of a day: 503 after the wait, no error of the program', async () => {
  const data = folder.path('locked-first.db')
  const { hit, stop } = await serve(data)
  const release = await lockOut(data)
  const answer = hit(1)
  await pause(6500)
  await release()
  const { status, code } = await answer
  assert.ok(status === 204 || code === 'storage_unavailable', `${status} ${code}`)
  assert.is((await hit(1)).status, 204)
  assert.is(await stop(), 0)
  holdLedger(ledgerOf(data))
})

test('a start on a file that this user may not write says so and changes nothing', () => {
  const data = folder.path('readonly/file.db')
  mkdirSync(folder.path('readonly'), { mode: 0o777 })
  chmodSync(folder.path('readonly'), 0o777)
  chmodSync(folder.path(''), 0o755)
  const { db } = openDatabase(data)
  db.close()
  chmodSync(data, 0o444)
  const nobody = process.getuid?.() === 0 ? { uid: 65534 } : {}
  const { status, stderr } = footfall(['serve', '--port', '0', '--data', data], nobody)
  assert.is(status, 1)
  assert.match(
    stderr,
    `${data} is not writable for this user. Change its owner or mode, or name another file with --data.`,
  )
  assert.equal(modes(folder.path('readonly')), { 'file.db': '444' })
})

test('in a storm of hits the reports are served, never go back, and follow', async () => {
  const { hit, report, settled, stop } = await serve(folder.path('storm.db'))
  let isOver = false
  let answered = 0
  let next = 0
  const storm = async (): Promise<void> => {
    while (!isOver) {
      assert.is((await hit(next++)).status, 204)
      answered += 1
    }
  }
  const seen: number[] = []
  const read = async (): Promise<number> => {
    const { status, data } = await report(`/summary?${range}`)
    assert.is(status, 200)
    seen.push(data.totals.views)
    for (const path of [`/pages?${range}`, '/realtime', `/dimensions/browser?${range}`])
      assert.is((await report(path)).status, 200, path)
    return data.totals.views
  }
  /** The reports catch up with what was answered by now, though ever more hits come. */
  const follow = async (): Promise<void> => {
    const due = answered
    for (const end = Date.now() + patience * 1000; (await read()) < due; await pause(50))
      assert.ok(Date.now() < end, `the reports do not come to ${due} of ${answered} views: ${seen}`)
  }
  const storms = numbers(0, 8).map(storm)
  const reading = (async () => {
    await until(() => assert.ok(answered > 200))
    for (let times = 0; times < 3; times++) await follow()
  })().finally(() => {
    isOver = true
  })
  await Promise.all([...storms, reading])
  assert.equal(
    seen,
    [...seen].sort((a, b) => a - b),
  )
  assert.is(await settled(answered), answered)
  assert.is(await stop(), 0)
})

test.run()
