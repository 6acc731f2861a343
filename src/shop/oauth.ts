import { createHmac } from 'node:crypto'

/** Query parameters by name; each is given once. */
export type Parameters = Readonly<Record<string, string>>

export type ShopKey = { key: string; secret: string }

/** RFC 3986: what encodeURIComponent leaves as it is and OAuth does not. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

export const toQuery = (parameters: Parameters): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join('&')

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

const sorted = (parameters: Parameters): string =>
  Object.entries(parameters)
    .map(([name, value]): [string, string] => [encode(name), encode(value)])
    .sort(([one, first], [other, second]) => compare(one, other) || compare(first, second))
    .map(pair => pair.join('='))
    .join('&')

/**
 * The parameters of a request with OAuth 1.0a's beside them (RFC 5849, HMAC-SHA256, no token): over plain http a shop
 * takes its key in no other form, and the secret does not travel. Own code, as the libraries for it are at rest.
 * @param url the address without its query
 * @param nonce never used before with this second
 */
export const signed = (
  method: string,
  url: string,
  parameters: Parameters,
  { key, secret }: ShopKey,
  second: number,
  nonce: string,
): Parameters => {
  const all = {
    ...parameters,
    oauth_consumer_key: key,
    oauth_nonce: nonce,
    oauth_signature_method: 'HMAC-SHA256',
    oauth_timestamp: String(second),
    oauth_version: '1.0',
  }
  const base = [method, url, sorted(all)].map(encode).join('&')
  return {
    ...all,
    oauth_signature: createHmac('sha256', `${encode(secret)}&`)
      .update(base)
      .digest('base64'),
  }
}
