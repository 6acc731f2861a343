import { isIPv4, isIPv6 } from 'node:net'
import { isPrivateAddress } from '../../lib/address/list.ts'
import { quoted } from '../../database/copy-check.ts'
import type { Db } from '../../database/query.ts'

/** Columns with personal data of visitors, as `table.column`; never the values. */
export type Traces = { addresses: string[]; userAgents: string[]; columns: number }

type Column = { table: string; column: string }

const v4 = /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d./])/g
const v6 = /(?<![\da-f:.])(?:[\da-f]{0,4}:){2,7}[\da-f]{0,4}(?![\da-f:./])/gi
const userAgent = /Mozilla\/\d|AppleWebKit\/|\(KHTML|Gecko\/20\d\d/

/** Rows entered by the operator, and columns of networks instead of addresses. */
const exemptRows = [{ table: 'setting', name: 'excluded_ips' }]
const networkColumns = ['app_password.last_address']
/** Texts from visitors, in which a private address identifies nobody. */
const textColumns = ['page.path', 'label.text']

const isNetwork = (address: string): boolean => (isIPv4(address) ? address.endsWith('.0') : address.endsWith('::'))
const isLocal = (address: string): boolean => /^(127\.|0\.0\.0\.0$|::1?$)/.test(address)

/** @param column as `table.column` */
const containsAddress = (text: string, column: string): boolean =>
  [...text.matchAll(v4), ...text.matchAll(v6)].some(([match]) => {
    if ((!isIPv4(match) && !(isIPv6(match) && match.replace(/[^:]/g, '').length > 2)) || isLocal(match)) return false
    if (networkColumns.includes(column) && isNetwork(match)) return false
    return !(textColumns.includes(column) && isPrivateAddress(match))
  })

/** Whether these may be the bytes of an address. Salts also have sixteen bytes; they are checked separately. */
const isPackedAddress = (bytes: Buffer, { table, column }: Column): boolean =>
  (bytes.length === 4 || bytes.length === 16) &&
  !(table === 'day_salt' || (table === 'installation' && column === 'value'))

/** Columns that can hold text or bytes: tables are strict, so the others cannot. */
const columnsOf = (db: Db): Column[] => {
  const tables = db
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'")
    .pluck()
    .all() as string[]
  return tables.flatMap(table =>
    (db.prepare('select name, type from pragma_table_info(?)').all(table) as { name: string; type: string }[])
      .filter(({ type }) => !/^(integer|real)$/i.test(type))
      .map(({ name }) => ({ table, column: name })),
  )
}

const valuesOf = (db: Db, { table, column }: Column): Iterable<unknown> => {
  const exempt = exemptRows.filter(row => row.table === table).map(({ name }) => name)
  // Blobs of another length cannot be addresses; there are as many as views of the last days.
  const name = quoted(column)
  const condition = `${name} is not null and (typeof(${name}) <> 'blob' or length(${name}) in (4, 16))`
  return exempt.length === 0
    ? db
        .prepare(`select distinct ${name} from ${quoted(table)} where ${condition}`)
        .pluck()
        .iterate()
    : db
        .prepare(`select ${name} from ${quoted(table)} where name not in (${exempt.map(() => '?').join()})`)
        .pluck()
        .iterate(...exempt)
}

/** Searches all texts and blobs of the database for addresses and user agents. */
export const scanFile = (db: Db): Traces => {
  const traces: Traces = { addresses: [], userAgents: [], columns: 0 }
  for (const column of columnsOf(db)) {
    const name = `${column.table}.${column.column}`
    let [address, agent] = [false, false]
    for (const value of valuesOf(db, column)) {
      if (Buffer.isBuffer(value)) address ||= isPackedAddress(value, column)
      if (typeof value !== 'string') continue
      address ||= containsAddress(value, name)
      agent ||= userAgent.test(value)
    }
    if (address) traces.addresses.push(name)
    if (agent) traces.userAgents.push(name)
    traces.columns += 1
  }
  return traces
}

/** Whether a text, such as a line of the log, contains an address or a user agent. */
export const tracesIn = (text: string): { address: boolean; userAgent: boolean } => ({
  address: containsAddress(text, ''),
  userAgent: userAgent.test(text),
})
