import { toSeconds } from './time.ts'

/** The seconds of a Retry-After header, which is a number or a date; null without a valid one. */
export const retryAfter = (headers: Headers, milliseconds: number): number | null => {
  const text = headers.get('retry-after')?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const date = Date.parse(text)
  return Number.isNaN(date) ? null : Math.max(0, toSeconds(date - milliseconds))
}
