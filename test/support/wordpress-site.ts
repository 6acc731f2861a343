// A server that answers wp/v2/users/me as WordPress does, and keeps what it was asked. For wordpress.test.ts.
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { keepOpen } from './keep-open.ts'

export type User = {
  id: number
  username: string
  slug: string
  roles: readonly string[]
  capabilities: Record<string, unknown>
  locale: string
}
export type Asked = { path: string; headers: IncomingMessage['headers'] }

/** The body of an answer that was recorded from a WordPress 6.1. */
const recorded = (name: string): string =>
  readFileSync(`test/fixtures/${name}.txt`, 'utf8')
    .split(/\r?\n\r?\n/)
    .slice(1)
    .join('\n')
    .trim()

const notLoggedIn = recorded('wordpress-users/stranger')
const wrongNonce = recorded('wordpress-users/wrong-nonce')
const noRoute = recorded('wordpress-rest/23-unknown-route')

export const ada: User = {
  ...JSON.parse(recorded('wordpress-users/administrator')),
  id: 7,
  username: 'ada',
  slug: 'ada',
  locale: 'de_DE',
}
export const sub: User = { ...JSON.parse(recorded('wordpress-users/subscriber')), id: 8 }

export const password = 'abcd efgh ijkl mnop qrst uvwx'
export const loginCookie = 'wordpress_logged_in_0123456789abcdef0123456789abcdef'
export const nonce = 'f1ba9f040f'
export const freshNonce = '0a1b2c3d4e'

type Behaviour = (request: IncomingMessage, response: ServerResponse) => boolean

export type WordPressSite = {
  url: string
  asked: Asked[]
  /** By login and application password without spaces. */
  users: Map<string, User>
  /** By value of the login cookie. */
  cookies: Map<string, User>
  /** By the token of a plugin. */
  tokens: Map<string, User>
  /** What comes before all else; true if it answered. */
  before: Behaviour
  close: () => Promise<void>
}

const basicOf = (header: string | undefined): string | null => {
  const [, encoded] = /^Basic (.+)$/.exec(header ?? '') ?? []
  if (encoded === undefined) return null
  const [login, ...rest] = Buffer.from(encoded, 'base64').toString().split(':')
  return `${login}:${rest.join(':').replace(/[^a-zA-Z0-9]/g, '')}`
}

const send = (response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}): void => {
  response
    .writeHead(status, { 'content-type': 'application/json; charset=UTF-8', 'x-robots-tag': 'noindex', ...headers })
    .end(body)
}

type Options = {
  /** Sub-directory of the site. */
  folder?: string
  /** Whether /wp-json answers; without permalinks only ?rest_route= does. */
  permalinks?: boolean
}

export const startWordPress = async ({ folder = '', permalinks = true }: Options = {}): Promise<WordPressSite> => {
  const site = {
    asked: [] as Asked[],
    users: new Map<string, User>(),
    cookies: new Map<string, User>(),
    tokens: new Map<string, User>(),
    before: (() => false) as Behaviour,
  }

  /**
   * As the platform: an application password first, then a plugin's token, then the cookie, which counts with its nonce
   * only.
   */
  const me = ({ headers }: IncomingMessage, response: ServerResponse): void => {
    const show = (user: User, extra: Record<string, string> = {}): void =>
      send(response, 200, JSON.stringify(user), extra)
    const basic = basicOf(headers.authorization)
    if (basic !== null) {
      const user = site.users.get(basic)
      return user === undefined ? send(response, 401, notLoggedIn) : show(user)
    }
    const byToken = site.tokens.get(/^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '')
    if (byToken !== undefined) return show(byToken)
    const byCookie = site.cookies.get(
      (headers.cookie ?? '')
        .split('; ')
        .find(pair => pair.startsWith(`${loginCookie}=`))
        ?.split('=')[1] ?? '',
    )
    if (byCookie === undefined || headers['x-wp-nonce'] === undefined) return send(response, 401, notLoggedIn)
    if (headers['x-wp-nonce'] !== nonce) return send(response, 403, wrongNonce)
    show(byCookie, { 'x-wp-nonce': freshNonce })
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://site')
    site.asked.push({ path: request.url ?? '', headers: request.headers })
    if (site.before(request, response)) return
    const route =
      permalinks && url.pathname.startsWith(`${folder}/wp-json/`)
        ? url.pathname.slice(`${folder}/wp-json`.length)
        : url.pathname === `${folder}/`
          ? url.searchParams.get('rest_route')
          : null
    // Without permalinks the platform takes the path for a page that has moved.
    if (route === null && url.pathname.startsWith(`${folder}/wp-json/`))
      return void response.writeHead(301, { 'content-type': 'text/html', location: `${folder}/` }).end()
    if (route === null)
      return void response
        .writeHead(404, { 'content-type': 'text/html' })
        .end('<!DOCTYPE html><title>Page not found</title>')
    if (route !== '/wp/v2/users/me' || url.searchParams.get('context') !== 'edit') return send(response, 404, noRoute)
    me(request, response)
  })
  await new Promise<void>(resolve => keepOpen(server).listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  site.users.set(`ada:${password.replaceAll(' ', '')}`, ada)
  site.users.set(`sub:${password.replaceAll(' ', '')}`, sub)
  const close = () =>
    new Promise<void>(resolve => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  // Behaviours are exchanged while it runs, hence one object.
  return Object.assign(site, { url: `http://127.0.0.1:${port}${folder}`, close })
}
