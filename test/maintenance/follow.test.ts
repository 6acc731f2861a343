// The rollups of the current day when the clock moves to another day and back.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createPipeline, type Pipeline } from '../model/pipeline.ts'
import { withFolder } from '../support/folder.ts'
import { firefox } from '../support/service.ts'

const day = 24 * 3600
const start = Date.parse('2026-03-10T12:00:00Z') / 1000

const view = async (pipeline: Pipeline, page: string): Promise<void> => {
  pipeline.clock.now += 10
  const sent = pipeline.send({ kind: 'hit', address: '203.0.113.7', userAgent: firefox, body: { page_url: page } })
  pipeline.flush()
  assert.is((await sent).outcome, 'accepted')
}

test('a day recalculated as a past day is not updated from a stale baseline', () =>
  withFolder(async folder => {
    const pipeline = createPipeline({ folder, start })
    await view(pipeline, '/one')
    pipeline.settle()
    await view(pipeline, '/two')
    // The clock moves forward, and the rollups are updated before anything is recorded on the new day.
    pipeline.clock.now += day
    pipeline.settle()
    pipeline.clock.now -= day
    await view(pipeline, '/three')
    pipeline.settle()
    const pages = await pipeline.pages('2026-03-10')
    assert.equal(
      pages.map(({ page, views }: { page: string; views: number }) => [page, views]),
      [
        ['/one', 1],
        ['/three', 1],
        ['/two', 1],
      ],
    )
    assert.equal(pipeline.drifted(), [])
    pipeline.close()
  }))

test.run()
