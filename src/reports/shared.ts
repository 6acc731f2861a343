import type { Access } from '../http/access.ts'

type Definition = { segment?: unknown; ofOrders?: true; goals?: true; shared?: 'unfiltered' | 'annotations' }

/** Which share links show a report. */
export const sharedOf = ({ segment, ofOrders, goals, shared }: Definition): Access['shared'] => {
  if (segment === undefined || ofOrders === true) return shared
  return goals === true ? 'goals' : 'always'
}
