import { parseAddress } from '../../lib/address/list.ts'
import type { Line } from '../line.ts'

/** Targets that are not pages: assets by extension, feeds, and internal paths of a CMS. */
const asset =
  /\.(?:css|m?js|map|json|xml|txt|ico|png|jpe?g|gif|webp|avif|svg|bmp|woff2?|ttf|otf|eot|mp[34]|webm|ogg|wav|pdf|zip|gz|rar|7z|tar|exe|dmg|wasm|webmanifest|php)$/i
const notPage =
  /^\/(?:wp-json|wp-admin|wp-includes|wp-content|wp-login\.php|xmlrpc\.php|feed|api|\.well-known|cgi-bin)(?:\/|$)|\/feed\/?$/i

const pageStatuses = new Set(['200', '304'])

const pathOf = (target: string): string => target.split(/[?#]/, 1).join('')

/** Whether a request is one for a page, as far as the log shows. */
export const isPagePath = (method: string, target: string, status: string): boolean => {
  const path = pathOf(target)
  if (method !== 'GET' || !pageStatuses.has(status) || !path.startsWith('/')) return false
  return path === '/index.php' || (!asset.test(path) && !notPage.test(path))
}

/** The same where the log has the type of the answer, which says more than the end of the path. */
export const isPageType = (method: string, target: string, status: string, type: string | undefined): boolean =>
  type === undefined
    ? isPagePath(method, target, status)
    : /^(?:text\/html|application\/xhtml\+xml)/i.test(type) &&
      method === 'GET' &&
      pageStatuses.has(status) &&
      !notPage.test(pathOf(target))

/** The text of bytes that servers write as `\\xHH`: several of them may be one letter. */
export const bytesText = (escaped: string): string => Buffer.from(escaped.replaceAll('\\x', ''), 'hex').toString()

export const optionalField = (text: string): string | undefined => (text === '-' || text === '' ? undefined : text)

/** A virtual host that is one; nginx writes `_` for requests without a name. */
const hostPattern = /^[\w-]+(?:\.[\w-]+)+(?::\d+)?$/

/** The address of a page, or its path if the log does not name the host. */
const addressOf = (host: string, target: string): string =>
  `${hostPattern.test(host) ? `http://${host}` : ''}${target}`.slice(0, 2048)

/** What a line of a log says of a request. */
export type LogRequest = {
  at: number
  ip: string
  host: string
  target: string
  referrer: string | undefined
  userAgent: string | undefined
  headers?: ReadonlyMap<string, string>
}

export const lineOf = ({ at, ip, host, target, referrer, userAgent, headers = new Map() }: LogRequest): Line => ({
  incoming: { kind: 'hit', at, address: parseAddress(ip), userAgent: userAgent ?? '', headers },
  body: { page_url: addressOf(host, target), referrer },
})
