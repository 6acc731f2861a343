import { isbot } from 'isbot'
import { createMemo } from '../memo.ts'
import { findBrowser } from './agent-browser.ts'
import { type Device, findDevice } from './agent-device.ts'
import { type ClientHints, cutHints } from './agent-hints.ts'
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
// In CSS pixels; between the widest phone and the narrowest tablet.
const widestPhone = 600

const bots = createMemo<string, boolean>(cacheSize)
const agents = createMemo<string, Agent>(cacheSize)

/** Whether the sender is a machine by its own account: an empty user agent, or one on isbot's list. */
export const isBot = (userAgent: string): boolean => {
  const text = userAgent.slice(0, longestUserAgent)
  const known = bots.get(text)
  if (known !== undefined) return known
  const bot = text.trim() === '' || isbot(text)
  bots.set(text, bot)
  return bot
}

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

/**
 * Names device, browser and operating system from the user agent and the client hints sent with it,
 * in the spellings people expect (Chrome on an iPhone is Chrome, iPadOS is iOS). Hints are believed before the
 * user agent, which browsers have frozen: without hints Windows 11 says 10 and many an Android says 10.
 * `screenWidth` (CSS pixels) decides only between phone and tablet where nothing else does.
 * Never throws; the answer is shared with later callers, hence frozen.
 */
export const parseAgent = (userAgent: string, hints: ClientHints, screenWidth?: number): Agent => {
  const text = userAgent.slice(0, longestUserAgent)
  const cut = cutHints(hints)
  const narrow = screenWidth !== undefined && screenWidth > 0 && screenWidth < widestPhone
  const key = `${text}\n${cut.brands}\n${cut.mobile}\n${cut.platform}\n${cut.platformVersion}\n${cut.model}\n${narrow}`
  const known = agents.get(key)
  if (known !== undefined) return known
  const agent = parse(text, cut, narrow)
  agents.set(key, agent)
  return agent
}
