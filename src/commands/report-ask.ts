// The service's own reports, asked beside it: one way for `report` and for `export`.
import { randomUUID } from 'node:crypto'
import { version } from '../../package.json'
import { UsageError } from '../config/errors.ts'
import { csvLine } from '../lib/csv.ts'
import type { Db } from '../database/query.ts'
import { reports } from '../endpoints/index.ts'
import type { Identity } from '../http/endpoint.ts'
import { createRouter } from '../http/router.ts'
import type { Clock, Zone } from '../lib/time.ts'
import { CommandError } from './command.ts'
import { reportContext } from './report-context.ts'

export const reportNames = reports.map(({ path }) =>
  path.slice(1).replace(/:(\w+)/, (_, name: string) => name.toUpperCase()),
)

/** Whoever can read the file may see its reports. */
const owner: Identity = {
  id: 'local:0',
  login: 'owner',
  role: 'administrator',
  locale: 'en',
  capabilities: ['manage_options'],
  userId: null,
}

export type Plain = Record<string, unknown>
export const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isList = (value: unknown): value is Plain[] => Array.isArray(value) && value.every(isPlain)

/** Values within values, as `totals.views`. */
export const flat = (value: Plain, prefix = ''): Plain =>
  Object.fromEntries(
    Object.entries(value).flatMap(([key, part]) =>
      isPlain(part) ? Object.entries(flat(part, `${prefix}${key}.`)) : isList(part) ? [] : [[`${prefix}${key}`, part]],
    ),
  )

/** The lists of an answer: its data if that is one, else those within it by their name. */
export const listsOf = (data: unknown): [string, Plain[]][] =>
  isList(data)
    ? [['', data]]
    : isPlain(data)
      ? Object.entries(data).flatMap(([key, part]): [string, Plain[]][] => (isList(part) ? [[key, part]] : []))
      : []

/** The rows of one table only, so that programs can read it: that of the list, of the series, or one line of figures. */
export const tableOf = (data: unknown): Plain[] => {
  const [first] = listsOf(data)
  return first === undefined ? (isPlain(data) ? [flat(data)] : []) : first[1].map(row => flat(row))
}

/** With a head, whose names are those of the first row; no rows give no lines. */
export const csvLines = (rows: readonly Plain[]): string[] => {
  const [head] = rows
  return head === undefined
    ? []
    : [csvLine(Object.keys(head)), ...rows.map(row => csvLine(Object.keys(head).map(key => row[key])))]
}

/** What the API refuses was asked wrongly; only what it does not find, an event say, is a finding. */
const refusal = (status: number, body: unknown): Error => {
  const { code, message, data } = body as { code: string; message: string; data: { params?: unknown } }
  if (code === 'rest_no_route')
    return new UsageError(`There is no such report. The reports: ${reportNames.join(', ')}.`)
  const text = isPlain(data.params)
    ? Object.entries(data.params)
        .map(([name, why]) => (String(why).startsWith(name) ? why : `${name}: ${String(why)}`))
        .join(' ')
    : message
  return status === 400 ? new UsageError(text) : new CommandError(text)
}

/** `body` as the API answers it; `pages`: how many pages of the asked length a list has. */
export type Asked = { body: Plain; pages: number }

/**
 * Asks reports of one connection, by their address below the API.
 * @throws UsageError where the API would refuse, CommandError where it finds nothing of that name
 */
export const createReportAsker = (db: Db, zone: Zone, clock: Clock): ((url: URL) => Promise<Asked>) => {
  const router = createRouter({
    base: '',
    endpoints: reports,
    context: reportContext(db, zone, clock),
    version,
    identify: async () => owner,
    addressOf: () => null,
    requestId: randomUUID,
    log: ({ error }) => {
      throw error
    },
  })
  return async url => {
    const answer = await router(new Request(url), {})
    const body: unknown = await answer.json()
    if (answer.status !== 200 || !isPlain(body)) throw refusal(answer.status, body)
    return { body, pages: Number(answer.headers.get('x-wp-totalpages') ?? 1) }
  }
}

export const addressOf = (name: string): URL => new URL(`http://localhost/analytics/v1/${name.replace(/^\/+/, '')}`)
