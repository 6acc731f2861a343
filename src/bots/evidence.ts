// The rules of headers and device: what a request says against its own user agent. A rule is silent where a person's
// browser, app, proxy or extension may be the reason; docs/bots.md has how often each is wrong.
import { parseBrands } from '../lib/brands.ts'
import { memoize } from '../lib/lru-cache.ts'
import { type PlainAgent, plainAgentOf, type System } from './plain-agent.ts'
import { bitOf } from './rules.ts'

export type Sent = {
  userAgent: string
  /** By lower-case name. */
  headers: { get: (name: string) => string | undefined }
  /** As the page said; null if it said nothing. */
  screen: { width: number; height: number } | null
  /** `navigator.language` as sent, e.g. `de-AT`; null if none. */
  language: string | null
}

type Headers = Sent['headers']

const bits = {
  noHints: bitOf('no_client_hints'),
  otherHints: bitOf('other_client_hints'),
  noLanguage: bitOf('no_accept_language'),
  otherLanguage: bitOf('other_language'),
  impossible: bitOf('impossible_fetch'),
  noScreen: bitOf('no_screen'),
  smallScreen: bitOf('small_screen'),
}

/** More than any browser sends of these; more is no evidence, and costs nothing. */
const maxLength = 250
const maxLanguages = 25
const cacheSize = 500

/** Languages of which people have one and browsers name another, and codes of old. */
const sameLanguage = new Map([
  ['nb', 'no'],
  ['nn', 'no'],
  ['iw', 'he'],
  ['in', 'id'],
  ['ji', 'yi'],
  ['jw', 'jv'],
  ['mo', 'ro'],
  ['sh', 'sr'],
  ['tl', 'fil'],
  ['cmn', 'zh'],
  ['yue', 'zh'],
])

/** The language of a tag without script and region; null for what is no tag, such as `C` or `*`. */
const languageIn = (tag: string): string | null => {
  const code = /^\s*([a-z]{2,3})(?=[-_;\s]|$)/i.exec(tag)?.[1]?.toLowerCase()
  return code === undefined ? null : (sameLanguage.get(code) ?? code)
}

/** What `Sec-CH-UA` says; null if it names no Chromium. */
type Brands = { chromium: number; isEdge: boolean; isBare: boolean; isFormer: boolean }

/** The brand that says nothing, `Not/A)Brand` or similar; before Chrome 105 it was the same for all, in this spelling. */
const empty = /\bbrand\b/i
const former = ' Not A;Brand'

const brandsOf = memoize(cacheSize, (value): Brands | null => {
  const brands = parseBrands(value)
  const engine = brands.find(({ name }) => name === 'Chromium') ?? brands.find(({ name }) => name === 'Google Chrome')
  if (engine === undefined) return null
  return {
    chromium: Number.parseInt(engine.version, 10),
    isEdge: brands.some(({ name }) => name === 'Microsoft Edge'),
    isBare: brands.every(({ name }) => name === 'Chromium' || empty.test(name)),
    isFormer: brands.some(({ name }) => name === former),
  }
})

const hintedSystems = new Map<string, System>([
  ['"Android"', 'Android'],
  ['"Windows"', 'Windows'],
  ['"macOS"', 'macOS'],
  ['"Mac OS X"', 'macOS'],
  ['"Linux"', 'Linux'],
  ['"Chrome OS"', 'Chrome OS'],
  ['"Chromium OS"', 'Chrome OS'],
])
const isUnix = (system: System): boolean => system === 'Linux' || system === 'Chrome OS'
const isOtherSystem = (agent: System, hinted: System | undefined): boolean =>
  hinted !== undefined && hinted !== agent && !(isUnix(agent) && isUnix(hinted))

/** Policies of companies could keep the former brand until then. */
const formerUntil = 130

/** Browsers of China hide behind the agent of Chrome. Elsewhere people have bare Chromium on Linux alone. */
const isBareChromium = ({ system }: PlainAgent, { isBare }: Brands, language: string | null): boolean =>
  isBare && (system === 'Windows' || system === 'macOS') && languageIn(language ?? '') !== 'zh'

const isOtherBrowser = (agent: PlainAgent, brands: Brands, language: string | null): boolean =>
  brands.chromium !== agent.chromium ||
  (agent.isEdge && !brands.isEdge) ||
  (brands.isFormer && agent.chromium >= formerUntil) ||
  isBareChromium(agent, brands, language)

/** By the page, as `Origin` has it; where a page hides that, by headers that a browser sends to HTTPS alone. */
const isSecure = (origin: string | undefined, headers: Headers): boolean =>
  origin === undefined || origin === 'null'
    ? headers.get('sec-fetch-site') !== undefined
    : origin.startsWith('https://')

const hintEvidence = (agent: PlainAgent, { headers, language }: Sent, origin: string | undefined): number => {
  const sent = headers.get('sec-ch-ua') ?? ''
  // Chromium sends no hints where scripts are off, and there an image counts.
  if (sent === '')
    return agent.hasHints && isSecure(origin, headers) && headers.get('sec-fetch-dest') !== 'image' ? bits.noHints : 0
  const hinted = hintedSystems.get(headers.get('sec-ch-ua-platform') ?? '')
  const brands = sent.length > maxLength ? null : brandsOf(sent)
  // On Android, an agent of another system is the page for desktops that its user asked for.
  if (brands === null || (hinted === 'Android' && agent.system !== 'Android')) return 0
  const isOther =
    isOtherBrowser(agent, brands, language) || (agent.system !== null && isOtherSystem(agent.system, hinted))
  return isOther ? bits.otherHints : 0
}

const acceptedOf = memoize(cacheSize, (header): ReadonlySet<string> | null => {
  const tags = header.split(',', maxLanguages + 1)
  const languages = tags.length > maxLanguages ? [] : tags.map(languageIn).filter(language => language !== null)
  return languages.length < tags.length ? null : new Set(languages)
})

const languageEvidence = (accepted: string | undefined, language: string | null): number => {
  if (accepted === undefined || accepted.trim() === '') return bits.noLanguage
  const code = language === null || accepted.length > maxLength ? null : languageIn(language)
  return code === null || (acceptedOf(accepted)?.has(code) ?? true) ? 0 : bits.otherLanguage
}

/** What a browser adds when it opens a page, and no script can. */
const isNavigation = (headers: Headers): boolean =>
  headers.get('sec-fetch-mode') === 'navigate' ||
  headers.get('sec-fetch-dest') === 'document' ||
  headers.get('sec-fetch-user') !== undefined

const headerEvidence = (agent: PlainAgent | null, sent: Sent): number => {
  const { headers, language } = sent
  const impossible = isNavigation(headers) ? bits.impossible : 0
  const origin = headers.get('origin')
  // Without these it may be a back end that tells of its visitors, and passes on some headers.
  if (agent === null || (origin === undefined && headers.get('sec-fetch-site') === undefined)) return impossible
  return impossible | hintEvidence(agent, sent, origin) | languageEvidence(headers.get('accept-language'), language)
}

/** Tablets with a screen of 800 × 600 exist; those that ask for pages of desktops say Android in their hints. */
const hasOtherScreen = ({ isPhone, chromium, system }: PlainAgent, headers: Headers): boolean =>
  isPhone ||
  (chromium >= 90 &&
    system !== 'Android' &&
    system !== 'Chrome OS' &&
    headers.get('sec-ch-ua-platform') !== '"Android"')

const screenEvidence = (agent: PlainAgent | null, { screen, headers }: Sent): number => {
  if (screen === null) return 0
  if (screen.width === 0 && screen.height === 0) return bits.noScreen
  const isSmall = screen.width === 800 && screen.height === 600
  return isSmall && agent !== null && hasOtherScreen(agent, headers) ? bits.smallScreen : 0
}

/** The bits of the rules of headers and device that fire. */
export const evidenceOf = (sent: Sent): number => {
  const agent = plainAgentOf(sent.userAgent)
  return headerEvidence(agent, sent) | screenEvidence(agent, sent)
}
