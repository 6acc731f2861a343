import { resolve } from 'node:path'
import { type Config, readOptions, siteHosts, UsageError } from '../config/config.ts'
import { readSources } from '../config/rule-files.ts'
import type { Db } from '../database/query.ts'
import { describe, refusalLines } from '../import/history/describe.ts'
import type { Format } from '../import/history/format.ts'
import { formats } from '../import/history/formats/index.ts'
import { type HistoryTarget, performImport, withPreview } from '../import/history/perform.ts'
import { presentIn } from '../import/history/present.ts'
import { createProgress } from '../import/progress.ts'
import { historyFormats as formatNames } from '../lib/histories.ts'
import { type Day, dateOf, isZone, toSeconds } from '../lib/time.ts'
import type { Call, OwnFlag } from './command.ts'
import { noteCommand, optionsWith } from './database.ts'
import { withPlace } from './import-beside.ts'
import { watchStopSignal } from './stop.ts'

export const historyFlags: readonly OwnFlag[] = [
  {
    flag: '--dry-run',
    about: 'Histories: show what would be imported, and write nothing. The service may be running.',
  },
  { flag: '--from <DATE>', about: 'Histories: the first day, YYYY-MM-DD.' },
  { flag: '--to <DATE>', about: 'Histories: the last day, YYYY-MM-DD.' },
  { flag: '--site <ID>', about: 'Histories: the site to import, if the files have several.' },
  { flag: '--source-timezone <ZONE>', about: 'Histories: the zone of times that do not name theirs.' },
  {
    flag: '--overlap <WHAT>',
    about: 'Histories: leave out days that have data already (skip), or refuse (refuse).',
    default: 'skip',
  },
]

const isFormat = (name: string): boolean => formatNames.some(format => format === name)

/** The formats that `--format` may mean; null if it means no history. */
export const formatsFor = (name: unknown = 'auto'): readonly Format[] | null => {
  if (name === 'auto') return formats
  return typeof name === 'string' && isFormat(name) ? formats.filter(format => format.name === name) : null
}

const dayFlag = ({ flags }: Call, name: string): Day | null => {
  const text = flags[name]
  if (text === undefined) return null
  const day = typeof text === 'string' ? dateOf(text) : null
  if (day === null) throw new UsageError(`--${name} takes a date such as 2026-03-10, not '${String(text)}'.`)
  return day
}

const textFlag = ({ flags }: Call, name: string): string | null => {
  const text = flags[name]
  return typeof text === 'string' ? text : null
}

const overlaps = ['skip', 'refuse'] as const

const readFlags = (call: Call) => {
  const { overlap: wanted = 'skip', sourceTimezone } = call.flags
  const overlap = overlaps.find(name => name === wanted)
  if (overlap === undefined) throw new UsageError(`--overlap takes skip or refuse, not '${String(wanted)}'.`)
  if (typeof sourceTimezone === 'string' && !isZone(sourceTimezone))
    throw new UsageError(`--source-timezone takes a time zone such as Europe/Berlin, not '${sourceTimezone}'.`)
  const [from, to] = [dayFlag(call, 'from'), dayFlag(call, 'to')]
  if (from !== null && to !== null && from > to) throw new UsageError('--from is later than --to.')
  return { from, to, overlap, sourceTimezone: textFlag(call, 'sourceTimezone'), siteId: textFlag(call, 'site') }
}

type HistoryConfig = Pick<Config, 'data' | 'siteUrl' | 'allowedHosts' | 'keepQuery' | 'sources'>

/** Imports into a database, or into one that is thrown away. */
const run = async (
  call: Call,
  candidates: readonly Format[],
  target: HistoryTarget,
  config: HistoryConfig,
  isPreview: boolean,
): Promise<number> => {
  const { args, flags, clock, print, warn } = call
  const given = readFlags(call)
  const isStopped = watchStopSignal(warn)
  const phases = {
    Reading: createProgress(process.stderr, 'Reading', clock),
    Writing: createProgress(process.stderr, 'Writing', clock),
  }
  const report = await performImport(target, {
    ...given,
    path: resolve(config.data),
    files: args,
    formats: candidates,
    site: {
      allowedHosts: siteHosts(config),
      keepQuery: [...config.keepQuery].sort(),
      corrections: readSources(config.sources),
    },
    now: toSeconds(clock()),
    progress: (phase, share, rows) => phases[phase].show(share, rows),
    stopped: isStopped,
  })
  for (const progress of Object.values(phases)) progress.clear()
  if (report === null) {
    warn('Stopped. Run the same import again to resume.')
    return 1
  }
  if (!isPreview && report.days > 0) noteCommand(call, target.db, 'import_done', { format: report.format })
  if (flags.json === true) print(JSON.stringify(isPreview ? { ...report, id: null } : report, null, 2))
  else for (const line of describe(report, isPreview)) print(line)
  for (const line of refusalLines(report)) warn(line)
  if (report.days === 0) warn('There is no day to import.')
  else if (!isPreview && flags.json !== true) print(`To undo it: footfall import --undo ${String(report.id)}`)
  return report.refused_rows > 0 || report.days === 0 ? 1 : 0
}

const configOf = (call: Call, db: Db): HistoryConfig =>
  optionsWith(call, db, ['data', 'siteUrl', 'allowedHosts', 'keepQuery', 'sources'])

/** Runs `import` for a history of another analytics program. Returns the exit code, 1 if a row was refused. */
export const runHistoryImport = async (call: Call, candidates: readonly Format[]): Promise<number> => {
  const { data, timezone } = readOptions(['data', 'timezone'], call.flags, call.env)
  const path = resolve(data)
  const now = toSeconds(call.clock())
  if (call.flags.dryRun === true)
    return withPreview({ path, timezone, now }, (target, stored) =>
      run(call, candidates, target, configOf(call, stored), true),
    )
  return withPlace(call, place =>
    run(call, candidates, { ...place, present: presentIn(place.db) }, configOf(call, place.db), false),
  )
}
