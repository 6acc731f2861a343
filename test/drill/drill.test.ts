// The drill in short: the same code as `npm run drill`, with a few rounds. A failure names the seed that repeats its chance.
import { randomInt } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createDice } from './dice.ts'
import { runLoad } from './load.ts'
import { runServiceRounds } from './service-rounds.ts'
import { createStage, type Stage } from './stage.ts'
import { works } from './works/list.ts'

const seed = Number(process.env.DRILL_SEED ?? randomInt(2 ** 31))

const staged = async (work: (stage: Stage) => Promise<void>): Promise<void> => {
  const stage = createStage()
  try {
    await work(stage)
  } catch (error) {
    throw new Error(`DRILL_SEED=${seed}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  } finally {
    stage.remove()
  }
}

test('kill -9 under load: every 204 is in the reports once, the file is sound, visits and jobs go on', () =>
  staged(async stage => {
    const { rounds, acknowledged } = await runServiceRounds(stage, 4, createDice(seed), () => {})
    assert.is(rounds, 4)
    assert.ok(acknowledged > 0)
  }))

for (const { name, prepare } of works) {
  test(`kill -9 in the middle: ${name}`, () =>
    staged(async stage => {
      const round = await prepare(stage, createDice(seed), 2000)
      await round()
    }))
}

test('some seconds of mixed load: memory flat, the log bounded, no error, each request accounted for', () =>
  staged(async stage => {
    const lines: string[] = []
    await runLoad(stage, createDice(seed), 8, line => lines.push(line))
    assert.is(lines.length, 3)
  }))

test.run()
