import { isbot } from 'isbot'
import { createLruCache, copyString } from '../../lib/lru-cache.ts'
import { findBrowser } from './agent-browser.ts'
import { type Device, findDevice } from './agent-device.ts'
import { type ClientHints, cutHints, ownHints } from './agent-hints.ts'
import { findOs } from './agent-os.ts'

export type { ClientHints } from './agent-hints.ts'

/** What a report says of a visitor's machine. Unknown is `null`; versions are major versions ('126'). */
export type Agent = Readonly<{
  device: Device
  browser: string | null
  browserVersion: string | null
  os: string | null
  osVersion: string | null
}>

// Longer than any browser's; bounds what a hostile header can cost in time and in memory.
const longestUserAgent = 1024
const cacheSize = 2000
/** Of one user agent: screens are wide or narrow, and hints differ by system and model. */
const mostVariants = 8
// In CSS pixels; between the widest phone and the narrowest tablet.
const widestPhone = 600

type Variant = { hints: ClientHints; narrow: boolean; agent: Agent }
/** What is known of one user agent; variants with the newest first. */
type Known = { text: string; bot: boolean; variants: readonly Variant[] }

const agents = createLruCache<string, Known>(cacheSize)

/** By the user agent alone, which the two questions share: a key with all the hints would cost as much as the rest. */
const knownOf = (userAgent: string): Known => {
  const text = userAgent.length > longestUserAgent ? copyString(userAgent.slice(0, longestUserAgent)) : userAgent
  const found = agents.get(text)
  if (found !== undefined) return found
  const known = { text, bot: text.trim() === '' || isbot(text), variants: [] }
  agents.set(text, known)
  return known
}

/** Whether the sender is a machine by its own account: an empty user agent, or one on isbot's list. */
export const isBot = (userAgent: string): boolean => knownOf(userAgent).bot

const parse = (userAgent: string, hints: ClientHints, narrow: boolean): Agent => {
  const os = findOs(userAgent, hints)
  const browser = findBrowser(userAgent, hints.brands)
  return Object.freeze({
    device: findDevice({ userAgent, os: os.name, hints, narrow }),
    browser: browser.name,
    browserVersion: browser.version,
    os: os.name,
    osVersion: os.version,
  })
}

const areEqual = (one: ClientHints, other: ClientHints): boolean =>
  one.brands === other.brands &&
  one.mobile === other.mobile &&
  one.platform === other.platform &&
  one.platformVersion === other.platformVersion &&
  one.model === other.model

/**
 * Names device, browser and operating system from the user agent and the client hints sent with it,
 * in the spellings people expect (Chrome on an iPhone is Chrome, iPadOS is iOS). Hints are believed before the
 * user agent, which browsers have frozen: without hints Windows 11 says 10 and many an Android says 10.
 * `screenWidth` (CSS pixels) decides only between phone and tablet where nothing else does.
 * Never throws; the answer is shared with later callers, hence frozen.
 */
export const parseAgent = (userAgent: string, hints: ClientHints, screenWidth?: number): Agent => {
  const cut = cutHints(hints)
  const narrow = screenWidth !== undefined && screenWidth > 0 && screenWidth < widestPhone
  const known = knownOf(userAgent)
  for (const variant of known.variants) {
    if (variant.narrow === narrow && areEqual(variant.hints, cut)) return variant.agent
  }
  const agent = parse(known.text, cut, narrow)
  const kept = ownHints(cut)
  if (kept !== null) known.variants = [{ hints: kept, narrow, agent }, ...known.variants].slice(0, mostVariants)
  return agent
}
