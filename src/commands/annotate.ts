import { type Annotation, createAnnotations, listAnnotations } from '../annotations/annotations.ts'
import { type Kind, kinds, linkRule, type Moment, readMoment, textRule } from '../annotations/rules.ts'
import { UsageError } from '../config/config.ts'
import type { Db } from '../database/query.ts'
import { ApiError, sentencesOf } from '../http/errors.ts'
import { ExpectedError } from '../lib/errors.ts'
import { dateOf, dayText, timeText } from '../lib/time.ts'
import { chooseZone } from '../rollup/zone.ts'
import type { Call, Command, Group } from './command.ts'
import { withDatabase, withReading } from './database.ts'
import { jsonFlag, printRows } from './listing.ts'
import { checkDays } from './range.ts'

/** @throws UsageError with the sentence of a rule */
const check = (problem: string | null): void => {
  if (problem !== null) throw new UsageError(problem)
}

/** @throws UsageError for an invalid day or time */
const momentOf = ({ flags: { day, time } }: Call): Moment | null => {
  if (day !== undefined && time !== undefined) throw new UsageError('--day and --time cannot be combined.')
  if (day !== undefined && dateOf(String(day)) === null)
    throw new UsageError(`--day takes a date such as 2026-03-10, not '${String(day)}'.`)
  const given = day ?? time
  if (given === undefined) return null
  const moment = readMoment(String(given))
  if (moment === null || (moment.wholeDay && day === undefined))
    throw new UsageError(`--time takes a time such as 2026-03-10T12:00:00Z, not '${String(given)}'.`)
  return moment
}

const kindOf = ({ flags: { kind = 'note' } }: Call): Kind => {
  const found = kinds.find(one => one === kind)
  if (found === undefined) throw new UsageError(`--kind takes ${kinds.join(', ')}, not '${String(kind)}'.`)
  return found
}

const orUsageError = <Result>(work: () => Result): Result => {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw error.status === 400 ? new UsageError(sentencesOf(error)) : new ExpectedError(error.message)
  }
}

const annotationsOf = (db: Db, { clock }: Call) => createAnnotations(db, chooseZone(db, null), clock)

const add: Command = {
  name: 'add',
  example: 'annotate "New theme" --kind deploy',
  arguments: ['<TEXT>'],
  about: 'Note something for anyone who reads the figures; the default command.',
  flags: [
    { flag: '--day <DATE>', about: 'The day it is about, YYYY-MM-DD.' },
    { flag: '--time <TIME>', about: 'The time it is about, such as 2026-03-10T12:00:00Z. (default: now)' },
    { flag: '--kind <KIND>', about: `${kinds.join(', ')}.`, default: 'note' },
    { flag: '--link <URL>', about: 'An https address about it.' },
  ],
  run: call => {
    const [text = ''] = call.args
    check(textRule(text))
    const link = call.flags.link === undefined ? null : String(call.flags.link)
    if (link !== null) check(linkRule(link))
    const given = { text, kind: kindOf(call), link, moment: momentOf(call) }
    return withDatabase(call, db => {
      const { id, at, wholeDay } = orUsageError(() => annotationsOf(db, call).add(given, 'cli'))
      call.print(`Annotation ${id} was added at ${wholeDay ? dayText(at) : timeText(at)}.`)
      return 0
    })
  },
}

const rowOf = ({ id, at, wholeDay, kind, text, link, by }: Annotation) => ({
  id: String(id),
  at: wholeDay ? dayText(at) : timeText(at),
  kind,
  text,
  link,
  by,
})

const list: Command = {
  name: 'list',
  example: 'annotate list --from 2026-03-01',
  about: "List the annotations made by hand. 'footfall report annotations' has those of the service, too.",
  flags: [
    { flag: '--from <DATE>', about: 'First day, YYYY-MM-DD. Default: all.' },
    { flag: '--to <DATE>', about: 'Last day, YYYY-MM-DD.' },
    jsonFlag,
  ],
  run: call => {
    checkDays(call)
    const { from, to } = call.flags
    const day = (given: unknown): number | undefined => dateOf(String(given)) ?? undefined
    return withReading(call, db => {
      const rows = listAnnotations(db, chooseZone(db, null), day(from), day(to)).map(rowOf)
      printRows(call, rows, "There are no annotations. Add one with 'footfall annotate TEXT'.")
      return 0
    })
  },
}

const remove: Command = {
  name: 'remove',
  example: 'annotate remove 3',
  arguments: ['<ID>'],
  about: 'Remove an annotation.',
  run: call =>
    withDatabase(call, db => {
      const [id = ''] = call.args
      const unknown = new ExpectedError(`There is no annotation ${id}. Run 'footfall annotate list' to see them.`)
      if (!/^\d{1,15}$/.test(id)) throw unknown
      try {
        annotationsOf(db, call).remove(Number(id), 'cli')
      } catch (error) {
        throw error instanceof ApiError ? unknown : error
      }
      call.print(`Annotation ${id} was removed.`)
      return 0
    }),
}

export const annotate: Group = {
  name: 'annotate',
  about: 'Note what happened, such as a deployment; list and remove such notes.',
  commands: [add, list, remove],
  defaultCommand: 'add',
}
