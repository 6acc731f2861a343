import type { Body } from '../collection/ingest/fields/common.ts'
import type { Incoming } from '../collection/record.ts'

/** A line as the collection takes it, or why it cannot be taken; null for one that has nothing to count. */
export type Line = { incoming: Incoming; body: Body } | { wrong: string } | null

/** How a format is read: a line's time alone, cheaply, and the line as a whole. */
export type Format = {
  /** Seconds since 1970; null where the line has no time that can be read. */
  timeOf: (text: string) => number | null
  parse: (text: string) => Line
  /** By how many seconds a line may be earlier than one before it. */
  disorder: number
}

export const isWrongLine = (line: Line): line is { wrong: string } => line !== null && 'wrong' in line
