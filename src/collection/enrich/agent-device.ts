import type { ClientHints } from './agent-hints.ts'

export type Device = 'desktop' | 'mobile' | 'tablet' | 'tv' | 'other'

/** `narrow`: the screen is no wider than a phone's. */
type Clues = { userAgent: string; os: string | null; hints: ClientHints; narrow: boolean }

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
  /\b(?:smart-?tv|hbbtv|apple ?tv|android ?tv|google ?tv|netcast|web0s|webos\.tv|crkey|chromecast|roku|viera|bravia|aquos-?tv|vidaa|mitv|mibox|nettv|opera tv|philipstv|nexus player)|\bAFT[A-Z0-9]{1,8}(?: Build|\))|\btvOS\b|\(dtv[;)]|\btv; rv:/i
const otherDevice =
  /\bOculusBrowser|\bQuest(?: \d|;|\))|\bPico ?\d|\bMobile VR\b|\bQtCarBrowser\b|\bTesla\/|\bSM-R\d{3}|\bFamilyHub/i
// Includes tablets whose user agent says Mobile.
const tablet =
  /\biPad\b|\bTablet\b(?! PC)|\bPlayBook\b|\bKindle\b|\b(?:SM-[TPX]|GT-[PN][58])\w{2,5}|\bNexus (?:7|9|10)\b|; KF[A-Z]{2,8}(?: Build|\))|\bPixel (?:C|Tablet)\b/i
const phone = /\bMobi(?:le)?\b|\biPhone\b|\biPod\b|\bPhone\b|\bOpera M(?:ini|obi)|\bMIDP\b|\bIEMobile\b/i

/** Android and its derivatives: decided by the user agent, then the hint, then the screen. */
const handheld = ({ userAgent, hints, narrow }: Clues): Device => {
  if (tablet.test(userAgent)) return 'tablet'
  if (hints.mobile === '?1' || phone.test(userAgent)) return 'mobile'
  return narrow && hints.mobile === undefined ? 'mobile' : 'tablet'
}

/**
 * Classifies a device. Consoles, watches, headsets, cars and unknown devices are 'other'.
 * An iPad that requests desktop pages cannot be distinguished from a Mac, and counts as one.
 */
export const findDevice = (clues: Clues): Device => {
  const { os, hints } = clues
  const text = `${clues.userAgent} (${hints.model ?? ''})`
  if ((os !== null && consoles.has(os)) || otherDevice.test(text)) return 'other'
  if (television.test(text) || (/\bTV\b/.test(text) && !phone.test(text))) return 'tv'
  if (os === 'iOS') return /\biPad/.test(text) ? 'tablet' : 'mobile'
  if (os !== null && desktops.has(os)) return os === 'Linux' && hints.mobile === '?1' ? 'mobile' : 'desktop'
  if (os === 'HarmonyOS' && /\(PC;/.test(text)) return 'desktop'
  if (os === 'Android' || os === 'Fire OS' || os === 'HarmonyOS') return handheld(clues)
  if (tablet.test(text)) return 'tablet'
  return (os !== null && phones.has(os)) || hints.mobile === '?1' || phone.test(text) ? 'mobile' : 'other'
}
