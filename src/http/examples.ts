import recorded from '../../data/api-examples.json'
import type { Method } from './endpoint.ts'

/**
 * A request of the API reference with its answer, shortened. `npm run api-reference` records them; nobody writes them
 * by hand.
 */
export type Example = {
  /** Path and query below the namespace. */
  path: string
  /** Who asks: by default an application password; `session` is a login with its nonce. */
  as?: string
  headers?: Readonly<Record<string, string>>
  body?: unknown
  status: number
  answer?: unknown
}

const examples: Readonly<Record<string, Example>> = recorded

type Operation = { method: Method; path: string }

/** The name of an operation in the file of examples. */
export const exampleName = ({ method, path }: Operation): string => `${method} ${path}`

export const exampleOf = (operation: Operation): Example | undefined => examples[exampleName(operation)]

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
