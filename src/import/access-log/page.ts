// Which requests of a log are for pages: those that were answered with HTML, as far as the log shows.
import type { AddressList } from '../../lib/address/list.ts'
import type { Line } from '../line.ts'
import { isHostName } from './head.ts'

/** What the caller says of a log. */
export type LogRules = {
  /** Trusted proxies, none of which is a visitor. */
  proxies: AddressList
  /** Paths that are pages, and paths that are none, whatever they look like. */
  pagePatterns: readonly RegExp[]
  skipPatterns: readonly RegExp[]
}

/** Files of these kinds are never pages. */
const file =
  /\.(?:map|ico|cur|png|apng|jpe?g|gif|webp|avif|heic|tiff?|svgz?|bmp|woff2?|ttf|otf|eot|mp[34]|m4[av]|webm|og[gv]|wav|flac|aac|mov|avi|m3u8|pdf|epub|docx?|xlsx?|pptx?|od[tsp]|csv|ics|zip|gz|bz2|xz|rar|7z|tar|tgz|exe|msi|dmg|apk|deb|rpm|iso|jar|swf|wasm|webmanifest|rss|atom|mjs|cjs|ts|md5|sha256|asc|sig|br)$/i
/** Files of these kinds have names that pages are called by as well: `/tags/node.js`, `/wiki/robots.txt`. */
const text = /\.(?:js|css|json|xml|txt)$/i
/** Folders of files. */
const folder =
  /^(?:_.*|\.well-known|assets?|build|bundles?|cache|cdn|chunks|components|core|css|dist|files?|fonts?|frontend|ima?ge?s?|includes?|js|javascripts?|lang|lib(?:rar(?:y|ies))?|libs|locales?|media|min|misc|modules?|node_modules|packs?|plugins?|public|res|scripts?|sites|skins?|src|static|styles?|stylesheets|templates?|themes?|typo3(?:temp|conf)?|uploads?|vendors?|wp-content|wp-includes|version\d+|v?\d+(?:\.\d+)+)$/i
/** Names of files that every site has, with a version, or made by a program. */
const fileName =
  /^(?:ads|app|app-ads|analytics|all|bundle|chunk|client|common|config|custom|data|feed|functions?|global|humans|index|init|jquery.*|main|manifest|matomo|page-data|piwik|plugins?|polyfills?|robots|rss|runtime|scripts?|security|service-?worker|settings|site|sitemap.*|styles?|sw|theme|tracker|vendors?|version|worker)\.\w+$|\..*\.|[-_.][\da-f]{6,}\.|-\d+\.\d/i
/** A file is asked for by its version. */
const versioned = /^\?(?:(?:v|ver|version|rev|t|ts|_|hash|cb)=|[\w.-]+$)/i
/** Folders of what has been named by people, where any name is a page's. */
const subjects =
  /^(?:tags?|topics?|wiki|w|keywords?|labels?|categor(?:y|ies)|questions?|glossary|thema|themen|schlagwort|schlagwoerter|stichwort|etiquetas?|etiquettes?|mots?-cles?|temas?|sujets?)$/i

/** A name such as `File:Plan.png` is a page about the file. */
const isAbout = (name: string): boolean => /^\p{L}[\p{L}_-]*:./u.test(name)

/** Whether a path ends in a file's name and looks like a file. */
const isFile = (folders: readonly string[], name: string, query: string): boolean => {
  if (isAbout(name)) return false
  if (file.test(name)) return true
  if (!text.test(name)) return false
  const [parent = ''] = folders.slice(-1)
  if (folders.length === 0 || folders.some(one => folder.test(one)) || versioned.test(query)) return true
  if (subjects.test(parent)) return false
  return !/\.js$/i.test(name) || fileName.test(name)
}

/** What of WordPress is no page, by path and by query. */
const wordpress = /\/(wp-json|wp-admin|wp-includes|wp-content|wp-[a-z-]+\.php|xmlrpc\.php)(?:\/|$)/i
const wordpressQuery = /[?&](rest_route|wc-ajax|feed)=/i
const feed = /(?:^|\/)feed(?:\/(?:rss2?|atom|rdf))?\/?$/i
/** Programs call the versions of an interface: `/api/v1/…`. */
const api = /\/api\/v\d/i

const pageStatuses = new Set(['200', '304'])

const pathOf = (target: string): string => target.split(/[?#]/, 1).join('')

/** What the end of a path is called in the summary. */
const endingOf = (name: string): string => name.slice(name.lastIndexOf('.')).toLowerCase()

/** Why a path is not a page's; null if it is. */
const pathProblem = (target: string): string | null => {
  const path = pathOf(target)
  const query = target.slice(path.length)
  const named = wordpress.exec(path)?.[1] ?? wordpressQuery.exec(query)?.[1]
  if (named !== undefined) return named.toLowerCase()
  if (feed.test(path)) return 'feed'
  if (api.test(path)) return '/api/v…'
  if (path.startsWith('/.well-known/')) return '.well-known'
  const [name = '', ...folders] = path.slice(1).split('/').reverse()
  return isFile(folders.reverse(), name, query) ? endingOf(name) : null
}

export type Asked = {
  /** Null where the log does not tell. */
  method: string | null
  target: string
  status: string
  /** Of the answer, where the log has it. */
  type?: string | undefined
}

const htmlType = /^(?:text\/html|application\/xhtml\+xml)/i

/** Why a request is not one for a page, in a word for the summary; null if it is. */
export const skipReason = ({ method, target, status, type }: Asked, rules: LogRules): string | null => {
  if (method !== null && method !== 'GET') return /^[A-Z]{3,10}$/.test(method) ? method : 'no request'
  if (!pageStatuses.has(status)) return `status ${status}`
  if (!target.startsWith('/')) return 'no path'
  const fits = (pattern: RegExp): boolean => pattern.test(pathOf(target)) || pattern.test(target)
  if (rules.skipPatterns.some(fits)) return '--skip-pattern'
  if (rules.pagePatterns.some(fits)) return null
  if (type === undefined) return pathProblem(target)
  if (!htmlType.test(type)) return type.split(';', 1).join('').toLowerCase()
  return wordpress.exec(pathOf(target))?.[1]?.toLowerCase() ?? null
}

export const optionalField = (text: string): string | undefined => (text === '-' || text === '' ? undefined : text)

/** The address of a page, or its path if the log does not name the host. */
const addressOf = (host: string, target: string): string =>
  `${host === '' ? '' : `http://${host}`}${target}`.slice(0, 2048)

/** What a line of a log says of a request. */
export type LogRequest = {
  at: number
  address: string | null
  host: string
  target: string
  referrer: string | undefined
  userAgent: string | undefined
  headers?: ReadonlyMap<string, string>
}

export const lineOf = ({ at, address, host, target, referrer, userAgent, headers = new Map() }: LogRequest): Line => {
  if (address === null) return { problem: 'no address of the visitor can be read' }
  return {
    incoming: { kind: 'hit', at, address, userAgent: userAgent ?? '', headers },
    body: { page_url: addressOf(isHostName(host) ? host : '', target), referrer },
  }
}
