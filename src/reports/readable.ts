import { readableHost } from '../lib/host-name.ts'

/** Fields of rows that name a host, or a page after its host. */
const named = new Set(['page', 'landing_page', 'entry_page', 'exit_page', 'source', 'label'])

const readableName = (text: string): string => {
  if (!text.includes('xn--') || text.startsWith('/')) return text
  const end = text.indexOf('/')
  return end < 0 ? readableHost(text) : `${readableHost(text.slice(0, end))}${text.slice(end)}`
}

/** Rows of dimensions have keys and names; hosts are named as their keys. */
const isNameOfKey = (row: object, name: string): boolean =>
  name === 'name' && 'key' in row && 'name' in row && row.key === row.name

/** The data of a report with hosts as people write them. Filters take both. */
export const withReadableNames = <Data>(data: Data): Data => {
  if (Array.isArray(data)) return data.map(withReadableNames) as Data
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      typeof value === 'string'
        ? named.has(name) || isNameOfKey(data, name)
          ? readableName(value)
          : value
        : withReadableNames(value),
    ]),
  ) as Data
}
