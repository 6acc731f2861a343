// The names that other programs have for browsers, systems, devices and countries, as ours.

import type { Device } from '../../collection/enrich/agent.ts'
import { browserNames, osNames } from '../../collection/enrich/agent-names.ts'
import { majorOf } from '../../collection/enrich/agent-software.ts'
import { continentOf, countryCodes } from '../../geoip/place.ts'
import { coarseLanguage, olderSystemVersion, screenNamed } from '../../lib/coarse.ts'
import { lazy } from '../../lib/lazy.ts'

const browserAliases: Readonly<Record<string, string>> = {
  'android webview': 'chrome webview',
  'chrome mobile': 'chrome',
  'chrome mobile ios': 'chrome',
  'chromium-webview': 'chrome webview',
  crios: 'chrome',
  'edge-chromium': 'edge',
  'edge-ios': 'edge',
  'firefox mobile': 'firefox',
  'firefox mobile ios': 'firefox',
  fxios: 'firefox',
  ie: 'internet explorer',
  ios: 'safari',
  'ios-webview': 'safari',
  'microsoft edge': 'edge',
  'mobile safari': 'safari',
  'opera-mini': 'opera mini',
  'safari (in-app)': 'safari',
  samsung: 'samsung internet',
  'samsung browser': 'samsung internet',
}

const osAliases: Readonly<Record<string, string>> = {
  'android os': 'android',
  'chrome os': 'chromeos',
  'gnu/linux': 'linux',
  ipados: 'ios',
  mac: 'macos',
  macintosh: 'macos',
  'mac os x': 'macos',
  'os x': 'macos',
}

export type Named = { name: string | null; version: string | null }

/** `Windows 10` and `Chrome 145.0`: a version may follow the name. */
const split = (text: string): [name: string, version: string] => {
  const [, name = '', version = ''] = /^(.*?)(?:[ /]+(\d[\d.]*))?$/s.exec(text.trim()) ?? []
  return [name.toLowerCase(), version]
}

const nameIn = (
  names: ReadonlyMap<string, string>,
  aliases: Readonly<Record<string, string>>,
  text: string,
  given: string,
): Named => {
  const [plain, ownVersion] = split(text)
  const [whole] = [text.trim().toLowerCase()]
  const name = names.get(aliases[plain] ?? plain) ?? names.get(whole) ?? null
  const version = given.trim() === '' ? ownVersion : given.trim()
  const kept = name === null || !/^\d/.test(version) ? null : olderSystemVersion(name, version)
  return { name, version: majorOf(kept ?? '') }
}

/** A browser and its major version; unknown ones have no name, as in a live visit. */
export const browserOf = (text: string, version = ''): Named => nameIn(browserNames, browserAliases, text, version)

export const osOf = (text: string, version = ''): Named => nameIn(osNames, osAliases, text, version)

const devices: readonly [RegExp, Device][] = [
  [/^(?:desktop|laptop|ultra-?wide|pc|notebook|computer)/i, 'desktop'],
  [/^(?:mobile|smartphone|phablet|phone|feature phone)/i, 'mobile'],
  [/^tablet/i, 'tablet'],
  [/^(?:tv|television|smart-?tv)/i, 'tv'],
]

export const deviceOf = (text: string): Device => devices.find(([pattern]) => pattern.test(text.trim()))?.[1] ?? 'other'

/** Names of countries in the languages that sources write. */
const countryNames = lazy(
  () =>
    new Map(
      ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt'].flatMap(language => {
        const names = new Intl.DisplayNames([language], { type: 'region' })
        return countryCodes.map(code => [(names.of(code) ?? code).toLowerCase(), code] as const)
      }),
    ),
)

export type PlaceNames = { country: string; region?: string; city?: string }

/** A country by its code or name; a region by its name, or as `DE-BY`. */
export const placeNamed = ({ country: given, region: part = '', city = '' }: PlaceNames) => {
  const code = given.trim().toUpperCase()
  const country = continentOf(code) === null ? (countryNames().get(given.trim().toLowerCase()) ?? null) : code
  if (country === null) return { country: null, region: null, city: null, continent: null }
  const plain = part.trim()
  const region = /^[A-Z\d]{1,3}$/.test(plain) ? `${country}-${plain}` : plain
  return {
    country,
    region: region === '' ? null : region.slice(0, 100),
    city: city.trim() === '' ? null : city.trim().slice(0, 100),
    continent: continentOf(country),
  }
}

/** A language as visits keep it, however its tag is spelled: `de_de`. */
export const languageOf = (text: string): string | null => coarseLanguage(text.trim().slice(0, 35))

/** The class of a screen by its width, or by a text such as `390x844`; null where it is not known. */
export const screenOf = (width: string): string | null => screenNamed(width.trim())
