import UAParser from 'my-ua-parser'
import { type ClientHints, majorOf, unquote } from './agent-hints.ts'
import { osNames } from './agent-names.ts'

type Os = { name: string | null; version: string | null }

const platforms = new Map([
  ['windows', 'Windows'],
  ['macos', 'macOS'],
  ['mac os x', 'macOS'],
  ['android', 'Android'],
  ['ios', 'iOS'],
  ['linux', 'Linux'],
  ['chrome os', 'ChromeOS'],
  ['chromium os', 'ChromeOS'],
  ['chromeos', 'ChromeOS'],
  ['fuchsia', 'Fuchsia'],
])

/** Systems whose platform hint names the system that they are built on. */
const builtOn: Record<string, string> = {
  'Fire OS': 'Android',
  HarmonyOS: 'Android',
  Xbox: 'Windows',
  webOS: 'Linux',
  Tizen: 'Linux',
  PlayStation: 'Linux',
  KaiOS: 'Linux',
}

const first = (pattern: RegExp, text: string): string | undefined => pattern.exec(text)?.[1]

/** '10_15_7' → '10.15', since all of macOS 10 is one major version; '14.5' → '14'. */
const macVersion = (version: string | undefined): string | null =>
  version?.match(/^10[._]\d{1,2}/)?.[0].replace('_', '.') ?? majorOf(version)

/** Since Safari 26 the user agent is frozen at iOS 18; Safari's version equals that of the system. */
const iosVersion = (version: string | undefined, userAgent: string): string | null => {
  const system = majorOf(version)
  const safari = majorOf(first(/\bVersion\/(\d+)/, userAgent))
  return system !== null && safari !== null && Number(safari) >= 26 && Number(safari) > Number(system) ? safari : system
}

const fireVersions: Record<string, string> = { 5: '5', 7: '6', 9: '7', 11: '8' }

const windowsVersion = (version: string | undefined): string | null =>
  version?.match(/^(?:\d{1,2}(?:\.\d)?|ME|XP|Vista|2000|RT)$/)?.[0] ?? first(/^NT (\d{2})\.0$/, version ?? '') ?? null

/** How each system's version is read; others are versions of a kernel or build, and left out. */
const versionOf: Record<string, (version: string | undefined, userAgent: string) => string | null> = {
  Windows: windowsVersion,
  'Windows Phone': majorOf,
  macOS: macVersion,
  iOS: iosVersion,
  Android: majorOf,
  'Fire OS': (_, userAgent) => fireVersions[first(/\bAndroid (\d+)/, userAgent) ?? ''] ?? null,
  HarmonyOS: (_, userAgent) => majorOf(first(/\b(?:OpenHarmony|HarmonyOS)[ /](\d+)/, userAgent)),
  Tizen: majorOf,
  KaiOS: majorOf,
  BlackBerry: majorOf,
  watchOS: majorOf,
  PlayStation: version => version?.match(/^(?:[345]|Vita|Portable)$/i)?.[0] ?? null,
  Nintendo: version => version?.match(/^(?:Switch|Wii|WiiU|3DS|DSi)$/i)?.[0] ?? null,
}

const derivedSystem = (userAgent: string): string | undefined => {
  if (/; (?:AFT|KF)[A-Z0-9]{1,8}(?: Build|\))|\bSilk\//.test(userAgent)) return 'Fire OS'
  if (/\bOpenHarmony\b/.test(userAgent)) return 'HarmonyOS'
  return /\bApple ?TV\b|\btvOS\b/.test(userAgent) ? 'tvOS' : undefined
}

const fromUserAgent = (userAgent: string): Os => {
  const { name = '', version } = new UAParser(userAgent).getOS()
  const known = derivedSystem(userAgent) ?? osNames.get(name.toLowerCase()) ?? null
  return { name: known, version: known === null ? null : (versionOf[known]?.(version, userAgent) ?? null) }
}

/** The hint is 1 to 10 for Windows 10, 13 and above for 11, and 0.x for earlier versions. */
const windowsHint = (version: string): string | null => {
  const major = Number(majorOf(version) ?? NaN)
  if (major === 0) return { '0.1': '7', '0.2': '8', '0.3': '8.1' }[version.slice(0, 3)] ?? null
  return major >= 13 ? '11' : major > 0 ? '10' : null
}

const hintedVersion = (platform: string, version: string): string | null => {
  if (platform === 'Windows') return windowsHint(version)
  if (platform === 'macOS') return macVersion(version)
  return platform === 'Android' || platform === 'iOS' ? majorOf(version) : null
}

/** An iPad or iPhone that calls itself a Mac; Safari's version equals that of the system, other browsers' do not. */
export const disguisedOs = (userAgent: string): Os => ({
  name: 'iOS',
  version: /\b(?:CriOS|FxiOS|EdgiOS|OPT)\//.test(userAgent) ? null : majorOf(first(/\bVersion\/(\d+)/, userAgent)),
})

/**
 * The operating system and its version: 'Windows' '11', 'macOS' '14' ('10.15' if frozen), 'iOS' '17' (also on iPads),
 * 'Android' '14'. The platform hint takes precedence, unless the user agent names a system built on that platform.
 */
export const findOs = (userAgent: string, { platform, platformVersion }: ClientHints): Os => {
  const found = fromUserAgent(userAgent)
  const hinted = platforms.get(unquote(platform).toLowerCase())
  if (hinted === undefined || builtOn[found.name ?? ''] === hinted) return found
  const version = hintedVersion(hinted, unquote(platformVersion))
  return { name: hinted, version: version ?? (found.name === hinted ? found.version : null) }
}
