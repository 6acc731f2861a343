import { type Kind, kinds } from '../collection/record.ts'
import { parseAddress } from '../lib/address/list.ts'
import { combinedLog } from './access-log/combined.ts'
import type { Format, Line } from './line.ts'

const timePattern = /"time"\s*:\s*"([^"]+)"/
const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/

const secondOf = (text: string): number | null => {
  const time = rfc3339.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? null : Math.floor(time / 1000)
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isKind = (value: unknown): value is Kind => kinds.some(kind => kind === value)

const headersOf = (value: unknown): ReadonlyMap<string, string> =>
  new Map(
    isRecord(value)
      ? Object.entries(value).flatMap(([name, text]) =>
          typeof text === 'string' ? [[name.toLowerCase(), text] as const] : [],
        )
      : [],
  )

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const toLine = (value: Record<string, unknown>): Line => {
  const { endpoint, time, ip, user_agent: userAgent, headers, body } = value
  if (!isKind(endpoint)) return { problem: 'endpoint is not hit, event or engagement' }
  const at = typeof time === 'string' ? secondOf(time) : null
  if (at === null) return { problem: 'time is not a moment such as 2026-03-01T10:00:00Z' }
  const fields = typeof body === 'string' ? parseJson(body) : body
  if (!isRecord(fields)) return { problem: 'body is not an object' }
  const address = typeof ip === 'string' ? parseAddress(ip) : null
  if (ip !== undefined && ip !== null && address === null) return { problem: 'ip is not an address' }
  const headerMap = headersOf(headers)
  return {
    body: fields,
    incoming: {
      kind: endpoint,
      at,
      address,
      userAgent: typeof userAgent === 'string' ? userAgent : (headerMap.get('user-agent') ?? ''),
      headers: headerMap,
    },
  }
}

/** NDJSON: one recorded collection request per line (api.md §9). */
export const requests: Format = {
  tolerance: 0,
  timeOf: text => secondOf(timePattern.exec(text)?.[1] ?? ''),
  parse: text => {
    const value = parseJson(text)
    if (isRecord(value)) return toLine(value)
    return {
      problem: combinedLog.fits(text) ? 'this looks like an access log: use --format access-log' : 'not a JSON object',
    }
  },
}
