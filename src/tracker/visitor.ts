// What a visitor has decided. One key of localStorage holds either the opt-out or the id of mode `full`;
// where neither is wanted nothing is stored.
import { randomId } from './random.ts'
import { settings } from './script.ts'

/** Where the browser refuses its storage, the decision holds for this page. */
let storage: Record<string, string> = {}
try {
  storage = localStorage ?? storage
} catch {}

let consent: boolean | undefined

const remember = (value: string): string => {
  try {
    storage.footfall = value
  } catch {
    storage = { footfall: value }
  }
  return value
}

const isOut = (): boolean => storage.footfall === 'out'

/** Whether nothing may be sent: the visitor opted out, in whichever tab, or a program drives the browser. */
export const isSilent = (): boolean => navigator.webdriver || isOut()

/** Turns collection off for this browser. The opt-out takes the place of an id that was kept. */
export const optOut = (): void => {
  remember('out')
}

export const optIn = (): void => {
  if (isOut()) delete storage.footfall
}

/** Anything but a clear yes is a no. */
export const setConsent = (answer: unknown): void => {
  consent = answer === true || answer === 'granted'
  if (!consent && !isOut()) delete storage.footfall
}

/** What every record says of its visitor, as decided at the moment it is sent. */
export const identity = (): object => ({
  token: settings.token,
  consent_granted: consent,
  visitor_id: consent && settings.mode === 'full' ? (storage.footfall ?? remember(randomId())) : undefined,
})
