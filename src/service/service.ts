import { watchLog } from '../checks/privacy/log-watch.ts'
import { type Config, type Environment, publicUrlOf } from '../config/config.ts'
import type { SmtpServer } from '../config/smtp-url.ts'
import { type DemoMark, readDemoMark } from '../database/demo-mark.ts'
import { createDoor, type Door } from '../http/door.ts'
import { byHeader } from '../http/server.ts'
import { idHeader, signAnswers } from '../http/signature.ts'
import { firstAdministrator } from '../identity/first-administrator.ts'
import { createIdentity, type Identification } from '../identity/identify.ts'
import { createJwtReader, type JwtKeys, type JwtReader } from '../identity/jwt.ts'
import { pairingSecrets } from '../identity/pairings.ts'
import { isUnencrypted } from '../identity/wordpress/site.ts'
import { createWordPress, type WordPress } from '../identity/wordpress/wordpress.ts'
import { jobs } from '../jobs/list.ts'
import type { Job } from '../jobs/run.ts'
import { overdueJobs, startTimed, timedJobs } from '../jobs/schedule.ts'
import { type AddressList, parseAddressList } from '../lib/address/list.ts'
import { type Sleep, sleep } from '../lib/sleep.ts'
import type { Clock } from '../lib/time.ts'
import { createTraffic } from '../metrics/collect.ts'
import { listenForMetrics, type MetricsListener } from '../metrics/listener.ts'
import { createPool } from '../reports/pool.ts'
import { type Log, logFailure } from '../runtime/log.ts'
import type { ShopKey } from '../shop/oauth.ts'
import { wireAdministration } from './administration.ts'
import { adoptConfiguration, wireCollection } from './collection.ts'
import { createHandlers } from './handlers.ts'
import { serviceTicks, wireJobs } from './jobs.ts'
import { wireDesk, wireMail } from './mail.ts'
import { stopService } from './stop.ts'
import { type Base, openStorage } from './storage.ts'

export type FirstRun = { login: string; password: string | null; loginUrl: string }

export type Service = {
  /** The URL it listens at, without the root path. */
  url: string
  /** The URL of the dashboard for browsers, as far as it is known. */
  dashboardUrl: string
  firstRun: FirstRun | null
  /** The tracking snippet for the site's pages. */
  trackerTag: string
  /** Set if the file contains demo data. */
  demo: DemoMark | null
  /** Rejects if it could not start again with other options of the file. */
  failed: Promise<never>
  /** Finishes pending requests, commits pending records, checkpoints, and unlocks the file. */
  close: () => Promise<void>
}

export type ServiceOptions = {
  clock?: Clock
  log: Log
  env?: Environment
  adminPassword?: string
  jwtKeys?: JwtKeys
  webhookSecret?: string | null
  shopKey?: ShopKey | null
  shopSleep?: Sleep
  /** The mail server of FOOTFALL_SMTP_URL. */
  smtp?: SmtpServer | null
  mailSleep?: Sleep
  /** The jobs that run by themselves, at times of the machine's clock whatever `clock` says: all by default. */
  scheduled?: readonly Job[]
}

/** Proxies whose X-Forwarded-For is believed. */
const trustedProxies = ({ trustProxy }: Config): AddressList => parseAddressList([...trustProxy]).list

const noKeys: JwtKeys = { secrets: [], publicKey: null }

const wireWordPress = ({ config, clock, log }: Base): WordPress | null => {
  if (config.wordpressUrl === null) return null
  if (isUnencrypted(config.wordpressUrl))
    log.warn('credentials are sent to WordPress unencrypted: use an https URL for --wordpress-url')
  return createWordPress({
    url: config.wordpressUrl,
    viewerRoles: config.viewerRoles,
    clock,
    onFailure: reason => log.warn('WordPress logins cannot be verified', { reason }),
  })
}

const wireIdentity = (base: Base, jwt: JwtReader): Identification =>
  createIdentity({
    db: base.db,
    clock: base.clock,
    root: base.config.rootPath,
    requireTotp: base.config.requireTotp,
    jwt,
    wordpress: wireWordPress(base),
    viewerRoles: base.config.viewerRoles,
  })

/** Starts the metrics listener, which needs no authentication; null if none is configured. */
const startMetrics = async ({ config, log }: Base, metrics: () => Promise<string>): Promise<MetricsListener | null> => {
  if (config.metricsListen === null) return null
  const listener = await listenForMetrics(config.metricsListen, metrics)
  log.info('metrics are served without authentication', { url: listener.url })
  return listener
}

/** Creates the first user of a new file; null in a file that has users. */
const createFirstUser = async (
  { db, now }: Base,
  site: string,
  adminPassword: string | undefined,
): Promise<FirstRun | null> => {
  const first = await firstAdministrator(db, adminPassword, now())
  return first === null
    ? null
    : { login: first.login, password: first.password, loginUrl: `${site}/login?token=${first.linkToken}` }
}

type Behind = { door: Door; restart: () => void }

type Started = Omit<Service, 'failed' | 'close'> & { stop: (endRequests: () => Promise<void>) => Promise<void> }

/**
 * Starts everything in order: file, identity, collection, jobs, HTTP, timers, port.
 * @param behind restart: to be called when the file says what counts from the next start on
 */
const startBehind = async ({ door, restart }: Behind, given: Config, options: ServiceOptions): Promise<Started> => {
  const { clock = Date.now, env = {}, jwtKeys = noKeys, webhookSecret = null, shopKey = null } = options
  const watched = watchLog(options.log)
  // A key that cannot be used is found before the file is opened.
  let paired: () => Uint8Array[] = () => []
  const jwt = await createJwtReader(jwtKeys, () => paired(), clock)

  const base = openStorage(given, clock, watched.log)
  const { db, config, zone, log } = base
  paired = () => pairingSecrets(db)
  const identity = wireIdentity(base, jwt)

  const collection = wireCollection(base, { identity, webhookSecret, shopKey, shopSleep: options.shopSleep ?? sleep })
  adoptConfiguration(base, collection)
  collection.collector.restore()
  collection.refresher.schedule()

  const pool = createPool(base.path)
  const { smtp = null, mailSleep = sleep } = options
  const messages = wireMail(base, { smtp, env, sleep: mailSleep })
  const { runJobs, alerts, refreshGeoip } = wireJobs(base, collection, { read: pool.read, ...messages, env })
  const enableFallback = () => {
    const state = collection.geoip.enableFallback()
    refreshGeoip()
    return state
  }

  const traffic = createTraffic()
  const administration = wireAdministration(base, collection, { env, identity, traffic, watched, read: pool.read })
  const handlers = [
    byHeader(
      idHeader,
      signAnswers(() => [...jwtKeys.secrets, ...paired()]),
    ),
    ...createHandlers(base, {
      collection,
      identity,
      pool,
      alertChannels: alerts.channels,
      mail: wireDesk(base, collection, pool.read, messages.tester, smtp !== null),
      traffic,
      administration: { ...administration, runJobs, enableFallback },
      trusted: trustedProxies(config),
      restart,
    }),
  ]

  const timers = startTimed(
    [
      ...serviceTicks(base, collection, refreshGeoip, administration.saveObservations),
      ...timedJobs(options.scheduled ?? jobs, runJobs),
    ],
    zone.name,
    (name, error) => logFailure(log, name)(error),
  )
  let metricsListener: MetricsListener | null = null
  const stop = (endRequests: () => Promise<void>): Promise<void> =>
    stopService(base, {
      collection,
      administration,
      alerts,
      ...messages,
      pool,
      endRequests,
      timers,
      metricsListener: () => metricsListener,
    })

  try {
    const url = await door.open(config)
    metricsListener = await startMetrics(base, administration.metrics)
    const site = `${url}${config.rootPath}`
    administration.setPublicUrls([`${site}${config.trackerPath}`, `${site}${config.basePath}/analytics/v1/hit`])
    administration.saveObservations()
    void runJobs(overdueJobs(jobs, db, zone, base.now()))
    // Last, because a failed start must not lose the password, which is shown once.
    const publicSite = publicUrlOf(config) ?? site
    const firstRun = await createFirstUser(base, publicSite, options.adminPassword)
    const trackerTag = `<script defer src="${publicSite}${config.trackerPath}"></script>`
    door.serve(handlers)
    return { url, dashboardUrl: `${publicSite}/`, firstRun, demo: readDemoMark(db), trackerTag, stop }
  } catch (error) {
    await stop(door.close)
    throw error
  }
}

/**
 * Starts the service, and starts it again within the same process whenever the file says what counts from the next start
 * on. Requests wait meanwhile.
 * @throws DatabaseError if the file cannot be used, or the system's error if the port cannot
 */
export const startService = async (config: Config, options: ServiceOptions): Promise<Service> => {
  const door = createDoor(trustedProxies(config))
  const failure = Promise.withResolvers<never>()
  // Whoever doesn't wait for it learns of it by the closed door.
  failure.promise.catch(() => {})
  let restarts = Promise.resolve()
  let isAsked = false
  const restart = (): void => {
    if (isAsked) return
    isAsked = true
    options.log.info('the file says what counts from a start on: the service starts again; requests wait')
    restarts = restarts
      .then(async () => {
        // What running requests save meanwhile is read by the same start: the file is closed after them.
        await started.stop(door.hold)
        isAsked = false
        started = await startBehind({ door, restart }, config, options)
      })
      .catch(failure.reject)
  }
  let started = await startBehind({ door, restart }, config, options)
  const { stop: _, ...service } = started
  return {
    ...service,
    failed: failure.promise,
    close: async () => {
      await restarts
      await started.stop(door.close)
    },
  }
}
