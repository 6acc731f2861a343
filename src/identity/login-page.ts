import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import { Response } from '@whatwg-node/server'
import * as v from 'valibot'
import { isStorageError } from '../database/errors.ts'
import type { Db } from '../database/query.ts'
import { parseBody, readBody } from '../http/body.ts'
import { ApiError, storageUnavailable } from '../http/errors.ts'
import { pageHeaders } from '../http/page-headers.ts'
import { escapeHtml } from '../lib/escape-html.ts'
import { type Clock, toSeconds } from '../lib/time.ts'
import type { Origin } from './cookie.ts'
import type { Identification } from './identify.ts'
import expired from './login/expired.html'
import form from './login/form.html'
import link from './login/link.html'
import message from './login/message.html'
import page from './login/page.html'
import { isLoginLink } from './login-links.ts'

export type LoginPageOptions = {
  identity: Identification
  db: Db
  clock: Clock
  /** Path prefix of the service; the page is `{root}/login`. */
  root: string
  /** Path prefix of `/analytics/v1`, including `root`, as for the router. */
  base: string
}

type Page = {
  status: number
  title: string
  content: string
  headers?: Readonly<Record<string, string>>
  cookies?: readonly string[]
}

const bodyLimit = 8192

const fill = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => escapeHtml(values[name] ?? ''))

const hashes = (tag: string, html: string): string =>
  [...html.matchAll(new RegExp(`<${tag}>([^]*?)</${tag}>`, 'g'))]
    .map(([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
    .join(' ')

/** No external resources, and no inline style or script except those of the page. */
const policy = [
  "default-src 'none'",
  `style-src ${hashes('style', page)}`,
  `script-src ${hashes('script', form)}`,
  'img-src data:',
  "connect-src 'self'",
  "form-action 'self'",
]

const commonHeaders = {
  'content-type': 'text/html; charset=UTF-8',
  'cache-control': 'no-store',
  ...pageHeaders(policy),
}

const toResponse = ({ status, title, content, headers = {}, cookies = [] }: Page, head: boolean): Response => {
  const html = fill(page, { title }).replace('<!-- content -->', () => content)
  const all = new Headers({ ...commonHeaders, ...headers, 'content-length': String(Buffer.byteLength(html)) })
  for (const cookie of cookies) all.append('set-cookie', cookie)
  return new Response(head ? null : html, { status, headers: all })
}

const expiredLink = (): Page => ({ status: 403, title: 'Log in', content: expired })

const errorPage = (status: number, text: string, headers: Readonly<Record<string, string>> = {}): Page => ({
  status,
  title: 'Log in',
  content: fill(message, { message: text }),
  headers,
})

/** An expected failure as a page; bugs are rethrown. */
const failurePage = (thrown: unknown): Page => {
  const error = isStorageError(thrown) ? storageUnavailable() : thrown
  if (error instanceof ApiError) return errorPage(error.status, error.message, error.headers)
  throw error
}

const formSchema = v.object({ token: v.string() })

/**
 * `{root}/login` (api.md §2): the login form, and with `?token=` the button of a one-time link. Link previews fetch
 * links, so only the button's POST consumes the link. Rejects only because of bugs.
 */
export const loginPage = ({
  identity,
  db,
  clock,
  root,
  base,
}: LoginPageOptions): ((request: Request, origin: Origin) => Promise<Response>) => {
  const sessionUrl = posix.relative(root === '' ? '/' : root, `${base}/analytics/v1/session`)

  const show = (token: string | null): Page => {
    if (token === null) return { status: 200, title: 'Log in', content: fill(form, { session: sessionUrl }) }
    return isLoginLink(db, token, toSeconds(clock()))
      ? { status: 200, title: 'Log in', content: fill(link, { token }) }
      : expiredLink()
  }

  const submit = async (request: Request, origin: Origin): Promise<Page> => {
    const body = parseBody(await readBody(request, bodyLimit), request.headers.get('content-type'))
    const parsed = v.safeParse(formSchema, body)
    // The login form submitted without its script: another site could also submit it, so passwords are not accepted.
    if (!parsed.success) return errorPage(400, 'Password login requires JavaScript.')
    const session = identity.logInByLink(request, origin, parsed.output.token)
    return session === null
      ? expiredLink()
      : { status: 303, title: 'Log in', content: '', headers: { location: './' }, cookies: session.cookies }
  }

  const answer = async (request: Request, origin: Origin): Promise<Page> => {
    if (request.method === 'GET' || request.method === 'HEAD') return show(origin.url.searchParams.get('token'))
    if (request.method === 'POST') return submit(request, origin)
    return errorPage(405, 'This page does not support that method.', { allow: 'GET, HEAD, POST' })
  }

  return async (request, origin) =>
    toResponse(await answer(request, origin).catch(failurePage), request.method === 'HEAD')
}
