// A service under load whose writes strace records: wherever the power goes, everything answered by then is on the disk.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { temporaryFolder } from '../../support/program.ts'
import { firefox } from '../../support/service.ts'
import { expect, expectIntact, expectSame, type Fixture, inspect } from '../fixture.ts'
import type { RandomSource } from '../random.ts'
import { expectBalance } from '../service-rounds.ts'
import { callsIn, expectComplete, readFiles, recorded, writeFiles } from './cut-command.ts'
import { createDisk, type Files } from './disk.ts'
import type { Call } from './trace.ts'

const connections = 4
/** Between these the service runs jobs, which write the database itself. */
const hitsAtOnce = 60
const groups = 5

/** The pages that were answered with 204, by the id of the answer. */
type Answered = Map<string, string>

const headers = { 'content-type': 'application/json', 'user-agent': firefox }

/** Sends views and events of pages that nobody else views, from some connections. */
const sendLoad = async (url: string, group: number, answered: Answered): Promise<void> => {
  const work = async (connection: number): Promise<void> => {
    for (let number = 0; number < hitsAtOnce / connections; number++) {
      const page = `/group/${group}/${connection}/${number}`
      const isEvent = number % 5 === 4
      const response = await fetch(`${url}/analytics/v1/${isEvent ? 'event' : 'hit'}`, {
        method: 'POST',
        headers: { ...headers, 'x-forwarded-for': `11.${group}.${connection}.${number + 1}` },
        body: JSON.stringify({ page_url: page, ...(isEvent && { name: 'signup' }) }),
      })
      expectSame(response.status, 204, `the answer for ${page}`)
      answered.set(response.headers.get('x-request-id') ?? '', page)
    }
  }
  await Promise.all(Array.from({ length: connections }, (_, connection) => work(connection)))
}

/** Starts the service under strace; resolves with its address, and with what ends it. */
const startRecorded = async (fixture: Fixture, data: string, trace: string, out: string) => {
  const serve = [...fixture.program.command, 'serve', '--port', '0', '--log-level', 'warn', '--data', data]
  const [name = '', ...args] = recorded(trace, ['sh', '-c', `exec "$@" > '${out}'`, 'sh', ...serve])
  const child = spawn(name, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: process.env.PATH, UV_USE_IO_URING: '0' },
  })
  const ended = once(child, 'close')
  fixture.onRemove(() => child.kill('SIGKILL'))
  for (;;) {
    const url = existsSync(out) ? /^listening on (http:\S+)$/m.exec(readFileSync(out, 'utf8'))?.[1] : undefined
    if (url !== undefined) return { url, ended }
    expect(child.exitCode === null, () => 'the recorded service did not start')
    await wait(50)
  }
}

/** The process that serves a file, which is a child of strace. */
const stopRecorded = (data: string): void => {
  const pid = inspect(data, db => Number(db.prepare('select pid from holder').pluck().get()))
  process.kill(pid, 'SIGTERM')
}

type Record = { files: Files; calls: Call[]; answered: Answered }

/** Everything that a service did from its start to its stop, and the files that were there before. */
const record = async (fixture: Fixture, folder: string): Promise<Record> => {
  const data = `${folder}/power.db`
  const traces = temporaryFolder()
  // What another process writes meanwhile would be missing in the record: the password of `api` is made before.
  const first = await fixture.serve(data)
  await fixture.api(first, data)
  first.process.kill('SIGTERM')
  await first.ended
  const files = readFiles(folder)
  const answered: Answered = new Map()
  const { url, ended } = await startRecorded(fixture, data, traces.path('trace'), traces.path('out'))
  const api = await fixture.api({ url } as Parameters<Fixture['api']>[0], data)
  for (let group = 0; group < groups; group++) {
    await sendLoad(url, group, answered)
    const { jobs } = await api('/cron/run', { jobs: ['rollup', 'optimize'] })
    expect(
      jobs.every(({ ok }: { ok: boolean }) => ok),
      () => JSON.stringify(jobs),
    )
  }
  stopRecorded(data)
  await ended
  expect(statSync(traces.path('trace')).size > 0, () => 'strace recorded nothing')
  const calls = callsIn(traces.path('trace'), folder)
  const disk = createDisk(files)
  for (const call of calls) disk.take(call)
  expectComplete(folder, disk.whole())
  return { files, calls, answered }
}

/** Pages that were answered in one call: several answers may be written at once. */
const pagesIn = (call: Call, answered: Answered): string[] =>
  call.do !== 'answer'
    ? []
    : [...call.text.matchAll(/x-request-id: (\S+)/gi)].flatMap(([, id = '']) => answered.get(id) ?? [])

/**
 * Cuts the power `rounds` times, each time at another moment of the same load.
 * @throws DrillFailure if anything that was answered is lost, or the file is damaged
 */
export const runPowerRounds = async (
  fixture: Fixture,
  rounds: number,
  random: RandomSource,
): Promise<{ answers: number; cuts: number }> => {
  const folder = fixture.path('power')
  mkdirSync(folder)
  const { files, calls, answered } = await record(fixture, folder)
  const found = calls.flatMap(call => pagesIn(call, answered))
  expectSame(found.length, answered.size, 'the answers in the record of calls')
  const data = `${folder}/power.db`
  const points = Array.from({ length: rounds }, () => random.below(calls.length + 1)).sort((a, b) => a - b)
  const disk = createDisk(files)
  const acknowledged: string[] = []
  let at = 0
  const goTo = (point: number): void => {
    for (; at < point; at++) {
      const call = calls[at]
      if (call === undefined) continue
      disk.take(call)
      acknowledged.push(...pagesIn(call, answered))
    }
  }
  const checkDisk = async (isRebuilt: boolean): Promise<void> => {
    expectIntact(data)
    const pages = new Set(
      inspect(data, db =>
        db
          .prepare('select path from page where id in (select page_id from view) or id in (select page_id from event)')
          .pluck()
          .all(),
      ),
    )
    const lost = acknowledged.filter(page => !pages.has(page))
    expectSame(lost, [], `answered and lost in a power cut at call ${at}`)
    expectBalance(data)
    if (!isRebuilt) return
    await fixture.command('cron', 'rollup', '--data', data)
    const text = await fixture.command('rebuild', '--data', data)
    expect(text.includes('No figures changed.'), () => `a power cut changed figures: ${text}`)
  }
  for (const [number, point] of points.entries()) {
    goTo(point)
    writeFiles(folder, disk.cut(random))
    // Starting a command takes longer than all else.
    await checkDisk(number % 20 === 0)
  }
  goTo(calls.length)
  rmSync(folder, { recursive: true })
  return { answers: answered.size, cuts: points.length }
}
