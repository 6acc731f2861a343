// npm run drill -- [--rounds N] [--seed N] [--only NAME] [--lines N] [--load MINUTES]
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { createDice } from './dice.ts'
import { runLoad } from './load.ts'
import { runServiceRounds } from './service-rounds.ts'
import { createStage, type Stage } from './stage.ts'
import { works } from './works/list.ts'

const { values } = parseArgs({
  options: {
    /** Kills of each kind. */
    rounds: { type: 'string', default: '100' },
    /** Repeats the chance of an earlier run. */
    seed: { type: 'string' },
    /** One kind only: `service`, or a work by its name. */
    only: { type: 'string' },
    /** Lines of the recording that the works start from. */
    lines: { type: 'string', default: '20000' },
    /** A mixed load for that many minutes, instead of kills. */
    load: { type: 'string' },
  },
})

const whole = (text: string, name: string): number => {
  const number = Number(text)
  if (Number.isInteger(number) && number >= 0) return number
  console.error(`--${name} takes a whole number`)
  process.exit(2)
}

const seed = whole(values.seed ?? String(randomInt(2 ** 31)), 'seed')
const rounds = whole(values.rounds, 'rounds')
const lines = whole(values.lines, 'lines')
const isWanted = (name: string): boolean => values.only === undefined || values.only === name

const names = ['service', ...works.map(({ name }) => name)]
if (values.only !== undefined && !names.includes(values.only)) {
  console.error(`--only takes one of: ${names.join(', ')}`)
  process.exit(2)
}

const clock = (): string => new Date().toISOString().slice(11, 19)

const drillService = async (stage: Stage): Promise<void> => {
  const done = await runServiceRounds(stage, rounds, createDice(seed), ({ rounds: round, acknowledged }) =>
    console.log(
      `${clock()} service: round ${round} of ${rounds}, ${acknowledged.toLocaleString('en')} requests acknowledged, none lost, none twice`,
    ),
  )
  console.log(
    `service: ${done.rounds} kills, ${done.acknowledged.toLocaleString('en')} acknowledged, ${done.doubtful.toLocaleString('en')} without an answer and sent again`,
  )
}

const drillWork = async (stage: Stage, { name, prepare }: (typeof works)[number]): Promise<void> => {
  const round = await prepare(stage, createDice(seed), lines)
  let kills = 0
  for (let done = 1; done <= rounds; done++) {
    kills += await round()
    console.log(`${clock()} ${name}: round ${done} of ${rounds}`)
  }
  console.log(`${name}: ${rounds} rounds, ${kills} kills in the midst, nothing lost`)
}

const drill = async (stage: Stage): Promise<void> => {
  if (values.load !== undefined)
    return runLoad(stage, createDice(seed), Number(values.load) * 60, line => console.log(`${clock()} ${line}`))
  if (isWanted('service')) await drillService(stage)
  for (const work of works.filter(({ name }) => isWanted(name))) await drillWork(stage, work)
}

const run = async (): Promise<number> => {
  console.log(`seed ${seed}`)
  const stage = createStage()
  try {
    await drill(stage)
    return 0
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\nrepeat its chance with --seed ${seed}`)
    return 1
  } finally {
    stage.remove()
  }
}

void run().then(code => {
  process.exitCode = code
})
