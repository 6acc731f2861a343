// The locks of a running service: whatever it is asked, it keeps them, for a process that opens and closes its own
// database by other means than SQLite's loses them all, and another one then takes the file for free.
import { existsSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openDatabase } from '../../src/database/open.ts'
import { footfall, start, temporaryFolder } from '../support/program.ts'

/** The locks that a process holds on a file, each as its kind and its bytes; none where there is no file. */
const locksOn = (file: string, pid: number | undefined): string[] => {
  const { ino } = statSync(file)
  return readFileSync('/proc/locks', 'utf8')
    .split('\n')
    .map(line => line.trim().split(/\s+/))
    .filter(([, , , , owner, place]) => Number(owner) === pid && place?.endsWith(`:${ino}`) === true)
    .map(([, , , kind, , , first, last]) => `${kind} ${first}-${last}`)
}

const asked = [
  ['GET', '/diagnostics'],
  ['POST', '/self-test'],
  ['POST', '/cron/run'],
  ['GET', '/privacy-audit'],
  ['GET', '/metrics'],
  ['GET', '/revenue/wc-status'],
  ['GET', '/summary?from=2026-03-01&to=2026-03-02'],
] as const

for (const [name, linked] of [
  ['the file itself', false],
  ['a link to it', true],
] as const) {
  test(`a service keeps its locks whatever it is asked, with --data as ${name}`, async () => {
    const folder = temporaryFolder()
    const [file, data] = [folder.path('footfall.db'), folder.path(linked ? 'link.db' : 'footfall.db')]
    try {
      assert.is(footfall(['import', '-', '--format', 'requests', '--data', file]).status, 0)
      if (linked) symlinkSync(file, data)
      const service = await start(['--data', data, '--backup-folder', folder.path('.')])
      const password = footfall(['app-password', 'create', 'admin', '--name', 'test', '--data', data])
        .stdout.trim()
        .split('\n')
        .at(-1)
      try {
        const files = [file, `${file}-shm`, `${file}-lock`]
        // Some are held for a moment only: those of a job of every second.
        let held = files.map(one => locksOn(one, service.process.pid))
        for (let reading = 0; reading < 20; reading++) {
          await new Promise(resolve => setTimeout(resolve, 50))
          held = held.map((locks, index) => {
            const still = locksOn(files[index] ?? '', service.process.pid)
            return locks.filter(lock => still.includes(lock))
          })
        }
        for (const [index, locks] of held.entries()) assert.ok(locks.length > 0, `${files[index]} is locked at first`)
        for (const [method, path] of asked) {
          const { ok } = await fetch(`${service.url}/analytics/v1${path}`, {
            method,
            headers: { authorization: `Basic ${btoa(`admin:${password}`)}` },
          })
          assert.ok(ok, path)
          const kept = files.map(one => locksOn(one, service.process.pid))
          for (const [index, locks] of held.entries())
            assert.ok(
              locks.every(lock => kept[index]?.includes(lock)),
              `${files[index]} is still locked after ${method} ${path}`,
            )
        }
        for (const path of [data, file]) {
          const { status, stderr } = footfall(['cron', 'salt', '--data', path])
          assert.is(status, 1)
          assert.match(stderr, `is in use by process ${service.process.pid} (footfall serve)`)
        }
      } finally {
        service.process.kill('SIGTERM')
        await service.ended
      }
    } finally {
      folder.remove()
    }
  })
}

test('a killed service no longer runs, even if its number is in use again', async () => {
  const folder = temporaryFolder()
  try {
    const data = folder.path('footfall.db')
    const service = await start(['--data', data])
    const told = (): string => footfall(['diagnostics', '--data', data]).stdout
    assert.match(told(), 'The service has been running for')
    service.process.kill('SIGKILL')
    await service.ended
    assert.ok(existsSync(`${data}-lock`), 'what it has left')
    const { db } = openDatabase(data)
    db.prepare("update installation set value = json_set(value, '$.pid', ?) where name = 'service'").run(process.pid)
    db.close()
    assert.match(told(), 'No service is running on this file.')
    assert.is(footfall(['cron', 'salt', '--data', data]).status, 0)
  } finally {
    folder.remove()
  }
})

test.run()
