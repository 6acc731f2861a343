// What a report was compared with: the service compares, the page only shows it.
import { createZone } from '../../lib/time.ts'
import type { Meta } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { lengthOf, type Span } from '../app/days.ts'
import type { Lengths } from '../parts/judge-change.ts'

export type Comparison = {
  span: Span
  /** The moment up to which its last day counts; null for whole days. */
  until: string | null
  /** Whether today, which is not over, is compared with a whole day: that is neither good nor bad. */
  unfair: boolean
  /** How many days both have, as far as they are over; null where both are as long. */
  lengths: Lengths | null
}

/** The comparison of a report; null without one, and with days before the first whole one. */
export const useComparison = (meta: Meta | undefined): Comparison | null => {
  const { span, today, zone } = useApp()
  const other = meta?.compared
  if (other === undefined || meta?.not_compared !== undefined) return null
  const until = meta?.compared_until ?? null
  const { from_hour } = span
  // The last days of both are cut at the same time.
  const missing = until === null ? 0 : 1 - (createZone(zone).timeOf(Date.parse(until) / 1000) + 1) / 86_400
  const [days, others] = [lengthOf(span), lengthOf(other)]
  return {
    span: from_hour === undefined ? other : { ...other, from_hour },
    until,
    unfair: span.from === today && until === null,
    lengths: from_hour !== undefined || days === others ? null : [days - missing, others - missing],
  }
}
