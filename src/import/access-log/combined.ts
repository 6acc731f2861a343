import { parseAddress } from '../../lib/address/list.ts'
import type { Line } from '../line.ts'
import { unescapeAddress, unescapeText } from './escapes.ts'
import type { LogForm } from './form.ts'
import { readHead } from './head.ts'
import { type LogRules, lineOf, optionalField, skipReason } from './page.ts'

/** The fields before the time are read by what they hold, see head.ts. */
const combined =
  /^(.{1,2000}?) \[([^\]]{1,60})\] "((?:[^"\\]|\\.)*)" (\d{3}) \S+ "((?:[^"\\]|\\.)*)" "((?:[^"\\]|\\.)*)"(.*)/
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

const secondOf = (text: string): number | null => {
  const [, day, month = '', year, time, hours, minutes] = timePattern.exec(text) ?? []
  const parsed = Date.parse(`${year}-${months[month]}-${day}T${time}${hours}:${minutes}`)
  return Number.isNaN(parsed) ? null : parsed / 1000
}

/** What proxies said of the visitor, where it is logged at the end: nginx' `"$http_x_forwarded_for"`. */
const forwardedIn = (rest: string): string | undefined =>
  [...rest.matchAll(/"([^"]*)"|(\S+)/g)]
    .map(([, quoted, plain]) => quoted ?? plain ?? '')
    .find(field => field.split(',').every(part => parseAddress(part.trim()) !== null))

const toLine = (
  [, head = '', time = '', request = '', status = '', referrer = '', userAgent = '', rest = '']: readonly string[],
  rules: LogRules,
): Line => {
  const at = secondOf(time)
  if (at === null) return { problem: 'the time cannot be read' }
  const [, method = '', target = ''] = requestPattern.exec(request) ?? []
  const reason = skipReason({ method, target, status }, rules)
  if (reason !== null) return { skipped: reason }
  return lineOf({
    at,
    ...readHead(head, forwardedIn(rest), rules.proxies),
    target: unescapeAddress(target),
    referrer: optionalField(unescapeAddress(referrer)),
    userAgent: optionalField(unescapeText(userAgent)),
  })
}

/** The combined format of nginx and Apache, with or without a virtual host. */
export const combinedLog: LogForm = {
  name: 'combined',
  title: 'the combined format',
  fits: text => combined.test(text),
  timeOf: text => secondOf(combined.exec(text)?.[2] ?? ''),
  parse: (text, rules) => {
    const match = combined.exec(text)
    return match === null ? undefined : toLine(match, rules)
  },
}

/** The common format has neither referrers nor user agents. */
export const isCommon = (text: string): boolean =>
  !combined.test(text) && /^.{1,2000}? \[[^\]]{1,60}\] "[^"]*" \d{3} \S+/.test(text)
