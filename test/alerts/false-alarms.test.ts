// How often alerts are false: over made-up years in which nothing happens but chance. docs/alerts.md has the figures.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { alertKinds, type AlertKind } from '../../src/alerts/kinds.ts'
import { changeAlerts } from '../../src/alerts/switches.ts'
import { evaluate } from '../../src/alerts/watch/evaluate.ts'
import { readGoalDays, type GoalDays } from '../../src/alerts/watch/goals.ts'
import { reportContext } from '../../src/commands/reports.ts'
import { happenings } from '../../src/demo/calendar.ts'
import { openDatabase } from '../../src/database/open.ts'
import { createRandom, logNormal, seedOf, type Random } from '../../src/demo/random.ts'
import { addDays, createZone, dayText, eachDay, parseDay, timeText, weekday, type Day } from '../../src/lib/time.ts'
import { openForReports } from '../../src/reports/periods.ts'
import { chooseZone } from '../../src/rollup/zone.ts'
import { withFolder } from '../support/folder.ts'
import { footfall } from '../support/program.ts'

const [first, last] = [20250101, 20251231]
const zoneName = 'Europe/Berlin'
const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** Visits that are usual on a day of the year, 0..1, and how much days vary beside chance. */
type Shape = { usual: (progress: number, weekday: number) => number; spread: number }
const shapes: Readonly<Record<string, Shape>> = {
  'a tiny site: 5 visits a day': { usual: () => 5, spread: 0.1 },
  'quiet weekends: 40 visits, 3 on weekends': { usual: (_, day) => (day > 5 ? 3 : 40), spread: 0.15 },
  'a growing site: 20 to 120 visits a day': { usual: progress => 20 * 6 ** progress, spread: 0.12 },
}
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
const alarmsIn = async (
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

const seeds = [1, 2]
/** One a month. */
const maxAlarms = 12

for (const [name, shape] of Object.entries(shapes))
  test(`${name}: at most one false alarm a month`, () =>
    withFolder(async folder => {
      for (const seed of seeds) {
        const [data, recording] = [join(folder, `${seed}.db`), join(folder, `${seed}.ndjson`)]
        const requests = generate(shape, seed)
        writeFileSync(recording, `${requests.map(({ line }) => line).join('\n')}\n`)
        const zone = ['--timezone', zoneName]
        const imported = footfall(['import', recording, '--format', 'requests', '--data', data, ...zone])
        assert.is(imported.status, 0, imported.stderr)
        assert.is(footfall(['goal', 'add', 'Signup', '--event', 'signup', '--data', data]).status, 0)
        const seconds = [...new Set(requests.map(({ at }) => at))]
        const counts = new Map<AlertKind, number>()
        await alarmsIn(data, seconds, kind => counts.set(kind, (counts.get(kind) ?? 0) + 1))
        const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
        console.log(`${name}, seed ${seed}: ${all} a year ${JSON.stringify(Object.fromEntries(counts))}`)
        assert.ok(all <= maxAlarms, `${all} in a year`)
        // The one that is on by default.
        assert.ok((counts.get('silent') ?? 0) <= 2)
      }
    }))

test('the demo year: its outage is told, and at most one alarm a month is false', () =>
  withFolder(async folder => {
    const data = join(folder, 'demo.db')
    const made = footfall(['demo', '--data', data, '--to', dayText(last), '--timezone', zoneName])
    assert.is(made.status, 0, made.stderr)
    const known = happenings(first, last)
    const counts = new Map<AlertKind, Day[]>()
    await alarmsIn(data, [], (kind, day) => counts.set(kind, [...(counts.get(kind) ?? []), day]))
    /** Whether something of the year explains it, on the day or the one before. */
    const isTrue = (day: Day): boolean => known.has(day) || known.has(addDays(day, -1))
    const outage = [...known].find(([, all]) => all.some(({ share }) => share < -0.5))?.[0]
    const isWrong = ([kind, days]: [AlertKind, Day[]]): number =>
      (kind === 'goal' ? days : days.filter(day => !isTrue(day))).length
    const wrong = [...counts].map(isWrong).reduce((sum, count) => sum + count, 0)
    console.log(`the demo year: ${wrong} false of ${JSON.stringify(Object.fromEntries(counts))}`)
    assert.ok(outage !== undefined && counts.get('drop')?.includes(addDays(outage, 1)))
    assert.is(counts.get('silent'), undefined)
    assert.ok(wrong <= maxAlarms, `${wrong} in a year`)
  }))

test.run()
