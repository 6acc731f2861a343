import * as v from 'valibot'
import { endpoint } from '../http/endpoint.ts'
import { invalidParam } from '../http/errors.ts'
import { namespace } from '../http/namespace-index.ts'
import type { Context } from './context.ts'

const maxRequests = 25
/** The headers of a response that its body cannot replace. */
const keptHeaders = ['X-WP-Total', 'X-WP-TotalPages', 'Retry-After', 'Server-Timing', 'Content-Type']

const responseSchema = v.object({
  status: v.number(),
  headers: v.record(v.string(), v.string()),
  body: v.pipe(v.unknown(), v.description('JSON, or the text of a response that is not JSON.')),
})

/** The address of one request; those that leave the namespace, and further batches, are refused. */
const targetOf = (path: string, index: number, url: URL): URL => {
  const base = url.pathname.slice(0, url.pathname.lastIndexOf(`/${namespace}/`) + namespace.length + 1)
  const target = URL.parse(base + path, url.origin)
  const name = `requests[${index}][path]`
  if (!path.startsWith('/') || target === null || !target.pathname.startsWith(`${base}/`))
    throw invalidParam(name, `${name} must be a path below ${namespace}, such as /summary?from=2026-03-01.`)
  if (/^\/batch\/?$/.test(target.pathname.slice(base.length)))
    throw invalidParam(name, `${name} must not be another batch.`)
  return target
}

const bodyOf = async (response: Response): Promise<unknown> => {
  const text = await response.text()
  if (text === '') return null
  return response.headers.get('content-type')?.includes('json') === true ? JSON.parse(text) : text
}

const read = async (response: Response): Promise<v.InferOutput<typeof responseSchema>> => ({
  status: response.status,
  headers: Object.fromEntries(
    keptHeaders.flatMap(name => {
      const value = response.headers.get(name)
      return value === null ? [] : [[name, value]]
    }),
  ),
  body: await bodyOf(response),
})

/** Public, because each request is checked as if it had come by itself. */
export const batch = endpoint({
  method: 'POST',
  path: '/batch',
  can: 'public',
  tag: 'Operation',
  summary: `Send up to ${maxRequests} GET requests in one`,
  description:
    'Each request is answered as if it had been sent by itself with the headers of this one, with its own status; the ' +
    'responses are in the order of the requests.',
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
  handle: async ({ answer }: Context, { body: { requests }, request, url, address }) => {
    const targets = requests.map(({ path }, index) => targetOf(path, index, url))
    const responses = await Promise.all(
      targets.map(async target => read(await answer(target, request, { address, origin: url.origin }))),
    )
    return { data: { responses } }
  },
})
