import type { Body } from '../collection/ingest/values.ts'
import type { Incoming } from '../collection/record.ts'

/** A line as a collection request, or why it is not one; null for a line with nothing to count. */
export type Line = { incoming: Incoming; body: Body } | { wrong: string } | null

/** How a format is parsed: only a line's time, which is cheap, or the whole line. */
export type Format = {
  /** Seconds since 1970; null if the line has no valid time. */
  timeOf: (text: string) => number | null
  parse: (text: string) => Line
  /** By how many seconds a line may be earlier than one before it. */
  disorder: number
}

export const isWrongLine = (line: Line): line is { wrong: string } => line !== null && 'wrong' in line
