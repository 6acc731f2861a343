// The collection routes. With http.ts, plausible.ts and batch-records.ts, the only part of collection that depends on HTTP.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isStorageError } from '../database/errors.ts'
import { ApiError, internalError, storageUnavailable } from '../http/errors.ts'
import type { Handler } from '../http/server.ts'
import { addressKind } from '../lib/address/kind.ts'
import { type AddressList, clientAddress } from '../lib/address/list.ts'
import type { Collector } from './collector.ts'
import type { Intake, Visitor } from './http.ts'
import {
  allowCors,
  checkHead,
  errorOf,
  header,
  isMethodOverridden,
  maxBodyBytes,
  parseObject,
  pixelBody,
  readRequestBody,
  sendEmpty,
  sendError,
  sendPixel,
  sendPreflight,
  splitUrl,
  visitorIdOf,
} from './http.ts'
import { forwardedVisitor, plausibleRecord, sendAccepted } from './plausible.ts'
import { type HeaderSource, type Kind, kinds } from './record.ts'

export type CollectionOptions = {
  /** Path before `/analytics/v1`. */
  base: string
  /** Paths of the pixel, for pages without JavaScript. */
  pixelPaths: readonly string[]
  /** Path of Plausible's events API; null if it is off. */
  plausiblePath: string | null
  collector: Pick<Collector, 'forget'>
  intake: Intake
  trusted: AddressList
  mayCollect: (authorization: string, address: string | null) => boolean
  requestId: () => string
  log: (entry: { requestId: string; route: string; error: unknown }) => void
  /** Called with the duration of each response in seconds. */
  onResponse: (seconds: number) => void
}

/** Header of `footfall check`; the response has in it the kind of client address seen, and the outcome in the other. */
export const checkHeader = 'x-footfall-check'
/** Also in responses to a back end that may name its visitors: only by it would a mistake show. */
export const outcomeHeader = 'x-footfall-outcome'

/** The routes served here instead of by the router: the three kinds of record, and `forget`. */
const routesBelow = (base: string): Map<string, Kind | 'forget'> =>
  new Map(
    [...kinds, 'forget' as const].flatMap(name => {
      const path = `${base}/analytics/v1/${name}`
      return [[path, name] as const, [`${path}/`, name] as const]
    }),
  )

/** Responses to one request: `end` sends one, `fail` sends one for an error. */
const createResponder =
  ({ requestId, log, onResponse: answered }: CollectionOptions) =>
  (route: string, request: IncomingMessage, response: ServerResponse, succeed = sendEmpty) => {
    const id = requestId()
    const started = performance.now()
    const end = (error: ApiError | null): void => {
      if (error === null) succeed(response, id)
      else sendError(request, response, id, error)
      answered((performance.now() - started) / 1000)
    }
    const fail = (error: unknown): void => {
      const expected = error instanceof ApiError ? error : isStorageError(error) ? storageUnavailable() : null
      if (expected === null) log({ requestId: id, route, error })
      if (!response.headersSent) end(expected ?? internalError(id))
    }
    return { end, fail }
  }

/** Dependencies shared by the routes. */
const createDeps = (options: CollectionOptions) => {
  const { trusted, mayCollect } = options
  return {
    ...options,
    respondTo: createResponder(options),
    /** The client of the connection. */
    senderOf: (request: IncomingMessage): Visitor => ({
      address: clientAddress(request.socket.remoteAddress, header(request, 'x-forwarded-for'), trusted).address,
      userAgent: header(request, 'user-agent') ?? '',
    }),
    headersOf: (request: IncomingMessage): HeaderSource => ({ get: name => header(request, name) }),
    /** Whether the sender may say whose records it sends. */
    mayName: (request: IncomingMessage, { address }: Visitor): boolean => {
      const authorization = header(request, 'authorization')
      return authorization !== undefined && mayCollect(authorization, address)
    },
  }
}

type HandlerDeps = ReturnType<typeof createDeps>

const serveRecord = async (
  deps: HandlerDeps,
  kind: Kind,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const { end, fail } = deps.respondTo(`POST /${kind}`, request, response)
  // `footfall check` asks how its address is seen; the address itself is never sent.
  const isCheck = header(request, checkHeader) !== undefined
  const { intake } = deps
  try {
    const sender = deps.senderOf(request)
    if (isCheck)
      response.setHeader(
        checkHeader,
        addressKind(sender.address, name => header(request, name), deps.trusted),
      )
    // The limit is the visitor's; that of a back end is in the body.
    const isNamed = deps.mayName(request, sender)
    if (!isNamed) intake.throttle(kind, sender.address)
    intake.countInvalid(() => checkHead(request))
    const bytes = await readRequestBody(request, maxBodyBytes)
    const body = intake.countInvalid(() => parseObject(bytes))
    const visitor = isNamed ? intake.visitorIn(body, sender) : sender
    if (isNamed) intake.throttle(kind, visitor.address)
    const { outcome, invalid } = await intake.collect({
      kind,
      visitor,
      headers: deps.headersOf(request),
      body,
      isForwarded: isNamed,
    })
    if (isCheck || isNamed) response.setHeader(outcomeHeader, outcome)
    end(errorOf(outcome, invalid))
  } catch (error) {
    fail(error)
  }
}

/** Responds with 204 unless throttled, so that nobody can find out which ids exist. */
const serveForget = async (deps: HandlerDeps, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { end, fail } = deps.respondTo('POST /forget', request, response)
  try {
    deps.intake.throttle('forget', deps.senderOf(request).address)
    const id = visitorIdOf(await readRequestBody(request, maxBodyBytes))
    if (id !== null) deps.collector.forget(id)
    end(null)
  } catch (error) {
    fail(error)
  }
}

/** As serveRecord. The visitor is in the headers, whoever sends them. */
const servePlausible = async (deps: HandlerDeps, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { end, fail } = deps.respondTo('POST /api/event', request, response, sendAccepted)
  const { intake } = deps
  try {
    const sender = deps.senderOf(request)
    const isNamed = deps.mayName(request, sender)
    const visitor = isNamed ? forwardedVisitor(request, sender) : sender
    if (!isNamed) intake.throttle('plausible', sender.address)
    intake.countInvalid(() => checkHead(request))
    const bytes = await readRequestBody(request, maxBodyBytes)
    const { kind, body } = intake.countInvalid(() => plausibleRecord(parseObject(bytes)))
    intake.throttle(kind, visitor.address)
    const headers = deps.headersOf(request)
    const sent = { kind, visitor, headers, body, byPage: true, isForwarded: isNamed }
    const { outcome, invalid } = await intake.collect(sent)
    if (isNamed) response.setHeader(outcomeHeader, outcome)
    end(errorOf(outcome, invalid))
  } catch (error) {
    fail(error)
  }
}

/** Sends the image whatever the outcome of the hit: a broken one would show on the page. */
const servePixel = async (deps: HandlerDeps, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  request.resume()
  const id = deps.requestId()
  try {
    const visitor = deps.senderOf(request)
    deps.intake.throttle('hit', visitor.address)
    const headers = deps.headersOf(request)
    if (request.method !== 'HEAD')
      await deps.intake.collect({ kind: 'hit', visitor, headers, body: pixelBody(request) })
  } catch (error) {
    if (!(error instanceof ApiError)) deps.log({ requestId: id, route: 'GET /pixel.gif', error })
  }
  sendPixel(request, response, id)
}

/** Serves the public collection routes on node:http: the fetch adapter would cost more than everything else they do. */
export const createCollectionHandler = (options: CollectionOptions): Handler => {
  const routes = routesBelow(options.base)
  const deps = createDeps(options)

  return (request, response) => {
    const [path, query] = splitUrl(request.url ?? '')
    if (options.pixelPaths.includes(path) && (request.method === 'GET' || request.method === 'HEAD')) {
      void servePixel(deps, request, response)
      return true
    }
    if (path === options.plausiblePath && (request.method === 'POST' || request.method === 'OPTIONS')) {
      if (request.method === 'POST') void servePlausible(deps, request, response)
      else sendPreflight(request, response)
      return true
    }
    const route = routes.get(path)
    if (route === undefined) return false
    if (request.method !== 'POST' || isMethodOverridden(request, query)) {
      allowCors(response)
      return false
    }
    void (route === 'forget' ? serveForget(deps, request, response) : serveRecord(deps, route, request, response))
    return true
  }
}
