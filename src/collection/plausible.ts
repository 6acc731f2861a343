// Plausible's events API, so that its scripts, plug-ins and SDKs work unchanged: https://plausible.io/docs/events-api
import type { IncomingMessage, ServerResponse } from 'node:http'
import { parseAddress } from '../lib/address/list.ts'
import type { Visitor } from './http.ts'
import { commonHeaders, errorOf, header } from './http.ts'
import { type Body, type InvalidFields, isInvalid, missingKey } from './ingest/values.ts'
import type { Kind } from './record.ts'

type Translated = { kind: Kind; body: Body }

/** A member by its long or its short name. */
const oneOf = (body: Body, ...names: readonly string[]): unknown =>
  names.map(name => body[name]).find(value => value !== undefined && value !== null)

/** Older scripts send an object as the text of one. */
const objectOf = (value: unknown): unknown => {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

const isObject = (value: unknown): value is Body => typeof value === 'object' && value !== null && !Array.isArray(value)

/** With `hashMode` the route of a hash router is the rest of the path, as for our own tracker. */
const pageUrl = (url: unknown, isRouted: boolean): unknown =>
  isRouted && typeof url === 'string' ? url.replace(/\/?(\?[^#]*)?#(\/.*)/, '$2$1') : url

const amount = (value: unknown): number | undefined => {
  if (typeof value === 'number') return value
  return typeof value === 'string' && /^-?\d{1,13}(\.\d+)?$/.test(value) ? Number(value) : undefined
}

/** Properties, and of revenue the amount as the event's value with its currency as a property. */
const eventBody = (name: string, url: unknown, body: Body): Body => {
  const props = objectOf(oneOf(body, 'props', 'p', 'meta', 'm'))
  const revenue = objectOf(oneOf(body, 'revenue', '$'))
  const value = isObject(revenue) ? amount(revenue.amount) : undefined
  const currency = value !== undefined && isObject(revenue) ? { currency: revenue.currency } : {}
  return {
    // Its names are longer than ours; the rest would be dropped in any case.
    name: name.slice(0, 100),
    page_url: url,
    value,
    properties: isObject(props) ? { ...currency, ...props } : (props ?? currency),
  }
}

const seconds = (milliseconds: unknown): number | undefined =>
  typeof milliseconds === 'number' ? Math.round(milliseconds / 1000) : undefined

const read = (body: Body): Translated | InvalidFields => {
  const name = oneOf(body, 'name', 'n')
  const given = oneOf(body, 'url', 'u')
  if (typeof name !== 'string' || name === '') return missingKey('name')
  if (given === undefined || given === '') return missingKey('url')
  const mode = oneOf(body, 'hashMode', 'h')
  const url = pageUrl(given, mode === 1 || mode === true)
  if (name === 'engagement')
    return {
      kind: 'engagement',
      body: {
        page_url: url,
        engagement_time: seconds(oneOf(body, 'engagement_time', 'e')),
        scroll_depth: oneOf(body, 'scroll_depth', 'sd'),
      },
    }
  if (name !== 'pageview') return { kind: 'event', body: eventBody(name, url, body) }
  const referrer = oneOf(body, 'referrer', 'r')
  return { kind: 'hit', body: { page_url: url, referrer, screen_width: oneOf(body, 'screen_width', 'w') } }
}

/**
 * The record that an event of Plausible's stands for.
 * @throws ApiError 400
 */
export const plausibleRecord = (body: Body): Translated => {
  const record = read(body)
  if (!isInvalid(record)) return record
  throw errorOf('invalid', record) ?? new Error('An invalid event has an answer.')
}

/** Whom a back end that may say it names: the first address, as Plausible takes it; none if that is no address. */
export const forwardedVisitor = (request: IncomingMessage, sender: Visitor): Visitor => {
  const [first] = (header(request, 'x-forwarded-for') ?? '').split(',', 1)
  return first === undefined || first.trim() === '' ? sender : { ...sender, address: parseAddress(first.trim()) }
}

export const sendAccepted = (response: ServerResponse, requestId: string): void => {
  response.writeHead(202, {
    ...commonHeaders,
    'content-type': 'text/plain; charset=utf-8',
    'x-request-id': requestId,
  })
  response.end('ok')
}
