import { existsSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { countryOfZone } from '../advisor/home-country.ts'
import { readOptions, UsageError } from '../config/config.ts'
import { demoSentence, hasFigures } from '../database/demo-mark.ts'
import type { Db } from '../database/query.ts'
import { fillDemo } from '../demo/fill.ts'
import { createProgress } from '../import/progress.ts'
import { ExpectedError, errorText } from '../lib/errors.ts'
import { addDays, type Day, dateOf, dayText, toSeconds, type Zone } from '../lib/time.ts'
import { adoptZone, chooseZone } from '../rollup/zone.ts'
import type { Call, Command } from './command.ts'
import { withDatabaseAlone } from './database.ts'
import { stopSignal } from './stop.ts'

const yearDays = 365
const visitRange = [1000, 2_000_000] as const
const visitsOfYear = 110_000

const numberOf = (name: string, flag: unknown, [low, high]: readonly [number, number], fallback: number): number => {
  if (flag === undefined) return fallback
  const text = String(flag)
  const value = /^\d{1,10}$/.test(text) ? Number(text) : -1
  if (value < low || value > high)
    throw new UsageError(`--${name} takes a whole number from ${low} to ${high}, not '${text}'.`)
  return value
}

const lastDay = ({ flags }: Call, today: Day): Day => {
  if (flags.to === undefined) return today
  const day = dateOf(String(flags.to))
  if (day === null || day > today)
    throw new UsageError(
      `--to takes a day such as 2026-03-31, today (${dayText(today)}) at the latest, not '${String(flags.to)}'.`,
    )
  return day
}

const count = (number: number): string => number.toLocaleString('en')

const fill = async (call: Call, db: Db, zone: Zone, stopped: () => boolean): Promise<void> => {
  const { flags, env, clock, print, warn } = call
  const { data, keepQuery, orderStatuses, homeCountry } = readOptions(
    ['data', 'keepQuery', 'orderStatuses', 'homeCountry'],
    flags,
    env,
  )
  const now = toSeconds(clock())
  const to = lastDay(call, zone.dayOf(now))
  const seed = numberOf('seed', flags.seed, [0, 2 ** 31 - 1], 1)
  const days = numberOf('days', flags.days, [7, yearDays], yearDays)
  const from = addDays(to, 1 - days)
  const live = to === zone.dayOf(now)
  const [generating, calculating] = ['Generating visits', 'Calculating days'].map(label =>
    createProgress(process.stderr, label, clock),
  )
  const { requests, accepted, orders } = await fillDemo({
    db,
    zone,
    seed,
    from,
    to,
    live,
    end: live ? now : zone.startOf(addDays(to, 1)),
    visits: numberOf('visits', flags.visits, visitRange, Math.round((visitsOfYear * days) / yearDays)),
    home: homeCountry ?? countryOfZone(zone.name),
    keepQuery,
    paidStatuses: orderStatuses,
    onError: error => warn(errorText(error)),
    onGenerate: (share, done) => generating?.show(share, done),
    onRebuild: (share, done) => {
      generating?.clear()
      calculating?.show(share, done)
    },
    stopped,
  })
  generating?.clear()
  calculating?.clear()
  if (stopped()) throw new ExpectedError('Stopped.')
  print(
    `Filled ${data} in ${((clock() - now * 1000) / 1000).toFixed(0)} seconds: ${count(requests)} visitor requests, ` +
      `${count(accepted)} of them counted, and ${count(orders)} orders.`,
  )
  print(demoSentence({ seed, from: dayText(from), to: dayText(to) }))
  print(`To view it: footfall serve --data ${data}`)
}

/** Removes a partly filled file. */
const removeFile = (path: string): void => {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
}

export const demo: Command = {
  name: 'demo',
  example: 'demo --data demo.db',
  about: 'Fill a new file with generated visits and orders, to try Footfall. The file stays marked as demo data.',
  flags: [
    { flag: '--seed <NUMBER>', about: 'The same seed creates the same data.', default: '1' },
    { flag: '--to <DAY>', about: 'Last day, such as 2026-03-31 (default: today, up to now)' },
    { flag: '--days <NUMBER>', about: 'Number of days.', default: String(yearDays) },
    { flag: '--visits <NUMBER>', about: `Visits on usual days, without campaigns. Default: ${visitsOfYear} a year.` },
  ],
  run: async call => {
    const { flags, env, clock, warn } = call
    const { data, timezone } = readOptions(['data', 'timezone'], flags, env)
    const path = resolve(data)
    const isNew = !existsSync(path)
    let stopped = false
    void stopSignal(warn).then(() => {
      stopped = true
    })
    try {
      return await withDatabaseAlone(call, 'demo', false, async db => {
        if (hasFigures(db))
          throw new ExpectedError(
            `${data} already contains visits or orders. Demo data needs a new file: name one with --data.`,
          )
        // A power cut may damage the file, but it can be generated again.
        db.pragma('synchronous = off')
        db.pragma('wal_autocheckpoint = 10000')
        db.pragma('cache_size = -65536')
        const zone = chooseZone(db, timezone)
        adoptZone(db, zone, toSeconds(clock()))
        await fill(call, db, zone, () => stopped)
        return 0
      })
    } catch (error) {
      if (isNew) removeFile(path)
      throw error
    }
  },
}
