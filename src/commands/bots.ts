import { isSuspicionRule, type SuspicionRule, suspicionRuleCodes } from '../bots/rules.ts'
import { readOptions, UsageError } from '../config/config.ts'
import { openToRead } from '../database/open.ts'
import { dayText, toSeconds } from '../lib/time.ts'
import { type BotsData, bots as botsReport } from '../reports/of/bots.ts'
import { openForReports } from '../reports/periods.ts'
import { runReport } from '../reports/run.ts'
import { chooseZone } from '../rollup/zone.ts'
import { createSuspects, loadChoice, type SuspectChoice } from '../settings/suspects.ts'
import type { Call, Command } from './command.ts'
import { withDatabase, withReading } from './database.ts'
import { jsonFlag, printRows } from './listing.ts'
import { readDays } from './range.ts'
import { reportContext } from './reports.ts'

const ruleOf = (given: unknown): SuspicionRule => {
  if (isSuspicionRule(given)) return given
  throw new UsageError(`There is no rule '${String(given)}'. The rules are ${suspicionRuleCodes.join(', ')}.`)
}

/** What the flags change; null if they change nothing. */
const changeOf = ({ flags }: Call, { ignored }: SuspectChoice): Partial<SuspectChoice> | null => {
  const { leaveOut, count, ignore, use } = flags
  if (leaveOut === true && count === true) throw new UsageError('Give --leave-out or --count, not both.')
  const left = use === undefined ? ignored : ignored.filter(rule => rule !== ruleOf(use))
  const rules = ignore === undefined ? left : [...new Set([...left, ruleOf(ignore)])]
  const changes = {
    ...(leaveOut === true && { suspects: 'leave_out' as const }),
    ...(count === true && { suspects: 'count' as const }),
    ...((ignore ?? use) !== undefined && { ignored: rules }),
  }
  return Object.keys(changes).length === 0 ? null : changes
}

const percent = (part: number, whole: number): string => (whole === 0 ? '–' : `${((part / whole) * 100).toFixed(1)} %`)

const printData = (call: Call, data: BotsData): void => {
  if (call.flags.json === true) return call.print(JSON.stringify(data, null, 2))
  const { visits, suspect, suspects, people, recalculating } = data
  call.print(`${suspect} of ${visits} visits look automated (${percent(suspect, visits)}).`)
  const left = `visitors ${people.visitors}, visits ${people.sessions}, page views ${people.views}`
  call.print(suspects === 'leave_out' ? `They are left out: ${left}.` : `They are counted. Without them: ${left}.`)
  if (recalculating > 0) call.print(`Days that are still to be recalculated: ${recalculating}.`)
  const rows = data.rules.map(({ rule, kind, state, visits: fired, suspect: found, about }) => ({
    rule,
    kind,
    state,
    visits: String(fired),
    suspect: String(found),
    about,
  }))
  printRows(call, rows, '')
}

export const bots: Command = {
  name: 'bots',
  example: 'bots --from 2026-03-01 --to 2026-03-31',
  about:
    'Show how many visits look automated and by which rules, and choose whether they are counted. The service may be ' +
    'running: it recalculates within a minute; without it, footfall cron rollup does.',
  flags: [
    { flag: '--from <DATE>', about: 'First day. Default: 30 days ago.' },
    { flag: '--to <DATE>', about: 'Last day. Default: today.' },
    { flag: '--leave-out', about: 'Leave such visits out of all figures, also of days gone by.' },
    { flag: '--count', about: 'Count them again.' },
    { flag: '--ignore <RULE>', about: 'Ignore a rule that met people.' },
    { flag: '--use <RULE>', about: 'Use a rule again.' },
    jsonFlag,
  ],
  run: async call => {
    const changes = await withReading(call, db => changeOf(call, loadChoice(db)))
    if (changes !== null)
      await withDatabase(call, db => void createSuspects(db).save(changes, 'cli', toSeconds(call.clock())))
    const db = openToRead(readOptions(['data'], call.flags, call.env).data, openForReports)
    try {
      const zone = chooseZone(db, null)
      const { from, to } = readDays(call, zone, toSeconds(call.clock()))
      const query = { from: dayText(from), to: dayText(to) }
      const { body } = await runReport(botsReport, { query }, reportContext(db, zone, call.clock))
      // The report's own schema, which a command does not check again.
      printData(call, body.data as BotsData)
      return 0
    } finally {
      db.close()
    }
  },
}
