import type { Range } from './range.ts'

/** What the service asks a reader thread; statements find the rows that cover the range in temp.period. */
export type Ask = { id: number, statements: readonly { sql: string, params: object }[], range: Range | null, explain: boolean }

/** A statement that was run, for `explain=1`. */
export type Trace = { sql: string, params: object, plan: string[], rows: number, milliseconds: number }

/** The rows of each statement, or what went wrong. */
export type Reply = { id: number } & ({ rows: unknown[][], traces: Trace[] } | { error: string })

/** Where, in the memory a reader shares with the service, the number of the report stands that nobody waits for any more. */
export const stoppedAt = 0
