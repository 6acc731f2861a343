// Parsers for the values of options, whether from a flag, the environment or the default.
import { isIP } from 'node:net'
import { parseAddressList } from '../lib/address/list.ts'
import { weekdayNames } from '../lib/calendar.ts'
import { canonicalLanguage } from '../lib/locale.ts'
import { isoCode } from '../lib/money-text.ts'
import { languageNameOf } from '../lib/texts.ts'
import { isZone } from '../lib/time.ts'

/** `expects` ends the sentence "--port takes …"; `parse` returns undefined for invalid text. */
/** `isSecret`: a text that is refused is not repeated. */
export type Kind<T> = { expects: string; list?: boolean; isSecret?: true; parse: (text: string) => T | undefined }

/** The parameters of a token bucket: its size, and the tokens added per second. */
export type Limit = { burst: number; rate: number }

const hostLabel = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/i
const segment = /^[A-Za-z0-9._~-]+$/

const url = (text: string): URL | undefined => URL.parse(text) ?? undefined

const number = (text: string, low: number, high: number): number | undefined =>
  /^\d{1,9}$/.test(text) && Number(text) >= low && Number(text) <= high ? Number(text) : undefined

/** Normalizes a host as in a URL: lower case, ASCII, IPv6 in brackets. */
const hostName = (text: string): string | undefined => {
  if (isIP(text) === 6) return hostName(`[${text}]`)
  const host = /[/?#@\s%\\]|^[^[]*:/.test(text) ? '' : (url(`http://${text}`)?.hostname ?? '')
  return host.startsWith('[') || host.split('.').every(label => hostLabel.test(label)) ? host : undefined
}

const listenHost = (text: string): string | undefined => hostName(text)?.replace(/^\[(.*)\]$/, '$1')

const networks = (text: string): readonly string[] | undefined => {
  const { list, invalid } = parseAddressList(text)
  return invalid.length === 0 ? list.entries : undefined
}

const list = <T extends string>(expects: string, parse: (item: string) => T | undefined): Kind<readonly T[]> => ({
  expects,
  list: true,
  parse: text => {
    const items = text
      .split(/[\s,]+/)
      .filter(item => item !== '')
      .map(parse)
    const valid = items.filter(item => item !== undefined)
    return valid.length === items.length ? [...new Set(valid)] : undefined
  },
})

/** Empty text is parsed as null: the option is not set. */
const optional = <T>({ parse, ...kind }: Kind<T>): Kind<T | null> => ({
  ...kind,
  parse: text => (text === '' ? null : parse(text)),
})

const choice = <T extends string>(...values: readonly T[]): Kind<T> => ({
  expects: values.join(', ').replace(/, (?!.*, )/, ' or '),
  parse: text => values.find(value => value === text.toLowerCase()),
})

const title = (text: string): string | undefined =>
  text.trim() !== '' && text.trim().length <= 80 && !/\p{Cc}/u.test(text) ? text.trim() : undefined

/** '' or '/x/y': a prefix for paths that start with '/'. */
const prefix = (text: string): string | undefined => {
  const parts = text.replace(/^\/|\/$/g, '').split('/')
  if (parts.join('') === '') return /^\/?$/.test(text) ? '' : undefined
  return parts.every(part => segment.test(part) && part !== '.' && part !== '..') ? `/${parts.join('/')}` : undefined
}

const filePath = (text: string): string | undefined =>
  prefix(text) === '' || text.endsWith('/') ? undefined : prefix(text)

const siteUrl = (text: string): string | undefined => {
  const parsed = url(text)
  const isValid =
    parsed !== undefined &&
    /^https?:\/\//i.test(text) &&
    `${parsed.username}${parsed.password}${parsed.search}${parsed.hash}` === ''
  return isValid ? parsed.href.replace(/\/+$/, '') : undefined
}

const zone = (text: string): string | undefined => {
  if (!/^[A-Za-z]/.test(text) || !isZone(text)) return undefined
  return ['UTC', ...Intl.supportedValuesOf('timeZone')].find(name => name.toLowerCase() === text.toLowerCase()) ?? text
}

const country = (text: string): string | undefined => (/^[A-Za-z]{2}$/.test(text) ? text.toUpperCase() : undefined)

const limit = (text: string): Limit | undefined => {
  const [burst, rate, ...rest] = text.split('/').map(part => number(part, 1, 1_000_000))
  return burst === undefined || rate === undefined || rest.length > 0 ? undefined : { burst, rate }
}

/** `HOST:PORT`, an IPv6 address in brackets. */
const listenAt = (text: string): { host: string; port: number } | undefined => {
  const colon = text.lastIndexOf(':')
  const [host, port] = [listenHost(text.slice(0, colon)), number(text.slice(colon + 1), 0, 65535)]
  return colon < 1 || host === undefined || port === undefined ? undefined : { host, port }
}

/** A URL that may contain {year} and {month}, filled in when it is fetched. */
const template = (text: string): string | undefined =>
  /^https?:\/\//i.test(text) && url(text.replaceAll('{year}', '2026').replaceAll('{month}', '01')) !== undefined
    ? text
    : undefined

/** A URL with {suffix}, for the archive and its checksum. HTTPS is required because the key is sent there. */
const licensedTemplate = (text: string): string | undefined => {
  const parsed = url(
    text.replaceAll('{edition}', 'GeoLite2-City').replaceAll('{suffix}', 'tar.gz').replaceAll('{key}', 'key'),
  )
  const isSafe =
    parsed?.protocol === 'https:' ||
    (parsed?.protocol === 'http:' && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(parsed.hostname))
  return parsed !== undefined && isSafe && text.includes('{suffix}') && `${parsed.username}${parsed.password}` === ''
    ? text
    : undefined
}

const asciiUri = (text: string): string | undefined => (/^[!-~]+$/.test(text) ? text : undefined)

const email = /^[\w.+-]+@([a-z\d-]+\.)+[a-z][a-z\d-]*$/i

/** A URI for the Contact field of RFC 9116. An e-mail address becomes one. */
const contact = (text: string): string | undefined => {
  if (email.test(text)) return `mailto:${text}`
  if (/^mailto:[^\s@]+@[^\s@]+$/i.test(text) || /^tel:\+?\d[\d().-]*$/i.test(text)) return asciiUri(text)
  const parsed = /^https:\/\//i.test(text) ? url(text) : undefined
  return parsed !== undefined && `${parsed.username}${parsed.password}` === '' ? asciiUri(parsed.href) : undefined
}

/** By syntax only: a dot-atom, and a host with or without dots, as mail on the machine itself may have none. */
const mailAddress = (text: string): string | undefined =>
  text.length <= 254 && /^[\w!#$%&'*+/=?^`{|}~.-]{1,64}@[a-z\d-]+(\.[a-z\d-]+)*$/i.test(text) ? text : undefined

const shellCommand = (text: string): string | undefined => (/[\0\n\r]/.test(text) ? undefined : text)

const periods = ['day', 'week', 'month'] as const

export const webhookFormats = ['json', 'slack', 'discord', 'ntfy', 'teams'] as const
export type WebhookFormat = (typeof webhookFormats)[number]

/** What is posted to --webhook. */
export const webhookEvents = ['alerts', 'digests', 'goals'] as const
export type WebhookEvent = (typeof webhookEvents)[number]

const webhook = (text: string): string | undefined => {
  const parsed = /^https?:\/\//i.test(text) ? url(text) : undefined
  return parsed !== undefined && `${parsed.username}${parsed.password}${parsed.hash}` === '' ? parsed.href : undefined
}

const yes = ['true', 'yes', 'on', '1']
const no = ['', 'false', 'no', 'off', '0']

const truth = (text: string): boolean | undefined => {
  const word = text.toLowerCase()
  return yes.includes(word) ? true : no.includes(word) ? false : undefined
}

/** A path that a socket may have: the system takes 107 bytes. */
const socketPath = (text: string): string | undefined => {
  const [, path] = /^unix:(\/[^\s\0:?#]+)$/.exec(text) ?? []
  return path !== undefined && Buffer.byteLength(path) <= 107 ? path : undefined
}

export const kinds = {
  truth: { expects: 'true or false', parse: truth },
  contact: {
    expects: 'an e-mail address, or a URI such as https://example.org/security, mailto:… or tel:…',
    parse: contact,
  },
  licensedTemplate: {
    expects: 'a URL that contains {suffix}, and may contain {edition} and {key}, with https (or http on this machine)',
    parse: licensedTemplate,
  },
  edition: {
    expects: 'the name of an edition such as GeoLite2-City',
    parse: (text: string) => (/^[A-Za-z0-9-]{1,60}$/.test(text) ? text : undefined),
  },
  template: { expects: 'a URL that may contain {year} and {month}', parse: template },
  listen: { expects: 'a host and a port, such as 127.0.0.1:9187', parse: listenAt },
  socket: { expects: 'unix: and an absolute path, such as unix:/run/footfall/footfall.sock', parse: socketPath },
  file: {
    expects: 'the path of a file',
    parse: (text: string) => (text === '' || text.includes('\0') ? undefined : text),
  },
  days: { expects: 'a whole number from 1 to 3650', parse: (text: string) => number(text, 1, 3650) },
  host: { expects: 'a host name or an IP address', parse: listenHost },
  port: { expects: 'a whole number from 0 to 65535', parse: (text: string) => number(text, 0, 65535) },
  prefix: { expects: "a path such as /stats, or ''", parse: prefix },
  path: { expects: 'the path of a file, such as /tracker.js', parse: filePath },
  country: { expects: 'a two-letter country code such as DE', parse: country },
  currency: {
    expects: 'a three-letter currency code such as EUR',
    parse: (text: string) => (isoCode.test(text) ? text.toUpperCase() : undefined),
  },
  weekday: choice(...weekdayNames),
  zone: { expects: 'an IANA time zone such as Europe/Berlin', parse: zone },
  title: { expects: 'up to 80 characters without line breaks', parse: title },
  siteUrl: {
    expects: 'a URL such as https://example.org, with http or https and without a query',
    parse: siteUrl,
  },
  hosts: list('host names separated by commas, such as example.org,shop.example.org', hostName),
  networks: {
    expects: 'IP addresses or networks separated by commas, such as 10.0.0.0/8,::1',
    list: true,
    parse: networks,
  },
  names: list('parameter names separated by commas, such as p,page_id', text =>
    /^[\w.[\]-]{1,40}$/.test(text) ? text : undefined,
  ),
  roles: list('names of roles separated by commas, such as editor,shop_manager', text =>
    /^[a-z0-9_-]{1,60}$/.test(text) ? text : undefined,
  ),
  statuses: list('names of order statuses separated by commas, such as processing,completed', text =>
    /^[a-z][a-z0-9_-]{0,39}$/.test(text) ? text.replace(/^wc-/, '') : undefined,
  ),
  language: {
    expects: 'a language, en, de, fr or es, also with a region such as en-GB',
    parse: (text: string) =>
      languageNameOf(text) !== undefined && canonicalLanguage(text) !== null ? text : undefined,
  },
  mailAddress: { expects: 'an e-mail address such as owner@example.org', parse: mailAddress },
  mailAddresses: list('e-mail addresses separated by commas, such as owner@example.org', mailAddress),
  shellCommand: { expects: 'one line of a shell command', parse: shellCommand },
  periods: list('day, week or month, separated by commas', text =>
    periods.find(period => period === text.toLowerCase()),
  ),
  webhook: {
    expects: 'a URL such as https://chat.example.org/hooks/KEY, with http or https, and without user and password',
    isSecret: true,
    parse: webhook,
  },
  webhookFormat: choice(...webhookFormats),
  webhookEvents: list('alerts, digests or goals, separated by commas', text =>
    webhookEvents.find(event => event === text.toLowerCase()),
  ),
  limit: { expects: 'two whole numbers from 1, burst size and rate per second, such as 60/5', parse: limit },
} satisfies Record<string, Kind<unknown>>

export { choice, optional }
