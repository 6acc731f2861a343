import { isIPv4 } from 'node:net'
import { hasAddressSegment, hasUserAgent } from '../../collection/ingest/text.ts'
import { quoted } from '../../database/copy-check.ts'
import type { Db } from '../../database/query.ts'
import { hasAddress } from '../../lib/address/find.ts'

/** Columns with personal data of visitors, as `table.column`; never the values. */
export type Traces = { addresses: string[]; userAgents: string[]; columns: number }

export type Column = { table: string; column: string }

/** Rows and columns entered by the operator, and columns of networks instead of addresses. */
const exemptRows = [{ table: 'setting', name: 'excluded_ips' }]
const operatorColumns = ['annotation.text', 'annotation.link', 'subscription.address']
const networkColumns = ['app_password.last_address', 'login_session.network', 'login_network.network']
/** In it, `{"network": …}` is a network. */
const auditColumn = 'audit.details'
const networkEntry = /"network":"([^"]*)"/
const pathColumn = 'page.path'

const isNetwork = (address: string): boolean => (isIPv4(address) ? address.endsWith('.0') : address.endsWith('::'))

/**
 * Judges as collection does when it redacts (`redactPath`, `redactText`), so that nothing a visitor sends fails the audit.
 * @param column as `table.column`
 */
const containsAddress = (text: string, column: string): boolean => {
  if (column === pathColumn) return hasAddressSegment(text)
  const found =
    column === auditColumn ? text.replace(networkEntry, (_, network) => (isNetwork(network) ? '' : network)) : text
  return hasAddress(found) && !(networkColumns.includes(column) && isNetwork(found))
}

/** Whether these may be the bytes of an address. */
const isPackedAddress = (bytes: Buffer): boolean => bytes.length === 4 || bytes.length === 16

export const columnsOf = (db: Db): (Column & { type: string })[] => {
  const tables = db
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'")
    .pluck()
    .all() as string[]
  return tables.flatMap(table =>
    (db.prepare('select name, type from pragma_table_info(?)').all(table) as { name: string; type: string }[]).map(
      ({ name, type }) => ({ table, column: name, type }),
    ),
  )
}

/** Columns that can hold text or bytes: tables are strict, so the others cannot. */
const textColumnsOf = (db: Db): Column[] =>
  columnsOf(db).filter(
    ({ table, column, type }) => !/^(integer|real)$/i.test(type) && !operatorColumns.includes(`${table}.${column}`),
  )

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
  for (const column of textColumnsOf(db)) {
    const name = `${column.table}.${column.column}`
    let [address, agent] = [false, false]
    for (const value of valuesOf(db, column)) {
      if (Buffer.isBuffer(value)) address ||= isPackedAddress(value)
      if (typeof value !== 'string') continue
      address ||= containsAddress(value, name)
      agent ||= hasUserAgent(value)
    }
    if (address) traces.addresses.push(name)
    if (agent) traces.userAgents.push(name)
    traces.columns += 1
  }
  return traces
}

/** Whether a text, such as a line of the log, contains an address or a user agent. */
export const tracesIn = (text: string): { address: boolean; userAgent: boolean } => ({
  address: hasAddress(text),
  userAgent: hasUserAgent(text),
})
