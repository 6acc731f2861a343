import type { ActiveVisit } from '../collection/store/sessions.ts'
import type { DemoMark } from '../database/demo-mark.ts'
import type { Attribution } from '../geoip/open.ts'
import type { Clock, Zone } from '../lib/time.ts'
import type { Imported } from '../rollup/imported.ts'
import type { SourcesState } from '../rollup/sources-state.ts'
import type { ZoneChange } from '../rollup/zone.ts'
import type { Shop } from '../shop/shop.ts'
import type { Read } from './pool.ts'

/** Dependencies of reports, in the service or in a command. */
export type ReportContext = {
  clock: Clock
  zone: Zone
  read: Read
  /** Query parameters that identify pages, sorted. */
  keepQuery: readonly string[]
  /** The site's currency, if it has chosen one. */
  currency?: string | null
  /** Earlier time zones of the site. */
  zoneChanges: readonly ZoneChange[]
  /** Set if the file contains demo data. */
  demo?: DemoMark | null
  /** Only in the service. */
  shop?: Shop
  /** Required attribution wherever places are shown; only known in the service. */
  attribution?: () => Attribution | null
  /** Visits with a view or engagement since a moment, from memory: no commit or rebuild needs to come first. */
  activeSince: (second: number) => ActiveVisit[]
  /** Days with visits that were recorded elsewhere. */
  imported: readonly Imported[]
  /** Whether suspect visits are in no figure; only in the service. */
  leavesOut?: () => boolean
  /** Since when the operator's file of sources is in use. */
  sources?: SourcesState | null
}
