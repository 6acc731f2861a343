import { parseAddress } from '../lib/address/text.ts'
import type { Format, Line } from './line.ts'

/** The combined format of nginx and Apache, optionally preceded by a virtual host. */
const combined =
  /^(?:(\S+) )?(\S+) \S+ \S+ \[([^\]]+)\] "((?:[^"\\]|\\.)*)" (\d{3}) \S+ "((?:[^"\\]|\\.)*)" "((?:[^"\\]|\\.)*)"/
const timePattern = /^(\d{2})\/(\w{3})\/(\d{4}):(\d{2}:\d{2}:\d{2}) ([+-]\d{2})(\d{2})$/
const requestPattern = /^(\S+) (\S+)(?: HTTP\/[\d.]+)?$/

const months: Readonly<Record<string, string>> = {
  Jan: '01',
  Feb: '02',
  Mar: '03',
  Apr: '04',
  May: '05',
  Jun: '06',
  Jul: '07',
  Aug: '08',
  Sep: '09',
  Oct: '10',
  Nov: '11',
  Dec: '12',
}

/** Targets that are not pages: assets by extension, feeds, and internal paths of a CMS. */
const asset =
  /\.(?:css|m?js|map|json|xml|txt|ico|png|jpe?g|gif|webp|avif|svg|bmp|woff2?|ttf|otf|eot|mp[34]|webm|ogg|wav|pdf|zip|gz|rar|7z|tar|exe|dmg|wasm|webmanifest|php)$/i
const notPage =
  /^\/(?:wp-json|wp-admin|wp-includes|wp-content|wp-login\.php|xmlrpc\.php|feed|api|\.well-known|cgi-bin)(?:\/|$)|\/feed\/?$/i

const pageStatuses = new Set(['200', '304'])

/** Undoes the escaping of quotes and unprintable bytes. */
const unescapeField = (text: string): string =>
  text
    .replace(/\\x([0-9a-fA-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\(["\\])/g, '$1')

const secondOf = (text: string): number | null => {
  const [, day, month = '', year, time, hours, minutes] = timePattern.exec(text) ?? []
  const parsed = Date.parse(`${year}-${months[month]}-${day}T${time}${hours}:${minutes}`)
  return Number.isNaN(parsed) ? null : parsed / 1000
}

const isPage = (method: string, target: string, status: string): boolean => {
  const path = target.split(/[?#]/, 1).join('')
  if (method !== 'GET' || !pageStatuses.has(status) || !path.startsWith('/')) return false
  return path === '/index.php' || (!asset.test(path) && !notPage.test(path))
}

const optionalField = (text: string): string | undefined =>
  text === '-' || text === '' ? undefined : unescapeField(text)

/** A virtual host that is one; nginx writes `_` for requests without a name. */
const hostPattern = /^[\w-]+(?:\.[\w-]+)+(?::\d+)?$/

/** The address of a page, or its path if the log does not name the host. */
const addressOf = (host: string, target: string): string =>
  `${hostPattern.test(host) ? `http://${host}` : ''}${target}`.slice(0, 2048)

const toLine = ([
  ,
  host = '',
  ip = '',
  time = '',
  request = '',
  status = '',
  referrer = '',
  userAgent = '',
]: readonly string[]): Line => {
  const at = secondOf(time)
  if (at === null) return { problem: 'the time cannot be read' }
  const [, method, target] = requestPattern.exec(unescapeField(request)) ?? []
  if (method === undefined || target === undefined || !isPage(method, target, status)) return null
  return {
    incoming: {
      kind: 'hit',
      at,
      address: parseAddress(ip),
      userAgent: optionalField(userAgent) ?? '',
      headers: new Map(),
    },
    body: { page_url: addressOf(host, target), referrer: optionalField(referrer) },
  }
}

const jsonLine = 'this is JSON, as Caddy logs by default; access-log reads the combined format'

/** Whether a line is in the combined format. */
export const isCombined = (text: string): boolean => combined.test(text)

/** Page views of a web server's log; everything else is skipped. */
export const accessLog: Format = {
  // A line is written at the end of its request but has the time of its start.
  tolerance: 600,
  timeOf: text => secondOf(combined.exec(text)?.[3] ?? ''),
  parse: text => {
    const match = combined.exec(text)
    if (match !== null) return toLine(match)
    return { problem: text.startsWith('{') ? jsonLine : 'not a line of the combined format' }
  },
}
