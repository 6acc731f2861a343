import { publicUrlOf } from '../config/config.ts'
import { readDemoMark } from '../database/demo-mark.ts'
import { sendDueDigests } from '../digest/send.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Read } from '../reports/pool.ts'
import { importedDays } from '../rollup/imported.ts'
import { sourcesState } from '../rollup/sources-state.ts'
import { zoneChanges } from '../rollup/zone.ts'
import type { Collection } from './collection.ts'
import type { Base } from './storage.ts'

/** Connects digests to the service's reports. What the file says is read when one is due. */
export const wireDigest =
  ({ db, clock, zone, config }: Base, { collector, geoip }: Collection, read: Read, mailer: Mailer) =>
  (): Promise<string> =>
    sendDueDigests({
      db,
      config,
      mailer,
      context: {
        clock,
        zone,
        read,
        zoneChanges: zoneChanges(db),
        demo: readDemoMark(db),
        activeSince: collector.activeSince,
        attribution: () => geoip.facts().attribution,
        imported: importedDays(db),
        sources: sourcesState(db),
      },
      site: config.siteUrl === null ? null : new URL(config.siteUrl).host,
      dashboard: publicUrlOf(config),
      signal: new AbortController().signal,
    })
