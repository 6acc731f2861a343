import { existsSync, mkdirSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { csvText } from '../archive/csv.ts'
import { archiveText } from '../archive/day.ts'
import { writeWhole } from '../archive/file.ts'
import { archiveDays, headerOf } from '../archive/header.ts'
import { withSnapshot } from '../archive/snapshot.ts'
import { UsageError } from '../config/errors.ts'
import type { Db } from '../database/query.ts'
import { createProgress } from '../import/progress.ts'
import { findZone } from '../rollup/zone.ts'
import { findCurrency } from '../shop/currency.ts'
import { ordersByDay } from '../shop/orders-by-day.ts'
import { createZone, dateOf, toSeconds, type Day, type Zone } from '../lib/time.ts'
import { CommandError, type Call, type Command } from './command.ts'
import { withDatabase } from './database.ts'
import { everyReport, exportReports, fileNameOf } from './export-reports.ts'

/** `done` is told the share of the days that has been written, and how many these are. */
type Range = { db: Db; zone: Zone; from: Day; to: Day; second: number; done: (share: number, days: number) => void }
type Text = (range: Range) => Iterable<string>

const formats: Readonly<Record<string, Text>> = {
  archive: ({ db, zone, from, to, second, done }) => {
    const orders = ordersByDay(db, zone, from, to)
    const days = [...new Set([...archiveDays(db, from, to), ...orders.days])].sort((a, b) => a - b)
    const tally = { sessions: 0, views: 0, events: 0 }
    return archiveText(db, zone, days, headerOf(db, zone, days, second, findCurrency(db)), tally, {
      orders,
      done: written => done(written / days.length, written),
    })
  },
  csv: ({ db, zone, from, to, done }) => {
    const days = archiveDays(db, from, to)
    return csvText(db, zone, days, written => done(written / days.length, written))
  },
}

const readFormat = (flag: unknown): Text => {
  const format = typeof flag === 'string' && Object.hasOwn(formats, flag) ? formats[flag] : undefined
  if (format === undefined) throw new UsageError(`--format takes archive or csv, not '${String(flag)}'.`)
  return format
}

const readDay = (name: string, flag: unknown, otherwise: Day): Day => {
  if (flag === undefined) return otherwise
  const day = dateOf(String(flag))
  if (day === null) throw new UsageError(`--${name} takes a day such as 2026-03-01, not '${String(flag)}'.`)
  return day
}

/** What is no file of its own (a device, a pipe) is written to as it is. */
const isSpecial = (path: string): boolean => existsSync(path) && !statSync(path).isFile()

const writeOut = async (file: string, text: Iterable<string>): Promise<void> => {
  const packed = file.endsWith('.gz')
  if (file !== '-' && !isSpecial(file)) return writeWhole(file, text, packed)
  const source = Readable.from(text, { objectMode: false })
  if (file === '-') return pipeline(source, process.stdout, { end: false })
  const handle = await open(file, 'w')
  const target = handle.createWriteStream()
  return packed ? pipeline(source, createGzip(), target) : pipeline(source, target)
}

const explain =
  (file: string) =>
  (error: unknown): never => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (/^(ENOENT|EACCES|EPERM|EISDIR|EROFS|ENOSPC|ENOTDIR)$/.test(code))
      throw new CommandError(`${file} cannot be written (${code}). Name another file, or - for the standard output.`)
    throw error
  }

const isClosedPipe = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_PREMATURE_CLOSE')

/** Several reports go into a folder, a file each. */
const writeReports = async ({ flags, clock }: Call, file: string, path: string, from: Day, to: Day): Promise<void> => {
  const names =
    flags.report === 'all'
      ? everyReport
      : String(flags.report)
          .split(',')
          .map(name => name.trim())
          .filter(name => name !== '')
  if (names.length === 0)
    throw new UsageError('--report takes names of reports, such as pages,dimensions/country, or all.')
  if (names.length > 1 && file === '-') throw new UsageError('Name a folder for several reports.')
  if (names.length > 1) mkdirSync(file, { recursive: true, mode: 0o700 })
  await exportReports(path, names, from, to, clock, (name, text) =>
    writeOut(names.length > 1 ? join(file, fileNameOf(name)) : file, text),
  )
}

export const exportCommand: Command = {
  name: 'export',
  arguments: ['[FILE]'],
  about:
    'Write what was counted to a file, packed if its name ends in .gz; - or no name is the standard output. A service may be running.',
  flags: [
    {
      flag: '--format <FORMAT>',
      about:
        'archive: all visits, their sums and the orders of the shop, to be imported again (NDJSON). csv: a row a view, with what is known of its visit.',
      required: true,
    },
    {
      flag: '--report <NAMES>',
      about:
        'With csv: the tables of these reports instead, such as pages,dimensions/country, or all. Several go into a folder, a file each.',
    },
    { flag: '--from <DAY>', about: 'First day, such as 2026-03-01 (default: the first there is)' },
    { flag: '--to <DAY>', about: 'Last day (default: the last there is)' },
  ],
  run: call => {
    const { args, flags, clock } = call
    const format = readFormat(flags.format)
    const from = readDay('from', flags.from, 0)
    const to = readDay('to', flags.to, 99991231)
    if (from > to) throw new UsageError('--from is later than --to.')
    const file = args[0] ?? '-'
    if (flags.report !== undefined && flags.format !== 'csv') throw new UsageError('--report goes with --format csv.')
    return withDatabase(call, async ({ name }) => {
      if (file !== '-' && resolve(file) === resolve(name))
        throw new CommandError(`${file} is the database itself. Name another file.`)
      if (flags.report !== undefined) {
        await writeReports(call, file, name, from, to).catch(error =>
          isClosedPipe(error) && file === '-' ? undefined : explain(file)(error),
        )
        return 0
      }
      const progress = createProgress(process.stderr, 'Exporting', clock)
      await withSnapshot(name, async db => {
        const zone = createZone(findZone(db) ?? 'UTC')
        await writeOut(file, format({ db, zone, from, to, second: toSeconds(clock()), done: progress.show }))
      }).catch(error => (isClosedPipe(error) && file === '-' ? undefined : explain(file)(error)))
      progress.clear()
      return 0
    })
  },
}
