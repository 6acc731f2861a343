import type { Range } from './range.ts'
import type { Segment } from './segment.ts'

/** Whose visits a report is about, how many seconds of each day (null: all of it), and by which calendar. */
export type Part = { filters: Segment; until: number | null; timezone: string }

/** What the service asks a reader thread; statements find the rows that cover the range in temp.period. */
export type Ask = {
  id: number
  statements: readonly { sql: string; params: object }[]
  range: Range | null
  explain: boolean
  part?: Part
}

/** A statement that was run, for `explain=1`; of one that ran for each day, the values of the first and the sums of all. */
export type Trace = { sql: string; params: object; plan: string[]; rows: number; milliseconds: number; runs?: number }

/** The rows of each statement, or what went wrong, with the code of an error of the file; or the first day of raw rows, where a segment reaches back before it. */
export type Reply = { id: number } & (
  | { rows: unknown[][]; traces: Trace[] }
  | { error: string; code: string | null }
  | { rawFrom: number }
)

/** Where, in the memory a reader shares with the service, the number of the report stands that nobody waits for any more. */
export const stoppedAt = 0
