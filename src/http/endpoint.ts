import * as v from 'valibot'
import type { Access, Grant } from './access.ts'
import type { StaticFile } from './static.ts'
import type { Tag } from './tags.ts'

/**
 * An identified caller. `id` is the key of their preferences: `local:1` for a user of this database, `wp:7` for one
 * authenticated by the host platform.
 */
export type Identity = Grant & {
  id: string
  login: string
  role: string
  locale: string
  /** Row of `user`; null for users of the host platform. */
  userId: number | null
  /** Name of the application password that the caller used. */
  applicationPassword?: string
  /** An administrator who has to set up a second factor, and may do nothing else before. */
  needsSecondFactor?: boolean
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** An object schema: for queries, path variables and most bodies. */
export type ObjectSchema = v.GenericSchema & { readonly entries: v.ObjectEntries }

/** A handler's input; `query`, `body` and `params` are validated, with defaults applied. */
export type Call<Query, Body, Params> = {
  query: Query
  body: Body
  params: Params
  /** The raw body, for signatures. Empty without a body. */
  bytes: Uint8Array
  identity: Identity | null
  request: Request
  url: URL
  /** The client's address; null when a trusted proxy names none. */
  address: string | null
  /** Aborted when the client disconnects. */
  signal: AbortSignal
}

/**
 * `data` as a value, or `text` as it is sent; `_fields` prunes its `data`, or nothing without it. Null data means no
 * body (204). A `file` is kept and sent gzipped; `_fields` takes small parts out of it.
 */
export type Answer<Data> = {
  status?: number
  headers?: Readonly<Record<string, string>>
  /** Set-Cookie headers. */
  cookies?: readonly string[]
} & ({ data: Data } | { text: string; data?: unknown } | { file: StaticFile; parts: () => unknown })

/** Types inferred from schemas. */
type Output<Schema> = Schema extends v.GenericSchema ? v.InferOutput<Schema> : Record<string, never>
type Data<Schema> = Schema extends v.GenericSchema ? v.InferOutput<Schema> : null
type Awaitable<Value> = Value | Promise<Value>

type Described = Access & {
  method: Method
  /** Below `{base}/analytics/v1`; variables as `/events/:name`. */
  path: string
  tag: Tag
  /** One sentence without a full stop; becomes the operation's title in the OpenAPI document. */
  summary: string
  description?: string
  /** What fields of the response mean, by name, for those whose schema has no description. */
  fields?: Readonly<Record<string, string>>
  /** Status of a successful response; by default 200, or 204 when `output` is null. */
  status?: number
  /** Other statuses with the same output, and when they are sent. */
  statuses?: Readonly<Record<number, string>>
  /** Error codes by status. Errors common to all endpoints are documented automatically. */
  errors?: Readonly<Record<number, readonly string[]>>
  /** Sends X-WP-Total and X-WP-TotalPages (see `totals` in schemas.ts). */
  list?: boolean
  /** Maximum bytes of the body, 64 KiB by default. */
  bodyLimit?: number
  /** Maximum bytes for callers who may do more than others; the document says `bodyLimit`. */
  bodyLimitOf?: (identity: Identity | null) => number
  /**
   * Maximum bodies over 64 KiB received at a time, for public endpoints: also bounds the others, and gives each ten
   * seconds (see body-places.ts).
   */
  bodiesAtOnce?: number
  /** The body is not parsed (whatever its content type): `call.bytes` holds it. */
  rawBody?: boolean
  /** The accepted content types, 415 for others. By default JSON and forms are parsed, and others are ignored. */
  accepts?: readonly string[]
  /** Content type of a successful response that is not JSON; the handler returns it as `text` with that header. */
  produces?: string
  /** Documented here, but served by the collection handler before the router. */
  servedBy?: 'collection'
}

/**
 * An endpoint with its types erased. `handle` is a method, hence bivariant, so that endpoints of different types fit
 * into one list without casts; the router only calls it with values that passed the endpoint's schemas.
 */
export type Endpoint<Context> = Described & {
  query?: ObjectSchema | undefined
  body?: v.GenericSchema | undefined
  params?: ObjectSchema | undefined
  output: v.GenericSchema | null
  checkHeaders?(context: Context, headers: Headers): void
  handle(context: Context, call: Call<unknown, unknown, unknown>): Awaitable<Answer<unknown>>
}

type Definition<Context, Query, Body, Params, Out> = Described & {
  query?: Query
  body?: Body
  params?: Params
  output: Out
  /** Called before the body is read; throws an ApiError to refuse it. */
  checkHeaders?(context: Context, headers: Headers): void
  handle(context: Context, call: Call<Output<Query>, Output<Body>, Output<Params>>): Awaitable<Answer<Data<Out>>>
}

/**
 * Infers the handler's types from its schemas: a wrong field in its result does not compile. A literal for a `picklist`
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

/** For tests: the problems of a response's data. */
export const checkAnswer = (given: Pick<Endpoint<never>, 'output'>, data: unknown): string[] => {
  if (given.output === null) return data === null || data === undefined ? [] : ['an answer without a body was expected']
  const result = v.safeParse(given.output, data)
  return result.success ? [] : result.issues.map(issue => `${v.getDotPath(issue) ?? 'answer'}: ${issue.message}`)
}
