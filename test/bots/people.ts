// Requests of people's browsers of the last five years, as they arrive: by the form of each browser's headers.
import type { SuspicionRule } from '../../src/bots/rules.ts'

export type Request = {
  name: string
  userAgent: string
  headers: Record<string, string>
  screen: readonly [number, number] | null
  language: string | null
  /** The one rule that takes this person for a machine. */
  rule?: SuspicionRule
}

const chrome = (place: string, version: string, tail = ''): string =>
  `Mozilla/5.0 (${place}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version} Safari/537.36${tail}`
const phone = (place: string, version: string, tail = ''): string =>
  `Mozilla/5.0 (${place}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version} Mobile Safari/537.36${tail}`
const webView = (place: string, version: string, tail: string): string =>
  `Mozilla/5.0 (${place}; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/${version} Mobile Safari/537.36 ${tail}`
const iPhone = (tail: string, system = '17_5'): string =>
  `Mozilla/5.0 (iPhone; CPU iPhone OS ${system} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ${tail}`

const windows = 'Windows NT 10.0; Win64; x64'
const mac = 'Macintosh; Intel Mac OS X 10_15_7'
const linux = 'X11; Linux x86_64'
const android = 'Linux; Android 10; K'
const chromeOs = 'X11; CrOS x86_64 14541.0.0'

export const hints = (
  brands: Readonly<Record<string, string>>,
  platform?: string,
  mobile = '?0',
): Record<string, string> => ({
  'sec-ch-ua': [...Object.entries(brands), ['Not/A)Brand', '8']].map(([name, v]) => `"${name}";v="${v}"`).join(', '),
  'sec-ch-ua-mobile': mobile,
  ...(platform !== undefined && { 'sec-ch-ua-platform': `"${platform}"` }),
})
const google = (version: string, platform?: string, mobile?: string) =>
  hints({ Chromium: version, 'Google Chrome': version }, platform, mobile)

const english = { 'accept-language': 'en-US,en;q=0.9' }
/** What the tracker's fetch has from a page of another origin. */
const sent = {
  origin: 'https://example.org',
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'cors',
  'sec-fetch-dest': 'empty',
}
const beacon = { ...sent, 'sec-fetch-mode': 'no-cors', 'sec-fetch-site': 'same-origin' }
const pixel = { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }
/** Of browsers before they sent Sec-Fetch. */
const older = { origin: 'https://example.org' }

const onDesk = { screen: [1920, 1080], language: 'en-US' } as const
const inHand = { screen: [412, 915], language: 'en-US' } as const

export const people: readonly Request[] = [
  {
    name: 'Chrome on Windows',
    userAgent: chrome(windows, '140.0.0.0'),
    headers: { ...sent, ...english, ...google('140', 'Windows') },
    ...onDesk,
  },
  {
    name: 'Chrome 90, without a platform in its hints',
    userAgent: chrome(windows, '90.0.4430.93'),
    headers: { ...sent, ...english, ...google('90') },
    ...onDesk,
  },
  {
    name: 'Chrome 88, before client hints',
    userAgent: chrome(windows, '88.0.4324.150'),
    headers: { ...sent, ...english },
    ...onDesk,
  },
  {
    name: 'Chrome 109, the last on Windows 7',
    userAgent: chrome('Windows NT 6.1; Win64; x64', '109.0.0.0'),
    headers: { ...sent, ...english, ...google('109', 'Windows') },
    ...onDesk,
  },
  {
    name: 'Chrome on a Mac, by a beacon',
    userAgent: chrome(mac, '126.0.0.0'),
    headers: { ...beacon, ...english, ...google('126', 'macOS') },
    ...onDesk,
  },
  {
    name: 'Chrome on Linux',
    userAgent: chrome(linux, '131.0.0.0'),
    headers: { ...sent, ...english, ...google('131', 'Linux') },
    ...onDesk,
  },
  {
    name: 'Chromium of Debian',
    userAgent: chrome(linux, '131.0.0.0'),
    headers: { ...sent, ...english, ...hints({ Chromium: '131' }, 'Linux') },
    ...onDesk,
  },
  {
    name: 'Chrome on ChromeOS',
    userAgent: chrome(chromeOs, '128.0.0.0'),
    headers: { ...sent, ...english, ...google('128', 'Chrome OS') },
    ...onDesk,
  },
  {
    name: 'ChromeOS Flex',
    userAgent: chrome(chromeOs, '128.0.0.0'),
    headers: { ...sent, ...english, ...google('128', 'Chromium OS') },
    screen: [800, 600],
    language: 'en-US',
  },
  {
    name: 'Chrome on Android',
    userAgent: phone(android, '127.0.0.0'),
    headers: { ...sent, ...english, ...google('127', 'Android', '?1') },
    ...inHand,
  },
  {
    name: 'Chrome on Android before short agents',
    userAgent: phone('Linux; Android 11; SM-A515F', '96.0.4664.104'),
    headers: { ...sent, ...english, ...google('96', 'Android', '?1') },
    ...inHand,
  },
  {
    name: 'Chrome on Android asked for the page of desktops',
    userAgent: chrome(linux, '127.0.0.0'),
    headers: { ...sent, ...english, ...google('127', 'Linux') },
    ...inHand,
  },
  {
    name: 'the same, of a browser that keeps its platform',
    userAgent: chrome(windows, '127.0.0.0'),
    headers: { ...sent, ...english, ...google('127', 'Android') },
    ...inHand,
  },
  {
    name: 'a tablet of 800 × 600',
    userAgent: chrome(android, '127.0.0.0'),
    headers: { ...sent, ...english, ...google('127', 'Android') },
    screen: [800, 600],
    language: 'en-US',
  },
  {
    name: 'that tablet, asked for the page of desktops',
    userAgent: chrome(linux, '127.0.0.0'),
    headers: { ...sent, ...english, ...google('127', 'Android') },
    screen: [800, 600],
    language: 'en-US',
  },
  {
    name: 'an e-book reader',
    userAgent: chrome('Linux; Android 8.1.0; BOOX', '83.0.4103.106'),
    headers: { ...sent, ...english },
    screen: [800, 600],
    language: 'en-US',
  },
  {
    name: 'Chrome on an iPhone',
    userAgent: iPhone('CriOS/127.0.6533.107 Mobile/15E148 Safari/604.1'),
    headers: { ...sent, 'accept-language': 'de-AT,de;q=0.9' },
    screen: [390, 844],
    language: 'de-AT',
  },
  {
    name: 'Google’s app on an iPhone',
    userAgent: iPhone('GSA/330.0.6 Mobile/15E148 Safari/604.1'),
    headers: { ...sent, ...english },
    screen: [390, 844],
    language: 'en-US',
  },
  {
    name: 'Safari on an iPhone',
    userAgent: iPhone('Version/17.5 Mobile/15E148 Safari/604.1'),
    headers: { ...sent, 'accept-language': 'zh-CN,zh-Hans;q=0.9' },
    screen: [390, 844],
    language: 'zh-CN',
  },
  {
    name: 'Safari 14, without Sec-Fetch',
    userAgent: iPhone('Version/14.1.2 Mobile/15E148 Safari/604.1', '14_8'),
    headers: { ...older, 'accept-language': 'fr-fr' },
    screen: [375, 667],
    language: 'fr-FR',
  },
  {
    name: 'Safari on a Mac',
    userAgent: `Mozilla/5.0 (${mac}) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15`,
    headers: { ...sent, 'accept-language': 'nb-NO,nb;q=0.9' },
    screen: [1512, 982],
    language: 'nb-NO',
  },
  {
    name: 'an iPad, which says it is a Mac',
    userAgent: `Mozilla/5.0 (${mac}) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15`,
    headers: { ...sent, 'accept-language': 'en-GB,en;q=0.9' },
    screen: [820, 1180],
    language: 'en-GB',
  },
  {
    name: 'Facebook’s app on an iPhone',
    userAgent: iPhone('Mobile/15E148 [FBAN/FBIOS;FBAV/470.0.0.37;FBDV/iPhone14,5]'),
    headers: { ...sent, 'accept-language': 'pt-BR,pt;q=0.9' },
    screen: [390, 844],
    language: 'pt-BR',
  },
  {
    name: 'Firefox on Windows',
    userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0',
    headers: { ...sent, 'accept-language': 'de,en-US;q=0.7,en;q=0.3' },
    screen: [1920, 1080],
    language: 'de',
  },
  {
    name: 'Firefox 88, without Sec-Fetch',
    userAgent: 'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:88.0) Gecko/20100101 Firefox/88.0',
    headers: { ...older, 'accept-language': 'en-US,en;q=0.5' },
    ...onDesk,
  },
  {
    name: 'Firefox on Android',
    userAgent: 'Mozilla/5.0 (Android 14; Mobile; rv:128.0) Gecko/128.0 Firefox/128.0',
    headers: { ...sent, 'accept-language': 'es-ES' },
    screen: [412, 915],
    language: 'es-ES',
  },
  {
    name: 'Tor Browser',
    userAgent: 'Mozilla/5.0 (Windows NT 10.0; rv:128.0) Gecko/20100101 Firefox/128.0',
    headers: { ...sent, 'accept-language': 'en-US,en;q=0.5' },
    screen: [1400, 900],
    language: 'en-US',
  },
  {
    name: 'Edge',
    userAgent: chrome(windows, '128.0.0.0', ' Edg/128.0.0.0'),
    headers: { ...sent, ...english, ...hints({ Chromium: '128', 'Microsoft Edge': '128' }, 'Windows') },
    ...onDesk,
  },
  {
    name: 'Edge on Android',
    userAgent: phone(android, '128.0.0.0', ' EdgA/128.0.0.0'),
    headers: { ...sent, ...english, ...hints({ Chromium: '128', 'Microsoft Edge': '128' }, 'Android', '?1') },
    ...inHand,
  },
  {
    name: 'Edge on an Xbox',
    userAgent: chrome(`${windows}; Xbox; Xbox One`, '128.0.0.0', ' Edg/128.0.0.0'),
    headers: { ...sent, ...english },
    ...onDesk,
  },
  {
    name: 'Opera',
    userAgent: chrome(windows, '124.0.0.0', ' OPR/110.0.0.0'),
    headers: { ...sent, ...english, ...hints({ Chromium: '124', Opera: '110' }, 'Windows') },
    ...onDesk,
  },
  {
    name: 'Opera GX with its edition',
    userAgent: chrome(windows, '124.0.0.0', ' OPR/110.0.0.0 (Edition std-1)'),
    headers: { ...sent, ...english, ...hints({ Chromium: '124', 'Opera GX': '110' }, 'Windows') },
    ...onDesk,
  },
  {
    name: 'Opera Mini, whose server makes the request',
    userAgent: 'Opera/9.80 (Android; Opera Mini/36.2.2254/191.249; U; en) Presto/2.12.423 Version/12.16',
    headers: {},
    screen: [320, 480],
    language: 'en',
  },
  {
    name: 'Brave',
    userAgent: chrome(mac, '127.0.0.0'),
    headers: {
      ...sent,
      'accept-language': 'de-DE,de;q=0.6',
      'sec-gpc': '1',
      ...hints({ Chromium: '127', Brave: '127' }, 'macOS'),
    },
    screen: [1440, 900],
    language: 'de-DE',
  },
  {
    name: 'Vivaldi',
    userAgent: chrome(linux, '126.0.0.0'),
    headers: { ...sent, ...english, ...hints({ Chromium: '126', Vivaldi: '6.8' }, 'Linux') },
    ...onDesk,
  },
  {
    name: 'Yandex',
    userAgent: `Mozilla/5.0 (${windows}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 YaBrowser/24.6.0.0 Safari/537.36`,
    headers: { ...sent, 'accept-language': 'ru,en;q=0.9', ...hints({ Chromium: '124', YaBrowser: '24.6' }, 'Windows') },
    screen: [1366, 768],
    language: 'ru',
  },
  {
    name: 'Samsung Internet',
    userAgent:
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36',
    headers: {
      ...sent,
      'accept-language': 'ko-KR,ko;q=0.9,en-US;q=0.8',
      ...hints({ Chromium: '121', 'Samsung Internet': '25.0' }, 'Android', '?1'),
    },
    screen: [384, 854],
    language: 'ko-KR',
  },
  {
    name: 'Samsung Internet 14, without hints',
    userAgent:
      'Mozilla/5.0 (Linux; Android 11; SAMSUNG SM-G973F) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/14.2 Chrome/87.0.4280.141 Mobile Safari/537.36',
    headers: { ...sent, ...english },
    ...inHand,
  },
  {
    name: 'UC Browser',
    userAgent:
      'Mozilla/5.0 (Linux; U; Android 11; en-US; RMX2185) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/100.0.4896.58 UCBrowser/13.4.0.1306 Mobile Safari/537.36',
    headers: { ...sent, 'accept-language': 'en-US' },
    screen: [360, 800],
    language: 'hi-IN',
  },
  {
    name: 'QQ Browser',
    userAgent: chrome(windows, '94.0.4606.71', ' Core/1.94.200.400 QQBrowser/11.8.5118.400'),
    headers: { ...sent, 'accept-language': 'zh-CN,zh;q=0.9' },
    screen: [1536, 864],
    language: 'zh-CN',
  },
  {
    name: '360, which hides behind an old Chrome',
    userAgent: chrome('Windows NT 10.0; WOW64', '86.0.4240.198'),
    headers: { ...sent, 'accept-language': 'zh-CN,zh;q=0.9' },
    screen: [1920, 1080],
    language: 'zh-CN',
  },
  {
    name: 'Android WebView before 117',
    userAgent: webView(
      'Linux; Android 12; SM-A127F Build/SP1A.210812.016',
      '108.0.5359.128',
      '[FB_IAB/FB4A;FBAV/400.0.0.37.76;]',
    ),
    headers: { ...sent, ...english },
    ...inHand,
  },
  {
    name: 'Instagram on Android',
    userAgent: webView('Linux; Android 14; Pixel 7 Build/UQ1A', '125.0.6422.165', 'Instagram 337.0.0.35.102 Android'),
    headers: { ...sent, ...english, ...hints({ 'Android WebView': '125', Chromium: '125' }, 'Android', '?1') },
    ...inHand,
  },
  {
    name: 'an app that removes wv from its agent',
    userAgent: phone('Linux; Android 13; SM-S901B Build/TP1A.220624.014', '120.0.6099.144'),
    headers: { ...sent, ...english },
    ...inHand,
  },
  {
    name: 'an app that says it is Chrome',
    userAgent: phone('Linux; Android 13; SM-S901B', '120.0.6099.144'),
    headers: { ...sent, ...english },
    ...inHand,
  },
  {
    name: 'WeChat',
    userAgent: webView(
      'Linux; Android 13; 22081212C Build/TKQ1',
      '116.0.0.0',
      'XWEB/1160065 MMWEBSDK/20231202 MicroMessenger/8.0.47',
    ),
    headers: { ...sent, 'accept-language': 'zh-CN,zh;q=0.9' },
    screen: [393, 873],
    language: 'en-US',
  },
  {
    name: 'DuckDuckGo on Android with a short agent',
    userAgent: phone(android, '121.0.0.0'),
    headers: { ...sent, ...english },
    ...inHand,
    rule: 'no_client_hints',
  },
  {
    name: 'an extension that changes the agent alone',
    userAgent: chrome(windows, '120.0.0.0'),
    headers: { ...sent, ...english, ...google('140', 'Linux') },
    ...onDesk,
    rule: 'other_client_hints',
  },
  {
    name: 'Chromium without Google on Windows',
    userAgent: chrome(windows, '140.0.0.0'),
    headers: { ...sent, ...english, ...hints({ Chromium: '140' }, 'Windows') },
    ...onDesk,
    rule: 'other_client_hints',
  },
  {
    name: '360, which hides behind Chrome',
    userAgent: chrome(windows, '132.0.0.0'),
    headers: { ...sent, 'accept-language': 'zh-CN,zh;q=0.9', ...hints({ Chromium: '132' }, 'Windows') },
    screen: [1920, 1080],
    language: 'zh-CN',
  },
  {
    name: 'Chrome 101, with the empty brand of its time',
    userAgent: chrome(windows, '101.0.4951.67'),
    headers: {
      ...sent,
      ...english,
      'sec-ch-ua': '" Not A;Brand";v="99", "Chromium";v="101", "Google Chrome";v="101"',
      'sec-ch-ua-platform': '"Windows"',
    },
    ...onDesk,
  },
  {
    name: 'the page for desktops on Android, with a version of its own',
    userAgent: chrome(windows, '114.0.0.0'),
    headers: { ...sent, ...english, ...google('127', 'Android') },
    ...inHand,
  },
  {
    name: 'a Chrome without HTTPS',
    userAgent: chrome(windows, '140.0.0.0'),
    headers: { origin: 'http://intranet.example', ...english },
    ...onDesk,
  },
  {
    name: 'the same with a service that has HTTPS',
    userAgent: chrome(windows, '140.0.0.0'),
    headers: { origin: 'http://intranet.example', 'sec-fetch-site': 'cross-site', ...english },
    ...onDesk,
  },
  {
    name: 'the pixel without scripts',
    userAgent: chrome(windows, '140.0.0.0'),
    headers: { ...pixel, ...english },
    screen: null,
    language: null,
  },
  {
    name: 'the pixel in Firefox',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
    headers: { ...pixel, 'accept-language': 'en-US,en;q=0.5' },
    screen: null,
    language: null,
  },
  {
    name: 'a page that Google translates',
    userAgent: chrome(windows, '140.0.0.0'),
    headers: {
      ...sent,
      origin: 'https://example-org.translate.goog',
      'accept-language': 'tr-TR,tr;q=0.9',
      ...google('140', 'Windows'),
    },
    screen: [1920, 1080],
    language: 'tr-TR',
  },
  {
    name: 'Chrome that sends its first language alone',
    userAgent: chrome(windows, '140.0.0.0'),
    headers: { ...sent, 'accept-language': 'sv-SE', ...google('140', 'Windows') },
    screen: [1920, 1080],
    language: 'sv-SE',
  },
  {
    name: 'Accept-Language: *',
    userAgent: chrome(windows, '140.0.0.0'),
    headers: { ...sent, 'accept-language': '*', ...google('140', 'Windows') },
    screen: [1920, 1080],
    language: 'sv-SE',
  },
  {
    name: 'Norwegian by another name',
    userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0',
    headers: { ...sent, 'accept-language': 'no,nn;q=0.8,en;q=0.5' },
    screen: [1920, 1080],
    language: 'nb-NO',
  },
  {
    name: 'Hebrew by its old code',
    userAgent: phone(android, '127.0.0.0'),
    headers: { ...sent, 'accept-language': 'he-IL,he;q=0.9', ...google('127', 'Android', '?1') },
    screen: [412, 915],
    language: 'iw-IL',
  },
  {
    name: 'Indonesian by its old code',
    userAgent: phone(android, '127.0.0.0'),
    headers: { ...sent, 'accept-language': 'in-ID,in;q=0.9', ...google('127', 'Android', '?1') },
    screen: [412, 915],
    language: 'id',
  },
  {
    name: 'Chinese of Hong Kong',
    userAgent: chrome(mac, '127.0.0.0'),
    headers: { ...sent, 'accept-language': 'zh-Hant-HK,zh;q=0.9', ...google('127', 'macOS') },
    screen: [1440, 900],
    language: 'yue-HK',
  },
  {
    name: 'a television set',
    userAgent:
      'Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/94.0.4606.128 Safari/537.36 WebAppManager',
    headers: { origin: 'https://example.org' },
    ...onDesk,
  },
  {
    name: 'a Samsung television set',
    userAgent:
      'Mozilla/5.0 (SMART-TV; LINUX; Tizen 7.0) AppleWebKit/537.36 (KHTML, like Gecko) 94.0.4606.31/7.0 TV Safari/537.36',
    headers: { origin: 'https://example.org' },
    ...onDesk,
  },
  {
    name: 'a kiosk of Electron',
    userAgent: `Mozilla/5.0 (${linux}) AppleWebKit/537.36 (KHTML, like Gecko) kiosk/1.2.0 Chrome/114.0.5735.289 Electron/25.9.8 Safari/537.36`,
    headers: { ...sent, 'accept-language': 'en-US' },
    screen: [800, 600],
    language: 'de',
  },
  {
    name: 'a kiosk of Qt',
    userAgent: `Mozilla/5.0 (${linux}) AppleWebKit/537.36 (KHTML, like Gecko) QtWebEngine/6.5.2 Chrome/108.0.5359.220 Safari/537.36`,
    headers: { ...sent, ...english },
    screen: [800, 480],
    language: 'en-US',
  },
  {
    name: 'an old PC',
    userAgent: chrome('Windows NT 6.1', '49.0.2623.112'),
    headers: { origin: 'https://example.org', ...english },
    screen: [800, 600],
    language: 'en-US',
  },
  {
    name: 'a feature phone',
    userAgent: 'Mozilla/5.0 (Mobile; Nokia 8110 4G; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5.2',
    headers: { origin: 'https://example.org', 'accept-language': 'hi-IN' },
    screen: [240, 320],
    language: 'hi-IN',
  },
  {
    name: 'Lynx, which shows pages to the blind',
    userAgent: 'Lynx/2.9.0dev.12 libwww-FM/2.14 SSL-MM/1.4.1 GNUTLS/3.7.8',
    headers: { 'accept-language': 'en' },
    screen: null,
    language: null,
  },
  { name: 'w3m', userAgent: 'w3m/0.5.3+git20230121', headers: {}, screen: null, language: null },
  {
    name: 'Internet Explorer',
    userAgent: 'Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko',
    headers: { 'accept-language': 'en-US' },
    screen: [1280, 1024],
    language: 'en-US',
  },
  {
    name: 'a back end that passes on nothing but the agent',
    userAgent: chrome(windows, '140.0.0.0'),
    headers: {},
    ...onDesk,
  },
  {
    name: 'a back end that passes on the language as well',
    userAgent: chrome(windows, '140.0.0.0'),
    headers: { 'accept-language': 'en' },
    screen: [1920, 1080],
    language: 'de',
  },
  {
    name: 'a gateway that removes Sec-Fetch',
    userAgent: chrome(windows, '140.0.0.0'),
    headers: { ...older, ...english, ...google('140', 'Windows') },
    ...onDesk,
  },
  {
    name: 'a gateway that removes client hints as well',
    userAgent: chrome(windows, '140.0.0.0'),
    headers: { ...older, ...english },
    ...onDesk,
    rule: 'no_client_hints',
  },
]
