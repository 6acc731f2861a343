import type { Range } from './range.ts'
import type { Segment } from './segment.ts'

/** Which visits a report is about: its filters, the seconds of each day that count (null for all), and the calendar. */
export type SegmentRequest = { filters: Segment; until: number | null; timezone: string }

/** A statement with its values; `reads` names the rollups that a report about a segment derives for it. */
export type ReportStatement = { sql: string; params: object; reads: readonly string[] }

/** What a reader thread is sent. In temp.period statements find the periods that cover the range. */
export type ReadRequest = {
  id: number
  statements: readonly ReportStatement[]
  range: Range | null
  explain: boolean
  segment?: SegmentRequest
}

/**
 * A statement that was run, for `explain=1`; for one that ran for each day, the values of the first run and the sums
 * of all.
 */
export type Trace = { sql: string; params: object; plan: string[]; rows: number; milliseconds: number; runs?: number }

/**
 * The rows of each statement; or an error, with its code; or the first day of raw rows, where a segment begins before
 * it.
 */
export type ReadReply = { id: number } & (
  | { rows: unknown[][]; traces: Trace[] }
  | { error: string; code: string | null }
  | { rawFrom: number }
)

/** The index, in the memory that a reader shares with the service, of the id of the report that was abandoned. */
export const stoppedAt = 0
