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

/** Systems that give the platform they are built on as their hint. */
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

/** Since Safari 26 iOS says 18 for good; Safari's own version is that of the system. */
const iosVersion = (version: string | undefined, userAgent: string): string | null => {
  const system = majorOf(version)
  const safari = majorOf(first(/\bVersion\/(\d+)/, userAgent))
  return system !== null && safari !== null && Number(safari) >= 26 && Number(safari) > Number(system) ? safari : system
}

const fireVersions: Record<string, string> = { 5: '5', 7: '6', 9: '7', 11: '8' }

const windowsVersion = (version: string | undefined): string | null =>
  version?.match(/^(?:\d{1,2}(?:\.\d)?|ME|XP|Vista|2000|RT)$/)?.[0] ?? first(/^NT (\d{2})\.0$/, version ?? '') ?? null

/** How each system's version reads; the others' are left out, being those of a kernel or of a build. */
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

const ownName = (userAgent: string): string | undefined => {
  if (/; (?:AFT|KF)[A-Z0-9]{1,8}(?: Build|\))|\bSilk\//.test(userAgent)) return 'Fire OS'
  if (/\bOpenHarmony\b/.test(userAgent)) return 'HarmonyOS'
  return /\bApple ?TV\b|\btvOS\b/.test(userAgent) ? 'tvOS' : undefined
}

const fromUserAgent = (userAgent: string): Os => {
  const { name = '', version } = new UAParser(userAgent).getOS()
  const known = ownName(userAgent) ?? osNames.get(name.toLowerCase()) ?? null
  return { name: known, version: known === null ? null : (versionOf[known]?.(version, userAgent) ?? null) }
}

/** Windows counts 1 to 10 in this hint for Windows 10 and from 13 on for 11, 0.x for what was before. */
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

/**
 * Names the operating system and its version: 'Windows' '11', 'macOS' '14' ('10.15' where it is frozen), 'iOS' '17' (iPads too),
 * 'Android' '14'. The platform hint stands above the user agent, unless that names the system built upon it.
 */
export const findOs = (userAgent: string, { platform, platformVersion }: ClientHints): Os => {
  const found = fromUserAgent(userAgent)
  const hinted = platforms.get(unquote(platform).toLowerCase())
  if (hinted === undefined || builtOn[found.name ?? ''] === hinted) return found
  const version = hintedVersion(hinted, unquote(platformVersion))
  return { name: hinted, version: version ?? (found.name === hinted ? found.version : null) }
}
