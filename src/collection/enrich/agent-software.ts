// The browser and the operating system of a visitor, by user agent and client hints.
import UAParser from 'my-ua-parser'
import patternsText from '../../../data/browser-patterns.txt'
import { parseBrands } from '../../lib/brands.ts'
import { dataRows } from '../../lib/data-rows.ts'
import { brandNames, browserNames, osNames } from './agent-names.ts'

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

/** The number before the first dot, as text: '126.0.6478.127' → '126'; `null` for anything else. */
export const majorOf = (version: string | undefined): string | null => version?.match(/^(\d{1,4})(?!\d)/)?.[1] ?? null

/** A structured-header string without its quotes; '' if there is none. */
export const unquote = (value: string | undefined): string => value?.match(/^\s*"([^"]*)"\s*$/)?.[1] ?? ''

type Named = { name: string | null; version: string | null }

/** A pattern as it is written in code: /…/ or /…/i. */
const written = (text: string): RegExp => {
  const [, pattern = '', flags] = /^\/(.*)\/(i?)$/.exec(text) ?? []
  return new RegExp(pattern, flags)
}

const patterns = dataRows(patternsText).map(([name = '', pattern = '', version = pattern]) => ({
  name,
  pattern: written(pattern),
  version: written(version),
}))

const fromPatterns = (userAgent: string): Named | undefined => {
  const found = patterns.find(({ pattern }) => pattern.test(userAgent))
  return found && { name: found.name, version: majorOf(found.version.exec(userAgent)?.[1]) }
}

const fromBrands = (value: string | undefined): Named | undefined => {
  for (const { name, version } of parseBrands(value)) {
    const browser = brandNames.get(name)
    if (browser !== undefined) return { name: browser, version: majorOf(version) }
  }
  return undefined
}

const chromeVersion = (userAgent: string): string | null => majorOf(/\bChrome\/(\d+)/.exec(userAgent)?.[1])

/** Internet Explorer in compatibility view sends an old version, but its engine's true one. */
const explorerVersion = (userAgent: string): string | null => {
  const engine = /\bTrident\/(\d{1,2})/.exec(userAgent)?.[1]
  return engine === undefined ? null : String(Number(engine) + 4)
}

/** Corrections for names that the library guesses or takes from the engine. */
const corrections: Record<string, (userAgent: string, found: Named) => Named> = {
  'Internet Explorer': (userAgent, { name, version }) => ({ name, version: explorerVersion(userAgent) ?? version }),
  'Android Browser': (userAgent, found) =>
    chromeVersion(userAgent) === null ? found : { name: 'Android WebView', version: chromeVersion(userAgent) },
  WebKit: userAgent => ({
    name: /iPhone|iPad|iPod|Macintosh/.test(userAgent) ? 'Safari (in-app)' : null,
    version: null,
  }),
}

/**
 * On hostile text the library's pattern for Naver's app takes time in the fourth power of the length (71 ms for 500
 * characters); 'slim' and 'avant' are two obsolete browsers, but also parts of many phones' names.
 */
const sanitize = (userAgent: string): string => userAgent.replace(/naver\(|slim(?!browser)|avant(?! browser)/gi, ' ')

const fromLibrary = (userAgent: string): Named => {
  const { name = '', version } = new UAParser(sanitize(userAgent)).getBrowser()
  const found = { name: browserNames.get(name.toLowerCase()) ?? null, version: majorOf(version) }
  if (found.name === null) return { name: null, version: null }
  return corrections[found.name]?.(userAgent, found) ?? found
}

/** The browser that a visitor would name; an in-app browser has the app's name. */
export const findBrowser = (userAgent: string, brands: string | undefined): Named =>
  fromPatterns(userAgent) ?? fromBrands(brands) ?? fromLibrary(userAgent)

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

/** Since Safari 26 the user agent is frozen at iOS 18; Safari's version equals that of the system. */
const iosVersion = (version: string | undefined, userAgent: string): string | null => {
  const system = majorOf(version)
  const safari = majorOf(first(/\bVersion\/(\d+)/, userAgent))
  return system !== null && safari !== null && Number(safari) >= 26 && Number(safari) > Number(system) ? safari : system
}

const fireVersions: Record<string, string> = { 5: '5', 7: '6', 9: '7', 11: '8' }

const windowsVersion = (version: string | undefined): string | null =>
  version?.match(/^(?:\d{1,2}(?=\.\d$|$)|(?:ME|XP|Vista|2000|RT)$)/)?.[0] ??
  first(/^NT (\d{2})\.0$/, version ?? '') ??
  null

/** How each system's version is read; others are versions of a kernel or build, and left out. */
const versionOf: Record<string, (version: string | undefined, userAgent: string) => string | null> = {
  Windows: windowsVersion,
  'Windows Phone': majorOf,
  macOS: majorOf,
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

/**
 * Versions that browsers have frozen say nothing: Windows 11 is NT 10.0 as well, every macOS since 11 is 10.15, and
 * Chrome's Android is 10 on a model called K.
 */
const frozen: Record<string, RegExp> = {
  Windows: /\bWindows NT 10\.0\b/,
  macOS: /\bMac OS X 10[._]15(?:[._]7)?(?![._\d])/,
  Android: /\bAndroid 10; K[;)]/,
}

const systemOf = (userAgent: string): Named => {
  const { name = '', version } = new UAParser(userAgent).getOS()
  const known = derivedSystem(userAgent) ?? osNames.get(name.toLowerCase()) ?? null
  if (known === null || frozen[known]?.test(userAgent) === true) return { name: known, version: null }
  return { name: known, version: versionOf[known]?.(version, userAgent) ?? null }
}

/** The hint is 1 to 10 for Windows 10, 13 and above for 11, and 0.x for earlier versions. */
const windowsHint = (version: string): string | null => {
  const major = Number(majorOf(version) ?? NaN)
  if (major === 0) return { '0.1': '7', '0.2': '8', '0.3': '8' }[version.slice(0, 3)] ?? null
  return major >= 13 ? '11' : major > 0 ? '10' : null
}

const hintedVersion = (platform: string, version: string): string | null => {
  if (platform === 'Windows') return windowsHint(version)
  return platform === 'macOS' || platform === 'Android' || platform === 'iOS' ? majorOf(version) : null
}

/** An iPad or iPhone that calls itself a Mac; Safari's version equals that of the system, other browsers' do not. */
export const disguisedOs = (userAgent: string): Named => ({
  name: 'iOS',
  version: /\b(?:CriOS|FxiOS|EdgiOS|OPT)\//.test(userAgent) ? null : majorOf(first(/\bVersion\/(\d+)/, userAgent)),
})

/**
 * The operating system and its version: 'Windows' '11', 'macOS' '14', 'iOS' '17' (also on iPads),
 * 'Android' '14'. Frozen versions are unknown. The platform hint takes precedence, unless the user agent names a system built on that platform.
 */
export const findOs = (userAgent: string, { platform, platformVersion }: ClientHints): Named => {
  const found = systemOf(userAgent)
  const hinted = platforms.get(unquote(platform).toLowerCase())
  if (hinted === undefined || builtOn[found.name ?? ''] === hinted) return found
  const version = hintedVersion(hinted, unquote(platformVersion))
  return { name: hinted, version: version ?? (found.name === hinted ? found.version : null) }
}
