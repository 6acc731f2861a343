import type { Day } from '../time.ts'
import type { Changes } from './changes.ts'

/**
 * What the service asks of the rollup thread: to take in what has changed, or to purge the raw rows of the days before
 * one. `today` is the day that hits come in for; it stays marked until it is over, or the service stops (`last`).
 */
export type Order =
  | { kind: 'refresh', today: Day, changes: Changes, last: boolean }
  | { kind: 'purge', before: Day }

/** How many days were brought up to date or rows purged, or what went wrong. */
export type Report = { kind: Order['kind'], milliseconds: number } & ({ count: number } | { error: string })
