import type { Session } from './collection/sessions.ts'
import type { Identification } from './identity/identify.ts'
import type { Read } from './reports/pool.ts'
import type { Shop } from './shop/shop.ts'
import type { SettingsStore } from './settings.ts'
import type { Clock, Zone } from './time.ts'

/** What endpoints work with; made once by the service. */
export type Context = {
  clock: Clock
  zone: Zone
  read: Read
  identity: Identification
  settings: SettingsStore
  shop: Shop
  /** Sessions with a view or engagement since a moment, from memory: no commit or rebuild needs to come first. */
  activeSince: (second: number) => Session[]
}
