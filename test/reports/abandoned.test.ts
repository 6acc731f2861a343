// A report whose client has disconnected is aborted.
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openDatabase } from '../../src/database/open.ts'
import { type BoundQuery, createPool } from '../../src/reports/pool.ts'
import { withFolder } from '../support/folder.ts'
import { withService } from '../support/service.ts'

/** Counts to a number, which takes a while; its rows show that it ran. */
const counting = (to: number): BoundQuery => ({
  sql: 'with recursive n(i) as (select 1 union all select i + 1 from n where i < @to) select max(i) as i from n',
  reads: [],
  params: { to },
})
const quick: BoundQuery = { sql: 'select 1 as one', params: {}, reads: [] }

test('a queued report is dropped, a running one is aborted before its next statement, and others continue', () =>
  withFolder(async folder => {
    const { db, path } = openDatabase(join(folder, 'test.db'))
    const pool = createPool(path)
    const gone = new AbortController()
    // Two readers are busy; the third report waits.
    const underWay = [1, 2].map(() =>
      pool.read([counting(1_000_000), ...Array.from({ length: 500 }, () => counting(1_000_000))], {
        signal: gone.signal,
      }),
    )
    const waiting = pool.read([counting(1_000_000)], { signal: gone.signal })
    const after = pool.read([quick])
    setTimeout(() => gone.abort(), 300)
    for (const one of [...underWay, waiting]) {
      const { status } = await one.then(
        () => ({ status: 200 }),
        error => error,
      )
      assert.is(status, 499)
    }
    // This one runs only after the readers have dropped the rest of the first two.
    assert.equal(await after, [[{ one: 1 }]])
    assert.is(
      await pool.read([quick], { signal: gone.signal }).then(
        () => 200,
        error => error.status,
      ),
      499,
    )
    await pool.close()
    db.close()
  }))

test('a client that disconnects is detected, and not logged as an error', () =>
  withService({}, async ({ service, logs, administrator, api }) => {
    const { port } = new URL(service.url)
    const requests = Array.from(
      { length: 20 },
      () =>
        new Promise<void>(resolve => {
          const socket = createConnection(Number(port), '127.0.0.1', () => {
            socket.write(
              `GET /analytics/v1/summary?from=2017-01-01&to=2026-12-31&interval=day HTTP/1.1\r\nhost: localhost\r\nauthorization: ${administrator}\r\n\r\n`,
            )
            setImmediate(() => socket.destroy())
          })
          socket.on('close', () => resolve())
        }),
    )
    await Promise.all(requests)
    assert.is((await api('/pages')).status, 200)
    assert.equal(
      logs.filter(line => /error/i.test(line)),
      [],
    )
  }))

test.run()
