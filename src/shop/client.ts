import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { type BoundedText, boundedText } from '../lib/bounded-text.ts'
import { fetchFailure } from '../lib/errors.ts'
import { retryAfter } from '../lib/retry-after.ts'
import { type Clock, toSeconds } from '../lib/time.ts'
import { ShopError } from './errors.ts'
import { type Parameters, type ShopKey, signParameters, toQuery } from './oauth.ts'

const tooLarge = (limit: number): ShopError =>
  new ShopError('too_large', `The shop's answer is larger than ${Math.round((limit / 1024 / 1024) * 10) / 10} MiB.`)

/** @throws ShopError too_large */
const readBounded = async (response: Response, limit: number): Promise<BoundedText> => {
  if (Number(response.headers.get('content-length') ?? 0) > limit) {
    await response.body?.cancel()
    throw tooLarge(limit)
  }
  const read = await boundedText(response, limit)
  if (read.cut) throw tooLarge(limit)
  return read
}

/** A response of the shop: its JSON, size, and the totals of a list if given. */
export type ShopAnswer = { body: unknown; bytes: number; total: number | null; pages: number | null }

/** Reads the shop's wc/v3 API. `path` is relative to that, such as 'orders/12/refunds'. */
export type ShopClient = {
  /** URL of the API; identifies the shop, as progress is stored per shop. */
  address: string
  /** @throws ShopError, and the signal's reason when it is aborted */
  get: (path: string, parameters: Parameters, signal: AbortSignal) => Promise<ShopAnswer>
}

export type ShopClientOptions = ShopKey & {
  /** The shop's address, http or https, without a trailing slash. */
  url: string
  clock: Clock
  nonce?: () => string
  /** Milliseconds for a whole response. */
  timeout?: number
  /** Maximum bytes of a response. */
  limit?: number
}

const randomNonce = (): string => randomBytes(16).toString('hex')

const defaultTimeout = 60_000
const defaultLimit = 32 * 1024 * 1024
const errorLimit = 64 * 1024

const errorSchema = v.looseObject({ code: v.optional(v.string(), ''), message: v.optional(v.string(), '') })

/** Accepts the address of the API as well as that of the shop. */
const apiOf = (url: string): string => `${url.replace(/\/wp-json(\/wc(\/v3)?)?\/?$/, '')}/wp-json/wc/v3`

const count = (text: string | null): number | null => (text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null)

/** The origin of a redirect's target: the full address may contain the signature. */
const redirectOrigin = (headers: Headers, from: string): string => {
  const target = URL.parse(headers.get('location') ?? '', from)
  return target === null ? 'another address' : target.origin
}

const asJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new ShopError('later', "The shop's response is not JSON: a maintenance page, or a truncated response.")
  }
}

const parsedOrNull = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The shop's error code and message as one short line of plain text. */
const errorDetail = (body: string, hide: readonly string[]): string => {
  const parsed = v.safeParse(errorSchema, parsedOrNull(body))
  const { code, message } = parsed.success ? parsed.output : { code: '', message: '' }
  const line = `${code} ${message.replace(/<[^>]*>/g, '')}`.replace(/\s+/g, ' ').trim().slice(0, 200)
  const redacted = hide.reduce((text, secret) => text.replaceAll(secret, '…'), line)
  return redacted === '' ? '' : ` (${redacted})`
}

const refusals: Readonly<Record<number, string>> = {
  401:
    'The shop does not accept the key. Create one with read permission in WooCommerce → Settings → Advanced → ' +
    'REST API, and set FOOTFALL_WOOCOMMERCE_KEY and FOOTFALL_WOOCOMMERCE_SECRET to it',
  403:
    'The shop does not let the key read orders. Give it read permission and a user who may see orders ' +
    '(WooCommerce → Settings → Advanced → REST API), and check that no firewall of the shop blocks this service',
  404:
    'There is no WooCommerce API at this address. Check that --woocommerce-url is the address of the shop, ' +
    'that WooCommerce is active, and that permalinks are not set to plain',
}

const isTemporary = (status: number): boolean => status >= 500 || [408, 425, 429].includes(status)

/** Redirects are not followed: one to another origin would leak the key. */
export const createShopClient = ({
  url,
  key,
  secret,
  clock,
  nonce = randomNonce,
  timeout = defaultTimeout,
  limit = defaultLimit,
}: ShopClientOptions): ShopClient => {
  const api = apiOf(url)
  const isSecure = api.startsWith('https:')
  const basic = `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`

  const send = async (address: string, parameters: Parameters, signal: AbortSignal): Promise<Response> => {
    const query = toQuery(
      isSecure ? parameters : signParameters('GET', address, parameters, { key, secret }, toSeconds(clock()), nonce()),
    )
    return fetch(`${address}${query === '' ? '' : `?${query}`}`, {
      redirect: 'manual',
      signal,
      headers: { accept: 'application/json', 'user-agent': 'Footfall', ...(isSecure && { authorization: basic }) },
    })
  }

  const failure = async (response: Response, address: string): Promise<ShopError> => {
    const { status, headers } = response
    if (status >= 300 && status < 400) {
      await response.body?.cancel()
      return new ShopError(
        'refused',
        `The shop redirects to ${redirectOrigin(headers, address)}. Redirects are not followed, because they could ` +
          'leak the key: set --woocommerce-url to the final address.',
        { status },
      )
    }
    const text = await readBounded(response, errorLimit).then(
      ({ text: read }) => read,
      () => '',
    )
    const detail = errorDetail(text, [key, secret])
    if (isTemporary(status))
      return new ShopError('later', `The shop answered ${status}${detail}.`, {
        status,
        retryAfter: retryAfter(headers, clock()),
      })
    return new ShopError('refused', `${refusals[status] ?? `The shop answered ${status}`}${detail}.`, { status })
  }

  const read = async (response: Response): Promise<ShopAnswer> => {
    const { text, bytes } = await readBounded(response, limit)
    const header = (name: string): number | null => count(response.headers.get(name))
    return { body: asJson(text), bytes, total: header('x-wp-total'), pages: header('x-wp-totalpages') }
  }

  return {
    address: api,
    get: async (path, parameters, signal) => {
      const address = `${api}/${path}`
      const timeoutSignal = AbortSignal.timeout(timeout)
      try {
        const response = await send(address, parameters, AbortSignal.any([signal, timeoutSignal]))
        if (response.status !== 200) throw await failure(response, address)
        return await read(response)
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof ShopError) throw error
        throw new ShopError(
          'later',
          timeoutSignal.aborted
            ? `The shop took longer than ${timeout / 1000} seconds to answer.`
            : `The shop could not be reached, or broke off its response (${fetchFailure(error)}).`,
        )
      }
    },
  }
}
