// Identity on a real database behind a real server: session endpoints, the login page, and test routes.
// For the identity-*.test.ts files.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServerAdapter } from '@whatwg-node/server'
import * as v from 'valibot'
import { openDatabase } from '../../src/database/open.ts'
import { type SessionContext, sessionEndpoints } from '../../src/endpoints/session.ts'
import { type Endpoint, endpoint } from '../../src/http/endpoint.ts'
import { createRouter } from '../../src/http/router.ts'
import { createIdentity } from '../../src/identity/identify.ts'
import { loginPage } from '../../src/identity/login-page.ts'
import { createZone } from '../../src/lib/time.ts'
import { createPool } from '../../src/reports/pool.ts'
import { createSavedSegments } from '../../src/reports/saved-segments.ts'
import { exchange, type Sent } from './http-demo.ts'
import { keepOpen } from './keep-open.ts'
import { addKnownUser, password } from './known-users.ts'

export { password }

export const start = Date.parse('2026-11-20T10:00:00Z')

/** A clock that advances only by `pass`. */
export const createTestClock = () => {
  let now = start
  return {
    clock: () => now,
    seconds: () => Math.floor(now / 1000),
    pass: (seconds: number) => {
      now += seconds * 1000
    },
  }
}

/** An empty database in a temporary folder. */
export const openTestFile = () => {
  const folder = mkdtempSync(join(tmpdir(), 'footfall-identity-'))
  const { db, path } = openDatabase(join(folder, 'test.db'))
  const close = () => {
    db.close()
    rmSync(folder, { recursive: true })
  }
  return { db, path, close }
}

const who = v.object({ id: v.nullable(v.string()), capabilities: v.array(v.string()) })

const routes: readonly Endpoint<SessionContext>[] = [
  endpoint({
    method: 'GET',
    path: '/restricted',
    can: 'manage_options',
    tag: 'Operation',
    summary: 'For administrators',
    output: null,
    handle: () => ({ data: null }),
  }),
  endpoint({
    method: 'GET',
    path: '/open',
    can: 'public',
    tag: 'Operation',
    summary: 'Who asks',
    output: who,
    handle: (_: SessionContext, { identity }) => ({
      data: { id: identity?.id ?? null, capabilities: [...(identity?.capabilities ?? [])] },
    }),
  }),
  endpoint({
    method: 'POST',
    path: '/hit',
    can: 'public',
    tag: 'Operation',
    summary: 'Collection',
    output: null,
    handle: (_: SessionContext, { identity }) => ({ data: null, status: identity === null ? 204 : 299 }),
  }),
]

/** The scheme and client address from a trusted proxy's headers; by default http and a documentation address. */
const behind = (request: Request) => ({
  address: request.headers.get('x-forwarded-for') ?? '203.0.113.9',
  https: request.headers.get('x-forwarded-proto') === 'https',
})

type Options = {
  root?: string
  /** What a login that has to wait does; by default the clock moves on. */
  wait?: (milliseconds: number) => Promise<void>
}

export const startIdentity = async ({ root = '', wait }: Options = {}) => {
  const file = openTestFile()
  const time = createTestClock()
  const { db } = file
  addKnownUser(db, 'admin', 'administrator', time.seconds())
  addKnownUser(db, 'reader', 'subscriber', time.seconds())
  const identity = createIdentity({
    db,
    clock: time.clock,
    root,
    wait: wait ?? (async milliseconds => time.pass(milliseconds / 1000)),
  })
  const pool = createPool(file.path)
  const bugs: unknown[] = []
  let requests = 0
  const base = `${root}/wp-json`
  const router = createRouter<SessionContext>({
    base,
    endpoints: [...sessionEndpoints, ...routes],
    context: {
      clock: time.clock,
      zone: createZone('UTC'),
      read: pool.read,
      identity,
      segments: createSavedSegments(db, time.clock),
      siteOptions: { current: () => ({ siteName: { value: null, from: 'default' } }) },
    },
    identify: identity.identify,
    addressOf: request => behind(request).address,
    originOf: request => (behind(request).https ? 'https://footfall.example.org' : null),
    log: ({ error }) => bugs.push(error),
    requestId: () => `r${(requests += 1)}`,
    version: '1.0.0',
  })
  const page = loginPage({ identity, db, clock: time.clock, root, base })
  const server = createServer(
    createServerAdapter(async (request: Request, context: unknown) => {
      const url = new URL(request.url)
      const { address, https } = behind(request)
      if (https) url.protocol = 'https'
      return url.pathname === `${root}/login` ? page(request, { url, address }) : router(request, context)
    }),
  )
  await new Promise<void>(resolve => keepOpen(server).listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const stop = async () => {
    await new Promise<void>(resolve => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
    await pool.close()
    file.close()
  }
  const api = (path: string, sent: Omit<Sent, 'path'> = {}) =>
    exchange(port, { ...sent, path: `${base}/analytics/v1${path}` })
  return { ...file, ...time, identity, bugs, port, stop, api, send: (sent: Sent) => exchange(port, sent) }
}

export type Running = Awaited<ReturnType<typeof startIdentity>>

export const basic = (login: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${login}:${secret}`).toString('base64')}`,
})

const fields = v.looseObject({ nonce: v.string() })

/** Logs in over HTTP. Returns the cookie and the nonce that a browser sends afterwards. */
export const logIn = async (service: Running, login = 'admin', headers: Record<string, string> = {}) => {
  const answer = await service.api('/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ login, password }),
  })
  const [setCookie = '', setDevice = ''] = answer.headers['set-cookie'] ?? []
  return {
    answer,
    setCookie,
    cookie: setCookie.split(';', 1).join(''),
    setDevice,
    /** The cookie of the device, which lasts beyond the session. */
    device: setDevice.split(';', 1).join(''),
    nonce: answer.status === 200 ? v.parse(fields, answer.body).nonce : '',
  }
}
