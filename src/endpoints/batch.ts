import * as v from 'valibot'
import { maxRecords, recordSchema, type Taken, takeAll } from '../collection/batch-records.ts'
import { collecting, mayCall } from '../http/access.ts'
import { type Call, endpoint, type Identity } from '../http/endpoint.ts'
import { ApiError, clientGone, forbidden, invalidParam, missing, toBody, tooManyRequests } from '../http/errors.ts'
import { namespace } from '../http/namespace-index.ts'
import { isPrivateAddress, throttleKey } from '../lib/address/list.ts'
import type { Context } from './context.ts'

const maxRequests = 25
/** Of a body: that of a back end is larger. */
const requestBytes = 64 * 1024
const recordBytes = 1024 * 1024
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

const answerAll = async (
  { answer }: Context,
  targets: readonly URL[],
  { request, url, address, signal }: Call<unknown, unknown, unknown>,
): Promise<string[]> => {
  const texts: string[] = []
  let left = maxBytes
  for (const target of targets) {
    if (signal.aborted) throw clientGone()
    const result = left > 0 ? await read(await answer(target, request, { address, origin: url.origin })) : tooMuch()
    left -= Buffer.byteLength(result.text)
    texts.push(written(left >= 0 ? result : tooMuch()))
  }
  return texts
}

const resultOf = ({ outcome, error }: Taken): Result => ({
  status: error?.status ?? 204,
  headers: { ...error?.headers, 'X-Footfall-Outcome': outcome },
  text: error === null ? '' : JSON.stringify(toBody(error)),
  isJson: true,
})

/** For callers who are identified: each request is checked as if it had come by itself, and waits as one does. */
export const batch = endpoint({
  method: 'POST',
  path: '/batch',
  can: 'identified',
  tag: 'Operation',
  summary: `Send up to ${maxRequests} GET requests in one, or ${maxRecords} hits and events`,
  description:
    'Each request is answered as if it had been sent by itself with the headers of this one, with its own status, one ' +
    'after the other; the responses are in the order of the requests. Together they have at most 2 MiB: what comes ' +
    'after that has status 413, and can be sent by itself or in another batch. Two batches of an address run at once, ' +
    'and four in all; another one gets 429.\n\n' +
    'With `records` instead, a back end sends what its visitors did, with an application password that has the scope ' +
    '`collect`: each is the body of its route, of at most 8 KiB, with `type`, and is answered as by itself. Then the ' +
    'whole body has at most 1 MiB. `X-Footfall-Outcome` among its headers says what became of it.',
  accepts: ['application/json'],
  status: 207,
  bodyLimitOf: identity => (mayCall(collecting, identity) ? recordBytes : requestBytes),
  body: v.object({
    requests: v.optional(
      v.pipe(
        v.array(
          v.object({
            path: v.pipe(v.string(), v.maxLength(8192), v.description('Path and query below `analytics/v1`.')),
          }),
        ),
        v.minLength(1),
        v.maxLength(maxRequests),
      ),
    ),
    records: v.optional(v.pipe(v.array(recordSchema), v.minLength(1), v.maxLength(maxRecords))),
  }),
  output: v.object({ responses: v.array(responseSchema) }),
  handle: async (context: Context, call) => {
    const { address, identity, body } = call
    const { requests, records } = body
    if (identity === null) throw forbidden(null)
    if (records !== undefined && !mayCall(collecting, identity)) throw forbidden(identity, collecting)
    if (requests === undefined && records === undefined) throw missing(['requests'])
    if (requests !== undefined && records !== undefined)
      throw invalidParam('records', 'A batch has either requests or records.')
    const targets = (requests ?? []).map(({ path }, index) => targetOf(path, index, call.url))
    const leave = context.batches(clientOf(address, identity))
    if (leave === null) throw tooManyRequests(1)
    try {
      const texts =
        records === undefined
          ? await answerAll(context, targets, call)
          : (await takeAll(context.intake, records, call)).map(taken => written(resultOf(taken)))
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
