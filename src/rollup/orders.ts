import type { Day } from '../time.ts'

/** What the service asks of the rollup thread: derive what has changed, or purge the raw rows of the days before one. */
export type Order = { kind: 'refresh' } | { kind: 'purge', before: Day }

/** How many days were derived or rows purged, or what went wrong. */
export type Report = { kind: Order['kind'], milliseconds: number } & ({ count: number } | { error: string })
