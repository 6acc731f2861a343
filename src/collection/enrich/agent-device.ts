import type { ClientHints } from './agent-hints.ts'

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

const desktops = new Set([
  'Windows',
  'macOS',
  'ChromeOS',
  'Linux',
  'FreeBSD',
  'OpenBSD',
  'NetBSD',
  'DragonFly BSD',
  'Haiku',
  'Solaris',
  'UNIX',
  'AIX',
  'BeOS',
  'Amiga OS',
  'MorphOS',
  'OS/2',
  'RISC OS',
  'SerenityOS',
  'OpenVMS',
])
const consoles = new Set(['PlayStation', 'Xbox', 'Nintendo', 'watchOS'])
const phones = new Set([
  'Windows Phone',
  'Windows Mobile',
  'KaiOS',
  'BlackBerry',
  'Symbian',
  'Series 40',
  'Bada',
  'Palm OS',
  'MeeGo',
  'Maemo',
  'Sailfish OS',
])

const television =
  /\b(?:smart-?tv|hbbtv|apple ?tv|android ?tv|google ?tv|netcast|web0s|webos\.tv|webos\d|crkey|chromecast|roku|viera|bravia|aquos-?tv|aquosbrowser|vidaa|vizio|smartcast|smarthub|mi ?tv|mi ?box|nettv|inettvbrowser|opera tv|philipstv|nexus player|adt-\d|nvidia_shield|shield android|dunehd|boxee|stbapp|set-?top|sonycebrowser|maple[ _]?20\d\d|ce-html|oipf|vewd|large screen|cobalt\/|tivo|leelbox|beyondtv|(?:tv|media|smart|4k|uhd)[ _-]?(?:box|stick))|\bAFT[A-Z0-9]{1,10}(?: Build|[);])|\btvOS\b|\(dtv[;)]|\btv; rv:|, wire(?:d|less)\)|\bTPM\d{3}E\b|\bKDL?-?\d{2}|\b(?:NEO-[XU]\d|H96|X96|T95|MXQ|Tanix|MECOOL)/i
/** TV in a name, as in UnionTV, SWTV-20AE or A_TV_BOX, but not BTV-W09, and names of boxes; phones have them, too. */
const tvName =
  /\bTV\b|(?!BTV-)[A-Za-z\d]TV\b|_TV_|\b[A-Z]{2}TV-|\b(?:KM\dPRO|M8S|HK1 |A95X|GT-?1-?mini|GT-?King|VMP-\d{3}|Formuler|VONTAR|Transpeed|Beelink|NEO-Z\d|SHARP-AQUOS)/
const otherDevice =
  /\bOculusBrowser|(?<!CUBOT[ _])\bQuest(?: \d|;|\))|\bPico ?\d|\bMobile VR\b|\bQtCarBrowser\b|\bTesla\/|\bSM-R\d{3}|\bFamilyHub/i
// Includes tablets whose user agent says Mobile.
const tablet =
  /\biPad\b|\bTablet\b(?! PC)|\bPlayBook\b|\bKindle\b|\b(?:SM-[TPX]|GT-[PN][58])\w{2,5}|\bNexus (?:7|9|10)\b|; KF[A-Z]{2,8}(?: Build|\))|\bPixel (?:C|Tablet)\b/i
const phone = /\bMobi(?:le)?\b|\biPhone\b|\biPod\b|\bPhone\b|\bOpera M(?:ini|obi)|\bMIDP\b|\bIEMobile\b/i

/** Android and its derivatives: decided by the user agent, then the hint, then the screen. */
const handheld = ({ userAgent, hints, shape }: Clues): Device => {
  if (tablet.test(userAgent)) return 'tablet'
  if (hints.mobile === '?1' || phone.test(userAgent)) return 'mobile'
  return shape === 'phone' && hints.mobile === undefined ? 'mobile' : 'tablet'
}

/**
 * Classifies a device. Consoles, watches, headsets, cars and unknown devices are 'other'.
 * An iPad or iPhone that requests desktop pages is told from a Mac by its screen.
 */
export const findDevice = (clues: Clues): Device => {
  const { os, hints, shape } = clues
  const text = `${clues.userAgent} (${hints.model ?? ''})`
  if ((os !== null && consoles.has(os)) || otherDevice.test(text)) return 'other'
  if (television.test(text) || (tvName.test(text) && !phone.test(text))) return 'tv'
  if (isDisguised(clues.userAgent, shape)) return shape === 'phone' || shape === 'upright phone' ? 'mobile' : 'tablet'
  if (os === 'iOS') return /\biPad/.test(text) ? 'tablet' : 'mobile'
  if (os !== null && desktops.has(os)) return os === 'Linux' && hints.mobile === '?1' ? 'mobile' : 'desktop'
  if (os === 'HarmonyOS' && /\(PC;/.test(text)) return 'desktop'
  if (os === 'Android' || os === 'Fire OS' || os === 'HarmonyOS') return handheld(clues)
  if (tablet.test(text)) return 'tablet'
  return (os !== null && phones.has(os)) || hints.mobile === '?1' || phone.test(text) ? 'mobile' : 'other'
}
