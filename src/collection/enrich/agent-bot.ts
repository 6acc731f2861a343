import { isbot } from 'isbot'
import { memoize } from '../../lib/lru-cache.ts'
import { parseBrands } from './agent-hints.ts'

/** Machines that isbot does not know when they call themselves a browser otherwise: tests of speed, renderers, scanners. */
const machines =
  /gtmetrix|debugbear|jsdom|wkhtmlto|puppeteer|slimerjs|casperjs|htmlunit|zombie\.js|nightmare\/|testcafe|browserless|rendertron|prerender|sitespeed\.io|webpagetest|lighthouse|\bylt\b|yellowlab|miniature\.io|calibreapp|checkly|dynatrace|uptrends|alertsite|ktxn|siteimprove|sortsite|ranktracker|acunetix|netsparker|qualys|sitebulb|monsido|thousandeyes|pagefreezer|pagepeeker|brandverity|novaact|nessus|sqlmap|nuclei|arachni|barkrowler|meta-external|(?:chatgpt|perplexity|mistralai|claude)-user/i

/** A browser on something held or watched: a phone, a tablet, a television, or the window of an app that is none. */
const peopleDevice =
  /^Mozilla\/\d\.\d \(.*(?:Android|iPhone|iPad|iPod|HarmonyOS|Tizen|Web0S|webOS|\bTV\b|GoogleTV|MicroMessenger|AliApp\()/

/** Names of devices and apps that hold one of isbot's words. */
const peopleNames =
  /(?:CU|FOSSi)BOT(?:[ _][\w+]{1,12})*|\bPOWER BOT\b|\b(?:[A-Z] |VR ?|X)BOT[ _][\w+]{1,12}|; [\w +-]{0,24}(?:bot|spider|google)[\w +-]{0,24}(?= Build\/)|; Spider(?: \d{1,2})?(?=[;)])|\bGoogle ?TV\b|\bcom\.google\.[\w.]+|@[a-z]{2,20}_(?:android|iphone|ipad)_/gi

/**
 * Words that isbot takes for a bot's, but apps and models use as well: WeChat's `Process/tools`, `NewsArticle`,
 * `SogouMobileBrowser`, Alipay's `ws:393|0|2.75`, a phone called Discovery. On a device of people they count for nothing.
 */
const sharedWords =
  /tools|okhttp|news|feed|sogou|discovery|catch(?!point)|scan|radar|archive|capture|virtuoso|download|grab|library|server|java|node|torrent|insight|splash|\.com\b(?!\/[a-z])|\||\(\)|\b(?:w|time)\/|daum[ /]|;\s\w+;$/gi

const isListed = (userAgent: string): boolean => isbot(userAgent) || machines.test(userAgent)

const withoutShared = (userAgent: string): string => userAgent.replace(peopleNames, ' ').replace(sharedWords, '')

/** Whether a user agent declares itself a bot; an empty one does. */
export const isBotAgent = (userAgent: string): boolean =>
  userAgent.trim() === '' ||
  (isListed(userAgent) && !(peopleDevice.test(userAgent) && !isListed(withoutShared(userAgent))))

/** Names of brands that browsers send: `Not/A)Brand` and the like are made up, so that nobody relies on the list. */
const brandName = /^[\w .-]+$/
const peopleBrand = /^(?:Google Chrome|Chromium)$|\bbrand\b/i

/** Whether a brand in `Sec-CH-UA` is a bot's, as HeadlessChrome. */
export const isBotBrand = memoize(500, brands =>
  parseBrands(brands.slice(0, 512)).some(
    ({ name }) =>
      brandName.test(name) && !peopleBrand.test(name) && isListed(`Mozilla/5.0 (X11; Linux x86_64) ${name}/1.0.0`),
  ),
)
