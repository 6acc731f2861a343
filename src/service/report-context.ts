import { readDemoMark } from '../database/demo-mark.ts'
import type { ReportContext } from '../reports/context.ts'
import type { Read } from '../reports/pool.ts'
import { importedDays } from '../rollup/imported.ts'
import { sourcesState } from '../rollup/sources-state.ts'
import { zoneChanges } from '../rollup/zone.ts'
import type { Collection } from './collection.ts'
import type { Base } from './storage.ts'

/** What reports of the service itself work with, as the file says it now. */
export const reportContextOf = (
  { db, clock, zone, config }: Base,
  { collector, geoip }: Collection,
  read: Read,
): ReportContext => ({
  clock,
  zone,
  read,
  keepQuery: config.keepQuery,
  currency: config.currency,
  zoneChanges: zoneChanges(db),
  demo: readDemoMark(db),
  activeSince: collector.activeSince,
  attribution: () => geoip.facts().attribution,
  imported: importedDays(db),
  sources: sourcesState(db),
})
