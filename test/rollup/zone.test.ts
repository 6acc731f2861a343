// Changing the time zone of a database with data recalculates every day.
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openDatabase } from '../../src/database/open.ts'
import { createZone } from '../../src/lib/time.ts'
import { purgeBefore } from '../../src/rollup/purge.ts'
import { withFolder } from '../support/folder.ts'
import { withService } from '../support/service.ts'

const series = (body: { data: { series: { date: string; views: number }[] } }): [string, number][] =>
  body.data.series.map(({ date, views }) => [date, views])

test('views move to the days of the new zone', () =>
  withFolder(async folder => {
    const file = join(folder, 'test.db')
    await withService({ file, start: '2026-03-10T22:30:00Z' }, async ({ hit, api, clock, settled }) => {
      await hit({ page_url: '/late' })
      clock.now += 3 * 3600_000
      await hit({ page_url: '/early' })
      await settled()
      assert.equal(series((await api('/summary?from=2026-03-10&to=2026-03-11')).body), [
        ['2026-03-10', 1],
        ['2026-03-11', 1],
      ])
    })
    await withService(
      { file, start: '2026-03-11T02:00:00Z', flags: { timezone: 'Europe/Berlin' } },
      async ({ api, hit, settled }) => {
        await settled()
        const { body } = await api('/summary?from=2026-03-10&to=2026-03-11')
        assert.is(body.meta.timezone, 'Europe/Berlin')
        assert.equal(series(body), [
          ['2026-03-10', 1],
          ['2026-03-11', 1],
        ])
        await hit({ page_url: '/more' })
      },
    )
    await withService(
      { file, start: '2026-03-11T03:00:00Z', flags: { timezone: 'Pacific/Kiritimati' } },
      async ({ api, settled }) => {
        await settled()
        const { body } = await api('/summary?from=2026-03-10&to=2026-03-11')
        assert.equal(series(body), [
          ['2026-03-10', 0],
          ['2026-03-11', 3],
        ])
        // The last view came 30 minutes after the one before it.
        assert.is(body.data.totals.sessions, 2)
      },
    )
  }))

test('days with purged visits stay as they are, and reports across the change say so', () =>
  withFolder(async folder => {
    const file = join(folder, 'test.db')
    await withService({ file, start: '2026-03-01T12:00:00Z' }, async ({ hit, api, clock, settled }) => {
      for (let day = 1; day <= 10; day++) {
        await hit({ page_url: '/' })
        clock.now += 86_400_000
      }
      await settled()
      assert.is((await api('/pages')).body.meta.timezone_changes, undefined)
    })
    const { db } = openDatabase(file)
    assert.ok((await purgeBefore(db, createZone('UTC'), 20260306)) > 0)
    db.close()
    await withService(
      { file, start: '2026-03-11T12:00:00Z', flags: { timezone: 'Asia/Tokyo' } },
      async ({ api, settled }) => {
        await settled()
        const change = { date: '2026-03-06', previous: 'UTC', timezone: 'Asia/Tokyo' }
        const { body } = await api('/summary?from=2026-03-01&to=2026-03-10')
        assert.equal(body.meta.timezone_changes, [change])
        assert.is(body.data.totals.views, 10)
        assert.equal((await api('/sources?from=2026-03-05&to=2026-03-06')).body.meta.timezone_changes, [change])
        assert.is((await api('/sources?from=2026-03-06&to=2026-03-10')).body.meta.timezone_changes, undefined)
        assert.is((await api('/sources?from=2026-03-01&to=2026-03-05')).body.meta.timezone_changes, undefined)
      },
    )
    // Without the option, the stored zone is used.
    await withService({ file, start: '2026-03-11T12:00:00Z' }, async ({ api }) => {
      assert.is((await api('/pages')).body.meta.timezone, 'Asia/Tokyo')
    })
  }))

test.run()
