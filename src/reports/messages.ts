import type { Trace } from '../database/trace.ts'
import type { CountedGoal, FunnelCount, GoalCount } from '../goals/count.ts'
import type { GroupCount, GroupKind } from '../goals/groups.ts'
import type { Chain, ReachFilter } from '../goals/steps.ts'
import type { Amounts } from '../shop/amounts.ts'
import type { Slot } from './filters/table.ts'
import type { Range } from './range.ts'

/** The listed numbers or, if they are not `included`, all others. */
export type NumberSet = { included: boolean; ids: readonly number[] }

/**
 * Sessions that hold an event or, if it is not `included`, no such event: of one of the names (null for any), with one
 * of the values of each property, on these pages and pages of the hosts (null for any).
 */
export type EventFilter = {
  included: boolean
  names: readonly number[] | null
  properties: readonly { key: string; values: readonly number[] }[]
  hosts: NumberSet | null
  pages: NumberSet | null
}

/** What a segment selects, in numbers. Hours and weekdays are null where all are selected. */
export type SegmentNumbers = {
  slots: Readonly<Partial<Record<Slot, NumberSet>>>
  hours: readonly number[] | null
  weekdays: readonly number[] | null
  events: readonly EventFilter[]
  reached: readonly ReachFilter[]
}

/** A goal or funnel to count; `id` is that of a saved one, whose older days are stored. */
export type GoalToCount = CountedGoal & { id: number | null }
export type FunnelToCount = Chain & { id: number | null }

/** What to count besides the rows of statements. With `by` only the groups of the first goal are counted. */
export type CountRequest = {
  goals: readonly GoalToCount[]
  funnels: readonly FunnelToCount[]
  by: GroupKind | null
}

/** In the order of the request; `from` is the first day that is known. Of a whole range, stored days are counted in. */
export type Counted = {
  goals: (GoalCount & { amounts: Amounts; from: number })[]
  groups: (Omit<GroupCount, 'orders'> & { key: string; amounts: Amounts })[]
  funnels: (FunnelCount & { from: number })[]
}

/** A page by its number, or an event by its name's. */
export type NodeSet = { kind: 'page' | 'event'; ids: readonly number[] }

/** Which steps of the paths of sessions are counted; see paths/walk.ts. */
export type PathRequest = {
  direction: 'next' | 'previous'
  include: 'pages' | 'events' | 'both'
  /** The pages at whose first view paths start; null for where sessions began or ended. */
  start: readonly number[] | null
  /** What follows the start. */
  via: readonly NodeSet[]
  /** The sessions that a node must have to be listed by its name. */
  least: number
  /** How many further steps are counted, and how many nodes of each are listed; null for all, even those of one session. */
  depth: number
  limit: number | null
}

/**
 * Selects the visits of a report: filters, from which second of the first day on and before which second of each day
 * (null for whole days), and the time zone. With `paths`, their paths are counted instead of rollups.
 */
export type SegmentRequest = {
  filters: SegmentNumbers
  since: number | null
  until: number | null
  timezone: string
  count?: CountRequest
  paths?: PathRequest
}

/** A statement with its parameters; `reads` lists the rollups that a segment report must derive for it. */
export type ReportStatement = { sql: string; params: object; reads: readonly string[] }

/** A request to a reader thread. It fills temp.period with the periods that cover the range. */
export type ReadRequest = {
  id: number
  statements: readonly ReportStatement[]
  range: Range | null
  explain: boolean
  segment?: SegmentRequest
}

/**
 * The rows of each statement; or an error with its code; or the first day of raw rows, if the segment begins before it.
 */
export type ReadReply = { id: number } & (
  | { rows: unknown[][]; traces: Trace[]; counted?: Counted }
  | { error: string; code: string | null }
  | { rawFrom: number }
)

/** The index of the cancelled report's id in the memory shared with a reader. */
export const stoppedAt = 0
