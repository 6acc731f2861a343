import type { IncomingMessage } from 'node:http'
import { createServerAdapter } from '@whatwg-node/server'
import { version } from '../../package.json'
import { createPreferences } from '../advisor/preferences.ts'
import { type AlertChannel, createAlerts } from '../alerts/alerts.ts'
import { createAnnotations } from '../annotations/annotations.ts'
import { createAuditLog } from '../audit/audit.ts'
import type { Intake } from '../collection/http.ts'
import { createContent } from '../collection/store/content.ts'
import { siteHosts, siteUrls } from '../config/config.ts'
import { readDemoMark } from '../database/demo-mark.ts'
import { isStorageError } from '../database/errors.ts'
import { createSubscriptions } from '../digest/subscriptions.ts'
import { unsubscribePage } from '../digest/unsubscribe-page.ts'
import type { Client, Context } from '../endpoints/context.ts'
import { endpoints } from '../endpoints/index.ts'
import { storageUnavailable } from '../http/errors.ts'
import { bufferNodeBody } from '../http/node-body.ts'
import { createPlaces } from '../http/places.ts'
import { addressOf, createRouter, internalErrorResponse, relocate } from '../http/router.ts'
import { type Handler, runOnePerTick } from '../http/server.ts'
import { createAccounts } from '../identity/accounts.ts'
import type { Identification } from '../identity/identify.ts'
import { loginPage } from '../identity/login-page.ts'
import { type AddressList, clientAddress } from '../lib/address/list.ts'
import { errorText } from '../lib/errors.ts'
import type { Traffic } from '../metrics/collect.ts'
import { createCounter } from '../reports/counter.ts'
import { createSavedFunnels } from '../reports/goals/saved-funnels.ts'
import { createSavedGoals } from '../reports/goals/saved-goals.ts'
import type { Pool } from '../reports/pool.ts'
import { createSavedSegments } from '../reports/saved-segments.ts'
import { sourcesState } from '../rollup/sources-state.ts'
import { differsFromWordPress, saveWordPressZone, takenZone, wordPressZone } from '../rollup/told-zone.ts'
import { zoneChanges } from '../rollup/zone.ts'
import { createSiteOptions } from '../settings/site-options.ts'
import type { Collection } from './collection.ts'
import type { Base } from './storage.ts'

/** The request of node:http that the adapter has converted to a Request. */
const nodeRequest = (serverContext: unknown): IncomingMessage | null =>
  typeof serverContext === 'object' && serverContext !== null && 'req' in serverContext
    ? (serverContext.req as IncomingMessage)
    : null

const originOf = ({ headers }: IncomingMessage): string | null => {
  const protocol = headers['x-forwarded-proto']?.toString().split(',', 1)[0]?.trim()
  if (headers.host === undefined || (protocol !== 'https' && protocol !== 'http')) return null
  return URL.parse(`${protocol}://${headers.host}`)?.origin ?? null
}

export const clientOf = (serverContext: unknown, trusted: AddressList): Client => {
  const node = nodeRequest(serverContext)
  const { address, viaProxy } = clientAddress(
    node?.socket.remoteAddress,
    node?.headers['x-forwarded-for']?.toString(),
    trusted,
  )
  return { address, origin: node !== null && viaProxy ? originOf(node) : null }
}

/** Dependencies of the handlers of collection and of the API. */
export type HttpOptions = {
  collection: Collection
  identity: Identification
  pool: Pool
  /** How alerts are sent. */
  alertChannels: readonly AlertChannel[]
  mail: Context['mail']
  traffic: Traffic
  /** Proxies whose X-Forwarded-For is believed. */
  trusted: AddressList
  /** Starts the service again, once running requests have been answered. */
  restart: () => void
  administration: Pick<
    Context,
    'runJobs' | 'diagnose' | 'selfTest' | 'checkPage' | 'privacyAudit' | 'metrics' | 'enableFallback'
  >
}

/** Shared by the handlers, and created once. */
export type Shared = {
  trusted: AddressList
  intake: Intake
  requestId: () => string
  logBug: (entry: { requestId: string; route: string | null; error: unknown }) => void
}

/** Creates the context of endpoints. */
const contextOf = (
  base: Base,
  { collection, identity, pool, administration, alertChannels, mail, restart }: HttpOptions,
  { answer, intake }: Pick<Context, 'answer' | 'intake'>,
): Context => {
  const { db, clock, zone, config, log } = base
  const { collector, settings, suspects, rules, shop, geoip } = collection
  const countPages = createCounter(() => context)
  const context: Context = {
    answer,
    intake,
    batches: createPlaces({ client: 2, all: 4 }),
    clock,
    zone,
    zoneChanges: zoneChanges(db),
    demo: readDemoMark(db),
    read: pool.read,
    activeSince: collector.activeSince,
    identity,
    settings,
    suspects,
    rules,
    erase: collection.erase,
    leavesOut: () => suspects.current().suspects === 'leave_out',
    shop,
    attribution: () => geoip.facts().attribution,
    ...administration,
    accounts: createAccounts(db, clock),
    subscriptions: createSubscriptions(db, clock),
    audit: createAuditLog(db, clock),
    content: createContent(db),
    keepQuery: [...config.keepQuery].sort(),
    currency: config.currency,
    wordPressZone: {
      current: () => wordPressZone(db),
      differs: () => differsFromWordPress(db, zone.name),
      save: timezone => {
        saveWordPressZone(db, timezone, config.timezone)
        if (differsFromWordPress(db, zone.name) && takenZone(db) !== null) restart()
      },
    },
    mail,
    siteOptions: createSiteOptions({
      db,
      given: base.given,
      timezone: zone.name,
      takenZone: () => takenZone(db),
      onChange: restart,
    }),
    siteUrls: siteUrls(config),
    preferences: createPreferences(db),
    ...collection.importing,
    // Read for each report, as an import may be undone meanwhile.
    get imported() {
      return collection.importing.imports.days()
    },
    sources: sourcesState(db),
    shareLinks: identity.shareLinks,
    countPages,
    segments: createSavedSegments(db, clock),
    goals: createSavedGoals(db, clock),
    funnels: createSavedFunnels(db, clock),
    annotations: createAnnotations(db, zone, clock),
    alerts: createAlerts(db, clock, alertChannels),
    advisor: {
      plan: config.plan,
      homeCountry: config.homeCountry,
      siteHosts: siteHosts(config),
      hasCities: () => /city$/.test(geoip.facts().source),
      now: () => performance.now(),
      onError: (question, error) =>
        log.error('a question could not be answered', { question, reason: errorText(error) }),
    },
  }
  return context
}

/** The client that `Context.answer` passes on, else that of the connection. */
const clientIn = (serverContext: unknown, trusted: AddressList): Client =>
  typeof serverContext === 'object' && serverContext !== null && 'client' in serverContext
    ? (serverContext.client as Client)
    : clientOf(serverContext, trusted)

/** Headers that concern the request or the answer as a whole. */
const notOfParts = ['content-type', 'content-length', 'x-http-method-override', 'accept-encoding', 'if-none-match']

type Answer = (request: Request, serverContext: unknown) => Promise<Response>

/** The API, the pages of the login and of the link in digests, and /metrics at its conventional path. */
const createAnswer = (
  base: Base,
  options: HttpOptions,
  { trusted, intake, requestId, logBug }: Shared,
  schedule: (work: () => void) => void,
): Answer => {
  const { db, clock, config } = base
  const { identity } = options
  const { rootPath } = config
  const prefix = rootPath + config.basePath
  // Waits for its turn as a request of its own would.
  const answerAgain: Context['answer'] = async (url, request, client) => {
    const headers = new Headers(request.headers)
    for (const name of notOfParts) headers.delete(name)
    await new Promise<void>(schedule)
    return router(new Request(url, { headers, signal: request.signal }), { client })
  }
  const served = contextOf(base, options, { answer: answerAgain, intake })
  const router: Answer = createRouter({
    base: prefix,
    endpoints,
    context: served,
    identify: identity.identify,
    addressOf: (_request, context) => clientIn(context, trusted).address,
    originOf: (_request, context) => clientIn(context, trusted).origin,
    translate: error => (isStorageError(error) ? storageUnavailable() : null),
    log: logBug,
    requestId,
    version,
  })
  const unsubscribe = unsubscribePage(served.subscriptions)
  const login = loginPage({ identity, db, clock, root: rootPath, base: prefix })
  return async (request, context) => {
    const url = addressOf(request)
    if (url.pathname === `${rootPath}/metrics`)
      return router(new Request(new URL(`${prefix}/analytics/v1/metrics`, url), request), context)
    if (url.pathname === `${rootPath}/unsubscribe`) return unsubscribe(request, url)
    if (url.pathname !== `${rootPath}/login`) return router(request, context)
    const { address, origin } = clientOf(context, trusted)
    return login(request, { url: relocate(url, origin), address })
  }
}

/** Handles all remaining requests. One starts per tick, so that hits never wait for many reports. */
export const createApiHandler = (base: Base, options: HttpOptions, shared: Shared): Handler => {
  const schedule = runOnePerTick()
  const answer = createAnswer(base, options, shared, schedule)
  const { api, apiAnswered } = options.traffic
  const adapter = createServerAdapter(async (request: Request, context: unknown) => {
    const started = performance.now()
    const result = await answer(request, context).catch((error: unknown) => {
      // The adapter would show the error to the client.
      const id = shared.requestId()
      shared.logBug({ requestId: id, route: null, error })
      return internalErrorResponse(id)
    })
    api.observe((performance.now() - started) / 1000)
    apiAnswered(result.status)
    return result
  })
  return (request, response) => {
    const hasBody = request.method !== 'GET' && request.method !== 'HEAD'
    const input = hasBody ? Object.assign(request, { body: bufferNodeBody(request, response) }) : request.resume()
    schedule(() => {
      // Nothing is computed for clients that left while they waited: many of them at once held up everybody else.
      if (!request.socket.destroyed) void adapter(input, response)
    })
    return true
  }
}
