// A stopped import is not finished: the same import goes on where it was.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { requests } from '../../src/import/requests.ts'
import { runImport } from '../../src/import/run.ts'
import { findProgress } from '../../src/import/state.ts'
import { createPipeline } from '../model/pipeline.ts'
import { withFolder } from '../support/folder.ts'

const start = Date.parse('2026-03-10T12:00:00Z') / 1000
const hit = JSON.stringify({
  endpoint: 'hit',
  time: '2026-03-10T12:00:00Z',
  user_agent: 'Mozilla/5.0 Firefox/140.0',
  body: { page_url: '/' },
})
/** Empty lines count, too: an import can be stopped after each 10,000. */
const lines = [hit, ...Array.from({ length: 10_998 }, () => ''), hit]

test('a stopped import of requests is not marked as finished', () =>
  withFolder(async folder => {
    const pipeline = createPipeline({ folder, start })
    const { db, zone } = pipeline
    const take = (stopped: boolean) =>
      runImport(lines, {
        db,
        zone,
        format: requests,
        fingerprint: 'of-these-lines',
        isTaken: () => false,
        onFinish: () => {},
        rawFrom: () => 0,
        until: Number.MAX_SAFE_INTEGER,
        group: { lines: 10_000, pause: async () => {} },
        now: start,
        setNow: second => {
          pipeline.clock.now = second
        },
        createCollector: () => pipeline.collector,
        report: (line, reason) => assert.unreachable(`line ${line}: ${reason}`),
        progress: () => {},
        stopped: () => stopped,
      })
    try {
      await take(true)
      assert.equal(findProgress(db, 'of-these-lines'), { lines: 10_000, finished: false })
      const { skipped } = await take(false)
      assert.is(skipped, 10_000)
      assert.equal(findProgress(db, 'of-these-lines'), { lines: 11_000, finished: true })
      assert.equal(pipeline.rows('select count(*) as views from view'), [{ views: 2 }])
    } finally {
      pipeline.close()
    }
  }))

test.run()
