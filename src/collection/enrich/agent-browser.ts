import UAParser from 'my-ua-parser'
import { browserNames } from './agent-names.ts'
import { majorOf, parseBrands } from './agent-hints.ts'

type Browser = { name: string | null; version: string | null }

type Rule = { name: string; pattern: RegExp; version: RegExp }

const rule = (name: string, pattern: RegExp, version = pattern): Rule => ({ name, pattern, version })

/** Browsers that the library does not detect, or confuses with their engine: mostly in-app browsers. */
const rules: Rule[] = [
  rule('Messenger', /\bFBAN\/Messenger|\bFB_IAB\/(?:MESSENGER|Orca)/, /\bFBAV\/(\d+)/),
  rule('Instagram', /\bInstagram[ /](\d+)/),
  rule('Threads', /\bBarcelona[ /](\d+)/),
  rule('Facebook', /\bFB(?:AN|AV|_IAB)\//, /\bFBAV\/(\d+)/),
  rule(
    'TikTok',
    /\b(?:musical_ly|trill)_|\bBytedanceWebview\b|\bTikTok\b/i,
    /\b(?:app_version\/|musical_ly_(?=\d{1,3}\.)|trill_(?=\d{1,3}\.))(\d+)/i,
  ),
  rule('Snapchat', /\bSnapchat[ /](\d+)/),
  rule('Pinterest', /\bPinterest[ /]|\[Pinterest\b/, /\bPinterest[ /](\d+)/),
  rule('LinkedIn', /\bLinkedInApp\b/, /\bLinkedInApp\]?\/(\d+)/),
  rule('Twitter', /\bTwitter(?:Android| for i)/, /\bTwitter(?:Android| for iPhone| for iPad)\/(\d+)/),
  rule('Reddit', /\bReddit\/(\d+)/),
  rule('Telegram', /\bTelegram-Android\/(\d+)/),
  rule('Naver', /\bNAVER\(inapp; search; \d{1,6}; (\d+)/),
  rule('Google App', /\bGSA\/(\d+)/),
  rule('Brave', /\bBrave\/(\d+)/),
  rule('Norton Private Browser', /\bNorton\/(\d+)/),
  rule('Avira Secure Browser', /\bAvira\/(\d+)/),
  rule('CCleaner Browser', /\bCCleaner\/(\d+)/),
  rule('DuckDuckGo', /\b(?:DuckDuckGo|Ddg)\/(\d+)/),
  rule('Ecosia', /\(Ecosia [a-z]{3,7}@(\d+)/),
  rule('Aloha Browser', /\bAlohaBrowser\/(\d+)/),
  rule('Phoenix Browser', /\bPHX\/(\d+)/),
  rule('Seznam Browser', /\bSznProhlizec\/(\d+)/),
  rule('Nintendo Browser', /\bNintendoBrowser\/(\d+)/),
  rule('BlackBerry Browser', /\bBB10;|\bBlackBerry\b|\bPlayBook\b/, /\bVersion\/(\d+)/),
]

/** Brands in client hints that are more specific than the user agent. */
const brandNames = new Map([
  ['Brave', 'Brave'],
  ['Brave Browser', 'Brave'],
  ['Microsoft Edge', 'Edge'],
  ['Microsoft Edge WebView2', 'Edge'],
  ['Opera', 'Opera'],
  ['Opera GX', 'Opera GX'],
  ['OperaGX', 'Opera GX'],
  ['OperaMobile', 'Opera'],
  ['Opera Air', 'Opera'],
  ['Vivaldi', 'Vivaldi'],
  ['Samsung Internet', 'Samsung Internet'],
  ['YaBrowser', 'Yandex Browser'],
  ['Yandex', 'Yandex Browser'],
  ['DuckDuckGo', 'DuckDuckGo'],
  ['Whale', 'Naver Whale'],
  ['HuaweiBrowser', 'Huawei Browser'],
  ['Oculus Browser', 'Oculus Browser'],
  ['Avast Secure Browser', 'Avast Secure Browser'],
  ['AVG Secure Browser', 'AVG Secure Browser'],
  ['Avira Secure Browser', 'Avira Secure Browser'],
  ['Avira', 'Avira Secure Browser'],
  ['Norton Private Browser', 'Norton Private Browser'],
  ['Norton Secure Browser', 'Norton Private Browser'],
  ['Norton', 'Norton Private Browser'],
  ['CCleaner Browser', 'CCleaner Browser'],
  ['CocCoc', 'Coc Coc'],
  ['Coc Coc', 'Coc Coc'],
  ['MiuiBrowser', 'Mi Browser'],
  ['UCBrowser', 'UC Browser'],
])

const fromRules = (userAgent: string): Browser | undefined => {
  const found = rules.find(({ pattern }) => pattern.test(userAgent))
  return found && { name: found.name, version: majorOf(found.version.exec(userAgent)?.[1]) }
}

const fromBrands = (value: string | undefined): Browser | undefined => {
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
const corrections: Record<string, (userAgent: string, found: Browser) => Browser> = {
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

const fromLibrary = (userAgent: string): Browser => {
  const { name = '', version } = new UAParser(sanitize(userAgent)).getBrowser()
  const found = { name: browserNames.get(name.toLowerCase()) ?? null, version: majorOf(version) }
  if (found.name === null) return { name: null, version: null }
  return corrections[found.name]?.(userAgent, found) ?? found
}

/** The browser that a visitor would name; an in-app browser has the app's name. */
export const findBrowser = (userAgent: string, brands: string | undefined): Browser =>
  fromRules(userAgent) ?? fromBrands(brands) ?? fromLibrary(userAgent)
