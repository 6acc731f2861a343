import { readOptions, UsageError } from '../config/config.ts'
import { openToRead } from '../database/open.ts'
import { dropControls } from '../lib/controls.ts'
import { dayText, toSeconds } from '../lib/time.ts'
import { periodNames } from '../reports/named-range.ts'
import { openForReports } from '../reports/periods.ts'
import { type Range, readRange } from '../reports/range.ts'
import { chooseZone } from '../rollup/zone.ts'
import type { Call, Command } from './command.ts'
import { warnOfDemo } from './database.ts'
import { jsonFlag, printRows } from './listing.ts'
import { checkDays } from './range.ts'
import { csvLines, isPlain, listsOf, tableOf } from './report-tables.ts'
import { notesOf, toRow } from './report-text.ts'
import { parseRequest, type ReportRequest, reportContext, reportNames, runNamedReport } from './reports.ts'

const printTables = (call: Call, data: unknown): void => {
  const lists = listsOf(data)
  if (isPlain(data)) {
    const figures = Object.entries(toRow(data))
    const width = Math.max(0, ...figures.map(([key]) => key.length))
    for (const [key, value] of figures) call.print(dropControls(`${key.padEnd(width)}  ${value ?? '-'}`))
  }
  for (const [name, rows] of lists) {
    if (name !== '') call.print(`\n${name}`)
    printRows({ ...call, flags: {} }, rows.map(toRow), 'No data in this range.')
  }
}

/** The period of --period, or the days of --from and --to, else those of the request, else the last 30 days. */
const daysOf = (
  { query }: ReportRequest,
  { from, to, period }: Call['flags'],
  defaults: Range,
): Record<string, string> => {
  if (typeof period === 'string')
    return { period, ...(typeof from === 'string' && { from }), ...(typeof to === 'string' && { to }) }
  if (query.has('period')) return {}
  const last = typeof to === 'string' ? to : (query.get('to') ?? dayText(defaults.to))
  const first = typeof from === 'string' ? from : query.get('from')
  if (first !== null) return { from: first, to: last }
  return last === dayText(defaults.to) ? { from: dayText(defaults.from), to: last } : { to: last }
}

export const report: Command = {
  name: 'report',
  example: "report 'pages?search=blog&limit=5' --from 2026-03-01 --to 2026-03-31",
  arguments: ['<NAME>'],
  about:
    `Print a report: ${reportNames.join(', ')}. Parameters are those of the API: ` +
    `'pages?search=blog&limit=5'; sources are by name unless group_by=domain. The service may be running.`,
  flags: [
    { flag: '--from <DATE>', about: 'First day, YYYY-MM-DD. Default: the last 30 days.' },
    { flag: '--to <DATE>', about: 'Last day, YYYY-MM-DD.' },
    { flag: '--period <NAME>', about: `Instead of --from and --to: ${periodNames.join(', ')}.` },
    jsonFlag,
    { flag: '--csv', about: 'Print CSV.' },
  ],
  run: async call => {
    const { args, flags, env, clock, print } = call
    if (flags.json === true && flags.csv === true) throw new UsageError('--json and --csv cannot be combined.')
    checkDays(call)
    const { data } = readOptions(['data'], flags, env)
    const db = openToRead(data, openForReports)
    try {
      const zone = chooseZone(db, null)
      const request = parseRequest(args[0] ?? '')
      const days = daysOf(request, flags, readRange({}, zone, toSeconds(clock())))
      const { body, sample } = await runNamedReport(reportContext(db, zone, clock), request, days)
      warnOfDemo(call, db)
      if (flags.json === true) print(JSON.stringify(body, null, 2))
      else if (flags.csv === true) for (const line of csvLines(tableOf(body.data), sample.data)) print(line)
      else {
        printTables(call, body.data)
        const notes = notesOf(body.meta)
        if (notes.length > 0) print('')
        for (const note of notes) print(dropControls(note))
      }
      return 0
    } finally {
      db.close()
    }
  },
}
