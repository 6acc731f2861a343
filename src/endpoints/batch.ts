import * as v from 'valibot'
import { endpoint, type Identity } from '../http/endpoint.ts'
import { ApiError, clientGone, forbidden, invalidParam, toBody, tooManyRequests } from '../http/errors.ts'
import { namespace } from '../http/namespace-index.ts'
import { isPrivateAddress, throttleKey } from '../lib/address/list.ts'
import type { Context } from './context.ts'

const maxRequests = 25
/** Of all responses together. */
const maxBytes = 2 * 1024 * 1024
/** The headers of a response that its body cannot replace. */
const keptHeaders = ['X-WP-Total', 'X-WP-TotalPages', 'Retry-After', 'Server-Timing', 'Content-Type']

const responseSchema = v.object({
  status: v.number(),
  headers: v.record(v.string(), v.string()),
  body: v.pipe(v.unknown(), v.description('JSON, or the text of a response that is not JSON.')),
})

type Result = { status: number; headers: Record<string, string>; text: string; isJson: boolean }

/** The address of one request; those that leave the namespace, further batches and the documents are refused. */
const targetOf = (path: string, index: number, url: URL): URL => {
  const base = url.pathname.slice(0, url.pathname.lastIndexOf(`/${namespace}/`) + namespace.length + 1)
  const target = URL.parse(base + path, url.origin)
  const name = `requests[${index}][path]`
  if (!path.startsWith('/') || target === null || !target.pathname.startsWith(`${base}/`))
    throw invalidParam(name, `${name} must be a path below ${namespace}, such as /summary?from=2026-03-01.`)
  if (/^\/+(batch|openapi\.json)?\/*$/.test(target.pathname.slice(base.length)))
    throw invalidParam(name, `${name} must not be another batch, the index or the OpenAPI document.`)
  return target
}

const read = async (response: Response): Promise<Result> => ({
  status: response.status,
  headers: Object.fromEntries(
    keptHeaders.flatMap(name => {
      const value = response.headers.get(name)
      return value === null ? [] : [[name, value]]
    }),
  ),
  text: await response.text(),
  isJson: response.headers.get('content-type')?.includes('json') === true,
})

const tooMuch = (): Result => {
  const message = `The responses of a batch have ${maxBytes} bytes together. Send this request by itself, or in another batch.`
  const text = JSON.stringify(toBody(new ApiError(413, 'rest_payload_too_large', message)))
  return { status: 413, headers: { 'Content-Type': 'application/json; charset=UTF-8' }, text, isJson: true }
}

/** JSON is inserted as it is: parsing and writing it again would take longer than the answer. */
const written = ({ status, headers, text, isJson }: Result): string => {
  const body = text === '' ? 'null' : isJson ? text : JSON.stringify(text)
  return `{"status":${status},"headers":${JSON.stringify(headers)},"body":${body}}`
}

/** Whose batches count together: many clients may share a private address, such as that of a proxy. */
const clientOf = (address: string | null, { id }: Identity): string =>
  address === null || isPrivateAddress(address) ? id : throttleKey(address)

/** For callers who are identified: each request is checked as if it had come by itself, and waits as one does. */
export const batch = endpoint({
  method: 'POST',
  path: '/batch',
  can: 'identified',
  tag: 'Operation',
  summary: `Send up to ${maxRequests} GET requests in one`,
  description:
    'Each request is answered as if it had been sent by itself with the headers of this one, with its own status, one ' +
    'after the other; the responses are in the order of the requests. Together they have at most 2 MiB: what comes ' +
    'after that has status 413, and can be sent by itself or in another batch. Two batches of an address run at once, ' +
    'and four in all; another one gets 429.',
  accepts: ['application/json'],
  status: 207,
  body: v.object({
    requests: v.pipe(
      v.array(
        v.object({
          path: v.pipe(v.string(), v.maxLength(8192), v.description('Path and query below `analytics/v1`.')),
        }),
      ),
      v.minLength(1),
      v.maxLength(maxRequests),
    ),
  }),
  output: v.object({ responses: v.array(responseSchema) }),
  handle: async ({ answer, batches }: Context, { body: { requests }, request, url, address, identity, signal }) => {
    if (identity === null) throw forbidden(null)
    const targets = requests.map(({ path }, index) => targetOf(path, index, url))
    const leave = batches(clientOf(address, identity))
    if (leave === null) throw tooManyRequests(1)
    try {
      const texts: string[] = []
      let left = maxBytes
      for (const target of targets) {
        if (signal.aborted) throw clientGone()
        const result = left > 0 ? await read(await answer(target, request, { address, origin: url.origin })) : tooMuch()
        left -= Buffer.byteLength(result.text)
        texts.push(written(left >= 0 ? result : tooMuch()))
      }
      const text = `{"responses":[${texts.join()}]}`
      return {
        text,
        get data() {
          return JSON.parse(text)
        },
      }
    } finally {
      leave()
    }
  },
})
