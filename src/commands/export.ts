import { existsSync, mkdirSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { alertsByDay } from '../alerts/archive.ts'
import { annotationsByDay } from '../annotations/archive.ts'
import { csvText } from '../archive/csv.ts'
import { archiveText } from '../archive/day.ts'
import { writeAtomically } from '../archive/file.ts'
import { headerOf } from '../archive/header.ts'
import { withSnapshot } from '../archive/snapshot.ts'
import { UsageError } from '../config/config.ts'
import type { Db } from '../database/query.ts'
import { pathOf } from '../database/whole.ts'
import { createProgress } from '../import/progress.ts'
import { ExpectedError } from '../lib/errors.ts'
import { createZone, type Day, dateOf, toSeconds, type Zone } from '../lib/time.ts'
import { daysWithData } from '../rollup/whole.ts'
import { findZone } from '../rollup/zone.ts'
import { findCurrency } from '../shop/currency.ts'
import { ordersByDay } from '../shop/orders-by-day.ts'
import type { Call, Command } from './command.ts'
import { tryNoteCommand, withReading } from './database.ts'
import { readFolder, writeParquet } from './export-parquet.ts'
import { everyReport, exportReports, fileNameOf } from './export-reports.ts'

/** `onProgress` is called with the share and the number of days written. */
type ExportRange = {
  db: Db
  zone: Zone
  from: Day
  to: Day
  exportedAt: number
  onProgress: (share: number, days: number) => void
}
type TextOf = (range: ExportRange) => Iterable<string>

const formats: Readonly<Record<string, TextOf>> = {
  archive: ({ db, zone, from, to, exportedAt, onProgress }) => {
    const orders = ordersByDay(db, zone, from, to)
    const annotations = annotationsByDay(db, zone, from, to)
    const alerts = alertsByDay(db, zone, from, to)
    const others = [orders, annotations, alerts]
    const days = [...new Set([...daysWithData(db, from, to), ...others.flatMap(one => one.days)])].sort((a, b) => a - b)
    const tally = { sessions: 0, views: 0, events: 0 }
    return archiveText(db, zone, days, headerOf(db, zone, days, exportedAt, findCurrency(db)), tally, {
      others,
      onDay: written => onProgress(written / days.length, written),
    })
  },
  csv: ({ db, zone, from, to, onProgress }) => {
    const days = daysWithData(db, from, to)
    return csvText(db, zone, days, written => onProgress(written / days.length, written))
  },
}

const readFormat = (flag: unknown): TextOf => {
  const format = typeof flag === 'string' && Object.hasOwn(formats, flag) ? formats[flag] : undefined
  if (format === undefined) throw new UsageError(`--format takes archive, csv or parquet, not '${String(flag)}'.`)
  return format
}

const readDay = (name: string, flag: unknown, defaultDay: Day): Day => {
  if (flag === undefined) return defaultDay
  const day = dateOf(String(flag))
  if (day === null) throw new UsageError(`--${name} takes a day such as 2026-03-01, not '${String(flag)}'.`)
  return day
}

/** Devices and pipes are written directly, without a temporary file. */
const isSpecial = (path: string): boolean => existsSync(path) && !statSync(path).isFile()

const writeTo = async (file: string, text: Iterable<string>): Promise<void> => {
  const gzip = file.endsWith('.gz')
  if (file !== '-' && !isSpecial(file)) return writeAtomically(file, text, gzip)
  const source = Readable.from(text, { objectMode: false })
  if (file === '-') return pipeline(source, process.stdout, { end: false })
  const handle = await open(file, 'w')
  const target = handle.createWriteStream()
  return gzip ? pipeline(source, createGzip(), target) : pipeline(source, target)
}

const explainError =
  (file: string) =>
  (error: unknown): never => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (/^(ENOENT|EACCES|EPERM|EISDIR|EROFS|ENOSPC|ENOTDIR)$/.test(code))
      throw new ExpectedError(`${file} cannot be written (${code}). Name another file, or - for standard output.`)
    throw error
  }

const isClosedPipe = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_PREMATURE_CLOSE')

/** One report is written to the file; several go into a folder, one file each. */
const writeReports = async ({ flags, clock }: Call, file: string, path: string, from: Day, to: Day): Promise<void> => {
  const names =
    flags.report === 'all'
      ? everyReport
      : String(flags.report)
          .split(',')
          .map(name => name.trim())
          .filter(name => name !== '')
  if (names.length === 0) throw new UsageError('--report takes report names, such as pages,dimensions/country, or all.')
  if (names.length > 1 && file === '-') throw new UsageError('More than one report needs a folder instead of -.')
  if (names.length > 1) mkdirSync(file, { recursive: true, mode: 0o700 })
  await exportReports(path, names, from, to, clock, (name, text) =>
    writeTo(names.length > 1 ? join(file, fileNameOf(name)) : file, text),
  )
}

const readRange = ({ flags }: Call): { from: Day; to: Day } => {
  const from = readDay('from', flags.from, 0)
  const to = readDay('to', flags.to, 99991231)
  if (from > to) throw new UsageError('--from is later than --to.')
  return { from, to }
}

const runParquet = async (call: Call): Promise<number> => {
  const folder = readFolder(call)
  const { from, to } = readRange(call)
  return withReading(call, async db => {
    tryNoteCommand(call, pathOf(db), 'exported', { format: 'parquet' })
    await writeParquet(call, pathOf(db), folder, from, to)
    return 0
  })
}

const runText = async (call: Call): Promise<number> => {
  const { args, flags, clock } = call
  const format = readFormat(flags.format)
  const { from, to } = readRange(call)
  const file = args[0] ?? '-'
  if (flags.report !== undefined && flags.format !== 'csv') throw new UsageError('--report requires --format csv.')
  if (flags.out !== undefined || flags.again === true)
    throw new UsageError('--out and --again require --format parquet.')
  return withReading(call, async db => {
    const name = pathOf(db)
    if (file !== '-' && resolve(file) === resolve(name))
      throw new ExpectedError(`${file} is the database itself. Name another file.`)
    // Before the data leaves: there is no export without an entry, unless the file takes none.
    tryNoteCommand(call, name, 'exported', { format: String(flags.format) })
    if (flags.report !== undefined) {
      await writeReports(call, file, name, from, to).catch(error =>
        isClosedPipe(error) && file === '-' ? undefined : explainError(file)(error),
      )
      return 0
    }
    const progress = createProgress(process.stderr, 'Exporting', clock)
    await withSnapshot(name, async snapshot => {
      const zone = createZone(findZone(snapshot) ?? 'UTC')
      await writeTo(
        file,
        format({ db: snapshot, zone, from, to, exportedAt: toSeconds(clock()), onProgress: progress.show }),
      )
    }).catch(error => (isClosedPipe(error) && file === '-' ? undefined : explainError(file)(error)))
    progress.clear()
    return 0
  })
}

export const exportCommand: Command = {
  name: 'export',
  example: 'export --format archive footfall.ndjson.gz',
  arguments: ['[FILE]'],
  about:
    'Write the data to a file, compressed if its name ends in .gz. Without FILE or with -, write to standard output. ' +
    'The service may be running. Parquet is written to a folder, which later exports add their days to.',
  flags: [
    {
      flag: '--format <FORMAT>',
      about:
        'archive: all visits, their totals, the shop orders, annotations and alerts, for import (NDJSON). ' +
        'csv: one row per page view, with its visit. parquet: a folder a day, for DuckDB, ClickHouse and the like.',
      required: true,
    },
    { flag: '--out <FOLDER>', about: 'With parquet: the folder, new or of an earlier export' },
    { flag: '--again', about: 'With parquet: write days that are in the folder anew.' },
    {
      flag: '--report <NAMES>',
      about:
        'With csv: write these reports instead, such as pages,dimensions/country, or all. FILE is a folder if there ' +
        'is more than one.',
    },
    { flag: '--from <DAY>', about: 'First day, such as 2026-03-01 (default: the first with data)' },
    { flag: '--to <DAY>', about: 'Last day (default: the last with data)' },
  ],
  run: call => (call.flags.format === 'parquet' ? runParquet(call) : runText(call)),
}
