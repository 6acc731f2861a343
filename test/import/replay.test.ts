// An import goes on where it stopped: so nothing that comes after a line that could not be written may be taken.
import { mkdirSync, rmSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createReplay } from '../../src/import/replay.ts'
import { ExpectedError } from '../../src/lib/errors.ts'
import { createPipeline } from '../model/pipeline.ts'
import { withFolder } from '../support/folder.ts'

const start = Date.parse('2026-03-10T22:00:00Z') / 1000
const afterMidnight = 2 * 3600 + 60
const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

const rejects = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    await work
  } catch (error) {
    return error
  }
  return assert.unreachable('it was taken')
}

const assertUnwritten = (error: unknown): void => {
  assert.instance(error, ExpectedError)
  assert.is(error instanceof Error && error.message, 'It cannot be written.')
}

const open = (folder: string) => {
  const pipeline = createPipeline({ folder, start })
  const outcomes: string[] = []
  const { collector, zone } = pipeline
  const replay = createReplay({
    collector,
    zone,
    setNow: at => {
      pipeline.clock.now = at
    },
    tally: outcome => {
      outcomes.push(outcome)
    },
    writeError: 'It cannot be written.',
  })
  const take = (at: number): Promise<void> =>
    replay.take({ kind: 'hit', at, address: '203.0.113.7', userAgent, headers: new Map() }, { page_url: '/' })
  return { pipeline, outcomes, replay, take }
}

test('the line that the file refuses is where it ends, also when later ones could be written', () =>
  withFolder(async folder => {
    const { pipeline, outcomes, replay, take } = open(folder)
    const salts = `${pipeline.path}.salts`
    try {
      await take(start)
      await replay.flush()
      // The first line of a day needs a new salt.
      rmSync(salts)
      mkdirSync(salts)
      assertUnwritten(await rejects(take(start + afterMidnight)))
      rmSync(salts, { recursive: true })
      for (const work of [() => take(start + afterMidnight + 1), replay.flush, replay.flush])
        assertUnwritten(await rejects(work()))
      assert.equal(outcomes, ['accepted'])
      assert.is(pipeline.rows('select * from view').length, 1)
    } finally {
      pipeline.close()
    }
  }))

test('a salt that cannot be destroyed ends it as well', () =>
  withFolder(async folder => {
    const { pipeline, take } = open(folder)
    try {
      await take(start)
      mkdirSync(`${pipeline.path}.salts-new`)
      assertUnwritten(await rejects(take(start + 3 * 3600)))
    } finally {
      pipeline.close()
    }
  }))

test.run()
