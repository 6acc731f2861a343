// Mixed load for a while: visits, reports, purges, backups. Memory stays flat, the log bounded, no answer is an error, and
// the ledger accounts for each request.
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { median } from '../bench/statistics.mjs'
import type { Running } from '../support/program.ts'
import type { Dice } from './dice.ts'
import { plan, type Outcome } from './load-kinds.ts'
import { createSender, type Sent } from './sender.ts'
import { expectBalance } from './service-rounds.ts'
import { expect, expectSame, expectSound, type Api, type Stage } from './stage.ts'
import { makeFile } from './works/work.ts'

/** MiB. A report or a purge keeps the log from being moved into the file for a moment; then it begins anew. */
const walMost = 64
/** MiB that memory may grow by, from the second quarter of the time to the last, beside the ids. */
const growthMost = 40
/** Bytes that the id of a view or event takes while repeats are known by it, which is longer than any drill: 16, in tables that may be half full. */
const bytesPerId = 16 / 0.5
const connections = 6
/** Milliseconds between an answer and the next request of a connection. */
const thinking = 8

type Over = () => boolean
type Counts = Record<Outcome | 'received', number>

/** MiB that a process has in memory. */
const memoryOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

const sample = async (
  { process: child }: Running,
  data: string,
  over: Over,
): Promise<{ memory: number[]; wal: number }> => {
  const memory: number[] = []
  let wal = 0
  while (!over()) {
    memory.push(memoryOf(child.pid ?? 0))
    wal = Math.max(wal, existsSync(`${data}-wal`) ? statSync(`${data}-wal`).size / 2 ** 20 : 0)
    await wait(250)
  }
  return { memory, wal }
}

const visit = async ({ url, output }: Running, dice: Dice, over: Over): Promise<Counts> => {
  const counts: Counts = { received: 0, accepted: 0, repeated: 0, unmatched: 0, invalid: 0, bot: 0 }
  const { send, close } = createSender(url, connections)
  const work = async (): Promise<void> => {
    let view: Sent | null = null
    while (!over()) {
      const { sent, outcome, status } = plan(dice, view)
      const found = await send(sent)
      expect(
        found === status,
        () => `${JSON.stringify(sent)} was answered with ${found}. The service's log: ${output.stderr || 'empty'}`,
      )
      counts.received += 1
      counts[outcome] += 1
      if (sent.endpoint === 'hit' && outcome === 'accepted') view = sent
      await wait(thinking)
    }
  }
  await Promise.all(Array.from({ length: connections }, work))
  close()
  return counts
}

const dayText = (daysAgo: number): string => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)
const reports = [
  '/summary',
  '/pages',
  '/pages/entry',
  '/sources',
  '/events',
  '/dimensions/country',
  '/dimensions/browser',
  '/utm',
  '/realtime',
] as const

const read = async (api: Api, dice: Dice, over: Over): Promise<number> => {
  let count = 0
  for (; !over(); count++) {
    await api(`${dice.pick(reports)}?from=${dayText(1 + dice.below(70))}&to=${dayText(0)}`)
    await wait(40)
  }
  return count
}

/** Days of the recording that the file begins with, counted back from now; a purge takes the oldest. */
const [oldest, newest] = [66, 41]

/** Again and again: a day less is kept, a purge, a copy beside the service, all jobs. */
const keepHouse = async (stage: Stage, api: Api, data: string, seconds: number, over: Over): Promise<number> => {
  let rounds = 0
  for (let days = oldest; !over(); rounds++) {
    days = Math.max(newest, days - 1)
    await api('/settings?_method=PUT', { retention_days: days })
    const { ok } = await api('/cron/run', {})
    expect(ok === true, () => 'a job failed')
    await stage.command('backup', `${data}.copy`, '--force', '--data', data)
    for (let left = (seconds / 30) * 4; left > 0 && !over(); left--) await wait(250)
  }
  return rounds
}

const quarter = (samples: readonly number[], number: number): number =>
  median(samples.slice(Math.floor((samples.length * number) / 4), Math.ceil((samples.length * (number + 1)) / 4)))

/**
 * @param told is told of the figures at the end
 * @throws Lost with what did not hold
 */
export const runLoad = async (
  stage: Stage,
  dice: Dice,
  seconds: number,
  told: (line: string) => void,
): Promise<void> => {
  const data = await makeFile(stage, 'load.db', 20_000)
  const folder = stage.path('backups')
  mkdirSync(folder)
  const before = expectBalance(data)
  const running = await stage.serve(data, ['--backup-folder', folder])
  const api = await stage.api(running, data)
  const end = Date.now() + seconds * 1000
  const over = (): boolean => Date.now() >= end
  const [counts, { memory, wal }, asked, rounds] = await Promise.all([
    visit(running, dice, over),
    sample(running, data, over),
    read(api, dice, over),
    keepHouse(stage, api, data, seconds, over),
  ])
  running.process.kill('SIGTERM')
  expectSame(await running.ended, 0, 'the stop')
  expectSame(running.output.stderr, '', 'the log')
  expectSound(data)
  const ledger = expectBalance(data)
  for (const [outcome, count] of Object.entries(counts))
    expectSame((ledger[outcome] ?? 0) - (before[outcome] ?? 0), count, `the ledger's ${outcome}`)
  const [early, late] = [quarter(memory, 1), quarter(memory, 3)]
  told(
    `${seconds} s: ${counts.received.toLocaleString('en')} requests, ${asked.toLocaleString('en')} reports, ${rounds} rounds of purge, jobs and backup`,
  )
  told(
    `memory ${early.toFixed(0)} MiB in the second quarter, ${late.toFixed(0)} MiB in the last; write-ahead log ${wal.toFixed(1)} MiB at most`,
  )
  told(
    `ledger: ${Object.entries(counts)
      .map(([outcome, count]) => `${count.toLocaleString('en')} ${outcome}`)
      .join(', ')}`,
  )
  // Half of all came between the middles of the two quarters.
  const ids = ((counts.accepted / 2) * bytesPerId) / 2 ** 20
  expect(
    late - early <= growthMost + ids,
    () =>
      `memory grew from ${early.toFixed(0)} to ${late.toFixed(0)} MiB, where ${(growthMost + ids).toFixed(0)} MiB more are expected`,
  )
  expect(wal <= walMost, () => `the write-ahead log grew to ${wal.toFixed(0)} MiB`)
}
