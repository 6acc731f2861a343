// Mixed load for a while: visits, reports, purges, backups, and an attacker. Memory stays flat, the log stays bounded, no response is an
// error, and the ledger counts each request.
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { median } from '../bench/statistics.mjs'
import type { Running } from '../support/program.ts'
import { type Attacked, attack } from './attacker.ts'
import { type Api, expect, expectIntact, expectSame, type Fixture } from './fixture.ts'
import { type Outcome, plan } from './load-kinds.ts'
import type { RandomSource } from './random.ts'
import { createFile } from './scenarios/scenario.ts'
import { type CollectionRequest, createSender } from './sender.ts'
import { expectBalance } from './service-rounds.ts'

/** MiB. A long report or purge delays a checkpoint; after it the log starts over. */
const maxWal = 64
/** MiB by which memory may grow from the second quarter of the time to the last, apart from the remembered ids. */
const maxGrowth = 40
/** Seconds of load from which on that is asked: in a shorter one a busy machine starts its threads in the second half. */
const leastForGrowth = 60
/**
 * Bytes per id of a view or event in memory, kept to detect repeats for longer than any drill takes: 16, in hash tables
 * that may be half full.
 */
const bytesPerId = 16 / 0.5
const connections = 6
/** MiB of the whole process, whatever the attacker does. */
const maxMemory = 300
/** Milliseconds between an answer and the next request of a connection. */
const thinkTime = 8

type IsOver = () => boolean
type Counts = Record<Outcome | 'received', number>

/** MiB that a process has in memory. */
const memoryOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

const sample = async (
  { process: child }: Running,
  data: string,
  isOver: IsOver,
): Promise<{ memory: number[]; wal: number }> => {
  const memory: number[] = []
  let wal = 0
  while (!isOver()) {
    memory.push(memoryOf(child.pid ?? 0))
    wal = Math.max(wal, existsSync(`${data}-wal`) ? statSync(`${data}-wal`).size / 2 ** 20 : 0)
    await wait(250)
  }
  return { memory, wal }
}

/** The honest hits: how each counts, and the milliseconds until each answer. */
const visit = async (
  { url, output }: Running,
  random: RandomSource,
  isOver: IsOver,
): Promise<{ counts: Counts; waits: number[] }> => {
  const waits: number[] = []
  const counts: Counts = { received: 0, accepted: 0, repeated: 0, unmatched: 0, invalid: 0, bot: 0 }
  const { send, close } = createSender(url, connections)
  const work = async (): Promise<void> => {
    let view: CollectionRequest | null = null
    while (!isOver()) {
      const { sent, outcome, status } = plan(random, view)
      const started = performance.now()
      const actual = await send(sent)
      waits.push(performance.now() - started)
      expect(
        actual === status,
        () => `${JSON.stringify(sent)} was answered with ${actual}. The service's log: ${output.stderr || 'empty'}`,
      )
      counts.received += 1
      counts[outcome] += 1
      if (sent.endpoint === 'hit' && outcome === 'accepted') view = sent
      await wait(thinkTime)
    }
  }
  await Promise.all(Array.from({ length: connections }, work))
  close()
  return { counts, waits }
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

const read = async (api: Api, random: RandomSource, isOver: IsOver): Promise<number> => {
  let count = 0
  for (; !isOver(); count++) {
    await api(`${random.pick(reports)}?from=${dayText(1 + random.below(70))}&to=${dayText(0)}`)
    await wait(40)
  }
  return count
}

/** Days that the recording spans, counted back from now. Each purge deletes the oldest. */
const [oldest, newest] = [66, 41]

/** Repeatedly shortens the retention by a day, runs all jobs, and takes a backup. */
const runMaintenance = async (
  fixture: Fixture,
  api: Api,
  data: string,
  seconds: number,
  isOver: IsOver,
): Promise<number> => {
  let rounds = 0
  for (let days = oldest; !isOver(); rounds++) {
    days = Math.max(newest, days - 1)
    await api('/settings?_method=PUT', { retention_days: days })
    const { ok } = await api('/cron/run', {})
    expect(ok === true, () => 'a job failed')
    await fixture.command('backup', `${data}.copy`, '--force', '--data', data)
    for (let left = (seconds / 30) * 4; left > 0 && !isOver(); left--) await wait(250)
  }
  return rounds
}

const quarter = (samples: readonly number[], number: number): number =>
  median(samples.slice(Math.floor((samples.length * number) / 4), Math.ceil((samples.length * (number + 1)) / 4)))

const p99 = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? 0

const attackedText = ({ batches, slow, filtered, aborted }: Attacked): string =>
  `${batches} batches, ${slow} slow bodies, ${filtered} filtered reports, ${aborted} aborted ones`

/**
 * @param print receives the figures at the end
 * @returns the milliseconds in which 99 of 100 honest hits were answered, with an attacker beside them
 * @throws DrillFailure if an expectation is not met
 */
export const runLoad = async (
  fixture: Fixture,
  random: RandomSource,
  seconds: number,
  print: (line: string) => void,
): Promise<number> => {
  const data = await createFile(fixture, 'load.db', 20_000)
  const folder = fixture.path('backups')
  mkdirSync(folder)
  const before = expectBalance(data)
  const running = await fixture.serve(data, ['--backup-folder', folder])
  const api = await fixture.api(running, data)
  const { token: link } = await api('/share-links', { name: 'For the attacker', filters: {} })
  const end = Date.now() + seconds * 1000
  const isOver = (): boolean => Date.now() >= end
  const days = { from: dayText(70), to: dayText(0) }
  const [{ counts, waits }, { memory, wal }, reportCount, rounds, attacked] = await Promise.all([
    visit(running, random, isOver),
    sample(running, data, isOver),
    read(api, random, isOver),
    runMaintenance(fixture, api, data, seconds, isOver),
    attack({ url: running.url, link, ...days, isOver }, random),
  ])
  running.process.kill('SIGTERM')
  expectSame(await running.ended, 0, 'the stop')
  expectSame(running.output.stderr, '', 'the log')
  expectIntact(data)
  const ledger = expectBalance(data)
  for (const [outcome, count] of Object.entries(counts))
    expectSame((ledger[outcome] ?? 0) - (before[outcome] ?? 0), count, `the ledger's ${outcome}`)
  const [early, late] = [quarter(memory, 1), quarter(memory, 3)]
  print(
    `${seconds} s: ${counts.received.toLocaleString('en')} requests, ${reportCount.toLocaleString('en')} reports, ${rounds} rounds of purge, jobs and backup`,
  )
  print(
    `memory ${early.toFixed(0)} MiB in the second quarter, ${late.toFixed(0)} MiB in the last; write-ahead log ${wal.toFixed(1)} MiB at most`,
  )
  print(
    `ledger: ${Object.entries(counts)
      .map(([outcome, count]) => `${count.toLocaleString('en')} ${outcome}`)
      .join(', ')}`,
  )
  const slowest = p99(waits)
  const most = Math.max(...memory)
  print(
    `beside ${attackedText(attacked)}: 99 of 100 honest hits within ${slowest.toFixed(0)} ms, at most ${most.toFixed(0)} MiB`,
  )
  expect(most <= maxMemory, () => `memory grew to ${most.toFixed(0)} MiB`)
  // Half of all requests were sent between the middles of the two quarters.
  const ids = ((counts.accepted / 2) * bytesPerId) / 2 ** 20
  expect(
    seconds < leastForGrowth || late - early <= maxGrowth + ids,
    () =>
      `memory grew from ${early.toFixed(0)} to ${late.toFixed(0)} MiB, where ${(maxGrowth + ids).toFixed(0)} MiB more are expected`,
  )
  expect(wal <= maxWal, () => `the write-ahead log grew to ${wal.toFixed(0)} MiB`)
  return slowest
}
