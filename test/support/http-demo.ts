// A service of the demo plugin's routes (those of the captures in fixtures/wordpress-rest) and a few for what the
// captures leave out, on a real server behind the adapter. For the http-*.test.ts files.
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServerAdapter } from '@whatwg-node/server'
import * as v from 'valibot'
import type { Endpoint, Identity } from '../../src/http/endpoint.ts'
import { endpoint } from '../../src/http/endpoint.ts'
import { ApiError, invalidNonce } from '../../src/http/errors.ts'
import type { RouterOptions } from '../../src/http/router.ts'
import { createRouter } from '../../src/http/router.ts'
import { dateSchema, pagination, totals } from '../../src/http/schemas.ts'
import { keepOpen } from './keep-open.ts'

export type Context = { log: unknown[] }

const tag = 'Operation'
const day = v.pipe(v.string(), v.regex(/^\d{4}-\d{2}-\d{2}$/))
/** As the plugin declares it: without a description. */
const limit = v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(200)), 25)
const listQuery = v.object({
  ...pagination,
  order: v.optional(v.picklist(['asc', 'desc']), 'asc'),
  exact: v.optional(v.boolean(), false),
  channels: v.optional(v.array(v.string())),
  ratio: v.optional(v.pipe(v.number(), v.minValue(0))),
  word: v.optional(v.pipe(v.string(), v.minLength(2), v.maxLength(5))),
})
const setting = v.strictObject({
  enabled: v.optional(v.boolean()),
  days: v.optional(v.pipe(v.number(), v.integer(), v.minValue(30), v.maxValue(3650))),
  mode: v.optional(v.picklist(['a', 'b', 'c'])),
  note: v.optional(v.nullable(v.string())),
  roles: v.optional(v.pipe(v.array(v.string()), v.maxLength(2))),
  nested: v.optional(v.object({ page: v.string(), depth: v.optional(v.number()) })),
})
const orders = v.union([
  v.looseObject({ id: v.number() }),
  v.pipe(v.array(v.looseObject({ id: v.number() })), v.maxLength(3)),
])

export const endpoints: readonly Endpoint<Context>[] = [
  endpoint({
    method: 'GET',
    path: '/nop',
    can: 'public',
    tag,
    summary: 'Nothing',
    output: null,
    handle: () => ({ data: null }),
  }),
  endpoint({
    method: 'POST',
    path: '/nop',
    can: 'public',
    tag,
    summary: 'Nothing',
    output: null,
    handle: () => ({ data: null }),
  }),
  endpoint({
    method: 'POST',
    path: '/insert',
    can: 'public',
    tag,
    summary: 'Nothing',
    output: null,
    handle: () => ({ data: null }),
  }),
  endpoint({
    method: 'GET',
    path: '/admin',
    can: 'manage_options',
    tag,
    summary: 'A range',
    query: v.object({ from: dateSchema, to: day, limit }),
    output: v.object({ ok: v.boolean(), from: v.string() }),
    handle: (_, { query }) => ({ data: { ok: true, from: query.from } }),
  }),
  endpoint({
    method: 'GET',
    path: '/admin-noarg',
    can: 'manage_options',
    tag,
    summary: 'Fine',
    output: v.object({ ok: v.boolean() }),
    handle: () => ({ data: { ok: true } }),
  }),
  endpoint({
    method: 'PUT',
    path: '/admin-body',
    can: 'manage_options',
    tag,
    summary: 'An echo',
    body: v.object({ ids: v.pipe(v.array(v.string()), v.maxLength(3)) }),
    output: v.object({ ok: v.boolean(), got: v.object({ ids: v.array(v.string()) }) }),
    handle: (_, { body }) => ({ data: { ok: true, got: body } }),
  }),
  endpoint({
    method: 'GET',
    path: '/rows',
    can: 'manage_options',
    tag,
    summary: 'A list',
    query: listQuery,
    output: v.object({
      data: v.array(v.object({ page: v.string(), views: v.number(), by: v.object({ country: v.string() }) })),
      meta: listQuery,
    }),
    list: true,
    handle: (_, { query }) => ({
      data: {
        data: [
          { page: '/a', views: 2, by: { country: 'DE' } },
          { page: '/b', views: 1, by: { country: 'FR' } },
        ],
        meta: query,
      },
      headers: totals(51, query.limit),
    }),
  }),
  endpoint({
    method: 'GET',
    path: '/names/:name',
    can: 'manage_options',
    tag,
    summary: 'A name',
    params: v.object({ name: v.string() }),
    output: v.object({ name: v.string() }),
    errors: { 404: ['rest_name_not_found'] },
    handle: (_, { params }) => {
      if (params.name === 'nobody') throw new ApiError(404, 'rest_name_not_found', 'No such name.')
      const data = { name: params.name }
      return { data, text: JSON.stringify(data) }
    },
  }),
  endpoint({
    method: 'GET',
    path: '/names/fixed',
    can: 'manage_options',
    tag,
    summary: 'A fixed path',
    output: v.object({ fixed: v.boolean() }),
    handle: () => ({ data: { fixed: true } }),
  }),
  endpoint({
    method: 'PUT',
    path: '/settings',
    can: 'manage_options',
    tag,
    summary: 'Settings',
    body: setting,
    output: setting,
    handle: (_, { body }) => ({ data: body }),
  }),
  endpoint({
    method: 'POST',
    path: '/orders',
    can: 'manage_options',
    tag,
    summary: 'One or many',
    body: orders,
    output: v.object({ count: v.number() }),
    statuses: { 207: 'Some were not taken' },
    bodyLimit: 200_000,
    handle: (_, { body }) => ({ data: { count: Array.isArray(body) ? body.length : 1 } }),
  }),
  endpoint({
    method: 'POST',
    path: '/hook',
    can: 'public',
    tag,
    summary: 'Signed bytes',
    rawBody: true,
    output: v.object({ bytes: v.number() }),
    handle: (_, { bytes }) => ({ data: { bytes: bytes.byteLength } }),
  }),
  endpoint({
    method: 'POST',
    path: '/session',
    can: 'public',
    tag,
    summary: 'JSON only',
    accepts: ['application/json'],
    body: v.object({ login: v.string() }),
    output: v.object({ login: v.string() }),
    status: 201,
    handle: (_, { body }) => ({ data: body, headers: { 'Cache-Control': 'private' }, cookies: ['a=1'] }),
  }),
  endpoint({
    method: 'GET',
    path: '/broken',
    can: 'public',
    tag,
    summary: 'A bug',
    output: v.object({}),
    handle: () => {
      throw new Error('secret /var/lib')
    },
  }),
  endpoint({
    method: 'POST',
    path: '/hit',
    can: 'public',
    tag,
    summary: 'Elsewhere',
    output: null,
    servedBy: 'collection',
    handle: () => ({ data: null }),
  }),
]

const person = (id: number, login: string, role: string, capabilities: string[]): Identity => ({
  id: `local:${id}`,
  login,
  role,
  locale: 'en',
  capabilities,
  userId: id,
})

const admin = person(1, 'admin', 'administrator', ['manage_options'])
export const credentials = {
  admin: { authorization: `Basic ${btoa('admin:<admin-app-password>')}` },
  subscriber: { authorization: `Basic ${btoa('sub:<subscriber-app-password>')}` },
  guest: {},
}

/** Stands for the real identification: two application passwords, one nonce. */
const identify: RouterOptions<Context>['identify'] = async (request, { headers }) => {
  const authorization = request.headers.get('authorization')
  if (authorization === credentials.admin.authorization) return admin
  if (authorization === credentials.subscriber.authorization) return person(2, 'sub', 'subscriber', ['read'])
  const nonce = request.headers.get('x-wp-nonce')
  if (nonce === null) return null
  if (nonce !== 'f1ba9f040f') throw invalidNonce()
  headers.append('Set-Cookie', 'b=2')
  headers.set('X-WP-Nonce', nonce)
  return admin
}

export type Sent = { method?: string; path: string; headers?: Record<string, string>; body?: string | Uint8Array }
export type Received = {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  body: unknown
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A plain HTTP client: fetch would clean up paths, methods and headers before they reach the service. */
export const exchange = (port: number, { method = 'GET', path, headers = {}, body }: Sent): Promise<Received> =>
  new Promise((resolve, reject) => {
    const length =
      body === undefined || 'transfer-encoding' in headers ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const request = send({ port, host: '127.0.0.1', method, path, headers: { ...length, ...headers } }, response => {
      const chunks: Buffer[] = []
      response
        .on('data', chunk => chunks.push(chunk))
        .on('error', reject)
        .on('end', () => {
          const text = Buffer.concat(chunks).toString()
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: parse(text) })
        })
    })
    request.on('error', reject).end(body)
  })

/** The demo on a free port; `log` collects what the router calls bugs. */
export const startDemo = async (options: Partial<RouterOptions<Context>> = {}) => {
  const log: { requestId: string; route: string | null; error: unknown }[] = []
  let requests = 0
  const router = createRouter<Context>({
    base: '/wp-json',
    endpoints,
    context: { log: [] },
    identify,
    addressOf: () => '203.0.113.9',
    log: entry => log.push(entry),
    requestId: () => `r${(requests += 1)}`,
    version: '1.2.3',
    ...options,
  })
  const server = createServer(createServerAdapter(router))
  await new Promise<void>(resolve => keepOpen(server).listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const stop = () =>
    new Promise<void>(resolve => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { port, log, stop, router, send: (sent: Sent) => exchange(port, sent) }
}
