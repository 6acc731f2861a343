import { version } from '../../package.json'
import { noteVersion } from '../annotations/version.ts'
import { type Collector, createCollector } from '../collection/collector.ts'
import { siteHosts } from '../config/config.ts'
import type { Erase } from '../erasure/run.ts'
import { createGeoip, type Geoip } from '../geoip/geoip.ts'
import type { Identification } from '../identity/identify.ts'
import type { Sleep } from '../lib/sleep.ts'
import { createRefresher, type Refresher } from '../maintenance/refresh.ts'
import { createTaskThread, type TaskThread } from '../maintenance/thread.ts'
import { hasUnpackedDays } from '../packed/packed-days.ts'
import { dirtyDays, noChanges } from '../rollup/changes.ts'
import { hasDuePeriods } from '../rollup/periods.ts'
import { noteSources } from '../rollup/sources-state.ts'
import { adoptZone } from '../rollup/zone.ts'
import { type Log, logFailure } from '../runtime/log.ts'
import { createRules, type RuleStore } from '../settings/refusal-rules.ts'
import { createSettings, type SettingsStore } from '../settings/settings.ts'
import { createSuspects, type SuspectStore } from '../settings/suspects.ts'
import type { ShopKey } from '../shop/oauth.ts'
import { createShop, type Shop } from '../shop/shop.ts'
import { type Importing, wireImports } from './imports.ts'
import type { Base } from './storage.ts'

/** The components that write visits, orders and rollups. */
export type Collection = {
  settings: SettingsStore
  suspects: SuspectStore
  rules: RuleStore
  /** Judges visits that have ended, and all by a choice that they were not judged by yet. */
  judgeEnded: () => Promise<void>
  /** Erases beside collection; days follow as after `footfall forget`. */
  erase: Erase
  geoip: Geoip
  shop: Shop
  thread: TaskThread
  refresher: Refresher
  importing: Importing
  collector: Collector
}

type Options = {
  identity: Identification
  webhookSecret: string | null
  shopKey: ShopKey | null
  shopSleep: Sleep
}

const openGeoip = ({ db, path, clock, config, log }: Base, settings: SettingsStore): Geoip => {
  const geoip = createGeoip({
    db,
    path,
    clock,
    settings: settings.current,
    cityFile: config.geoipCity,
    fallbackUrl: config.geoipFallbackUrl,
    licensedUrl: config.geoipLicensedUrl,
    edition: config.geoipEdition,
  })
  const { error } = geoip.facts()
  if (error !== null) log.warn('the GeoIP database cannot be used', { file: config.geoipCity, reason: error })
  return geoip
}

const openShop = (
  { db, zone, clock, config, corrections, log }: Base,
  { webhookSecret, shopKey, shopSleep }: Omit<Options, 'identity'>,
): Shop =>
  createShop({
    db,
    zone,
    paidStatuses: config.orderStatuses,
    siteHosts: siteHosts(config),
    keepQuery: config.keepQuery,
    corrections,
    webhookSecret,
    url: config.woocommerceUrl,
    key: shopKey,
    clock,
    sleep: shopSleep,
    log,
  })

/** Attributes new purchases; failed ones are retried the next time. */
const attributeOrders = ({ store }: Shop, onError: (error: unknown) => void): void => {
  try {
    store.attribute()
  } catch (error) {
    onError(error)
  }
}

/** Logs the progress of a long recalculation: after an import, a change of the time zone, or a long downtime. */
const createProgressLog = (log: Log) => {
  let logged = 0
  return (left: number): void => {
    if (left > 0 && logged === 0) log.info('recalculating past days; their reports will follow', { days: left })
    else if (logged > 0 && left === 0) log.info('all days have been recalculated')
    else if (left > 0 && left <= logged - 100) log.info('recalculating past days', { days_left: left })
    else return
    logged = left
  }
}

/** Connects settings, GeoIP, shop, collector and rollups. Reads no visits into memory yet. */
export const wireCollection = (base: Base, { identity, ...shopOptions }: Options): Collection => {
  const { db, path, zone, config, now, today, log } = base
  const settings = createSettings(db)
  const suspects = createSuspects(db)
  const rules = createRules(db)
  const geoip = openGeoip(base, settings)
  const shop = openShop(base, shopOptions)
  const thread = createTaskThread(path, zone.name)
  const refresher = createRefresher(thread, {
    today,
    isBehind: () => dirtyDays(db).length > 0 || hasDuePeriods(db, today()) || hasUnpackedDays(db, today()),
    onProgress: createProgressLog(log),
    onError: logFailure(log, 'updating the rollups'),
  })
  const collector = createCollector({
    db,
    zone,
    now,
    settings: settings.current,
    // A getter, because the database may be replaced while the service runs.
    get geo() {
      return geoip.geo()
    },
    allowedHosts: siteHosts(config),
    keepQuery: config.keepQuery,
    corrections: base.corrections,
    isLive: true,
    suspects: suspects.current,
    rules: rules.held,
    roleOf: cookie => identity.visitorRole(cookie, settings.current().excluded_roles),
    check: base.fileIdentity.check,
    onCommit: changes => {
      refresher.onCommit(changes)
      if (changes.events.length > 0) attributeOrders(shop, logFailure(log, 'the attribution of orders'))
    },
    onError: logFailure(log, 'a commit'),
    onRecover: () => log.info('the log was checkpointed after a failed sync: hits are accepted again'),
  })
  settings.onChange((before, after) => {
    // The lasting salt, which recognizes returning visitors, may only be used in the mode they consented to.
    if (before.consent_mode === 'full' && after.consent_mode !== 'full') collector.salts.replaceLasting()
    collector.followErasures()
    geoip.applySettings()
  })
  /** Judges all visits by the current choice, as long as that takes; reports follow day by day. */
  const judgeAll = async (): Promise<void> => {
    await thread.judgeAll()
    suspects.refresh()
    collector.restore()
    refresher.onCommit({ ...noChanges(), whole: true })
  }
  let judging = Promise.resolve()
  return {
    settings,
    suspects: {
      ...suspects,
      save: (...values) => {
        const choice = suspects.save(...values)
        if (!choice.judged) judging = judging.then(judgeAll).catch(logFailure(log, 'judging visits'))
        return choice
      },
    },
    judgeEnded: async () => {
      await judging
      if (collector.hasEndedSuspects()) refresher.onCommit(await thread.judge(now()))
      suspects.refresh()
      if (!suspects.current().judged) await judgeAll()
    },
    rules,
    erase: async (request, who) => {
      const outcome = await thread.erase(request, now(), who)
      if (!request.dryRun) collector.followErasures()
      return outcome
    },
    geoip,
    shop,
    thread,
    refresher,
    importing: wireImports(base, { thread, refresher }),
    collector,
  }
}

/** Updates the database if the configuration or settings have changed since the last start. */
export const adoptConfiguration = (
  { db, zone, now, today, corrections, log }: Base,
  { settings, shop, collector }: Pick<Collection, 'settings' | 'shop' | 'collector'>,
): void => {
  const days = adoptZone(db, zone, now())
  if (days !== null)
    log.info('the time zone has changed: days are recalculated', { timezone: zone.name, days: days.length })
  const orders = shop.store.adopt()
  if (orders > 0) log.info('the time zone or the counted statuses have changed: revenue was recalculated', { orders })
  noteSources(db, corrections.services.size, today())
  noteVersion(db, version, now())
  collector.salts.destroyExpired(now())
  // The mode may have been changed on the command line while no service was running.
  if (settings.current().consent_mode !== 'full') collector.salts.replaceLasting()
}
