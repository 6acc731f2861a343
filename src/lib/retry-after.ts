import { toSeconds } from './time.ts'

/** Seconds that a server asks to wait, as a number or as a date on its clock; null if it does not say. */
export const retryAfter = (headers: Headers, milliseconds: number): number | null => {
  const text = headers.get('retry-after')?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const date = Date.parse(text)
  return Number.isNaN(date) ? null : Math.max(0, toSeconds(date - milliseconds))
}
