// Access logs in JSON: as Caddy writes them, and nginx with the format that Matomo documents.
import type { Line } from '../line.ts'
import { unescapeAddress, unescapeText } from './escapes.ts'
import type { LogForm } from './form.ts'
import { visitorAddress } from './head.ts'
import { type LogRules, lineOf, optionalField, skipReason } from './page.ts'

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

const caddyLine = ({ ts, request, status, resp_headers: answer }: Json, rules: LogRules): Line | undefined => {
  const at = secondOf(textOf(ts))
  if (!isRecord(request)) return undefined
  if (at === null) return unreadable
  const { method, uri, host, client_ip: client, remote_ip: remote, headers: given } = request
  const headers = headersOf(given)
  const target = textOf(uri)
  const type = headersOf(answer).get('content-type')
  const reason = skipReason({ method: textOf(method), target, status: textOf(status), type }, rules)
  if (reason !== null) return { skipped: reason }
  return lineOf({
    at,
    address: visitorAddress([textOf(client), textOf(remote)], headers.get('x-forwarded-for'), rules.proxies),
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
  parse: (text, rules) => {
    const value = parseJson(text)
    return value === null ? undefined : caddyLine(value, rules)
  },
}

/** Without `escape=json` nginx escapes bytes as `\\xHH`, which JSON does not know, and no character in another way. */
const parseNginx = (text: string): Json | null => {
  const value = parseJson(text)
  if (value !== null || !text.includes('\\x')) return value
  const escaped = parseJson(text.replaceAll('\\x', '\\\\x'))
  return escaped === null
    ? null
    : Object.fromEntries(
        Object.entries(escaped).map(([name, field]) => [
          name,
          typeof field === 'string' ? (isAddressField(name) ? unescapeAddress(field) : unescapeText(field)) : field,
        ]),
      )
}

const isAddressField = (name: string): boolean => name === 'path' || name === 'referrer'

const nginxTime = /"date":\s*(?:"([^"]*)"|([\d.]+))/

const nginxLine = (fields: Json, rules: LogRules): Line | undefined => {
  const { ip, host, path, status, referrer, user_agent: agent, date, x_forwarded_for: forwarded } = fields
  if (path === undefined || date === undefined) return undefined
  const at = secondOf(textOf(date))
  if (at === null) return unreadable
  const target = textOf(path)
  // The documented format has no method.
  const method = 'method' in fields ? textOf(fields.method) : null
  const reason = skipReason({ method, target, status: textOf(status) }, rules)
  if (reason !== null) return { skipped: reason }
  return lineOf({
    at,
    address: visitorAddress([textOf(ip)], textOf(forwarded), rules.proxies),
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
    const value = parseNginx(text)
    return value !== null && 'date' in value && 'path' in value && 'user_agent' in value
  },
  timeOf: text => secondOf(valueAt(nginxTime, text)),
  parse: (text, rules) => {
    const value = parseNginx(text)
    return value === null ? undefined : nginxLine(value, rules)
  },
}
