import patternsText from '../../../data/device-patterns.txt'
import { anyOf, dataRows } from '../../lib/data-rows.ts'
import { copyString } from '../../lib/lru-cache.ts'
import { osDevices } from './agent-names.ts'

/** The raw values of the `Sec-CH-UA…` headers; `undefined` for a header that was not sent. */
export type ClientHints = {
  /** Sec-CH-UA-Full-Version-List, or Sec-CH-UA */
  brands: string | undefined
  /** Sec-CH-UA-Mobile: `?1` or `?0` */
  mobile: string | undefined
  platform: string | undefined
  platformVersion: string | undefined
  model: string | undefined
}

type Brand = { name: string; version: string }

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

/** The number before the first dot, as text: '126.0.6478.127' → '126'; `null` for anything else. */
export const majorOf = (version: string | undefined): string | null => version?.match(/^(\d{1,4})(?!\d)/)?.[1] ?? null

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

/** A structured-header string without its quotes; '' if there is none. */
export const unquote = (value: string | undefined): string => value?.match(/^\s*"([^"]*)"\s*$/)?.[1] ?? ''

/** The brands of `Sec-CH-UA`, in the order sent; invalid items are skipped. */
export const parseBrands = (value: string | undefined): Brand[] =>
  [...(value ?? '').matchAll(/"([^"]{1,64})"\s?;\s?v="([\d.]{1,32})"/g)].map(([, name = '', version = '']) => ({
    name,
    version,
  }))

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
