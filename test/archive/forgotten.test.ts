// Retention archives a day in the background; what is erased meanwhile must not be in the file.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { archiveBefore, archiveFolder } from '../../src/archive/retention.ts'
import { draftOf } from '../../src/database/drafts.ts'
import { rebuildDirtyDays } from '../../src/rollup/rebuild.ts'
import { saveZone } from '../../src/rollup/zone.ts'
import { createPipeline } from '../model/pipeline.ts'
import { withFolder } from '../support/folder.ts'

const start = Date.parse('2026-03-10T12:00:00Z') / 1000
const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const visitorId = 'a-browser-of-somebody'

test('a visitor who is forgotten while a day is archived is not in the archive', () =>
  withFolder(async folder => {
    const pipeline = createPipeline({ folder, start })
    const { db, zone } = pipeline
    saveZone(db, 'UTC')
    pipeline.set({ consent_mode: 'full' })
    const hit = (address: string, body: Record<string, unknown>) =>
      pipeline.send({ kind: 'hit', address, userAgent, body })
    try {
      const hits = [
        hit('12.0.1.1', { page_url: '/mine', visitor_id: visitorId, consent_granted: true }),
        hit('12.0.2.1', { page_url: '/other' }),
      ]
      pipeline.flush()
      await Promise.all(hits)
      rebuildDirtyDays(db, zone)

      const file = join(archiveFolder(pipeline.path), '2026-03-10.ndjson.gz')
      const text = (): string => gunzipSync(readFileSync(file)).toString()
      const archived = archiveBefore(db, zone, 20260311, archiveFolder(pipeline.path), start)
      // The draft is there as soon as the archive reads its one state of the database.
      const draft = draftOf(file)
      while (!existsSync(draft) && !existsSync(file)) await setImmediate()
      assert.not(existsSync(file))
      pipeline.collector.forget(visitorId)
      await archived
      assert.match(text(), '"page":"/other"')
      assert.not.match(text(), '/mine')

      // The day is deleted once its sums are without the visitor.
      assert.equal(pipeline.rows('select count(*) as views from view'), [{ views: 1 }])
      rebuildDirtyDays(db, zone)
      await archiveBefore(db, zone, 20260311, archiveFolder(pipeline.path), start)
      assert.equal(pipeline.rows('select count(*) as views from view'), [{ views: 0 }])
      assert.not.match(text(), '/mine')
    } finally {
      pipeline.close()
    }
  }))

test.run()
