// What the works that are killed in the middle have in common.
import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Dice } from '../dice.ts'
import { killAfter, type Stage } from '../stage.ts'
import { firefox } from '../../support/service.ts'

/** One start from the beginning, kills, and the way to the end; gives how many of the kills came in the midst. */
export type Round = () => Promise<number>

/** Long work on a file: what it starts from is made once. `size`: lines, about. */
export type Work = { name: string; prepare: (stage: Stage, dice: Dice, size: number) => Promise<Round> }

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
      title: `Page ${index % 60}`,
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
              properties: { plan: index % 2 === 0 ? 'pro' : 'free' },
            },
          }
        : { endpoint: 'hit', ...common, body },
    )
  })
    .map(line => `${line}\n`)
    .join('')
}

export const writeRecording = ({ path }: Stage, lines: number): string => {
  const file = path(`recording-${lines}.ndjson`)
  writeFileSync(file, recording(lines))
  return file
}

/** A file with some weeks of visits. */
export const makeFile = async (stage: Stage, name: string, lines: number): Promise<string> => {
  const data = stage.path(name)
  await stage.command('import', writeRecording(stage, lines), '--format', 'requests', '--data', data)
  return data
}

/**
 * A digest of all that a file holds (visits, views, events, ledger, rollups, orders), by way of its export. The first
 * line names the installation, which each file has of its own, and the seals of days are made over that.
 */
export const contentOf = async ({ command, path }: Stage, data: string): Promise<string> => {
  const file = path('content.ndjson')
  rmSync(file, { force: true })
  await command('export', file, '--format', 'archive', '--data', data)
  const [, ...lines] = readFileSync(file, 'utf8').split('\n')
  return createHash('sha256')
    .update(lines.filter(line => !line.includes('"table":"archive_day"')).join('\n'))
    .digest('hex')
}

/** Milliseconds that some work takes without a kill. */
export const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** Starts a command and kills it at any moment of the time that it usually takes. */
export const killCommand = (stage: Stage, args: readonly string[], usual: number, dice: Dice): Promise<boolean> =>
  killAfter(stage.begin(args), dice.below(Math.ceil(usual * 1.1)))
