import { randomUUID } from 'node:crypto'
import { version } from '../../package.json'
import { readOptions } from '../config.ts'
import { csvLine } from '../csv.ts'
import { reports } from '../endpoints/index.ts'
import type { Identity } from '../http/endpoint.ts'
import { createRouter } from '../http/router.ts'
import { openForReports } from '../reports/periods.ts'
import { readRange, type Range } from '../reports/range.ts'
import { chooseZone } from '../rollup/zone.ts'
import { dayText, toSeconds } from '../time.ts'
import { CommandError, type Call, type Command } from './command.ts'
import { tellDemo, withDatabase } from './database.ts'
import { jsonFlag, printRows, type Row } from './listing.ts'
import { reportContext } from './report-context.ts'

const names = reports.map(({ path }) => path.slice(1).replace(/:(\w+)/, (_, name: string) => name.toUpperCase()))

/** Whoever can read the file may see its reports. */
const owner: Identity = { id: 'local:0', login: 'owner', role: 'administrator', locale: 'en', capabilities: ['manage_options'], userId: null }

type Plain = Record<string, unknown>
const isPlain = (value: unknown): value is Plain => typeof value === 'object' && value !== null && !Array.isArray(value)
const isList = (value: unknown): value is Plain[] => Array.isArray(value) && value.every(isPlain)

/** Values within values, as `totals.views`. */
const flat = (value: Plain, prefix = ''): Plain => Object.fromEntries(Object.entries(value).flatMap(([key, part]) =>
  isPlain(part) ? Object.entries(flat(part, `${prefix}${key}.`)) : isList(part) ? [] : [[`${prefix}${key}`, part]]))

/** The lists of an answer: its data if that is one, else those within it by their name. */
const listsOf = (data: unknown): [string, Plain[]][] =>
  isList(data) ? [['', data]] : isPlain(data) ? Object.entries(data).flatMap(([key, part]): [string, Plain[]][] => isList(part) ? [[key, part]] : []) : []

const text = (value: unknown): string | null => value === null || value === undefined ? null : typeof value === 'object' ? JSON.stringify(value) : String(value)
const toRow = (value: Plain): Row => Object.fromEntries(Object.entries(flat(value)).map(([key, part]) => [key, text(part)]))

const printTables = (call: Call, data: unknown): void => {
  const lists = listsOf(data)
  if (isPlain(data)) {
    const figures = Object.entries(toRow(data))
    const width = Math.max(0, ...figures.map(([key]) => key.length))
    for (const [key, value] of figures) call.print(`${key.padEnd(width)}  ${value ?? '-'}`)
  }
  for (const [name, rows] of lists) {
    if (name !== '') call.print(`\n${name}`)
    printRows({ ...call, flags: {} }, rows.map(toRow), 'Nothing in this range.')
  }
}

/** One table only, so that programs can read it: that of the list, of the series, or one line of figures. */
const printCsv = ({ print }: Call, data: unknown): void => {
  const [first] = listsOf(data)
  const rows = first === undefined ? isPlain(data) ? [flat(data)] : [] : first[1].map(row => flat(row))
  const [head] = rows
  if (head === undefined) return
  print(csvLine(Object.keys(head)))
  for (const row of rows) print(csvLine(Object.keys(head).map(key => row[key])))
}

/** `pages?search=blog` with --from and --to, or the last 30 days, as the address of the report. */
const addressOf = (name: string, { from, to }: Call['flags'], usual: Range): URL => {
  const url = new URL(`http://localhost/analytics/v1/${name.replace(/^\/+/, '')}`)
  const last = typeof to === 'string' ? to : url.searchParams.get('to') ?? dayText(usual.to)
  const first = typeof from === 'string' ? from : url.searchParams.get('from')
  url.searchParams.set('to', last)
  if (first !== null) url.searchParams.set('from', first)
  else if (last === dayText(usual.to)) url.searchParams.set('from', dayText(usual.from))
  return url
}

const sentence = (status: number, body: unknown): string => {
  if (status === 404) return `There is no such report. The reports: ${names.join(', ')}.`
  const { message, data } = body as { message: string, data: { params?: unknown } }
  return isPlain(data.params) ? Object.entries(data.params).map(([name, why]) => String(why).startsWith(name) ? why : `${name}: ${String(why)}`).join(' ') : message
}

export const report: Command = {
  name: 'report',
  arguments: ['<NAME>'],
  about: `Print a report, also while the service runs: ${names.join(', ')}. Further parameters as in the API: 'pages?search=blog&limit=5'.`,
  flags: [
    { flag: '--from <DATE>', about: 'First day, YYYY-MM-DD. Without --from and --to: the last 30 days.' },
    { flag: '--to <DATE>', about: 'Last day, YYYY-MM-DD.' },
    jsonFlag,
    { flag: '--csv', about: 'Print CSV, for spreadsheets.' },
  ],
  run: async call => {
    const { args, flags, env, clock, print } = call
    const { data } = readOptions(['data'], flags, env)
    // Refuses what is no database of ours, and brings an older one up.
    await withDatabase(call, () => {})
    const db = openForReports(data)
    try {
      const zone = chooseZone(db, null)
      const router = createRouter({
        base: '', endpoints: reports, context: reportContext(db, zone, clock), version,
        identify: async () => owner, addressOf: () => null, requestId: randomUUID,
        log: ({ error }) => { throw error },
      })
      const answer = await router(new Request(addressOf(args[0] ?? '', flags, readRange({}, zone, toSeconds(clock())))), {})
      const body: unknown = await answer.json()
      tellDemo(call, db)
      if (answer.status !== 200 || !isPlain(body)) throw new CommandError(sentence(answer.status, body))
      if (flags.json === true) print(JSON.stringify(body, null, 2))
      else if (flags.csv === true) printCsv(call, body.data)
      else printTables(call, body.data)
      return 0
    } finally {
      db.close()
    }
  },
}
