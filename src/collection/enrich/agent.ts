import { isbot } from 'isbot'
import wordsText from '../../../data/bot-words.txt'
import botsText from '../../../data/bots.txt'
import patternsText from '../../../data/device-patterns.txt'
import { parseBrands } from '../../lib/brands.ts'
import { anyOf, dataRows } from '../../lib/data-rows.ts'
import { copyString, createLruCache, memoize } from '../../lib/lru-cache.ts'
import { osDevices } from './agent-names.ts'
import { type ClientHints, disguisedOs, findBrowser, findOs } from './agent-software.ts'

const machines = anyOf(dataRows(botsText).flat(), 'i')

/** A browser on something held or watched: a phone, a tablet, a television, or the window of an app that is not a browser. */
const peopleDevice =
  /^Mozilla\/\d\.\d \(.*(?:Android|iPhone|iPad|iPod|HarmonyOS|Tizen|Web0S|webOS|\bTV\b|GoogleTV|MicroMessenger|AliApp\()/

/** Names of devices and apps that hold one of isbot's words. */
const peopleNames =
  /(?:CU|FOSSi)BOT(?:[ _][\w+]{1,12})*|\bPOWER BOT\b|\b(?:[A-Z] |VR ?|X)BOT[ _][\w+]{1,12}|; [\w +-]{0,24}(?:bot|spider|google)[\w +-]{0,24}(?= Build\/)|; Spider(?: \d{1,2})?(?=[;)])|\bGoogle ?TV\b|\bcom\.google\.[\w.]+|@[a-z]{2,20}_(?:android|iphone|ipad)_/gi

/** What says bot to isbot, but not on a device of people. */
const sharedWords = anyOf(dataRows(wordsText).flat(), 'gi')

const isListed = (userAgent: string): boolean => isbot(userAgent) || machines.test(userAgent)

const withoutShared = (userAgent: string): string => userAgent.replace(peopleNames, ' ').replace(sharedWords, '')

/** Whether a user agent declares itself a bot; an empty one does. */
const isBotAgent = (userAgent: string): boolean =>
  userAgent.trim() === '' ||
  (isListed(userAgent) && !(peopleDevice.test(userAgent) && !isListed(withoutShared(userAgent))))

/** Names of brands that browsers send: `Not/A)Brand` and the like are made up, so that nobody relies on the list. */
const brandName = /^[\w .-]+$/
const peopleBrand = /^(?:Google Chrome|Chromium)$|\bbrand\b/i

/** Whether a brand in `Sec-CH-UA` is a bot's, as HeadlessChrome. */
const isBotBrand = memoize(500, brands =>
  parseBrands(brands.slice(0, 512)).some(
    ({ name }) =>
      brandName.test(name) && !peopleBrand.test(name) && isListed(`Mozilla/5.0 (X11; Linux x86_64) ${name}/1.0.0`),
  ),
)

/** The hints among the headers of a request. */
export const hintsOf = (headers: { get: (name: string) => string | null | undefined }): ClientHints => {
  const value = (name: string): string | undefined => headers.get(name) ?? undefined
  return {
    brands: value('sec-ch-ua-full-version-list') ?? value('sec-ch-ua'),
    mobile: value('sec-ch-ua-mobile'),
    platform: value('sec-ch-ua-platform'),
    platformVersion: value('sec-ch-ua-platform-version'),
    model: value('sec-ch-ua-model'),
  }
}

/** Limits what hostile headers can cost; no browser sends longer ones. */
export const truncateHints = ({ brands, mobile, platform, platformVersion, model }: ClientHints): ClientHints => ({
  brands: brands?.slice(0, 512),
  mobile: mobile?.slice(0, 8),
  platform: platform?.slice(0, 64),
  platformVersion: platformVersion?.slice(0, 64),
  model: model?.slice(0, 64),
})

/** Total length; no browser's hints are half as long. */
const maxCachedLength = 300

/** Copies for the cache; null if they are too long to be cached. */
export const copyHints = ({ brands, mobile, platform, platformVersion, model }: ClientHints): ClientHints | null => {
  const texts = [brands, mobile, platform, platformVersion, model]
  if (texts.reduce((sum, text) => sum + (text?.length ?? 0), 0) > maxCachedLength) return null
  const copy = (text: string | undefined): string | undefined => (text === undefined ? undefined : copyString(text))
  return {
    brands: copy(brands),
    mobile: copy(mobile),
    platform: copy(platform),
    platformVersion: copy(platformVersion),
    model: copy(model),
  }
}

export type Device = 'desktop' | 'mobile' | 'tablet' | 'tv' | 'other'

/** In CSS pixels; the screen's, not the window's. 0 is unknown. */
export type Screen = { width: number; height: number }

/** What a screen says of its device: of a phone's width, upright like a phone's or an iPad's, or neither. */
export type ScreenShape = 'phone' | 'upright phone' | 'upright tablet' | 'other'

// Between the widest phone and the narrowest tablet.
const maxPhoneWidth = 600
// The narrowest and the widest iPad, upright as an iPad always says it is.
const padWidths = { least: 744, most: 1032 }

/** The shape of a screen; its size itself would multiply what is cached. */
export const shapeOf = ({ width, height }: Screen): ScreenShape => {
  if (width > 0 && width < maxPhoneWidth) return 'phone'
  if (!(width > 0 && width < height && width <= padWidths.most)) return 'other'
  return width < padWidths.least ? 'upright phone' : 'upright tablet'
}

/** Browsers that exist for iPhones and iPads alone, and what only their agents have. */
const iosOnly = /\b(?:CriOS|FxiOS|EdgiOS|OPT|GSA)\/| Mobile\//

/**
 * Whether a user agent of a Mac comes from an iPad or iPhone that asks for desktop pages: its browser exists for these
 * alone; or it is Safari on a screen that is upright and no wider than 1,032, as only these have.
 */
export const isDisguised = (userAgent: string, shape: ScreenShape): boolean =>
  userAgent.includes('(Macintosh;') &&
  (iosOnly.test(userAgent) || (shape !== 'other' && userAgent.includes(' Version/')))

type Clues = { userAgent: string; os: string | null; hints: ClientHints; shape: ScreenShape }

const rows = dataRows(patternsText)
const patternOf = (kind: string, flags?: string): RegExp =>
  anyOf(
    rows.filter(([name]) => name === kind).map(([, pattern = '']) => pattern),
    flags,
  )
const television = patternOf('tv', 'i')
const tvName = patternOf('tv name')
const otherDevice = patternOf('other', 'i')
const tablet = patternOf('tablet', 'i')
const phone = patternOf('mobile', 'i')

/** Android and its derivatives: decided by the user agent, then the hint, then the screen. */
const handheld = ({ userAgent, hints, shape }: Clues): Device => {
  if (tablet.test(userAgent)) return 'tablet'
  if (hints.mobile === '?1' || phone.test(userAgent)) return 'mobile'
  return shape === 'phone' && hints.mobile === undefined ? 'mobile' : 'tablet'
}

/**
 * Classifies a device. Consoles, watches, headsets, cars and unknown devices are 'other'.
 * An iPad or iPhone that requests desktop pages is distinguished from a Mac by its screen.
 */
export const findDevice = (clues: Clues): Device => {
  const { os, hints, shape } = clues
  const text = `${clues.userAgent} (${hints.model ?? ''})`
  const fixed = osDevices.get(os ?? '')
  if (fixed === 'other' || otherDevice.test(text)) return 'other'
  if (television.test(text) || (tvName.test(text) && !phone.test(text))) return 'tv'
  if (isDisguised(clues.userAgent, shape)) return shape === 'phone' || shape === 'upright phone' ? 'mobile' : 'tablet'
  if (os === 'iOS') return /\biPad/.test(text) ? 'tablet' : 'mobile'
  if (fixed === 'desktop') return os === 'Linux' && hints.mobile === '?1' ? 'mobile' : 'desktop'
  if (os === 'HarmonyOS' && /\(PC;/.test(text)) return 'desktop'
  if (os === 'Android' || os === 'Fire OS' || os === 'HarmonyOS') return handheld(clues)
  if (tablet.test(text)) return 'tablet'
  return fixed === 'mobile' || hints.mobile === '?1' || phone.test(text) ? 'mobile' : 'other'
}

/** A visitor's device, browser and operating system. Unknown is `null`; versions are major versions ('126'). */
export type Agent = Readonly<{
  device: Device
  browser: string | null
  browserVersion: string | null
  os: string | null
  osVersion: string | null
}>

// Longer than any browser's; limits the time and memory that a hostile header can cost.
const maxUserAgentLength = 1024
const cacheSize = 2000
/** Per user agent: screens have few shapes, and hints differ by system and model. */
const maxVariants = 8

type Variant = { hints: ClientHints; shape: ScreenShape; agent: Agent }
/** The cached results of one user agent; the newest variants come first. */
type CachedAgent = { text: string; bot: boolean; variants: readonly Variant[] }

const agents = createLruCache<string, CachedAgent>(cacheSize)

/** Keyed by the user agent alone, for `isBot` and `parseAgent`: a key with all hints would double the cost. */
const cachedAgentOf = (userAgent: string): CachedAgent => {
  const text = userAgent.length > maxUserAgentLength ? copyString(userAgent.slice(0, maxUserAgentLength)) : userAgent
  const found = agents.get(text)
  if (found !== undefined) return found
  const known = { text, bot: isBotAgent(text), variants: [] }
  agents.set(text, known)
  return known
}

/**
 * Whether the sender declares itself a bot: by an empty user agent, or by one of a bot's.
 * @param brands `Sec-CH-UA`, where a headless browser may say so although its user agent does not
 */
export const isBot = (userAgent: string, brands?: string): boolean =>
  cachedAgentOf(userAgent).bot || (brands !== undefined && isBotBrand(brands))

const parse = (userAgent: string, hints: ClientHints, shape: ScreenShape): Agent => {
  const os = isDisguised(userAgent, shape) ? disguisedOs(userAgent) : findOs(userAgent, hints)
  const browser = findBrowser(userAgent, hints.brands)
  return Object.freeze({
    device: findDevice({ userAgent, os: os.name, hints, shape }),
    browser: browser.name,
    browserVersion: browser.version,
    os: os.name,
    osVersion: os.version,
  })
}

const unknownScreen: Screen = { width: 0, height: 0 }

const areEqual = (one: ClientHints, other: ClientHints): boolean =>
  one.brands === other.brands &&
  one.mobile === other.mobile &&
  one.platform === other.platform &&
  one.platformVersion === other.platformVersion &&
  one.model === other.model

/**
 * Names device, browser and operating system from the user agent and the client hints sent with it,
 * in the spellings people expect (Chrome on an iPhone is Chrome, iPadOS is iOS). Hints take precedence over
 * the user agent, which browsers have frozen: without hints Windows 11 says 10, and so do many Android versions.
 * The screen decides only between phone and tablet, and between Mac and iPad, where nothing else does.
 * Never throws; the result is shared with later callers, hence frozen.
 */
export const parseAgent = (userAgent: string, hints: ClientHints, screen: Screen = unknownScreen): Agent => {
  const cut = truncateHints(hints)
  const shape = shapeOf(screen)
  const known = cachedAgentOf(userAgent)
  for (const variant of known.variants) {
    if (variant.shape === shape && areEqual(variant.hints, cut)) return variant.agent
  }
  const agent = parse(known.text, cut, shape)
  const kept = copyHints(cut)
  if (kept !== null) known.variants = [{ hints: kept, shape, agent }, ...known.variants].slice(0, maxVariants)
  return agent
}
