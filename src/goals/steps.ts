// What goals and funnels look for, in numbers.
import { markIds } from '../lib/marks.ts'

/** An event must have one of these values of a property. */
export type PropertyValues = { key: string; values: readonly number[] }

/**
 * What a view or an event must be. Pages are null where all fit. `scroll` needs a view that reached so many percent,
 * `seconds` a visit that spent so long on such pages.
 */
export type GoalStep =
  | { kind: 'page'; pages: readonly number[] | null }
  | { kind: 'scroll' | 'seconds'; pages: readonly number[] | null; threshold: number }
  | { kind: 'event'; names: readonly number[]; property: PropertyValues | null }

export type FunnelStep = Extract<GoalStep, { kind: 'page' | 'event' }>

/** Steps in this order; `strict` if no other view may come between. */
export type Chain = { steps: readonly FunnelStep[]; strict: boolean }

/** Sessions that reached one of the goals, or the last step of one of the chains; or, if not `included`, none. */
export type ReachFilter = { included: boolean; goals: readonly GoalStep[]; chains: readonly Chain[] }

/** The part of a day's visits that is counted. */
export type Scope = {
  /** 1 for each session that counts; null for all. */
  sessions: Uint8Array | null
  /** 1 for each page that counts; null for all. */
  pages: Uint8Array | null
}

export const wholeDay: Scope = { sessions: null, pages: null }

/** 1 at each listed number; null for all. */
export const acceptsOf = (ids: readonly number[] | null): Uint8Array | null => (ids === null ? null : markIds(ids))
