import * as v from 'valibot'

/**
 * Who asks. `id` is where preferences are kept: `local:1` for a user of this file, `wp:7` for one the platform vouches for.
 */
export type Identity = {
  id: string
  login: string
  role: string
  locale: string
  capabilities: readonly string[]
  /** Row of `user`, for a user of this file only. */
  userId: number | null
  /** Of a shared link: filters that it cannot leave. */
  filters?: Readonly<Record<string, string>>
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Who may call: everybody, or an identity holding the capability. */
export type Right = 'public' | 'manage_options'

/** A schema with named members: what a query, the path's variables and most bodies are. */
export type ObjectSchema = v.GenericSchema & { readonly entries: v.ObjectEntries }

/** What a handler is given; `query`, `body` and `params` have passed their schemas, with defaults filled in. */
export type Call<Query, Body, Params> = {
  query: Query
  body: Body
  params: Params
  /** The body as sent: a signature is checked over these. Empty without a body. */
  bytes: Uint8Array
  identity: Identity | null
  request: Request
  url: URL
  /** The client's address; null when a trusted proxy names none. */
  address: string | null
  /** Aborted when the client has gone. */
  signal: AbortSignal
}

/** `data` as a value, or `json` as text that a reader has already written. Null data is an answer without a body (204). */
export type Answer<Data> = { status?: number; headers?: Readonly<Record<string, string>> } & (
  | { data: Data }
  | { json: string }
)

/** Types that follow from schemas; no schema gives nothing. */
type Output<Schema> = Schema extends v.GenericSchema ? v.InferOutput<Schema> : Record<string, never>
type Data<Schema> = Schema extends v.GenericSchema ? v.InferOutput<Schema> : null
type Awaitable<Value> = Value | Promise<Value>

type Described = {
  method: Method
  /** Below `{base}/analytics/v1`; variables as `/events/:name`. */
  path: string
  can: Right
  tag: string
  /** One sentence without a full stop; becomes the operation's title in the OpenAPI document. */
  summary: string
  description?: string
  /** Status of the ordinary answer; by default 200, or 204 when `output` is null. */
  status?: number
  /** Further answers in the same shape: status → when it is given. */
  statuses?: Readonly<Record<number, string>>
  /** Errors of its own: status → codes. Those every endpoint can give are documented without being named. */
  errors?: Readonly<Record<number, readonly string[]>>
  /** Sends X-WP-Total and X-WP-TotalPages (see `totals` in schemas.ts). */
  list?: boolean
  /** Whether a shared link opens it as well: `always`, for it keeps to the link's filters, or to a link that has none. */
  shared?: 'always' | 'unfiltered'
  /** Bytes of body taken, 64 KiB by default. */
  bodyLimit?: number
  /** How many bodies are taken at once; each must then come within ten seconds, so that nobody keeps the others waiting. */
  bodiesAtOnce?: number
  /** The body is not parsed (whatever its content type): `call.bytes` holds it. */
  rawBody?: boolean
  /** The only content types taken, 415 for others; by default JSON and forms are read, and others count as no body. */
  accepts?: readonly string[]
  /** Content type of the ordinary answer, where it is no JSON; the handler gives it as `json` with that header. */
  produces?: string
  /** Documented here, but served by the collection handler before the router. */
  servedBy?: 'collection'
}

/**
 * An endpoint as the router and the documents see it. `handle` is written as a method so that endpoints with their
 * own types fit into one list without a cast; the router calls it only with what passed that endpoint's schemas.
 */
export type Endpoint<Context> = Described & {
  query?: ObjectSchema | undefined
  body?: v.GenericSchema | undefined
  params?: ObjectSchema | undefined
  output: v.GenericSchema | null
  handle(context: Context, call: Call<unknown, unknown, unknown>): Awaitable<Answer<unknown>>
}

type Definition<Context, Query, Body, Params, Out> = Described & {
  query?: Query
  body?: Body
  params?: Params
  output: Out
  handle(context: Context, call: Call<Output<Query>, Output<Body>, Output<Params>>): Awaitable<Answer<Data<Out>>>
}

/**
 * Ties the handler's types to its schemas: a wrong field in an answer does not compile. A literal for a `picklist`
 * needs `as const` in the handler: TypeScript widens it while it still infers the schemas.
 */
export const endpoint = <
  Context,
  Query extends ObjectSchema | undefined = undefined,
  Body extends v.GenericSchema | undefined = undefined,
  Params extends ObjectSchema | undefined = undefined,
  Out extends v.GenericSchema | null = null,
>(
  definition: Definition<Context, Query, Body, Params, Out>,
): Definition<Context, Query, Body, Params, Out> => definition

/** For tests: what is wrong with an answer's data, one sentence a problem. */
export const checkAnswer = (given: Pick<Endpoint<never>, 'output'>, data: unknown): string[] => {
  if (given.output === null) return data === null || data === undefined ? [] : ['an answer without a body was expected']
  const result = v.safeParse(given.output, data)
  return result.success ? [] : result.issues.map(issue => `${v.getDotPath(issue) ?? 'answer'}: ${issue.message}`)
}
