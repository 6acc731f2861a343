// npm run drill -- [--rounds N] [--seed N] [--only NAME] [--lines N] [--load MINUTES]
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { checkYear, shapes } from '../alerts/years.ts'
import { isInstalled } from '../support/programs.mjs'
import { createFixture, expect, type Fixture } from './fixture.ts'
import { runLoad } from './load.ts'
import { createPowerCut } from './power/cut-command.ts'
import { runPowerRounds } from './power/power-rounds.ts'
import { runQuarters } from './quarter.ts'
import { createRandomSource } from './random.ts'
import { commandScenarios, scenarios } from './scenarios/index.ts'
import { runServiceRounds } from './service-rounds.ts'
import { runUpgrade } from './upgrade.ts'

const { values } = parseArgs({
  options: {
    /** Kills of each kind. */
    rounds: { type: 'string', default: '100' },
    /** Repeats the random choices of an earlier run. */
    seed: { type: 'string' },
    /**
     * One kind only: `service`, the name of a scenario, `power` for power cuts, `alarms` for the
     * false alarms of made-up years, or `quarter` for three months of short days. `upgrade`, which installs packages
     * on this machine, runs only if it is named. */
    only: { type: 'string' },
    /** Lines of the recording that the scenarios start from. */
    lines: { type: 'string', default: '20000' },
    /** A mixed load for that many minutes, instead of kills. */
    load: { type: 'string' },
  },
})

const parseWhole = (text: string, name: string): number => {
  const number = Number(text)
  if (Number.isInteger(number) && number >= 0) return number
  console.error(`--${name} takes a whole number`)
  process.exit(2)
}

const seed = parseWhole(values.seed ?? String(randomInt(2 ** 31)), 'seed')
const rounds = parseWhole(values.rounds, 'rounds')
const lines = parseWhole(values.lines, 'lines')
const isSelected = (name: string): boolean => values.only === undefined || values.only === name

const names = ['service', 'power', 'alarms', 'quarter', 'upgrade', ...scenarios.map(({ name }) => name)]
if (values.only !== undefined && !names.includes(values.only)) {
  console.error(`--only takes one of: ${names.join(', ')}`)
  process.exit(2)
}

const clock = (): string => new Date().toISOString().slice(11, 19)

const drillService = async (fixture: Fixture): Promise<void> => {
  const done = await runServiceRounds(fixture, rounds, createRandomSource(seed), ({ rounds: round, acknowledged }) =>
    console.log(
      `${clock()} service: round ${round} of ${rounds}, ${acknowledged.toLocaleString('en')} requests acknowledged, none lost, none counted twice`,
    ),
  )
  console.log(
    `service: ${done.rounds} kills, ${done.acknowledged.toLocaleString('en')} acknowledged, ${done.unanswered.toLocaleString('en')} unanswered and sent again`,
  )
}

const drillScenario = async (fixture: Fixture, { name, prepare }: (typeof scenarios)[number]): Promise<void> => {
  const round = await prepare(fixture, createRandomSource(seed), lines)
  let kills = 0
  for (let done = 1; done <= rounds; done++) {
    kills += await round()
    console.log(`${clock()} ${name}: round ${done} of ${rounds}`)
  }
  console.log(`${name}: ${rounds} rounds, ${kills} processes killed before they finished, nothing lost`)
}

/** In a folder of its own: every file in it is taken for one on the disk. */
const withOwnFixture = async (work: (fixture: Fixture) => Promise<void>): Promise<void> => {
  const fixture = createFixture()
  try {
    await work(fixture)
  } finally {
    fixture.remove()
  }
}

const drillPower = async (): Promise<void> => {
  if (!isInstalled('strace')) {
    console.log('power: skipped, because strace is not installed (npm run test:setup installs it)')
    return
  }
  await withOwnFixture(async fixture => {
    // A cut costs far less than what it is a cut of.
    const { answers, cuts } = await runPowerRounds(fixture, rounds * 10, createRandomSource(seed))
    console.log(
      `${clock()} power: ${cuts.toLocaleString('en')} power cuts of a service that gave ${answers.toLocaleString('en')} answers, none lost`,
    )
  })
  for (const { name, prepare } of commandScenarios)
    await withOwnFixture(async fixture => {
      const random = createRandomSource(seed)
      const round = await prepare(fixture, random, lines)
      fixture.powerCut = createPowerCut(fixture.path(''), random)
      let cuts = 0
      for (let done = 0; done < rounds; done++) cuts += await round()
      console.log(`${clock()} power: ${rounds} rounds of ${name}, ${cuts} cut before its last write, nothing lost`)
    })
}

/** Calibration rather than chance: always the same years. */
const drillAlarms = async (): Promise<void> => {
  for (const name of Object.keys(shapes) as (keyof typeof shapes)[])
    for (const year of [1, 2]) await checkYear(name, year)
}

/** Milliseconds in which 99 of 100 honest hits are answered, whatever an attacker does beside them. */
const maxWait = 100

const drillLoad = async (fixture: Fixture, seconds: number): Promise<void> => {
  const print = (line: string): void => console.log(`${clock()} ${line}`)
  const slowest = await runLoad(fixture, createRandomSource(seed), seconds, print)
  // Here alone: a test must not depend on the speed of the machine.
  expect(slowest <= maxWait, () => `99 of 100 honest hits took up to ${slowest.toFixed(0)} ms`)
}

const drill = async (fixture: Fixture): Promise<void> => {
  if (values.load !== undefined) return drillLoad(fixture, Number(values.load) * 60)
  if (values.only === 'upgrade') await runUpgrade(line => console.log(`${clock()} ${line}`))
  if (isSelected('alarms')) await drillAlarms()
  if (isSelected('quarter')) await runQuarters(line => console.log(`${clock()} ${line}`))
  if (isSelected('power')) await drillPower()
  if (isSelected('service')) await drillService(fixture)
  for (const scenario of scenarios.filter(({ name }) => isSelected(name))) await drillScenario(fixture, scenario)
}

const run = async (): Promise<number> => {
  console.log(`seed ${seed}`)
  const fixture = createFixture()
  try {
    await drill(fixture)
    return 0
  } catch (error) {
    console.error(
      `${error instanceof Error ? error.message : String(error)}\nrepeat its random choices with --seed ${seed}`,
    )
    return 1
  } finally {
    fixture.remove()
  }
}

void run().then(code => {
  process.exitCode = code
})
