import { posix } from 'node:path'
import * as v from 'valibot'
import type { Db } from '../database/query.ts'
import { parseBody, readBody } from '../http/body.ts'
import { expectedFailure, fill, type SmallPage, smallPages, wrongMethod } from '../http/small-page.ts'
import { type Clock, toSeconds } from '../lib/time.ts'
import type { Origin } from './cookie.ts'
import type { Identification } from './identify.ts'
import expired from './login/expired.html'
import form from './login/form.html'
import link from './login/link.html'
import message from './login/message.html'
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

const bodyLimit = 8192

const toResponse = smallPages(form)

const expiredLink = (): SmallPage => ({ status: 403, title: 'Log in', content: expired })

const errorPage = (status: number, text: string, headers: Readonly<Record<string, string>> = {}): SmallPage => ({
  status,
  title: 'Log in',
  content: fill(message, { message: text }),
  headers,
})

/** An expected failure as a page; bugs are rethrown. */
const failurePage = (thrown: unknown): SmallPage => {
  const { status, message: text, headers } = expectedFailure(thrown)
  return errorPage(status, text, headers)
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

  const show = (token: string | null): SmallPage => {
    if (token === null) return { status: 200, title: 'Log in', content: fill(form, { session: sessionUrl }) }
    return isLoginLink(db, token, toSeconds(clock()))
      ? { status: 200, title: 'Log in', content: fill(link, { token }) }
      : expiredLink()
  }

  const submit = async (request: Request, origin: Origin): Promise<SmallPage> => {
    const body = parseBody(await readBody(request, bodyLimit), request.headers.get('content-type'))
    const parsed = v.safeParse(formSchema, body)
    // The login form submitted without its script: another site could also submit it, so passwords are not accepted.
    if (!parsed.success) return errorPage(400, 'Password login requires JavaScript.')
    const session = identity.logInByLink(request, origin, parsed.output.token)
    return session === null
      ? expiredLink()
      : { status: 303, title: 'Log in', content: '', headers: { location: './' }, cookies: session.cookies }
  }

  const answer = async (request: Request, origin: Origin): Promise<SmallPage> => {
    if (request.method === 'GET' || request.method === 'HEAD') return show(origin.url.searchParams.get('token'))
    if (request.method === 'POST') return submit(request, origin)
    throw wrongMethod()
  }

  return async (request, origin) =>
    toResponse(await answer(request, origin).catch(failurePage), request.method === 'HEAD')
}
