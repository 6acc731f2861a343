// A local server that answers as a shop's wc/v3 does, as far as Footfall asks it: lists with their parameters and
// headers, refunds, system_status, both ways to log in, and whatever can go wrong.
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { join } from 'node:path'
import OAuth from 'oauth-1.0a'
import { keepOpen } from './keep-open.ts'

export const shopKey = { key: `ck_${'0123456789'.repeat(4)}`, secret: `cs_${'abcdef0123'.repeat(4)}` }

const fixture = (name: string): string => readFileSync(join(process.cwd(), 'test/fixtures/shop', name), 'utf8')
/** Signs itself, for localhost, for tests alone. */
export const certificateFile = join(process.cwd(), 'test/fixtures/shop/certificate.pem')
const read = (name: string): any => JSON.parse(fixture(name))

export type ShopOrder = Record<string, any> & {
  id: number
  status: string
  date_created_gmt: string
  date_modified_gmt: string
}
export type ShopRefund = Record<string, any> & { id: number; amount: string }

/** One request as it came: what is seen of the key is in `url` and `headers`. */
export type Seen = { path: string; query: Record<string, string>; url: string; headers: IncomingMessage['headers'] }

/** Answers itself and returns true, or leaves the request to the shop. */
export type Trouble = (seen: Seen, response: ServerResponse, count: number) => boolean | void

export type Shop = {
  url: string
  orders: Map<number, ShopOrder>
  refunds: Map<number, ShopRefund[]>
  seen: Seen[]
  /** Seconds that the shop's clock is ahead of this machine's; null takes any timestamp. */
  status: Record<string, any>
  trouble: { now: Trouble | null }
  close: () => Promise<void>
}

const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void => {
  response
    .writeHead(status, { 'content-type': 'application/json; charset=UTF-8', ...headers })
    .end(JSON.stringify(body))
}

const refuse = (response: ServerResponse, status: number, code: string, message: string): void =>
  json(response, status, { code, message, data: { status } })

const oauth = new OAuth({
  consumer: shopKey,
  signature_method: 'HMAC-SHA256',
  hash_function: (base, key) => createHmac('sha256', key).update(base).digest('base64'),
})

/** As WooCommerce: the signature over method, address and all parameters but itself; each nonce once. */
const isSigned = (address: string, query: Record<string, string>, nonces: Set<string>): boolean => {
  const { oauth_signature: signature, ...rest } = query
  if (
    rest.oauth_consumer_key !== shopKey.key ||
    rest.oauth_signature_method !== 'HMAC-SHA256' ||
    nonces.has(rest.oauth_nonce ?? '')
  )
    return false
  nonces.add(rest.oauth_nonce ?? '')
  const { oauth_consumer_key, oauth_nonce, oauth_signature_method, oauth_timestamp, oauth_version, ...data } = rest
  const given = {
    oauth_consumer_key,
    oauth_nonce,
    oauth_signature_method,
    oauth_timestamp: Number(oauth_timestamp),
    oauth_version,
  }
  return oauth.getSignature({ url: address, method: 'GET', data }, undefined, given as OAuth.Data) === signature
}

const isBasic = ({ headers }: IncomingMessage): boolean =>
  headers.authorization === `Basic ${btoa(`${shopKey.key}:${shopKey.secret}`)}`

const hidden = ['trash', 'checkout-draft', 'auto-draft']

const matching = (shop: Shop, query: Record<string, string>): ShopOrder[] => {
  if (query.dates_are_gmt !== 'true' && (query.after ?? query.before ?? query.modified_after) !== undefined)
    throw new Error('the days of another zone were meant')
  const statuses = query.status ?? 'any'
  const key =
    { id: 'id', modified: 'date_modified_gmt', date: 'date_created_gmt' }[query.orderby ?? 'date'] ?? 'date_created_gmt'
  const sign = query.order === 'asc' ? 1 : -1
  return [...shop.orders.values()]
    .filter(({ status }) => (statuses === 'any' ? !hidden.includes(status) : statuses.split(',').includes(status)))
    .filter(({ id }) => query.include === undefined || query.include.split(',').includes(String(id)))
    .filter(order => query.after === undefined || order.date_created_gmt > query.after)
    .filter(order => query.before === undefined || order.date_created_gmt < query.before)
    .filter(order => query.modified_after === undefined || order.date_modified_gmt > query.modified_after)
    .sort((one, other) => (one[key] === other[key] ? 0 : one[key] < other[key] ? -sign : sign))
}

const withStubs = (shop: Shop, order: ShopOrder): ShopOrder => ({
  ...order,
  refunds: (shop.refunds.get(order.id) ?? []).map(({ id, amount, reason }) => ({
    id,
    reason: reason ?? '',
    total: `-${amount}`,
  })),
})

/** As much of an order as `_fields` names. */
const pruned = (order: ShopOrder, fields: string | undefined): Record<string, unknown> =>
  fields === undefined
    ? order
    : Object.fromEntries(
        fields
          .split(',')
          .filter(name => name in order)
          .map(name => [name, order[name]]),
      )

const listOrders = (shop: Shop, query: Record<string, string>, response: ServerResponse): void => {
  const size = Number(query.per_page ?? 10)
  const page = Number(query.page ?? 1)
  if (!(size >= 1 && size <= 100)) return refuse(response, 400, 'rest_invalid_param', 'Invalid parameter(s): per_page')
  const found = matching(shop, query)
  const pages = Math.ceil(found.length / size)
  const rows = found.slice((page - 1) * size, page * size).map(order => pruned(withStubs(shop, order), query._fields))
  const next =
    page < pages ? { link: `<https://elsewhere.example/wp-json/wc/v3/orders?page=${page + 1}>; rel="next"` } : {}
  json(response, 200, rows, { 'x-wp-total': String(found.length), 'x-wp-totalpages': String(pages), ...next })
}

const answer = (shop: Shop, { path, query }: Seen, response: ServerResponse): void => {
  const refunds = path.match(/^\/orders\/(\d+)\/refunds$/)
  if (refunds !== null) {
    const id = Number(refunds[1])
    if (!shop.orders.has(id)) return refuse(response, 404, 'woocommerce_rest_invalid_order_id', 'Invalid order ID.')
    const all = shop.refunds.get(id) ?? []
    const size = Number(query.per_page ?? 10)
    const page = Number(query.page ?? 1)
    return json(response, 200, all.slice((page - 1) * size, page * size), {
      'x-wp-total': String(all.length),
      'x-wp-totalpages': String(Math.ceil(all.length / size)),
    })
  }
  const one = shop.orders.get(Number(path.match(/^\/orders\/(\d+)$/)?.[1]))
  if (one !== undefined) return json(response, 200, pruned(withStubs(shop, one), query._fields))
  if (/^\/orders\/\d+$/.test(path))
    return refuse(response, 404, 'woocommerce_rest_shop_order_invalid_id', 'Invalid ID.')
  if (path === '/orders') return listOrders(shop, query, response)
  if (path === '/system_status') return json(response, 200, shop.status)
  refuse(response, 404, 'rest_no_route', 'No route was found matching the URL and request method.')
}

/** Starts a shop without orders. */
export const startShop = async ({ secure = false } = {}): Promise<Shop> => {
  const nonces = new Set<string>()
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const url = new URL(request.url ?? '/', shop.url)
    const query = Object.fromEntries(url.searchParams)
    const seen = {
      path: url.pathname.replace('/wp-json/wc/v3', ''),
      query,
      url: request.url ?? '',
      headers: request.headers,
    }
    const count = shop.seen.push(seen)
    if (shop.trouble.now?.(seen, response, count) === true) return
    if (!(secure ? isBasic(request) : isSigned(`${shop.url}${url.pathname}`, query, nonces))) {
      return refuse(response, 401, 'woocommerce_rest_authentication_error', `Invalid signature for ${shopKey.key}.`)
    }
    answer(shop, seen, response)
  }
  const server = secure
    ? createHttps({ key: fixture('key.pem'), cert: fixture('certificate.pem') }, handle)
    : createHttp(handle)
  await new Promise<void>(resolve => keepOpen(server).listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const shop: Shop = {
    url: `${secure ? 'https' : 'http'}://${secure ? 'localhost' : '127.0.0.1'}:${port}`,
    orders: new Map(),
    refunds: new Map(),
    seen: [],
    status: read('system-status.json'),
    trouble: { now: null },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return shop
}

const template = read('order.json') as ShopOrder
const gmt = (second: number): string => new Date(second * 1000).toISOString().slice(0, 19)
const firstSecond = Date.parse('2026-03-01T00:00:00Z') / 1000

/** An order of one line at `price`, made `second` seconds after 1 March 2026. */
export const makeOrder = (id: number, second: number, changes: Partial<ShopOrder> = {}): ShopOrder => ({
  ...template,
  id,
  number: String(id),
  date_created_gmt: gmt(firstSecond + second),
  date_paid_gmt: gmt(firstSecond + second + 4),
  date_modified_gmt: gmt(firstSecond + second + 5),
  ...changes,
})

export const touch = (order: ShopOrder, second: number, changes: Partial<ShopOrder> = {}): ShopOrder => ({
  ...order,
  ...changes,
  date_modified_gmt: gmt(firstSecond + second),
})

const refundTemplate = read('refund.json') as ShopRefund

/** Fills the shop: an order every `step` seconds, every tenth with a refund. Ids have gaps, as in a real shop. */
export const fillShop = (shop: Shop, count: number, step = 600): void => {
  for (let index = 0; index < count; index++) {
    const id = 1000 + index * 3
    shop.orders.set(id, makeOrder(id, index * step))
    if (index % 10 === 9) shop.refunds.set(id, [{ ...refundTemplate, id: 900_000 + id }])
  }
}
