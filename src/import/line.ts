import type { Body } from '../collection/ingest/values.ts'
import type { Incoming } from '../collection/record.ts'

/** A line as a collection request, why it is invalid, or why there is nothing to count in it. */
export type Line = { incoming: Incoming; body: Body } | { problem: string } | { skipped: string }

/** Parses the lines of a format: only the time, which is cheap, or the whole line. */
export type Format = {
  /** Seconds since 1970; null if the line has no valid time. */
  timeOf: (text: string) => number | null
  parse: (text: string) => Line
  /** By how many seconds a line may be earlier than a preceding one. */
  tolerance: number
}
