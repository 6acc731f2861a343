import type { Day, Zone } from '../lib/time.ts'
import type { Settings } from '../settings/settings.ts'
import type { Tasks } from '../maintenance/tasks.ts'

/** What jobs work with: the service's own, or those of a command that has the file alone. */
export type JobTools = Omit<Tasks, 'follow'> & {
  /** Brings all rollups up to date; gives how many days were behind. */
  rollup: () => Promise<number>
  /** Destroys salts whose time is over; gives how many. */
  destroySalts: () => number
  /** Takes up what is to be fetched from the shop; gives a sentence on how things stand. */
  shop: () => string
  /** Fetches or reads the places' database again where that is due; gives a sentence on how things stand. */
  places: () => Promise<string>
  /** Where backups go by themselves; null if nowhere. */
  backupFolder: string | null
  /** How many of them stay. */
  backupKeep: number
  now: () => number
  today: () => Day
  zone: Zone
  settings: () => Settings
}

/** Work that the service does by the clock, in croner's notation and the site's time zone. `run` gives a sentence on what was done. */
export type Job = { name: string; schedule: string; about: string; run: (tools: JobTools) => Promise<string> }
