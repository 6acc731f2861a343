import type { Viz, VizType } from '../advisor/viz.ts'
import type { Row } from './listing.ts'

const cellOf = (value: unknown): string | null => (value === null || value === undefined ? null : String(value))

/** The rows or facts that an answer is based on; none if its sentence says all. */
export const answerRows = (viz: Viz<VizType>): Row[] => {
  if ('rows' in viz)
    return viz.rows.map(row => Object.fromEntries(viz.columns.map(({ key, label }) => [label, cellOf(row[key])])))
  if ('items' in viz)
    return viz.items.map(({ label, value, share }) => ({ '': label, value: cellOf(value), share: cellOf(share) }))
  if ('facts' in viz) return viz.facts.map(({ label, value }) => ({ '': label, value: cellOf(value) }))
  if ('evidence' in viz) return viz.evidence.map(({ label, value }) => ({ '': label, value: cellOf(value) }))
  return []
}
