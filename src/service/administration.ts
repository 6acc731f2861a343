import trackerScript from 'browser:tracker'
import { questionTexts } from '../advisor/listing.ts'
import { classify } from '../channel/channel.ts'
import type { ServiceNote, Watched } from '../checks/diagnostics/file.ts'
import { createInspector } from '../checks/diagnostics/inspector.ts'
import { createDiagnosis } from '../checks/diagnostics/live.ts'
import { shownConfig } from '../checks/diagnostics/report.ts'
import { createAudit } from '../checks/privacy/live.ts'
import type { WatchedLog } from '../checks/privacy/log-watch.ts'
import { runSelfTest } from '../checks/self-test/run.ts'
import { createSiteCheck } from '../checks/site/live.ts'
import { type Environment, isPublic, publicUrlOf, siteHosts, siteUrls } from '../config/config.ts'
import { sqliteVersion } from '../database/probe.ts'
import { saveState } from '../database/saved-state.ts'
import type { Context } from '../endpoints/context.ts'
import { trackerPaths } from '../http/static.ts'
import type { Identification } from '../identity/identify.ts'
import { jobs } from '../jobs/list.ts'
import { createMetrics, type Traffic } from '../metrics/collect.ts'
import { createSiteMetrics } from '../metrics/site.ts'
import type { Read } from '../reports/pool.ts'
import type { Collection } from './collection.ts'
import { reportContextOf } from './report-context.ts'
import type { Base } from './storage.ts'

type Options = { env: Environment; identity: Identification; traffic: Traffic; watched: WatchedLog; read: Read }

/** The service's own state, checks and metrics. */
export type Administration = Pick<Context, 'diagnose' | 'selfTest' | 'checkPage' | 'privacyAudit' | 'metrics'> & {
  /** Sets the URLs at which visitors reach the service, once it listens. */
  setPublicUrls: (urls: string[]) => void
  /** Saves what only this process knows, for commands in other processes. */
  saveObservations: () => void
  /** Stops the threads that read the file. */
  stop: () => Promise<void>
}

/** Saves how the service was started, without addresses: the database never contains any, not even the operator's. */
const saveStart = ({ db }: Base, start: ServiceNote): void => {
  const {
    host: _host,
    trust_proxy: _trusted,
    metrics_listen: _listen,
    wordpress_url: _wordpress,
    geoip_fallback_url: _free,
    geoip_licensed_url: _licensed,
    ...config
  } = start.config
  saveState(db, 'service', { ...start, config })
}

export const wireAdministration = (
  base: Base,
  collection: Collection,
  { env, identity, traffic, watched, read }: Options,
): Administration => {
  const { db, path, config, clock, now, zone } = base
  const { collector, geoip, settings } = collection
  const start = {
    pid: process.pid,
    startedAt: now(),
    timezone: zone.name,
    config: shownConfig(config, env),
    isPublic: isPublic(config),
  }
  saveStart(base, start)
  const inspector = createInspector(path, clock)
  let publicUrls: string[] = []
  return {
    diagnose: createDiagnosis({
      ...start,
      db,
      place: base.fileIdentity,
      clock,
      collector,
      inspector,
      places: geoip.facts,
      anyHost: siteHosts(config).length === 0,
      sqlite: sqliteVersion(),
    }),
    selfTest: language =>
      runSelfTest(
        {
          path,
          clock,
          zone,
          classify,
          questionTexts,
          jobs,
          geo: geoip.geo(),
          geoEnabled: settings.current().geoip_enabled,
          integrity: inspector.integrity,
        },
        language,
      ),
    checkPage: createSiteCheck({
      siteUrls: siteUrls(config),
      ownUrls: () => [...publicUrls, publicUrlOf(config) ?? []].flat(),
      tracker: trackerScript,
      trackerPaths: trackerPaths(config.trackerPath),
    }),
    metrics: createMetrics({
      db,
      path,
      collector,
      traffic,
      now,
      startedAt: start.startedAt,
      site: config.metricsSite ? createSiteMetrics(reportContextOf(base, collection, read)) : null,
    }),
    privacyAudit: createAudit({
      clock,
      inspector,
      watched,
      tracker: trackerScript,
      siteUrl: config.siteUrl,
      failedLogins: identity.failedLogins,
      publicUrls: () => publicUrls,
    }),
    setPublicUrls: urls => {
      publicUrls = urls
    },
    saveObservations: () =>
      saveState(db, 'watched', { ...watched.traces(), failedLogins: identity.failedLogins() } satisfies Watched),
    stop: inspector.close,
  }
}
