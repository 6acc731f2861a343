import { createHmac } from 'node:crypto'

/** Query parameters by name, without repeats. */
export type Parameters = Readonly<Record<string, string>>

export type ShopKey = { key: string; secret: string }

/** Percent-encoding of RFC 3986: also encodes the characters that encodeURIComponent keeps. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

export const toQuery = (parameters: Parameters): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join('&')

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

const sorted = (parameters: Parameters): string =>
  Object.entries(parameters)
    .map(([name, value]): [string, string] => [encode(name), encode(value)])
    .sort(([nameA, valueA], [nameB, valueB]) => compare(nameA, nameB) || compare(valueA, valueB))
    .map(pair => pair.join('='))
    .join('&')

/**
 * Adds the OAuth 1.0a parameters to a request's (RFC 5849, HMAC-SHA256, no token). Over plain http a shop accepts its
 * key in no other form, and the secret is not sent. Implemented here because the libraries for it are unmaintained.
 * @param url without the query
 * @param timestamp in seconds
 * @param nonce unique for this timestamp
 */
export const signParameters = (
  method: string,
  url: string,
  parameters: Parameters,
  { key, secret }: ShopKey,
  timestamp: number,
  nonce: string,
): Parameters => {
  const all = {
    ...parameters,
    oauth_consumer_key: key,
    oauth_nonce: nonce,
    oauth_signature_method: 'HMAC-SHA256',
    oauth_timestamp: String(timestamp),
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
