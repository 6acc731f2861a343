import * as v from 'valibot'
import recorded from '../../data/api-examples.ndjson'
import { lazy } from '../lib/lazy.ts'
import type { Method } from './endpoint.ts'

const exampleSchema = v.object({
  /** Path and query below the namespace. */
  path: v.string(),
  /** Who asks: by default an application password; `session` is a login with its nonce, `nobody` sends neither. */
  as: v.optional(v.string()),
  headers: v.optional(v.record(v.string(), v.string())),
  body: v.optional(v.unknown()),
  status: v.number(),
  answer: v.optional(v.unknown()),
})

/**
 * A request of the API reference with its answer, shortened. `npm run api-reference` records them; nobody writes them
 * by hand.
 */
export type Example = v.InferOutput<typeof exampleSchema>

const lineSchema = v.tuple([v.string(), exampleSchema])

const readExamples = lazy(
  (): ReadonlyMap<string, Example> =>
    new Map(
      recorded
        .split('\n')
        .filter(line => line !== '')
        .map(line => v.parse(lineSchema, JSON.parse(line))),
    ),
)

type Operation = { method: Method; path: string }

/** The name of an operation in the file of examples. */
export const exampleName = ({ method, path }: Operation): string => `${method} ${path}`

export const exampleOf = (operation: Operation): Example | undefined => readExamples().get(exampleName(operation))

const credentials: Readonly<Record<string, readonly string[]>> = {
  password: ['-u "$AUTH"'],
  session: ['-b "$COOKIE"', '-H "X-WP-Nonce: $NONCE"'],
  nobody: [],
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** The request as a command; `$API` is the address of the namespace, `$AUTH` login and application password. */
export const curlOf = (method: Method, { path, as = 'password', headers = {}, body }: Example): string => {
  const isJson = body !== undefined && headers['content-type'] === undefined
  const lines = [
    ['curl', ...(method === (body === undefined ? 'GET' : 'POST') ? [] : [`-X ${method}`]), ...(credentials[as] ?? [])],
    ...Object.entries(headers).map(([name, value]) => [`-H ${quoted(`${name}: ${value}`)}`]),
    ...(isJson ? [["-H 'content-type: application/json'"]] : []),
    ...(body === undefined ? [] : [[`-d ${quoted(typeof body === 'string' ? body : JSON.stringify(body))}`]]),
    [`"$API${path}"`],
  ].map(words => words.join(' '))
  const line = lines.join(' ')
  return line.length <= 110 ? line : lines.join(' \\\n  ')
}
