// What a report was compared with: the service compares, the page only shows it.
import type { Meta } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import type { Span } from '../app/days.ts'

export type Comparison = {
  span: Span
  /** The moment up to which its last day counts; null for whole days. */
  until: string | null
  /** Whether today, which is not over, is compared with a whole day: that is neither good nor bad. */
  unfair: boolean
}

/** The comparison of a report; null without one, and before counting began, as every figure would be a rise. */
export const useComparison = (meta: Meta | undefined): Comparison | null => {
  const { firstDay, span, today } = useApp()
  const other = meta?.compared
  if (other === undefined || firstDay === null || other.from < firstDay) return null
  const until = meta?.compared_until ?? null
  const { from_hour } = span
  return {
    span: from_hour === undefined ? other : { ...other, from_hour },
    until,
    unfair: span.from === today && until === null,
  }
}
