// Single visits go after their time; every report over their days stays as it was.
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openDatabase } from '../../src/database/open.ts'
import { createZone } from '../../src/lib/time.ts'
import { markDirty } from '../../src/rollup/changes.ts'
import { purgeBefore } from '../../src/rollup/purge.ts'
import { rebuildDirtyDays } from '../../src/rollup/rebuild.ts'
import { withFolder } from '../support/folder.ts'
import { sendRecord } from '../support/records.ts'
import { type Running, withService } from '../support/service.ts'

const range = 'from=2026-03-01&to=2026-03-31'
const paths = [
  `/summary?${range}`,
  `/pages?${range}`,
  `/sources?${range}`,
  `/dimensions/country?${range}`,
  `/events?${range}`,
  `/utm?${range}`,
]

const reports = async ({ api }: Running): Promise<unknown[]> => {
  const answers = []
  for (const path of paths) answers.push((await api(path)).body.data)
  return answers
}

const count = (file: string, table: string): unknown => {
  const { db } = openDatabase(file)
  try {
    return db.prepare(`select count(*) from ${table}`).pluck().get()
  } finally {
    db.close()
  }
}

test('a purge leaves every report over the purged days as it was', () =>
  withFolder(async folder => {
    const file = join(folder, 'test.db')
    const zone = createZone('UTC')
    await withService({ file, start: '2026-03-01T12:00:00Z' }, async running => {
      const { hit, clock, service, settled } = running
      for (let day = 0; day < 20; day++) {
        await hit({ page_url: `/day/${day}?utm_source=news`, title: `Day ${day}`, pvid: `view-of-day-number-${day}` })
        await sendRecord(`${service.url}/analytics/v1/event`, {
          method: 'POST',
          body: JSON.stringify({ name: 'done', properties: { day } }),
          headers: { 'content-type': 'text/plain', 'user-agent': 'Mozilla/5.0 Firefox/140.0' },
        })
        clock.now += 86_400_000
      }
      await settled()
      await settled()
      const before = await reports(running)
      const { db } = openDatabase(file)
      assert.is((await purgeBefore(db, zone, 20260311)) > 0, true)
      db.close()
      assert.is(count(file, 'view'), 10)
      assert.is(count(file, 'session'), 10)
      assert.is(count(file, 'event'), 10)
      assert.equal(await reports(running), before)
    })
    // A day without its raw rows is never derived anew, even if it is marked.
    const { db } = openDatabase(file)
    markDirty(db, 20260305)
    markDirty(db, 20260315)
    rebuildDirtyDays(db, zone)
    assert.is(db.prepare('select count(*) from dirty_day').pluck().get(), 0)
    assert.is(db.prepare('select sum(views) from site_day').pluck().get(), 20)
    db.close()
  }))

test('days that are behind are not purged', () =>
  withFolder(async folder => {
    const { db } = openDatabase(join(folder, 'test.db'))
    markDirty(db, 20260301)
    assert.is(await purgeBefore(db, createZone('UTC'), 20260311), 0)
    assert.is(db.prepare("select count(*) from installation where name = 'raw_from'").pluck().get(), 0)
    db.close()
  }))

test.run()
