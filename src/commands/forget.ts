import { setTimeout as wait } from 'node:timers/promises'
import { UsageError } from '../config/errors.ts'
import { readOptions } from '../config/config.ts'
import { truncateLog } from '../database/checkpoint.ts'
import { DatabaseError } from '../database/errors.ts'
import { holdPath } from '../database/lock.ts'
import type { Db } from '../database/query.ts'
import { areDerived, runErasure, type Outcome, type Wish } from '../erasure/run.ts'
import { targets, type Target } from '../erasure/targets.ts'
import { isCalendarDay } from '../http/schemas.ts'
import { rebuildDirtyDays } from '../rollup/rebuild.ts'
import { chooseZone } from '../rollup/zone.ts'
import { dayText, parseDay, toSeconds, type Day, type Zone } from '../lib/time.ts'
import type { Call, Command } from './command.ts'
import { withDatabase } from './database.ts'
import { count } from './listing.ts'

const patience = 30_000
const interval = 250

const wishOf = ({ flags, env }: Call): Wish => {
  const given = targets.flatMap((target): [Target, string][] =>
    typeof flags[target] === 'string' ? [[target, flags[target]]] : [],
  )
  const [first, second] = given
  if (first === undefined || second !== undefined)
    throw new UsageError('Name one thing to forget: --visitor, --page, --referrer, --event or --day.')
  const [target, value] = first
  if (target === 'day' && !(/^\d{4}-\d{2}-\d{2}$/.test(value) && isCalendarDay(value)))
    throw new UsageError(`--day takes a date such as 2026-03-10, not '${value}'.`)
  const { keepQuery } = readOptions(['keepQuery'], flags, env)
  return { target, value: target === 'day' ? String(parseDay(value)) : value, keepQuery, dryRun: flags.dryRun === true }
}

const spanText = (days: readonly Day[]): string => {
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return ''
  return first === last
    ? ` of ${dayText(first)}`
    : ` of ${count(days.length, 'day')} between ${dayText(first)} and ${dayText(last)}`
}

const describe = (
  { views, events, sessions, days, purged, rawFrom, rollups }: Outcome,
  { target, dryRun }: Wish,
): string[] => [
  `${dryRun ? 'Would erase' : 'Erased'} ${count(views, 'view')}, ${count(events, 'event')} and ${count(sessions, 'visit')}${spanText(days)}.`,
  ...(purged === 0 || target === 'day'
    ? []
    : [
        `${count(purged, 'day')} before ${dayText(rawFrom)} ${purged === 1 ? 'has' : 'have'} no single visits any more and cannot be derived anew: ` +
          (rollups
            ? `${dryRun ? 'their rows of this would be' : 'their rows of this were'} removed, but their totals still count it.`
            : 'they only hold sums, in which nobody is told apart.'),
      ]),
]

/** Two programs that derive one day could leave the older state: who holds the file does it. */
const deriveOr = (db: Db, path: string, zone: Zone): boolean => {
  try {
    const hold = holdPath(path)
    try {
      rebuildDirtyDays(db, zone)
      return true
    } finally {
      hold.release()
    }
  } catch (error) {
    if (error instanceof DatabaseError) return false
    throw error
  }
}

const until = async (holds: () => boolean, clock: () => number): Promise<boolean> => {
  for (const last = clock() + patience; clock() < last; await wait(interval)) if (holds()) return true
  return holds()
}

const finish = async ({ clock, print, warn }: Call, db: Db, zone: Zone, days: readonly Day[]): Promise<number> => {
  const done = deriveOr(db, db.name, zone) || (await until(() => areDerived(db, zone, days), clock))
  if (done && days.length > 0) print('The days were derived anew.')
  if (!done) warn('The running service has not yet derived the days anew; it goes on with that.')
  if (!(await until(() => truncateLog(db), clock)))
    warn(
      "The file's log still holds what was erased, because a reader needs it; the service empties it as soon as it can.",
    )
  return 0
}

export const forget: Command = {
  name: 'forget',
  about: 'Erase what is kept of one thing, and derive its days anew; also while the service runs.',
  flags: [
    { flag: '--visitor <ID>', about: 'The id that a browser sent as visitor_id (consent mode full).' },
    { flag: '--page <PAGE>', about: 'A page: its views, the events on it, its titles.' },
    { flag: '--referrer <HOST>', about: 'A referring site: the visits that came from it.' },
    { flag: '--event <NAME>', about: 'All events of a name, with their properties.' },
    { flag: '--day <DATE>', about: 'All of one day, YYYY-MM-DD.' },
    { flag: '--dry-run', about: 'Only tell what would be erased.' },
  ],
  run: async call => {
    const wish = wishOf(call)
    return withDatabase(call, async db => {
      const zone = chooseZone(db, null)
      const outcome = runErasure(db, zone, wish, toSeconds(call.clock()))
      if (outcome === null) {
        call.print(`Nothing is kept of this ${wish.target}.`)
        return 0
      }
      for (const line of describe(outcome, wish)) call.print(line)
      return wish.dryRun ? 0 : finish(call, db, zone, outcome.days)
    })
  },
}
