import { type Entry, listAudit } from '../audit/audit.ts'
import { UsageError } from '../config/config.ts'
import { csvLine } from '../lib/csv.ts'
import { timeText } from '../lib/time.ts'
import type { Call, Command } from './command.ts'
import { withReading } from './database.ts'
import { jsonFlag, printRows } from './listing.ts'

const defaultLimit = 50
const maxLimit = 1_000_000

const readLimit = ({ flags: { limit } }: Call): number => {
  const text = String(limit ?? defaultLimit)
  const value = /^\d{1,7}$/.test(text) ? Number(text) : 0
  if (value < 1 || value > maxLimit)
    throw new UsageError(`--limit takes a whole number from 1 to ${maxLimit}, not '${text}'.`)
  return value
}

const printEntries = (call: Call, entries: readonly Entry[]): void => {
  const { flags, print } = call
  const rows = entries.map(({ at, ...entry }) => ({ at: timeText(at), ...entry }))
  if (flags.json === true) return print(JSON.stringify(rows, null, 2))
  const plain = rows.map(({ at, who, what }) => ({ at, who, what }))
  if (flags.csv !== true) return printRows(call, plain, 'The audit log is empty.')
  print('at,who,what')
  for (const { at, who, what } of plain) print(csvLine([at, who, what]))
}

export const audit: Command = {
  name: 'audit',
  example: 'audit --limit 20',
  about: 'Show who did what, newest first: logins, and changes of users, settings and data. Entries stay for 400 days.',
  flags: [
    { flag: '--limit <NUMBER>', about: 'Number of entries.', default: String(defaultLimit) },
    jsonFlag,
    { flag: '--csv', about: 'Print CSV.' },
  ],
  run: call => {
    if (call.flags.json === true && call.flags.csv === true)
      throw new UsageError('--json and --csv cannot be combined.')
    const limit = readLimit(call)
    return withReading(call, db => {
      printEntries(call, listAudit(db, { limit, offset: 0 }))
      return 0
    })
  },
}
