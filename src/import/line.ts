import type { Body } from '../collection/ingest/values.ts'
import type { Incoming } from '../collection/record.ts'

/** A line as a collection request, or why it is invalid; null for a line without anything to count. */
export type Line = { incoming: Incoming; body: Body } | { problem: string } | null

/** Parses the lines of a format: only the time, which is cheap, or the whole line. */
export type Format = {
  /** Seconds since 1970; null if the line has no valid time. */
  timeOf: (text: string) => number | null
  parse: (text: string) => Line
  /** By how many seconds a line may be earlier than a preceding one. */
  tolerance: number
}

export const isInvalidLine = (line: Line): line is { problem: string } => line !== null && 'problem' in line
