import { isIPv4, isIPv6 } from 'node:net'
import { isPrivateAddress } from '../../lib/address/list.ts'
import { quoted } from '../../database/copy-check.ts'
import type { Db } from '../../database/query.ts'

/** Where traces of visitors were found, as `table.column`; never the values themselves. */
export type Traces = { addresses: string[]; userAgents: string[]; columns: number }

type Column = { table: string; column: string }

const v4 = /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d./])/g
const v6 = /(?<![\da-f:.])(?:[\da-f]{0,4}:){2,7}[\da-f]{0,4}(?![\da-f:./])/gi
const userAgent = /Mozilla\/\d|AppleWebKit\/|\(KHTML|Gecko\/20\d\d/

/** The operator's own entries, and networks instead of addresses. */
const exempt = [{ table: 'setting', name: 'excluded_ips' }]
const networks = ['app_password.last_address']
/** Texts from visitors: a private address in there identifies nobody. */
const texts = ['page.path', 'label.text']

const isNetwork = (address: string): boolean => (isIPv4(address) ? address.endsWith('.0') : address.endsWith('::'))
const isLocal = (address: string): boolean => /^(127\.|0\.0\.0\.0$|::1?$)/.test(address)

const holdsAddress = (text: string, place: string): boolean =>
  [...text.matchAll(v4), ...text.matchAll(v6)].some(([found]) => {
    if ((!isIPv4(found) && !(isIPv6(found) && found.replace(/[^:]/g, '').length > 2)) || isLocal(found)) return false
    if (networks.includes(place) && isNetwork(found)) return false
    return !(texts.includes(place) && isPrivateAddress(found))
  })

/** An address as four or sixteen bytes. Salts have sixteen, too; they are checked separately. */
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

const namedRows = (db: Db, { table, column }: Column): Iterable<unknown> => {
  const own = exempt.filter(one => one.table === table).map(one => one.name)
  // Bytes of another length are no addresses; there are as many as views of the last days.
  const telling = `${quoted(column)} is not null and (typeof(${quoted(column)}) <> 'blob' or length(${quoted(column)}) in (4, 16))`
  return own.length === 0
    ? db
        .prepare(`select distinct ${quoted(column)} from ${quoted(table)} where ${telling}`)
        .pluck()
        .iterate()
    : db
        .prepare(`select ${quoted(column)} from ${quoted(table)} where name not in (${own.map(() => '?').join()})`)
        .pluck()
        .iterate(...own)
}

/** Reads every text and every byte of the file for addresses and user agents. */
export const scanFile = (db: Db): Traces => {
  const traces: Traces = { addresses: [], userAgents: [], columns: 0 }
  for (const place of columnsOf(db)) {
    const name = `${place.table}.${place.column}`
    let [address, agent] = [false, false]
    for (const value of namedRows(db, place)) {
      if (Buffer.isBuffer(value)) address ||= isPackedAddress(value, place)
      if (typeof value !== 'string') continue
      address ||= holdsAddress(value, name)
      agent ||= userAgent.test(value)
    }
    if (address) traces.addresses.push(name)
    if (agent) traces.userAgents.push(name)
    traces.columns += 1
  }
  return traces
}

/** The same for a text: a line of the log. */
export const tracesIn = (text: string): { address: boolean; userAgent: boolean } => ({
  address: holdsAddress(text, ''),
  userAgent: userAgent.test(text),
})
