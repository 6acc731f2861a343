// Shared by the scenarios, each of which kills a long-running operation.
import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { firefox } from '../../support/service.ts'
import { type Fixture, killAfter } from '../fixture.ts'
import type { RandomSource } from '../random.ts'

/** Starts the operation, kills it, and completes it. Resolves with the number of kills that interrupted it. */
export type Round = () => Promise<number>

/** A long-running operation on a file. Its input is prepared once; `size` is its approximate number of lines. */
export type Scenario = {
  name: string
  prepare: (fixture: Fixture, random: RandomSource, size: number) => Promise<Round>
}

const day = 86_400_000

/** Some weeks of visits that ended 40 days ago, as a recording of requests. */
const recording = (lines: number): string => {
  const end = Math.floor(Date.now() / day) * day - 40 * day
  const step = Math.floor((24 * day) / lines / 1000) * 1000
  return Array.from({ length: lines }, (_, index) => {
    const time = new Date(end - (lines - index) * step).toISOString().replace('.000Z', 'Z')
    const common = { time, ip: `203.0.${(index * 7) % 97}.7`, user_agent: firefox }
    const number = String(index).padStart(9, '0')
    const body = {
      page_url: `https://shop.example/p/${index % 60}?utm_source=news${index % 3}`,
      title: `Page ${index % 600}`,
      pvid: `recorded-view-${number}`,
    }
    return JSON.stringify(
      index % 5 === 3
        ? {
            endpoint: 'event',
            ...common,
            body: {
              name: 'signup',
              event_id: `recorded-event-${number}`,
              properties: { plan: index % 2 === 0 ? 'pro' : 'free', note: `Note ${number}` },
            },
          }
        : { endpoint: 'hit', ...common, body },
    )
  })
    .map(line => `${line}\n`)
    .join('')
}

export const writeRecording = ({ path }: Fixture, lines: number): string => {
  const file = path(`recording-${lines}.ndjson`)
  writeFileSync(file, recording(lines))
  return file
}

/** Creates a file with some weeks of visits. */
export const createFile = async (fixture: Fixture, name: string, lines: number): Promise<string> => {
  const data = fixture.path(name)
  await fixture.command('import', writeRecording(fixture, lines), '--format', 'requests', '--data', data)
  return data
}

/**
 * A digest of the exported content of a file (visits, views, events, ledger, rollups, orders). The first line is left
 * out, as it names the installation; so are the checksums of days, which include that line.
 */
export const contentOf = async ({ command, path }: Fixture, data: string): Promise<string> => {
  const file = path('content.ndjson')
  rmSync(file, { force: true })
  await command('export', file, '--format', 'archive', '--data', data)
  const [, ...lines] = readFileSync(file, 'utf8').split('\n')
  return createHash('sha256')
    .update(lines.filter(line => !line.includes('"table":"archive_day"')).join('\n'))
    .digest('hex')
}

/** The duration of an operation in milliseconds. */
export const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** Starts a command and kills it at a random time within its usual duration, or cuts the power at any of its writes. */
export const killCommand = (
  fixture: Fixture,
  args: readonly string[],
  usual: number,
  random: RandomSource,
): Promise<boolean> =>
  fixture.powerCut?.([...fixture.program.command, ...args]) ??
  killAfter(fixture.begin(args), random.below(Math.ceil(usual * 1.1)))
