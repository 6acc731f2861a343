// How often alerts are false: over made-up years in which nothing happens but chance.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { type AlertKind, alertKinds } from '../../src/alerts/kinds.ts'
import { changeAlerts } from '../../src/alerts/switches.ts'
import { evaluate } from '../../src/alerts/watch/evaluate.ts'
import { type GoalDays, readGoalDays } from '../../src/alerts/watch/goals.ts'
import { reportContext } from '../../src/commands/reports.ts'
import { openDatabase } from '../../src/database/open.ts'
import { createRandom, logNormal, type Random, seedOf } from '../../src/demo/random.ts'
import { addDays, createZone, type Day, eachDay, parseDay, timeText, weekday } from '../../src/lib/time.ts'
import { openForReports } from '../../src/reports/periods.ts'
import { chooseZone } from '../../src/rollup/zone.ts'
import { footfallHere } from '../support/command.ts'
import { withFolder } from '../support/folder.ts'

export const [first, last] = [20250101, 20251231]
export const zoneName = 'Europe/Berlin'
const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** Visits that are usual on a day of the year, 0..1, and how much days vary in addition to chance. */
type Shape = { usual: (progress: number, weekday: number) => number; spread: number }
export const shapes = {
  'a tiny site: 5 visits a day': { usual: () => 5, spread: 0.1 },
  'quiet weekends: 40 visits, 3 on weekends': { usual: (_: number, day: number) => (day > 5 ? 3 : 40), spread: 0.15 },
  'a growing site: 20 to 120 visits a day': { usual: (progress: number) => 20 * 6 ** progress, spread: 0.12 },
} satisfies Record<string, Shape>
/** Where visitors are at which hour: few at night. */
const hours = [1, 0.5, 0.3, 0.2, 0.2, 0.5, 1.5, 3, 5, 6, 6, 6, 5, 5, 6, 6, 6, 6, 6, 7, 7, 6, 4, 2]
const hourSum = hours.reduce((sum, hour) => sum + hour, 0)

const poisson = (random: Random, mean: number): number => {
  let count = -1
  for (let left = Math.exp(-mean), product = 1; product > left; count++) product *= random()
  return Math.max(0, count)
}

const hourIn = (random: Random): number => {
  let target = random() * hourSum
  return hours.findIndex(hour => (target -= hour) < 0)
}

/** The requests of a year, and the seconds of its views. */
const generate = ({ usual, spread }: Shape, seed: number) => {
  const random = createRandom(seedOf(seed, 1))
  const zone = createZone(zoneName)
  const days = eachDay(first, last)
  const requests: { at: number; line: string }[] = []
  days.forEach((day, index) => {
    const visits = poisson(random, usual(index / days.length, weekday(day)) * logNormal(random, 1, spread))
    for (let number = 0; number < visits; number++) {
      const at = zone.startOf(day) + hourIn(random) * 3600 + Math.floor(random() * 3600)
      const ip = `198.${18 + (number >> 8)}.${number & 255}.1`
      const common = { time: timeText(at), ip, user_agent: agent }
      const body = { page_url: 'https://example.org/' }
      const add = (endpoint: string, more: object) =>
        requests.push({ at, line: JSON.stringify({ endpoint, ...common, body: { ...body, ...more } }) })
      add('hit', {})
      if (random() < 0.2) add('event', { name: 'signup' })
      if (random() < 0.03) add('event', { name: 'not_found' })
    }
  })
  return requests.sort((a, b) => a.at - b.at)
}

/** The days of goals for each day of the year, of which each is counted once. */
const goalsOfYear = async (context: Parameters<typeof readGoalDays>[0], to: Day) => {
  const length = 63
  const parts: GoalDays[][] = []
  for (let end = addDays(to, 1); end > addDays(first, -length); end = addDays(end, -length))
    parts.unshift(await readGoalDays(context, end))
  const whole = (parts[0] ?? []).map(({ name }, index) => ({
    name,
    points: parts.flatMap(part => part[index]?.points ?? []),
  }))
  return async (_: unknown, today: Day): Promise<GoalDays[]> =>
    whole.map(({ name, points }) => ({
      name,
      points: points.filter(({ date }) => parseDay(date) < today && parseDay(date) >= addDays(today, -length)),
    }))
}

/** Calls for each alert that begins, with every one of them on; silence is looked at just before each view. */
export const alarmsIn = async (
  file: string,
  seconds: readonly number[],
  onAlarm: (kind: AlertKind, day: Day) => void,
): Promise<void> => {
  const { db } = openDatabase(file)
  const isRule = (kind: AlertKind): boolean => kind !== 'disk' && kind !== 'refused'
  changeAlerts(db, Object.fromEntries(alertKinds.map(kind => [kind, { enabled: isRule(kind) }])), 'test', 0)
  db.close()
  const reading = openForReports(file)
  const zone = chooseZone(reading, null)
  const context = reportContext(reading, zone, () => 0)
  const goals = await goalsOfYear(context, last)
  const moments = [
    ...seconds.slice(1).flatMap((at, index) => (at - (seconds[index] ?? 0) >= 6 * 3600 ? [at - 1] : [])),
    ...eachDay(first, last).map(day => zone.startOf(addDays(day, 1)) - 1),
  ].sort((a, b) => a - b)
  const raised = new Set<AlertKind>()
  for (const now of moments)
    for (const [kind, { finding }] of await evaluate(reading, context, now, goals)) {
      if (finding === null) raised.delete(kind)
      else if (!raised.has(kind)) {
        raised.add(kind)
        onAlarm(kind, zone.dayOf(now))
      }
    }
  reading.close()
}

/** One a month. */
export const maxAlarms = 12

/** The false alarms of a year, which are at most so many. */
export const checkYear = (name: keyof typeof shapes, seed: number): Promise<void> =>
  withFolder(async folder => {
    const [data, recording] = [join(folder, 'year.db'), join(folder, 'year.ndjson')]
    const requests = generate(shapes[name], seed)
    writeFileSync(recording, `${requests.map(({ line }) => line).join('\n')}\n`)
    const zone = ['--timezone', zoneName]
    const imported = await footfallHere(['import', recording, '--format', 'requests', '--data', data, ...zone])
    assert.is(imported.status, 0, imported.stderr)
    assert.is((await footfallHere(['goal', 'add', 'Signup', '--event', 'signup', '--data', data])).status, 0)
    const seconds = [...new Set(requests.map(({ at }) => at))]
    const counts = new Map<AlertKind, number>()
    await alarmsIn(data, seconds, kind => counts.set(kind, (counts.get(kind) ?? 0) + 1))
    const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
    console.log(`${name}, seed ${seed}: ${all} a year ${JSON.stringify(Object.fromEntries(counts))}`)
    assert.ok(all <= maxAlarms, `${all} in a year`)
    // The one that is on by default.
    assert.ok((counts.get('silent') ?? 0) <= 2)
  })
