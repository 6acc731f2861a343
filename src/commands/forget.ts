import { setTimeout as wait } from 'node:timers/promises'
import { UsageError } from '../config/config.ts'
import { truncateLog } from '../database/checkpoint.ts'
import { DatabaseError } from '../database/errors.ts'
import { holdPath } from '../database/lock.ts'
import type { Db } from '../database/query.ts'
import { areDerived, type ErasureRequest, type Outcome, runErasure } from '../erasure/run.ts'
import { type Target, targets } from '../erasure/targets.ts'
import { isCalendarDay } from '../http/schemas.ts'
import { createProgress } from '../import/progress.ts'
import { type Day, dayText, parseDay, toSeconds, type Zone } from '../lib/time.ts'
import { dirtyDays } from '../rollup/changes.ts'
import { rebuildDirtyDays } from '../rollup/rebuild.ts'
import { chooseZone } from '../rollup/zone.ts'
import type { Call, Command } from './command.ts'
import { optionsWith, withDatabase } from './database.ts'
import { count } from './listing.ts'

const timeout = 30_000
const pollInterval = 250

const requestOf = ({ flags }: Call): Omit<ErasureRequest, 'keepQuery'> => {
  const given = targets.flatMap((target): [Target, string][] =>
    typeof flags[target] === 'string' ? [[target, flags[target]]] : [],
  )
  const [first, another] = given
  if (first === undefined || another !== undefined)
    throw new UsageError('Give exactly one of --visitor, --page, --host, --referrer, --event, --property and --day.')
  const [target, value] = first
  if (target === 'day' && !(/^\d{4}-\d{2}-\d{2}$/.test(value) && isCalendarDay(value)))
    throw new UsageError(`--day takes a date such as 2026-03-10, not '${value}'.`)
  return { target, value: target === 'day' ? String(parseDay(value)) : value, dryRun: flags.dryRun === true }
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
  { target, dryRun }: Pick<ErasureRequest, 'target' | 'dryRun'>,
): string[] => [
  `${dryRun ? 'Would erase' : 'Erased'} ` +
    (target === 'property'
      ? `the property of ${count(events, 'event')}`
      : `${count(views, 'page view')}, ${count(events, 'event')} and ${count(sessions, 'visit')}`) +
    `${spanText(days)}.`,
  ...(purged === 0 || target === 'day'
    ? []
    : [
        `The visits of ${count(purged, 'day')} before ${dayText(rawFrom)} were deleted, so these days cannot be rebuilt: ` +
          (rollups
            ? `the rows of this ${target} ${dryRun ? 'would be' : 'were'} removed, but the totals still include it.`
            : 'only totals remain, which identify no one.'),
      ]),
]

/** If two processes rebuilt the same day, the older state could win. A running service therefore rebuilds it. */
const rebuildIfFree = ({ clock }: Call, db: Db, zone: Zone): boolean => {
  try {
    const lock = holdPath(db.name)
    try {
      const progress = createProgress(process.stderr, 'Recalculating days', clock)
      rebuildDirtyDays(db, zone, (done, all) => progress.show(done / all, done))
      progress.clear()
      return true
    } finally {
      lock.release()
    }
  } catch (error) {
    if (error instanceof DatabaseError) return false
    throw error
  }
}

const waitUntil = async (isDone: () => boolean, clock: () => number): Promise<boolean> => {
  for (const deadline = clock() + timeout; clock() < deadline; await wait(pollInterval)) if (isDone()) return true
  return isDone()
}

/** @param rebuilt what is said when the days are right again */
const finish = async (call: Call, db: Db, zone: Zone, days: readonly Day[], rebuilt: string): Promise<number> => {
  const { clock, print, warn } = call
  const done = rebuildIfFree(call, db, zone) || (await waitUntil(() => areDerived(db, zone, days), clock))
  if (done && days.length > 0) print(rebuilt)
  if (!done) warn('The running service has not rebuilt the days yet. It continues in the background.')
  if (!(await waitUntil(() => truncateLog(db), clock)))
    warn(
      'The write-ahead log still contains the erased data, because a reader needs it. ' +
        'The service truncates it as soon as possible.',
    )
  return 0
}

export const forget: Command = {
  name: 'forget',
  example: 'forget --page /about/jane-doe --dry-run',
  about:
    'Erase all data about a visitor, page, host, referrer, event, property or day, and rebuild its days. The service may be running.',
  flags: [
    { flag: '--visitor <ID>', about: 'A visitor_id that a browser sent (consent mode full).' },
    { flag: '--page <PAGE>', about: 'A page: its page views, events and titles.' },
    { flag: '--host <HOST>', about: 'A host of the site: the page views and events on it, and their titles.' },
    { flag: '--referrer <HOST>', about: 'A referring site: the visits from it.' },
    { flag: '--event <NAME>', about: 'All events of this name, with their properties.' },
    { flag: '--property <KEY>', about: 'A property of all events, with its values; the events stay.' },
    { flag: '--day <DATE>', about: 'Everything of one day, YYYY-MM-DD.' },
    { flag: '--dry-run', about: 'Only show what would be erased.' },
  ],
  run: async call => {
    const request = requestOf(call)
    return withDatabase(call, async db => {
      const zone = chooseZone(db, null)
      const { keepQuery } = optionsWith(call, db, ['keepQuery'])
      const outcome = runErasure(db, zone, { ...request, keepQuery }, toSeconds(call.clock()))
      if (outcome === null) {
        call.print(`Nothing is stored about this ${request.target}.`)
        if (request.dryRun) return 0
        // The command that erased it may have been interrupted.
        const days = dirtyDays(db).flatMap(({ day }) => (areDerived(db, zone, [day]) ? [] : [day]))
        return finish(
          call,
          db,
          zone,
          days,
          `The days that were out of date were rebuilt: ${count(days.length, 'day')}.`,
        )
      }
      for (const line of describe(outcome, request)) call.print(line)
      return request.dryRun ? 0 : finish(call, db, zone, outcome.days, 'The days were rebuilt.')
    })
  },
}
