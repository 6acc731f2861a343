import { setImmediate } from 'node:timers/promises'
import { errorText } from '../lib/errors.ts'
import { resolve } from 'node:path'
import { createCollector } from '../collection/collector.ts'
import type { GeoReader } from '../geoip/reader.ts'
import { describeGeoip } from '../geoip/open.ts'
import { UsageError } from '../config/errors.ts'
import { readOptions, siteHosts } from '../config/config.ts'
import { readDemoMark } from '../database/demo-mark.ts'
import type { Db } from '../database/query.ts'
import { accessLog } from '../import/access-log.ts'
import type { Format } from '../import/line.ts'
import { checkOrder, sortLines, type Order } from '../import/order.ts'
import { createProgress } from '../import/progress.ts'
import { requests } from '../import/requests.ts'
import { runImport, type Summary } from '../import/run.ts'
import { closeSource, linesOf, openFile, spool, type Source } from '../import/source.ts'
import { findProgress, newestSecond } from '../import/state.ts'
import { noteImport } from '../rollup/imported.ts'
import { sumPeriods } from '../rollup/periods.ts'
import { packDays } from '../rollup/packed-day.ts'
import { rawFrom } from '../rollup/raw-from.ts'
import { rebuildDirtyDaysUntil } from '../rollup/rebuild.ts'
import { adoptZone, chooseZone } from '../rollup/zone.ts'
import { loadSettings } from '../settings/settings.ts'
import { timeText, toSeconds, type Zone } from '../lib/time.ts'
import { CommandError, type Call, type Command } from './command.ts'
import { withDatabaseAlone } from './database.ts'
import { bringBack } from './import-archive.ts'
import { runOrderImport } from './import-orders.ts'
import { stopSignal } from './stop.ts'

const formats: Readonly<Record<string, Format>> = { requests, 'access-log': accessLog }
/** What is no recording of visits goes a way of its own. */
const others = ['archive', 'woocommerce-orders'] as const
const names = [...Object.keys(formats), ...others].join(', ').replace(/, (?!.*, )/, ' and ')

const readFormat = (flag: unknown): Format | (typeof others)[number] => {
  const format = others.find(name => name === flag) ?? (typeof flag === 'string' ? formats[flag] : undefined)
  if (format === undefined) throw new UsageError(`--format takes one of ${names}, not '${String(flag)}'.`)
  return format
}

const openSource = (file: string, data: string): Promise<Source> | Source => {
  if (file === '-') return spool(process.stdin, resolve(data))
  try {
    return openFile(file)
  } catch {
    throw new CommandError(`${file} cannot be read. Name a file, or - for the standard input.`)
  }
}

/** Refuses what would come out wrong, before the first line is imported. */
const checkRecording = (db: Db, order: Order, flags: Call['flags']): void => {
  if (order.outOfOrder !== null && flags.sort !== true) {
    throw new CommandError(
      `Line ${order.outOfOrder} is earlier than a line before it. Sort the file by time, or add --sort. Nothing was imported.`,
    )
  }
  const newest = newestSecond(db)
  if (newest !== null && order.first !== null && newest > order.first && flags.merge !== true) {
    throw new CommandError(
      `The database has activity of ${timeText(newest)}, later than the first line (${timeText(order.first)}). ` +
        'Import into a new file with --data, or add --merge: visits are then not joined with those that are there.',
    )
  }
}

type Took = { importing: number; deriving: number; days: number }

const describe = (
  { lines, skipped, passedOver, outcomes, wrong }: Summary,
  { importing, deriving, days }: Took,
): string[] => {
  const done = lines - skipped
  const rows: [string, number][] = [
    ['lines', done],
    ...outcomes,
    ['passed over (no page view)', passedOver],
    ['not readable', wrong],
    ['days derived', days],
  ]
  return [
    ...rows
      .filter(([name, count]) => count > 0 || name === 'lines')
      .map(([name, count]) => `${count.toLocaleString('en').padStart(12)}  ${name}`),
    `${importing.toFixed(1).padStart(12)}  seconds (${Math.round(done / Math.max(importing, 0.001)).toLocaleString('en')} lines a second), and ${deriving.toFixed(1)} to derive the days`,
  ]
}

const placesOf = (cityFile: string | null, db: Db, warn: Call['warn']): GeoReader | null => {
  const { geo, facts } = describeGeoip(cityFile, db.name)
  if (facts.error !== null) warn(`Places stay unknown: ${facts.error}.`)
  return geo
}

const importSource = async (call: Call, source: Source, format: Format, db: Db, zone: Zone): Promise<number> => {
  const { flags, env, clock, print, warn } = call
  const config = readOptions(['siteUrl', 'allowedHosts', 'keepQuery', 'geoipCity'], flags, env)
  const order = await checkOrder(source, format)
  const before = findProgress(db, order.fingerprint)
  if (before.finished) {
    print('This recording was imported before; there is nothing to do.')
    return 0
  }
  if (before.lines === 0) checkRecording(db, order, flags)
  else print(`Going on after line ${before.lines.toLocaleString('en')}, where the import was stopped.`)

  let stopped = false
  void stopSignal(warn).then(() => {
    stopped = true
  })
  const started = clock()
  const progress = createProgress(process.stderr, 'Importing', clock)
  const settings = loadSettings(db)
  let now = toSeconds(started)
  const lines = flags.sort === true ? await sortLines(linesOf(source), format) : linesOf(source)
  const summary = await runImport(lines, {
    db,
    zone,
    format,
    fingerprint: order.fingerprint,
    rawFrom: rawFrom(db),
    present: toSeconds(started),
    setNow: second => {
      now = second
    },
    createCollector: alongside =>
      createCollector({
        db,
        zone,
        alongside,
        now: () => now,
        settings: () => settings,
        allowedHosts: siteHosts(config),
        keepQuery: config.keepQuery,
        geo: placesOf(config.geoipCity, db, warn),
        roleOf: () => null,
        onCommit: () => {},
        onError: error => warn(errorText(error)),
      }),
    report: (line, reason) => {
      progress.clear()
      warn(`Line ${line}: ${reason}.`)
    },
    progress: done => progress.show(order.lines === 0 ? 1 : done / order.lines, done),
    stopped: () => stopped,
  })
  progress.clear()
  const imported = clock()
  const deriving = createProgress(process.stderr, 'Deriving days', clock)
  const days = await rebuildDirtyDaysUntil(
    db,
    zone,
    () => stopped,
    (done, all) => deriving.show(done / all, done),
  )
  deriving.clear()
  noteImport(
    db,
    flags.format === 'access-log' ? 'access-log' : 'requests',
    order.first === null ? [] : days.filter(day => day >= zone.dayOf(order.first ?? 0)),
  )
  if (!stopped) {
    const today = zone.dayOf(toSeconds(clock()))
    sumPeriods(db, today)
    // One at a time, so that a signal to stop is heard between them; the service packs what is left.
    while (!stopped && packDays(db, zone, today, () => true)) await setImmediate()
  }
  for (const line of describe(summary, {
    importing: (imported - started) / 1000,
    deriving: (clock() - imported) / 1000,
    days: days.length,
  }))
    print(line)
  if (stopped)
    warn(
      'Stopped. Start the same import again to go on where it was; days that are not derived yet are by the next start of the service.',
    )
  return stopped || summary.wrong > 0 ? 1 : 0
}

export const importCommand: Command = {
  name: 'import',
  arguments: ['<FILE>'],
  about: `Count what was recorded elsewhere (requests, access-log), or bring back what was put away (archive); packed with gzip or not. - reads the standard input.`,
  flags: [
    {
      flag: '--format <FORMAT>',
      about:
        'requests: one collection request a line (NDJSON). access-log: the combined format of nginx and Apache. woocommerce-orders: orders of the REST API, one a line or in one list. archive: what retention and export write.',
      required: true,
    },
    { flag: '--sort', about: 'Sort the lines by time first; takes the memory of the whole file.' },
    { flag: '--merge', about: 'Import although the database has later activity.' },
    { flag: '--replace', about: 'Of an archive: put its days in the place of days that are there.' },
  ],
  run: async call => {
    const format = readFormat(call.flags.format)
    const { data, timezone } = readOptions(['data', 'timezone'], call.flags, call.env)
    return withDatabaseAlone(call, 'import', false, async db => {
      // How far it has come stands in the same transactions, so a power cut costs the last ones only, and they come again.
      db.pragma('synchronous = normal')
      db.pragma('wal_autocheckpoint = 10000')
      db.pragma('cache_size = -65536')
      if (format !== 'archive' && readDemoMark(db) !== null)
        throw new CommandError(`${data} holds demo data. Import into another file: name a new one with --data.`)
      const zone = chooseZone(db, timezone)
      if (format !== 'archive') adoptZone(db, zone, toSeconds(call.clock()))
      const source = await openSource(call.args[0] ?? '-', data)
      try {
        if (format === 'archive') return await bringBack(call, source, db, timezone)
        if (format === 'woocommerce-orders') return await runOrderImport(call, source, db, zone)
        return await importSource(call, source, format, db, zone)
      } finally {
        closeSource(source)
      }
    })
  },
}
