// Random load on the built program, and kill -9 at random moments: what was answered with 204 is in the reports, once.
import { setTimeout as wait } from 'node:timers/promises'
import type { Running } from '../support/program.ts'
import { createAccount, figuresIn, figuresOf, type Account, type Figures } from './account.ts'
import type { Dice } from './dice.ts'
import { expect, expectSame, expectSound, killAfter, look, Lost, removeFile, type Api, type Stage } from './stage.ts'
import { sendTraffic, settleDoubts } from './traffic.ts'

const day = 86_400_000
const dayText = (time: number): string => new Date(time).toISOString().slice(0, 10)
/** Yesterday to tomorrow: a midnight on the way does no harm. */
const range = (): string => `from=${dayText(Date.now() - day)}&to=${dayText(Date.now() + day)}`

const askFigures = async (api: Api): Promise<Figures> => {
  const {
    data: { totals },
  } = await api(`/summary?${range()}`)
  const { data: pages } = await api(`/pages?${range()}&limit=200`)
  const { data: events } = await api(`/events?${range()}&limit=200`)
  return figuresIn({ totals, pages, events })
}

const patience = 20_000

/** The reports, once they are what they must be, or after a while as they are. */
const settledFigures = async (api: Api, expected: Figures): Promise<Figures> => {
  const text = JSON.stringify(expected)
  for (const last = Date.now() + patience; ; ) {
    const found = await askFigures(api)
    if (JSON.stringify(found) === text || Date.now() > last) return found
    await wait(100)
  }
}

/** received = accepted + repeated + refused; what is accepted and repeated is written with its records. */
export const expectBalance = (data: string): Record<string, number> => {
  const rows = look(data, db =>
    db.prepare('select outcome, sum(requests) as requests from ledger group by outcome').all(),
  ) as { outcome: string; requests: number }[]
  const ledger = Object.fromEntries(rows.map(({ outcome, requests }) => [outcome, requests]))
  const { received = 0, trimmed: _, ...outcomes } = ledger
  const sum = Object.values(outcomes).reduce((all, one) => all + one, 0)
  expect(sum === received, () => `the ledger does not balance: ${JSON.stringify(ledger)}`)
  return ledger
}

/** The file as the killed process has left it. */
const checkFile = (data: string, { views }: Account): void => {
  expectSound(data)
  expectBalance(data)
  const kept = look(data, db => Number(db.prepare('select count(*) from view').pluck().get()))
  expect(kept >= views.size, () => `${views.size - kept} of ${views.size} acknowledged views are not in the file`)
}

/** What the reports show is what deriving everything anew gives, in a copy made as an owner makes one. */
const checkRollups = async ({ command }: Stage, data: string): Promise<void> => {
  const copy = `${data}.backup`
  removeFile(copy)
  await command('backup', copy, '--force', '--data', data)
  const text = await command('rebuild', '--data', copy)
  expect(text.includes('No figures changed.'), () => `the rollups were not what a rebuild gives: ${text}`)
  removeFile(copy)
}

const checkJobs = async (api: Api): Promise<void> => {
  const { jobs } = await api('/cron/run', {})
  const failed = jobs.filter(({ ok }: { ok: boolean }) => !ok)
  expect(failed.length === 0, () => `jobs failed: ${JSON.stringify(failed)}`)
  const { findings } = await api('/diagnostics')
  const grave = findings.filter(
    ({ id, severity }: { id: string; severity: string }) => severity === 'critical' && id !== 'disk_full',
  )
  expect(grave.length === 0, () => `diagnostics: ${JSON.stringify(grave)}`)
}

/** Mostly under load, once some were answered; now and then a while after the last, while rollups are derived. */
const loadAndKill = async ({ url, process: child, ended }: Running, account: Account, dice: Dice): Promise<number> => {
  const last = 1 + dice.below(400)
  const under = dice.chance(0.8)
  const delay = dice.below(under ? 20 : 900)
  let over = false
  const { answered, others } = await sendTraffic(url, account, dice, {
    connections: 1 + dice.below(16),
    over: () => over || child.killed,
    answered: count => {
      if (count !== last) return
      over = !under
      setTimeout(() => child.kill('SIGKILL'), delay)
    },
  })
  const how = await ended
  expect(how === 'SIGKILL', () => `the service ended by itself: ${how}`)
  expect(others.length === 0, () => `answers that should not have come: ${others.join(', ')}`)
  return answered
}

export type Rounds = { rounds: number; acknowledged: number; doubtful: number; starts: number }

/** A start that is killed as well must leave nothing that the next one stumbles over. */
const killStart = async ({ begin }: Stage, data: string, dice: Dice): Promise<void> => {
  await killAfter(begin(['serve', '--port', '0', '--data', data]), dice.below(300))
  expectSound(data)
}

const serveAgain = async ({ serve }: Stage, data: string): Promise<Running> =>
  serve(data).catch(error => {
    throw new Lost(`it does not start again: ${String(error)}`)
  })

/**
 * Kill after kill on one and the same file.
 * @param told after each round, with the figures so far
 * @throws Lost with what was not as acknowledged
 */
export const runServiceRounds = async (
  stage: Stage,
  rounds: number,
  dice: Dice,
  told: (done: Rounds) => void,
): Promise<Rounds> => {
  const data = stage.path('drill.db')
  const account = createAccount()
  const done: Rounds = { rounds: 0, acknowledged: 0, doubtful: 0, starts: 1 }
  let running = await serveAgain(stage, data)
  // Its password is made while nothing kills it.
  await stage.api(running, data)
  while (done.rounds < rounds) {
    done.acknowledged += await loadAndKill(running, account, dice)
    checkFile(data, account)
    if (dice.chance(0.3)) await killStart(stage, data, dice)
    running = await serveAgain(stage, data)
    const api = await stage.api(running, data)
    done.doubtful += account.doubtful.length
    const others = await settleDoubts(running.url, account)
    expectSame(others, [], 'sent again, not every request was taken')
    const expected = figuresOf(account)
    expectSame(await settledFigures(api, expected), expected, 'the reports differ from what was acknowledged')
    await checkRollups(stage, data)
    if (dice.chance(0.2)) await checkJobs(api)
    done.rounds += 1
    done.starts += 1
    told(done)
  }
  await checkJobs(await stage.api(running, data))
  running.process.kill('SIGTERM')
  expectSame(await running.ended, 0, 'the last stop')
  expectBalance(data)
  const miscounted = look(data, db =>
    db
      .prepare('select id from session s where views <> (select count(*) from view v where v.session_id = s.id)')
      .pluck()
      .all(),
  )
  expectSame(miscounted, [], 'visits whose views are not counted right')
  return done
}
