// Access logs in JSON: as Caddy writes them, and nginx with the format that Matomo documents.
import type { Line } from '../line.ts'
import type { LogForm } from './form.ts'
import { bytesText, isPagePath, isPageType, lineOf, optionalField } from './page.ts'

type Json = { [name: string]: unknown }

const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const parseJson = (text: string): Json | null => {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

/** Seconds, milliseconds or nanoseconds since 1970, or a date with time. */
const secondOf = (text: string): number | null => {
  const number = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : null
  if (number !== null) return Math.floor(number > 1e16 ? number / 1e9 : number > 1e11 ? number / 1e3 : number)
  const parsed = Date.parse(
    text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2').replace(/^(\d{4})\/(\d\d)\/(\d\d) (\S+)$/, '$1-$2-$3T$4Z'),
  )
  return Number.isNaN(parsed) ? null : Math.floor(parsed / 1000)
}

/** The value of a name at any depth, without parsing the whole line. */
const valueAt = (pattern: RegExp, text: string): string => {
  const [, quoted, plain] = pattern.exec(text) ?? []
  return quoted ?? plain ?? ''
}

/** Headers that decide on visits: the language, and what browsers say of themselves and of tracking. */
const usedHeader = /^(?:accept-language|dnt|sec-gpc|sec-ch-ua.*)$/

const headersOf = (value: unknown): Map<string, string> => {
  const entries = isRecord(value) ? Object.entries(value) : []
  return new Map(
    entries.flatMap(([name, values]) => {
      const first: unknown = Array.isArray(values) ? values[0] : values
      return typeof first === 'string' ? [[name.toLowerCase(), first] as const] : []
    }),
  )
}

const unreadable = { problem: 'the time cannot be read' }

const caddyLine = ({ ts, request, status, resp_headers: answer }: Json): Line | undefined => {
  const at = secondOf(textOf(ts))
  if (!isRecord(request)) return undefined
  if (at === null) return unreadable
  const { method, uri, host, client_ip: client, remote_ip: remote, headers: given } = request
  const headers = headersOf(given)
  const target = textOf(uri)
  const type = headersOf(answer).get('content-type')
  if (!isPageType(textOf(method), target, textOf(status), type)) return null
  return lineOf({
    at,
    ip: textOf(client) || textOf(remote),
    host: textOf(host),
    target,
    referrer: headers.get('referer'),
    userAgent: headers.get('user-agent'),
    headers: new Map([...headers].filter(([name]) => usedHeader.test(name))),
  })
}

const caddyTime = /"ts":\s*(?:"([^"]*)"|([\d.]+))/

export const caddyLog: LogForm = {
  name: 'caddy',
  title: "Caddy's JSON",
  fits: text => {
    const value = parseJson(text)
    return value !== null && 'ts' in value && isRecord(value.request)
  },
  timeOf: text => secondOf(valueAt(caddyTime, text)),
  parse: text => {
    const value = parseJson(text)
    return value === null ? undefined : caddyLine(value)
  },
}

/** nginx escapes bytes as `\\xHH`, which JSON does not know. */
const repaired = (text: string): string =>
  text.replace(/\\\\|(?:\\x[0-9a-fA-F]{2})+/g, part =>
    part.startsWith('\\x') ? JSON.stringify(bytesText(part)).slice(1, -1) : part,
  )

const nginxTime = /"date":\s*(?:"([^"]*)"|([\d.]+))/

const nginxLine = ({ ip, host, path, status, referrer, user_agent: agent, date }: Json): Line | undefined => {
  if (path === undefined || date === undefined) return undefined
  const at = secondOf(textOf(date))
  if (at === null) return unreadable
  const target = textOf(path)
  // The format has no method; what is not a page by its path is skipped.
  if (!isPagePath('GET', target, textOf(status))) return null
  return lineOf({
    at,
    ip: textOf(ip),
    host: textOf(host),
    target,
    referrer: optionalField(textOf(referrer)),
    userAgent: optionalField(textOf(agent)),
  })
}

export const nginxLog: LogForm = {
  name: 'nginx-json',
  title: "nginx' JSON",
  fits: text => {
    const value = parseJson(repaired(text))
    return value !== null && 'date' in value && 'path' in value && 'user_agent' in value
  },
  timeOf: text => secondOf(valueAt(nginxTime, text)),
  parse: text => {
    const value = parseJson(repaired(text))
    return value === null ? undefined : nginxLine(value)
  },
}
