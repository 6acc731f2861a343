// The rows and notes of a report as text.
import type { Row } from './listing.ts'
import { flat, isPlain, type Plain } from './report-tables.ts'

const text = (value: unknown): string | null =>
  value === null || value === undefined ? null : typeof value === 'object' ? JSON.stringify(value) : String(value)
export const toRow = (value: Plain): Row =>
  Object.fromEntries(Object.entries(flat(value)).map(([key, part]) => [key, text(part)]))

/** What the figures were compared with, and filter values that nothing has. */
export const notesOf = (meta: unknown): string[] => {
  if (!isPlain(meta)) return []
  const {
    compared,
    compared_days: days,
    compared_until: until,
    previous_unlisted: unlisted,
    not_compared,
    unmatched,
  } = meta
  const lengths = Array.isArray(days) ? ` (${days[0]} days against ${days[1]})` : ''
  const other = isPlain(compared) ? `${text(compared.from)} to ${text(compared.to)}` : null
  return [
    ...(other === null
      ? []
      : [`Compared with ${other}${lengths}${typeof until === 'string' ? `, until ${until}` : ''}.`]),
    ...(typeof not_compared === 'string'
      ? [`No changes: the first day that was counted as a whole is ${not_compared}.`]
      : []),
    ...(typeof unlisted === 'number' && unlisted > 0 ? [`Rows that only those days have: ${unlisted}.`] : []),
    ...(Array.isArray(unmatched) ? unmatched.filter(isPlain) : []).map(
      ({ key, value, nearest }) =>
        `No ${text(key)} is called "${text(value)}".${Array.isArray(nearest) && nearest.length > 0 ? ` Nearest: ${nearest.join(', ')}.` : ''}`,
    ),
  ]
}
