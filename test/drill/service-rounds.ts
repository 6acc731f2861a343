// Random load on the built program, and kill -9 at random moments: everything answered with 204 is in the reports,
// once.
import { setTimeout as wait } from 'node:timers/promises'
import type { Running } from '../support/program.ts'
import { type AckLog, createAckLog, expectedFigures, type Figures, reportedFigures } from './ack-log.ts'
import {
  type Api,
  DrillFailure,
  expect,
  expectIntact,
  expectSame,
  type Fixture,
  inspect,
  killAfter,
  removeFile,
} from './fixture.ts'
import type { RandomSource } from './random.ts'
import { resendUnanswered, sendTraffic } from './traffic.ts'

const day = 86_400_000
const dayText = (time: number): string => new Date(time).toISOString().slice(0, 10)
/** Yesterday to tomorrow, so that a round may run past midnight. */
const range = (): string => `from=${dayText(Date.now() - day)}&to=${dayText(Date.now() + day)}`

const fetchFigures = async (api: Api): Promise<Figures> => {
  const {
    data: { totals },
  } = await api(`/summary?${range()}`)
  const { data: pages } = await api(`/pages?${range()}&limit=200`)
  const { data: events } = await api(`/events?${range()}&limit=200`)
  return reportedFigures({ totals, pages, events })
}

/** A day of many visits is recalculated after a restart, which takes long on a busy machine. */
const timeout = 300_000

/** The reported figures, once they are as expected or after a timeout. */
const settledFigures = async (api: Api, expected: Figures): Promise<Figures> => {
  const text = JSON.stringify(expected)
  for (const deadline = Date.now() + timeout; ; ) {
    const actual = await fetchFigures(api)
    if (JSON.stringify(actual) === text || Date.now() > deadline) return actual
    await wait(100)
  }
}

/** received = accepted + repeated + refused; these counts are committed with the records. */
export const expectBalance = (data: string): Record<string, number> => {
  const rows = inspect(data, db =>
    db.prepare('select outcome, sum(requests) as requests from ledger group by outcome').all(),
  ) as { outcome: string; requests: number }[]
  const ledger = Object.fromEntries(rows.map(({ outcome, requests }) => [outcome, requests]))
  const { received = 0, trimmed: _, ...outcomes } = ledger
  const sum = Object.values(outcomes).reduce((total, count) => total + count, 0)
  expect(sum === received, () => `the ledger does not balance: ${JSON.stringify(ledger)}`)
  return ledger
}

/** Checks the file as the killed process left it. */
const checkFile = (data: string, { views }: AckLog): void => {
  expectIntact(data)
  expectBalance(data)
  const stored = inspect(data, db => Number(db.prepare('select count(*) from view').pluck().get()))
  expect(stored >= views.size, () => `${views.size - stored} of ${views.size} acknowledged views are not in the file`)
}

/** Rebuilding all rollups of a backup must change nothing. */
const checkRollups = async ({ command }: Fixture, data: string): Promise<void> => {
  const copy = `${data}.backup`
  removeFile(copy)
  await command('backup', copy, '--force', '--data', data)
  const text = await command('rebuild', '--data', copy)
  expect(text.includes('No figures changed.'), () => `a rebuild changed the rollups: ${text}`)
  removeFile(copy)
}

const checkJobs = async (api: Api): Promise<void> => {
  const { jobs } = await api('/cron/run', {})
  const failed = jobs.filter(({ ok }: { ok: boolean }) => !ok)
  expect(failed.length === 0, () => `jobs failed: ${JSON.stringify(failed)}`)
  const { findings } = await api('/diagnostics')
  const critical = findings.filter(
    ({ id, severity }: { id: string; severity: string }) => severity === 'critical' && id !== 'disk_full',
  )
  expect(critical.length === 0, () => `diagnostics: ${JSON.stringify(critical)}`)
}

/** Kills mostly under load, after a random number of responses; sometimes later, while rollups are calculated. */
const loadAndKill = async (
  { url, process: child, ended }: Running,
  acks: AckLog,
  random: RandomSource,
): Promise<number> => {
  const last = 1 + random.below(400)
  const duringLoad = random.chance(0.8)
  const delay = random.below(duringLoad ? 20 : 900)
  let over = false
  const { answered, unexpected } = await sendTraffic(url, acks, random, {
    connections: 1 + random.below(16),
    over: () => over || child.killed,
    onAnswer: count => {
      if (count !== last) return
      over = !duringLoad
      setTimeout(() => child.kill('SIGKILL'), delay)
    },
  })
  const exit = await ended
  expect(exit === 'SIGKILL', () => `the service ended before the kill: ${exit}`)
  expect(unexpected.length === 0, () => `unexpected statuses: ${unexpected.join(', ')}`)
  return answered
}

export type Rounds = { rounds: number; acknowledged: number; unanswered: number; starts: number }

/** A killed start must not prevent the next one. */
const killStart = async ({ begin }: Fixture, data: string, random: RandomSource): Promise<void> => {
  await killAfter(begin(['serve', '--port', '0', '--data', data]), random.below(300))
  expectIntact(data)
}

const restart = async ({ serve }: Fixture, data: string): Promise<Running> =>
  serve(data).catch(error => {
    throw new DrillFailure(`the service does not restart: ${String(error)}`)
  })

/**
 * Kills the service repeatedly on the same file.
 * @param onRound is called after each round with the figures so far
 * @throws DrillFailure if an acknowledged request is not reported once
 */
export const runServiceRounds = async (
  fixture: Fixture,
  rounds: number,
  random: RandomSource,
  onRound: (done: Rounds) => void,
): Promise<Rounds> => {
  const data = fixture.path('drill.db')
  const acks = createAckLog()
  const done: Rounds = { rounds: 0, acknowledged: 0, unanswered: 0, starts: 1 }
  let running = await restart(fixture, data)
  // Creates the password before the first kill.
  await fixture.api(running, data)
  while (done.rounds < rounds) {
    done.acknowledged += await loadAndKill(running, acks, random)
    checkFile(data, acks)
    if (random.chance(0.3)) await killStart(fixture, data, random)
    running = await restart(fixture, data)
    const api = await fixture.api(running, data)
    done.unanswered += acks.unanswered.length
    const unexpected = await resendUnanswered(running.url, acks)
    expectSame(unexpected, [], 'requests sent again were refused')
    const expected = expectedFigures(acks)
    expectSame(await settledFigures(api, expected), expected, 'the reports differ from the acknowledged requests')
    await checkRollups(fixture, data)
    if (random.chance(0.2)) await checkJobs(api)
    done.rounds += 1
    done.starts += 1
    onRound(done)
  }
  await checkJobs(await fixture.api(running, data))
  running.process.kill('SIGTERM')
  expectSame(await running.ended, 0, 'the last stop')
  expectBalance(data)
  const miscounted = inspect(data, db =>
    db
      .prepare('select id from session s where views <> (select count(*) from view v where v.session_id = s.id)')
      .pluck()
      .all(),
  )
  expectSame(miscounted, [], 'visits with a wrong number of views')
  return done
}
