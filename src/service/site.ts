import type { IncomingMessage } from 'node:http'
import { errorText } from '../lib/errors.ts'
import { createServerAdapter } from '@whatwg-node/server'
import trackerScript from 'browser:tracker'
import { version } from '../../package.json'
import { createPreferences } from '../advisor/preferences.ts'
import { clientAddress } from '../lib/address/client.ts'
import { parseAddressList, type AddressList } from '../lib/address/list.ts'
import type { Attribution } from '../geoip/attribution.ts'
import { createContent } from '../collection/store/content.ts'
import type { Collector } from '../collection/collector.ts'
import type { Config } from '../config/config.ts'
import { isStorageError } from '../database/errors.ts'
import type { Context } from './context.ts'
import type { DemoMark } from '../database/demo-mark.ts'
import type { Db } from '../database/query.ts'
import { endpoints } from '../endpoints/index.ts'
import { createAccounts } from '../identity/accounts.ts'
import type { Identification } from '../identity/identify.ts'
import type { Log } from '../runtime/log.ts'
import type { Traffic } from '../metrics/traffic.ts'
import type { Pool } from '../reports/pool.ts'
import { importedDays } from '../rollup/imported.ts'
import { zoneChanges } from '../rollup/zone.ts'
import type { SettingsStore } from '../settings/settings.ts'
import type { Shop } from '../shop/shop.ts'
import type { Clock, Zone } from '../lib/time.ts'
import { createCollectionHandler } from '../collection/handler.ts'
import { storageUnavailable } from '../http/errors.ts'
import { runOnePerTick } from '../lib/run-one-per-tick.ts'
import { createHealthHandler } from '../http/health.ts'
import { homeFiles } from '../http/home-page.ts'
import { loginPage } from '../identity/login-page.ts'
import { brokenAnswer, createRouter } from '../http/router.ts'
import { createRequestIds, type Handler } from '../http/server.ts'
import { createStaticHandler, trackerFile, type StaticFile } from '../http/static.ts'
import { addressOf, relocate } from '../http/visit.ts'

type SiteOptions = {
  config: Config
  clock: Clock
  zone: Zone
  db: Db
  collector: Collector
  pool: Pool
  identity: Identification
  log: Log
  settings: SettingsStore
  shop: Shop
  isHealthy: () => boolean
  traffic: Traffic
  /** Whether a city database is in use. */
  hasCities: () => boolean
  /** Set where the file's figures are made up. */
  demo: DemoMark | null
  attribution: () => Attribution | null
  administration: Pick<Context, 'runJobs' | 'diagnose' | 'selfTest' | 'privacyAudit' | 'metrics' | 'enableFallback'>
}

const nodeRequest = (serverContext: unknown): IncomingMessage | null =>
  typeof serverContext === 'object' && serverContext !== null && 'req' in serverContext
    ? (serverContext.req as IncomingMessage)
    : null

const clientOf = (
  request: IncomingMessage | null,
  trusted: AddressList,
): { address: string | null; viaProxy: boolean } =>
  clientAddress(request?.socket.remoteAddress, request?.headers['x-forwarded-for']?.toString(), trusted)

/** Scheme and host as the client sees them, as far as a trusted proxy tells. */
const originOf = (node: IncomingMessage | null, trusted: AddressList): string | null => {
  const protocol = node?.headers['x-forwarded-proto']?.toString().split(',', 1)[0]?.trim()
  const host = node?.headers.host
  if (host === undefined || (protocol !== 'https' && protocol !== 'http') || !clientOf(node, trusted).viaProxy)
    return null
  return URL.canParse(`${protocol}://${host}`) ? new URL(`${protocol}://${host}`).origin : null
}

/** What answers on the port, in the order in which it is asked. */
export const createSite = (options: SiteOptions): { handlers: Handler[] } => {
  const { config, clock, zone, collector, pool, identity, settings, log } = options
  const base = config.rootPath + config.basePath
  const api = `${base}/analytics/v1`
  const requestId = createRequestIds()
  const trusted = parseAddressList([...config.trustProxy]).list
  const bug = (entry: { requestId: string; route: string | null; error: unknown }): void =>
    log.error('a request failed', {
      request_id: entry.requestId,
      route: entry.route,
      reason: errorText(entry.error),
    })

  const router = createRouter({
    base,
    endpoints,
    context: {
      clock,
      zone,
      zoneChanges: zoneChanges(options.db),
      demo: options.demo,
      read: pool.read,
      activeSince: collector.activeSince,
      identity,
      settings,
      shop: options.shop,
      attribution: options.attribution,
      ...options.administration,
      accounts: createAccounts(options.db, clock),
      content: createContent(options.db),
      keepQuery: [...config.keepQuery].sort(),
      preferences: createPreferences(options.db),
      imported: importedDays(options.db),
      shareLinks: identity.shareLinks,
      advisor: {
        plan: config.plan,
        homeCountry: config.homeCountry,
        hasCities: options.hasCities,
        now: () => performance.now(),
        onError: (question, error) =>
          log.error('a question could not be answered', {
            question,
            reason: errorText(error),
          }),
      },
    },
    identify: identity.identify,
    addressOf: (_request, context) => clientOf(nodeRequest(context), trusted).address,
    originOf: (_request, context) => originOf(nodeRequest(context), trusted),
    translate: error => (isStorageError(error) ? storageUnavailable() : null),
    log: bug,
    requestId,
    version,
  })
  const login = loginPage({ identity, db: options.db, clock, root: config.rootPath, base })
  const answer = async (request: Request, context: unknown): Promise<Response> => {
    const url = addressOf(request)
    // Where monitoring looks for it by custom; the same rules as below the base.
    if (url.pathname === `${config.rootPath}/metrics`)
      return router(new Request(new URL(`${api}/metrics`, url), request), context)
    if (url.pathname !== `${config.rootPath}/login`) return router(request, context)
    const origin = originOf(nodeRequest(context), trusted)
    return login(request, { url: relocate(url, origin), address: clientOf(nodeRequest(context), trusted).address })
  }
  // What is thrown here the adapter would show to the client.
  const safely = (request: Request, context: unknown): Promise<Response> =>
    answer(request, context).catch((error: unknown) => {
      const id = requestId()
      bug({ requestId: id, route: null, error })
      return brokenAnswer(id)
    })
  const adapter = createServerAdapter(async (request: Request, context: unknown) => {
    const started = performance.now()
    const answered = await safely(request, context)
    options.traffic.api.observe((performance.now() - started) / 1000)
    options.traffic.apiAnswered(answered.status)
    return answered
  })
  const begin = runOnePerTick()
  const trackers = [...new Set([config.trackerPath, '/tracker.js'])].map(path => `${config.rootPath}${path}`)

  return {
    handlers: [
      createCollectionHandler({
        base,
        pixelPath: `${config.rootPath}/pixel.gif`,
        clock,
        zone,
        collector,
        limits: { hit: config.throttleHits, event: config.throttleHits, engagement: config.throttleEngagement },
        trusted,
        tokenRoles: identity.tokenRoles,
        requestId,
        log: bug,
        answered: options.traffic.collection.observe,
      }),
      createHealthHandler(`${config.rootPath}/healthz`, options.isHealthy),
      createStaticHandler(
        new Map([
          ...homeFiles(config.rootPath, api),
          ...trackers.map((path): [string, StaticFile] => [path, trackerFile(trackerScript, path, api)]),
        ]),
      ),
      (request, response) => {
        begin(() => void adapter(request, response))
        return true
      },
    ],
  }
}
