import { createAdministration } from './administration.ts'
import { errorText } from '../lib/errors.ts'
import { createCollector, type Collector } from '../collection/collector.ts'
import { siteHosts } from '../config/site-hosts.ts'
import type { Config, Environment } from '../config/config.ts'
import { busyTimeout } from '../database/connect.ts'
import { readDemoMark, type DemoMark } from '../database/demo-mark.ts'
import { isHealthy } from '../database/health.ts'
import { saveState } from '../database/saved-state.ts'
import { openAlone } from '../database/open.ts'
import { watchFileIdentity } from '../database/file-identity.ts'
import type { Db } from '../database/query.ts'
import { createSite } from './site.ts'
import { closeServer, createHttpServer, listen } from '../http/server.ts'
import { firstAdministrator } from '../identity/first-administrator.ts'
import { createIdentity } from '../identity/identify.ts'
import { createJwtReader, type JwtKeys } from '../identity/jwt.ts'
import { isOpenToAll } from '../identity/wordpress/site.ts'
import { createWordPress } from '../identity/wordpress/wordpress.ts'
import { jobs } from '../jobs/list.ts'
import { createJobRunner } from '../jobs/run.ts'
import { startTimed } from '../jobs/scheduler.ts'
import { overdueJobs, timedJobs } from '../jobs/start.ts'
import { serviceTicks } from '../jobs/ticks.ts'
import type { Log } from '../runtime/log.ts'
import { listenForMetrics, type MetricsListener } from '../metrics/listener.ts'
import { createTraffic } from '../metrics/traffic.ts'
import { createGeoip } from '../geoip/geoip.ts'
import { watchLog } from '../checks/privacy/log-watch.ts'
import { createPool } from '../reports/pool.ts'
import { dirtyDays } from '../rollup/dirty.ts'
import { hasDuePeriods } from '../rollup/periods.ts'
import { hasUnpackedDays } from '../rollup/packed-day.ts'
import { adoptZone, chooseZone } from '../rollup/zone.ts'
import { createSettings } from '../settings/settings.ts'
import type { ShopKey } from '../shop/oauth.ts'
import { pause, type Pause } from '../shop/backoff.ts'
import { createShop, type Shop } from '../shop/shop.ts'
import { toSeconds, type Clock, type Day } from '../lib/time.ts'
import { daysBehind } from '../maintenance/days-behind.ts'
import { saveRescueCopy } from '../maintenance/save-rescue-copy.ts'
import { createRefresher } from '../maintenance/refresh.ts'
import { createWorkThread } from '../maintenance/thread.ts'

export type FirstRun = { login: string; password: string | null; loginUrl: string }

export type Service = {
  /** Where it listens, without the root path. */
  url: string
  firstRun: FirstRun | null
  /** The line to paste into the site's pages. */
  trackerTag: string
  /** Set where the file's figures are made up. */
  demo: DemoMark | null
  /** Ends requests under way, commits what waits, checkpoints, and gives the file free. */
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
  shopPause?: Pause
}

const noKeys: JwtKeys = { secrets: [], publicKey: null }

/** Purchases that have come since the last time; what fails stays waiting for the next. */
const attributeOrders = ({ store }: Shop, failed: (error: unknown) => void): void => {
  try {
    store.attribute()
  } catch (error) {
    failed(error)
  }
}

/** Pages of the log after which the collecting connection helps to move them into the file: 16 MiB. */
const logPages = 4000
/** KiB of the file that collection keeps at hand: it writes where rows end, and goes back to the visits of the last hour. */
const pagesAtHand = 8192

const commitAll = (db: Db, collector: Collector, shop: Shop): void => {
  shop.deliveries.write()
  collector.queue.flush()
  collector.queue.finish(busyTimeout)
  db.transaction(() => collector.ledger.write(db)).immediate()
  collector.ledger.settle()
  // The next start has nothing to count again.
  if (collector.queue.isWritten()) saveState(db, 'written', {})
}

/**
 * Starts everything in order: file, salts, visits under way, rollups, jobs, port.
 * @throws DatabaseError when the file cannot be used, and the system's error when the port cannot
 */
export const startService = async (
  config: Config,
  {
    clock = Date.now,
    log: plainLog,
    env = {},
    adminPassword,
    jwtKeys = noKeys,
    webhookSecret = null,
    shopKey = null,
    shopPause = pause,
  }: ServiceOptions,
): Promise<Service> => {
  const watched = watchLog(plainLog)
  const { log } = watched
  const jwt = await createJwtReader(jwtKeys, clock)
  const now = (): number => toSeconds(clock())
  const { db, path, copy, release } = openAlone(config.data, 'serve', now())
  const place = watchFileIdentity(path)
  // The upkeep thread moves the log into the file as it commits; this one only what is left, so that the log can begin anew.
  db.pragma(`wal_autocheckpoint = ${logPages}`)
  db.pragma(`cache_size = -${pagesAtHand}`)
  if (copy !== null) log.info('the file was brought to a newer schema; a copy of the old one is beside it', { copy })

  const zone = chooseZone(db, config.timezone)
  // The salt by which visitors are known on later days goes with the mode that they consented to.
  const settings = createSettings(db, (before, after) => {
    if (before.consent_mode === 'full' && after.consent_mode !== 'full') collector.salts.replaceLasting()
    collector.followErasures()
    places.follow()
    renewPlaces()
  })
  const wordpress =
    config.wordpressUrl === null
      ? null
      : createWordPress({
          url: config.wordpressUrl,
          clock,
          failed: reason => log.warn('WordPress cannot be asked who its users are', { reason }),
        })
  if (config.wordpressUrl !== null && isOpenToAll(config.wordpressUrl))
    log.warn('credentials go to WordPress unencrypted: give --wordpress-url an https address')
  const identity = createIdentity({ db, clock, root: config.rootPath, jwt, wordpress })
  const failed =
    (what: string) =>
    (error: unknown): void =>
      log.error(`${what} failed`, { reason: errorText(error) })
  const today = (): Day => zone.dayOf(now())
  const thread = createWorkThread(path, zone.name)
  const refresher = createRefresher(thread, {
    today,
    isBehind: () => dirtyDays(db).length > 0 || hasDuePeriods(db, today()) || hasUnpackedDays(db, today()),
    before: () => collector.queue.finish(0),
    behind: daysBehind(log),
    failed: failed('bringing the rollups up to date'),
  })
  const places = createGeoip({
    db,
    path,
    clock,
    settings: settings.current,
    cityFile: config.geoipCity,
    fallbackUrl: config.geoipFallbackUrl,
    licensedUrl: config.geoipLicensedUrl,
    edition: config.geoipEdition,
  })
  if (places.facts().error !== null)
    log.warn("the places' database cannot be used", { file: config.geoipCity, reason: places.facts().error })
  const shop = createShop({
    db,
    zone,
    paidStatuses: config.orderStatuses,
    siteHosts: siteHosts(config),
    keepQuery: config.keepQuery,
    webhookSecret,
    url: config.woocommerceUrl,
    key: shopKey,
    clock,
    pause: shopPause,
    log,
  })
  const collector = createCollector({
    db,
    zone,
    now,
    settings: settings.current,
    // It may be exchanged while the service runs.
    get geo() {
      return places.geo()
    },
    allowedHosts: siteHosts(config),
    keepQuery: config.keepQuery,
    roleOf: cookie => identity.visitorRole(cookie, settings.current().excluded_roles),
    check: place.check,
    onCommit: changes => {
      refresher.changed(changes)
      if (changes.events.length > 0) attributeOrders(shop, failed('the attribution of orders'))
    },
    onError: failed('a commit'),
    onRecover: () => log.info('the log was checkpointed after a failed sync: hits are accepted again'),
  })
  const rederived = adoptZone(db, zone, now())
  if (rederived !== null)
    log.info('the time zone is another one: days are derived anew', { timezone: zone.name, days: rederived.length })
  const orders = shop.store.adopt()
  if (orders > 0) log.info('zone or counted statuses are other ones: revenue was derived anew', { orders })
  collector.salts.destroyExpired(now())
  // The mode may have been left on the command line while no service ran.
  if (settings.current().consent_mode !== 'full') collector.salts.replaceLasting()
  collector.restore()
  refresher.schedule()

  const pool = createPool(path)
  const runJobs = createJobRunner(
    db,
    clock,
    {
      rollup: refresher.refresh,
      purge: thread.purge,
      archive: thread.archive,
      optimize: thread.optimize,
      backup: thread.backup,
      destroySalts: () => collector.salts.destroyExpired(now()),
      shop: shop.jobs.pickUp,
      places: places.refreshGeoip,
      backupFolder: config.backupFolder,
      backupKeep: config.backupKeep,
      now,
      today,
      zone,
      settings: settings.current,
    },
    ({ name, ok, message, duration_ms }) =>
      ok
        ? log.debug('a job ran', { name, message, duration_ms })
        : log.error('a job failed', { name, reason: message }),
  )
  /** By way of the job, so that its row tells how it went. */
  const renewPlaces = (): void => {
    if (places.isDue()) void runJobs(jobs.filter(({ name }) => name === 'geoip'))
  }
  const traffic = createTraffic()
  const {
    published,
    note,
    stop: stopInspecting,
    ...administration
  } = createAdministration({
    traffic,
    db,
    path,
    place,
    config,
    env,
    clock,
    zone,
    collector,
    places,
    settings,
    identity,
    watched,
  })
  let monitoring: MetricsListener | null = null
  const demo = readDemoMark(db)
  const site = createSite({
    traffic,
    config,
    clock,
    zone,
    db,
    demo,
    collector,
    pool,
    identity,
    settings,
    shop,
    log,
    isHealthy: () => place.isKept() && isHealthy(db),
    hasCities: () => /city$/.test(places.facts().source),
    attribution: () => places.facts().attribution,
    administration: {
      ...administration,
      runJobs,
      enableFallback: () => {
        const state = places.enableFallback()
        renewPlaces()
        return state
      },
    },
  })
  const server = createHttpServer(site.handlers)
  const timed = startTimed(
    [...serviceTicks({ db, now, collector, settings, shop, note, renewPlaces }), ...timedJobs(jobs, runJobs)],
    zone.name,
    (name, error) => failed(name)(error),
  )
  const close = async (): Promise<void> => {
    timed.stop()
    await places.stop()
    await shop.jobs.stop()
    await closeServer(server)
    await monitoring?.close()
    commitAll(db, collector, shop)
    await refresher.stop()
    await thread.close()
    await stopInspecting()
    await pool.close()
    if (!place.isKept()) saveRescueCopy(db, path, clock, log)
    db.pragma('wal_checkpoint(truncate)')
    release()
    collector.queue.close()
    db.close()
  }

  try {
    const url = await listen(server, config.host, config.port)
    if (config.metricsListen !== null) {
      monitoring = await listenForMetrics(config.metricsListen, administration.metrics)
      log.info('metrics are answered without authentication', { url: monitoring.url })
    }
    published([config.trackerPath, `${config.basePath}/analytics/v1/hit`].map(one => `${url}${config.rootPath}${one}`))
    note()
    void runJobs(overdueJobs(jobs, db, zone, now()))
    // Only now, as a start that fails must not use up the password that is shown once.
    const first = await firstAdministrator(db, adminPassword, now())
    return {
      url,
      firstRun:
        first === null
          ? null
          : {
              login: first.login,
              password: first.password,
              loginUrl: `${url}${config.rootPath}/login?token=${first.linkToken}`,
            },
      demo,
      trackerTag: `<script defer src="${url}${config.rootPath}${config.trackerPath}"></script>`,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
