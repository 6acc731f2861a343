// The visitor's choices. One key of localStorage holds either the opt-out or the visitor id of mode `full`;
// without either, nothing is stored.
import { settings } from './script.ts'

/** 21 random characters that fit a URL (105 bits). Unlike `crypto.randomUUID` this works on plain http too. */
export const randomId = (): string =>
  crypto.getRandomValues(new Uint8Array(21)).reduce((id, byte) => id + (byte % 32).toString(32), '')

/** Where the browser denies storage, the choice lasts for this page. */
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

/** Whether nothing may be sent: the visitor opted out, in any tab, or the browser is automated. */
export const isSilent = (): boolean => navigator.webdriver || isOut()

/** Turns collection off for this browser. The opt-out replaces a stored visitor id. */
export const optOut = (): unknown => remember('out')

export const optIn = (): void => {
  if (isOut()) delete storage.footfall
}

/** Only an explicit yes counts as consent. */
export const setConsent = (answer: unknown): void => {
  consent = answer === 'granted' || answer === true
  if (!(consent || isOut())) delete storage.footfall
}

/** The visitor fields of a record, as decided when it is sent. */
export const identity = (): object => ({
  token: settings.token,
  consent_granted: consent,
  visitor_id: consent && settings.mode === 'full' ? (storage.footfall ?? remember(randomId())) : undefined,
})
