// A short drill: the code of `npm run drill` with a few rounds. A failure reports the seed that repeats its random
// choices.
import * as assert from 'uvu/assert'
import { needs } from '../support/needs.ts'
import { createFixture, type Fixture } from './fixture.ts'
import { runLoad } from './load.ts'
import { createRandomSource } from './random.ts'
import { scenarios } from './scenarios/index.ts'
import { runServiceRounds } from './service-rounds.ts'

const test = needs('the executable')

const seed = Number(process.env.DRILL_SEED ?? 1)

const withFixture = async (work: (fixture: Fixture) => Promise<void>): Promise<void> => {
  const fixture = createFixture()
  try {
    await work(fixture)
  } catch (error) {
    throw new Error(`DRILL_SEED=${seed}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  } finally {
    fixture.remove()
  }
}

test('after kill -9 under load every 204 is reported once, the file is intact, and visits and jobs continue', () =>
  withFixture(async fixture => {
    const { rounds, acknowledged } = await runServiceRounds(fixture, 4, createRandomSource(seed), () => {})
    assert.is(rounds, 4)
    assert.ok(acknowledged > 0)
  }))

for (const { name, prepare } of scenarios) {
  test(`kill -9 in the middle of ${name} loses nothing`, () =>
    withFixture(async fixture => {
      const round = await prepare(fixture, createRandomSource(seed), 2000)
      await round()
    }))
}

test('a few seconds of mixed load keep memory and the log bounded, without errors or uncounted requests', () =>
  withFixture(async fixture => {
    const lines: string[] = []
    await runLoad(fixture, createRandomSource(seed), 8, line => lines.push(line))
    assert.is(lines.length, 4)
  }))

test.run()
