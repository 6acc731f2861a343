// What an annotation may hold. Rules return why a value is invalid, as a sentence; null if it is valid.
import { dropControls } from '../lib/controls.ts'
import { addDays, type Day, dateOf, toSeconds, type Zone } from '../lib/time.ts'

export const kinds = ['note', 'deploy', 'campaign', 'outage'] as const
export type Kind = (typeof kinds)[number]

/** A day, or a moment in seconds since 1970. */
export type Moment = { at: number; wholeDay: boolean }

export const maxText = 200
const maxLink = 2048
const yearInDays = 366

export const textRule = (text: string): string | null => {
  if (text.trim() === '') return 'text must not be empty.'
  if (text.trim() !== text) return 'text must not begin or end with a space.'
  if ([...text].length > maxText) return `text has at most ${maxText} characters.`
  return dropControls(text) === text && text.isWellFormed()
    ? null
    : 'text must not contain line breaks or control characters.'
}

export const linkRule = (link: string): string | null => {
  const url = URL.parse(link)
  const plain = url?.protocol === 'https:' && url.username === '' && url.password === ''
  return plain && link.length <= maxLink && !/\s/.test(link) && dropControls(link) === link
    ? null
    : `link must be an https address of at most ${maxLink} characters, without a login.`
}

const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/

/** `2026-03-10` is that day, `2026-03-10T12:00:00Z` a moment; null for other texts. */
export const readMoment = (text: string): Moment | null => {
  const day = dateOf(text)
  if (day !== null) return { at: day, wholeDay: true }
  const second = timePattern.test(text) && dateOf(text.slice(0, 10)) !== null ? toSeconds(Date.parse(text)) : NaN
  return second >= 0 ? { at: second, wholeDay: false } : null
}

export const momentRule = ({ at, wholeDay }: Moment, zone: Zone, now: number): string | null => {
  const last = addDays(zone.dayOf(now), yearInDays)
  return (wholeDay ? at : zone.dayOf(at)) > last ? 'at must not be more than a year from now.' : null
}

/** The day on which it is in a zone. */
export const dayOf = ({ at, wholeDay }: Moment, zone: Zone): Day => (wholeDay ? at : zone.dayOf(at))
