import type { Line } from '../line.ts'
import type { LogForm } from './form.ts'
import { bytesText, isPagePath, lineOf, optionalField } from './page.ts'

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

/** Undoes the escaping of quotes and unprintable bytes. */
const unescapeField = (text: string): string =>
  text.replace(/\\(["\\])|(?:\\x[0-9a-fA-F]{2})+/g, (bytes, mark?: string) => mark ?? bytesText(bytes))

const secondOf = (text: string): number | null => {
  const [, day, month = '', year, time, hours, minutes] = timePattern.exec(text) ?? []
  const parsed = Date.parse(`${year}-${months[month]}-${day}T${time}${hours}:${minutes}`)
  return Number.isNaN(parsed) ? null : parsed / 1000
}

const textOf = (text: string): string | undefined => optionalField(unescapeField(text))

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
  if (method === undefined || target === undefined || !isPagePath(method, target, status)) return null
  return lineOf({ at, ip, host, target, referrer: textOf(referrer), userAgent: textOf(userAgent) })
}

/** The combined format of nginx and Apache, optionally preceded by a virtual host. */
export const combinedLog: LogForm = {
  name: 'combined',
  title: 'the combined format',
  fits: text => combined.test(text),
  timeOf: text => secondOf(combined.exec(text)?.[3] ?? ''),
  parse: text => {
    const match = combined.exec(text)
    return match === null ? undefined : toLine(match)
  },
}

/** The common format has neither referrers nor user agents. */
export const isCommon = (text: string): boolean =>
  !combined.test(text) && /^(?:\S+ )?\S+ \S+ \S+ \[[^\]]+\] "[^"]*" \d{3} \S+/.test(text)
