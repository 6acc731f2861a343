import trackerScript from 'browser:tracker'
import { questionTexts } from '../advisor/listing.ts'
import { classify } from '../channel/channel.ts'
import type { Collector } from '../collection/collector.ts'
import { siteHosts } from '../config/site-hosts.ts'
import type { Config, Environment } from '../config/config.ts'
import type { Context } from './context.ts'
import { saveState } from '../database/saved-state.ts'
import type { FileIdentity } from '../database/file-identity.ts'
import type { Db } from '../database/query.ts'
import { sqliteVersion } from '../database/version.ts'
import type { ServiceNote, Watched } from '../checks/diagnostics/file.ts'
import { createInspector } from '../checks/diagnostics/inspector.ts'
import { createDiagnosis } from '../checks/diagnostics/live.ts'
import { shownConfig } from '../checks/diagnostics/report.ts'
import type { Identification } from '../identity/identify.ts'
import { jobs } from '../jobs/list.ts'
import { createMetrics } from '../metrics/collect.ts'
import type { Traffic } from '../metrics/traffic.ts'
import type { Places } from '../geoip/geoip.ts'
import { createAudit } from '../checks/privacy/live.ts'
import type { watchLog } from '../checks/privacy/log-watch.ts'
import { runSelfTest } from '../checks/self-test/run.ts'
import type { SettingsStore } from '../settings/settings.ts'
import { toSeconds, type Clock, type Zone } from '../lib/time.ts'

type Options = {
  db: Db
  path: string
  place: FileIdentity
  config: Config
  env: Environment
  clock: Clock
  zone: Zone
  traffic: Traffic
  collector: Collector
  places: Places
  settings: SettingsStore
  identity: Identification
  watched: ReturnType<typeof watchLog>
}

/** What the service tells of itself: its state, its checks, its figures. */
export type Administration = Pick<Context, 'diagnose' | 'selfTest' | 'privacyAudit' | 'metrics'> & {
  /** The addresses by which visitors reach the service, once it listens. */
  published: (urls: string[]) => void
  /** Writes down what the commands beside the service cannot see. */
  note: () => void
  /** Ends the threads that read the file. */
  stop: () => Promise<void>
}

export const createAdministration = ({
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
}: Options): Administration => {
  const now = (): number => toSeconds(clock())
  const started = {
    pid: process.pid,
    startedAt: now(),
    timezone: zone.name,
    config: shownConfig(config, env),
  } satisfies ServiceNote
  // The file never holds an address, not even one of the operator's own.
  const {
    host: _host,
    trust_proxy: _trusted,
    metrics_listen: _listen,
    wordpress_url: _wordpress,
    geoip_fallback_url: _free,
    geoip_licensed_url: _licensed,
    ...noted
  } = started.config
  saveState(db, 'service', { ...started, config: noted })
  const inspector = createInspector(path, clock)
  let publicUrls: string[] = []
  return {
    diagnose: createDiagnosis({
      ...started,
      db,
      place,
      clock,
      collector,
      inspector,
      places: places.facts,
      anyHost: siteHosts(config).length === 0,
      sqlite: sqliteVersion(),
    }),
    selfTest: () =>
      runSelfTest({
        path,
        clock,
        zone,
        classify,
        questionTexts,
        jobs,
        geo: places.geo(),
        geoEnabled: settings.current().geoip_enabled,
        integrity: inspector.integrity,
      }),
    metrics: createMetrics({ db, path, collector, traffic, now, startedAt: started.startedAt }),
    privacyAudit: createAudit({
      clock,
      inspector,
      watched,
      tracker: trackerScript,
      siteUrl: config.siteUrl,
      failedLogins: identity.failedLogins,
      publicUrls: () => publicUrls,
    }),
    note: () =>
      saveState(db, 'watched', { ...watched.traces(), failedLogins: identity.failedLogins() } satisfies Watched),
    published: urls => {
      publicUrls = urls
    },
    stop: inspector.close,
  }
}
