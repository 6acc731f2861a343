import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Agent, isBot, parseAgent } from '../../src/collection/enrich/agent.ts'
import type { ClientHints } from '../../src/collection/enrich/agent-software.ts'
import { check } from '../support/property.ts'

const noHints: ClientHints = {
  brands: undefined,
  mobile: undefined,
  platform: undefined,
  platformVersion: undefined,
  model: undefined,
}

const linesOf = (name: string): string[] =>
  readFileSync(join(process.cwd(), 'test/fixtures', name), 'utf8')
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))

/** 'desktop | Chrome 126 | Windows 10', with '-' for what is unknown. */
const show = ({ device, browser, browserVersion, os, osVersion }: Agent): string =>
  `${device} | ${browser ?? '-'} ${browserVersion ?? '-'} | ${os ?? '-'} ${osVersion ?? '-'}`

const windows =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36'
const mac =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36'
const linux = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36'
const androidPhone =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36'
const androidTablet =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36'
const edge = `${windows} Edg/126.0.0.0`
const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1'
const silk =
  'Mozilla/5.0 (Linux; Android 9; KFMAWI) AppleWebKit/537.36 (KHTML, like Gecko) Silk/125.2.1 like Chrome/125.0.6422.165 Safari/537.36'
const facebook = `${androidPhone.replace('K)', 'K; wv)').replace('Chrome', 'Version/4.0 Chrome')} [FB_IAB/FB4A;FBAV/466.1.0.56.82;]`

const brands = (name: string, version: string): string =>
  `"Not/A)Brand";v="8", "Chromium";v="126", "${name}";v="${version}"`

test('user agents of people', () => {
  const rows = linesOf('user-agents.tsv').map(line => line.split('\t'))
  assert.ok(rows.length >= 120, `${rows.length} rows`)
  for (const [device, browser, os, userAgent = ''] of rows) {
    assert.is(show(parseAgent(userAgent, noHints)), `${device} | ${browser} | ${os}`, userAgent)
    assert.not(isBot(userAgent), userAgent)
  }
})

test('client hints take precedence over the user agent', () => {
  const cases: [userAgent: string, hints: Partial<ClientHints>, expected: string][] = [
    [windows, { platform: '"Windows"', platformVersion: '"15.0.0"' }, 'desktop | Chrome 126 | Windows 11'],
    [windows, { platform: '"Windows"', platformVersion: '"13.0.0"' }, 'desktop | Chrome 126 | Windows 11'],
    [windows, { platform: '"Windows"', platformVersion: '"10.0.0"' }, 'desktop | Chrome 126 | Windows 10'],
    [windows, { platform: '"Windows"', platformVersion: '"1.0.0"' }, 'desktop | Chrome 126 | Windows 10'],
    [windows, { platform: '"Windows"', platformVersion: '"0.3.0"' }, 'desktop | Chrome 126 | Windows 8.1'],
    [windows, { platform: '"Windows"', platformVersion: '"0.1"' }, 'desktop | Chrome 126 | Windows 7'],
    [windows, { platform: '"Windows"' }, 'desktop | Chrome 126 | Windows -'],
    [windows, { platform: '"Windows"', platformVersion: '""' }, 'desktop | Chrome 126 | Windows -'],
    [windows, { platform: 'Windows', platformVersion: '15' }, 'desktop | Chrome 126 | Windows -'],
    [mac, { platform: '"macOS"', platformVersion: '"14.5.0"', mobile: '?0' }, 'desktop | Chrome 126 | macOS 14'],
    [mac, { platform: '"macOS"', platformVersion: '"10.15.7"' }, 'desktop | Chrome 126 | macOS 10.15'],
    [mac, { platform: '"macOS"' }, 'desktop | Chrome 126 | macOS -'],
    [linux, { platform: '"Linux"', platformVersion: '"6.5.0"' }, 'desktop | Chrome 126 | Linux -'],
    [linux, { platform: '"Chrome OS"', platformVersion: '"15823.0.0"' }, 'desktop | Chrome 126 | ChromeOS -'],
    [linux, { platform: '"Unknown"' }, 'desktop | Chrome 126 | Linux -'],
    [linux, { platform: '"Android"', platformVersion: '"14.0.0"', mobile: '?0' }, 'tablet | Chrome 126 | Android 14'],
    [linux, { platform: '"Linux"', mobile: '?1' }, 'mobile | Chrome 126 | Linux -'],
    [
      androidPhone,
      { platform: '"Android"', platformVersion: '"14.0.0"', mobile: '?1', model: '"Pixel 8"' },
      'mobile | Chrome 126 | Android 14',
    ],
    [
      androidTablet,
      { platform: '"Android"', platformVersion: '"13.0.0"', mobile: '?0' },
      'tablet | Chrome 126 | Android 13',
    ],
    [androidTablet, { platform: '"Android"', mobile: '?1' }, 'mobile | Chrome 126 | Android -'],
    [androidTablet, { platform: '"Android"', mobile: '?0', model: '"BRAVIA 4K VH2"' }, 'tv | Chrome 126 | Android -'],
    [androidTablet, { platform: '"Android"', mobile: '?0', model: '"Quest 3"' }, 'other | Chrome 126 | Android -'],
    [silk, { platform: '"Android"', platformVersion: '"9"', mobile: '?0' }, 'tablet | Amazon Silk 125 | Fire OS 7'],
    [windows, { brands: brands('Google Chrome', '126') }, 'desktop | Chrome 126 | Windows -'],
    [windows, { brands: '"Not/A)Brand";v="8", "Chromium";v="126"' }, 'desktop | Chrome 126 | Windows -'],
    [windows, { brands: brands('Brave', '126') }, 'desktop | Brave 126 | Windows -'],
    [
      androidPhone,
      { brands: brands('Brave', '126'), mobile: '?1', platform: '"Android"' },
      'mobile | Brave 126 | Android -',
    ],
    [edge, { brands: brands('Microsoft Edge', '126') }, 'desktop | Edge 126 | Windows -'],
    [windows, { brands: brands('Microsoft Edge', '126.0.2592.68') }, 'desktop | Edge 126 | Windows -'],
    [
      `${windows} OPR/111.0.0.0`,
      { brands: '"Opera";v="111", "Chromium";v="125", "Not.A/Brand";v="24"' },
      'desktop | Opera 111 | Windows -',
    ],
    [
      windows,
      { brands: '"Opera GX";v="109", "Not:A-Brand";v="8", "Chromium";v="123"' },
      'desktop | Opera GX 109 | Windows -',
    ],
    [windows, { brands: brands('Vivaldi', '6.8') }, 'desktop | Vivaldi 6 | Windows -'],
    [androidPhone, { brands: brands('Samsung Internet', '25.0') }, 'mobile | Samsung Internet 25 | Android -'],
    [windows, { brands: brands('YaBrowser', '24.6') }, 'desktop | Yandex Browser 24 | Windows -'],
    [windows, { brands: '"\\\\Not\\"A;Brand";v="99", "Google Chrome";v="126"' }, 'desktop | Chrome 126 | Windows -'],
    [windows, { brands: brands('A Browser of Mine', '1') }, 'desktop | Chrome 126 | Windows -'],
    [facebook, { brands: brands('Android WebView', '125') }, 'mobile | Facebook 466 | Android -'],
    [edge, { brands: '', mobile: '', platform: '', platformVersion: '', model: '' }, 'desktop | Edge 126 | Windows -'],
    [
      edge,
      { brands: '";;v=""', mobile: 'yes', platform: '"', platformVersion: '"x"', model: '\0' },
      'desktop | Edge 126 | Windows -',
    ],
  ]
  for (const [userAgent, hints, expected] of cases)
    assert.is(show(parseAgent(userAgent, { ...noHints, ...hints })), expected, `${userAgent} ${JSON.stringify(hints)}`)
})

test('the screen decides between phone and tablet only where nothing else does', () => {
  assert.is(parseAgent(androidTablet, noHints, { width: 412, height: 900 }).device, 'mobile')
  assert.is(parseAgent(androidTablet, noHints, { width: 800, height: 900 }).device, 'tablet')
  assert.is(parseAgent(androidTablet, noHints, { width: 0, height: 900 }).device, 'tablet')
  assert.is(parseAgent(androidTablet, { ...noHints, mobile: '?0' }, { width: 412, height: 900 }).device, 'tablet')
  assert.is(parseAgent(androidPhone, noHints, { width: 1200, height: 900 }).device, 'mobile')
  assert.is(parseAgent(windows, noHints, { width: 400, height: 900 }).device, 'desktop')
  assert.is(parseAgent(iPhone, noHints, { width: 1200, height: 900 }).device, 'mobile')
  assert.is(parseAgent(androidTablet, noHints, { width: NaN, height: 900 }).device, 'tablet')
})

test('empty input is other and unknown', () => {
  for (const userAgent of [
    '',
    ' ',
    '\0',
    'Mozilla/5.0',
    'x',
    'Chrome',
    'Chrome/',
    '-',
    '\ud800',
    '🦊',
    'Android'.slice(0, 3),
  ])
    assert.is(show(parseAgent(userAgent, noHints)), 'other | - - | - -', JSON.stringify(userAgent))
})

test('invented names and long versions do not reach the reports', () => {
  assert.is(show(parseAgent(windows.replace('126.0.0.0', '1234567.0'), noHints)), 'desktop | Chrome - | Windows -')
  assert.is(show(parseAgent(windows.replace('Chrome', 'cHrOmE'), noHints)), 'desktop | Chrome 126 | Windows -')
  assert.is(show(parseAgent(windows.replace('10.0', '987.5'), noHints)), 'desktop | Chrome 126 | Windows -')
  assert.is(show(parseAgent('constructor/1 __proto__/2 toString/3', noHints)), 'other | - - | - -')
  assert.is(parseAgent(windows, { ...noHints, platform: '"__proto__"', platformVersion: '"1"' }).os, 'Windows')
  assert.is(parseAgent(windows, { ...noHints, brands: '"__proto__";v="1"' }).browser, 'Chrome')
})

test('declared bots are recognised, and people are not', () => {
  for (const userAgent of linesOf('bots.txt')) assert.ok(isBot(userAgent), userAgent)
  for (const userAgent of ['', ' ', '\t\n']) assert.ok(isBot(userAgent), JSON.stringify(userAgent))
  for (const userAgent of [windows, mac, linux, androidPhone, androidTablet, iPhone, edge, silk, facebook])
    assert.not(isBot(userAgent), userAgent)
})

test('hints beyond the cache limits are still used', () => {
  const versions = Array.from({ length: 20 }, (_, index) => String(index + 1))
  for (const version of [...versions, ...versions]) {
    const hints = {
      ...noHints,
      platform: '"Android"',
      platformVersion: `"${version}.0.0"`,
      brands: version === '7' ? '"x";v="1",'.repeat(60) : undefined,
    }
    assert.is(parseAgent(androidPhone, hints).osVersion, version)
  }
})

test('results are shared and frozen', () => {
  const agent = parseAgent(windows, noHints)
  assert.is(parseAgent(windows, noHints), agent)
  assert.ok(Object.isFrozen(agent))
  assert.is.not(parseAgent(windows, { ...noHints, platform: '"Windows"' }), agent)
})

test('only the first 1,024 characters are parsed', () => {
  const padding = ' '.repeat(1024 - windows.length)
  assert.is(
    parseAgent(`${windows}${padding}${'x'.repeat(65_536)}`, noHints),
    parseAgent(`${windows}${padding}`, noHints),
  )
  assert.not(isBot(`${windows}${padding} Googlebot/2.1`))
  assert.ok(isBot(`${windows}${padding.slice(20)} Googlebot/2.1`))
})

test('hostile headers neither throw nor stall', () => {
  const attacks = [
    'naver('.repeat(33) + '1.'.repeat(400),
    `${'mozilla/0  '.repeat(20) + 'rv: '.repeat(40)}gecko/0`,
    'droid '.repeat(60) + ' version/1'.repeat(60),
    'droid u; i buil'.repeat(60),
    'hbbtv'.repeat(40) + 'technisat '.repeat(40),
    'opera aab/p'.repeat(80),
    '('.repeat(65_536),
    '\0'.repeat(65_536),
    '\ud800'.repeat(65_536),
    'a'.repeat(65_536),
    '1.'.repeat(32_768),
    '"'.repeat(65_536),
    '"a";v="1",'.repeat(6000),
    ' '.repeat(65_536),
    '🦊'.repeat(30_000),
  ]
  for (const text of attacks) {
    isBot(text)
    const agent = parseAgent(
      text,
      { brands: text, mobile: text, platform: text, platformVersion: text, model: text },
      { width: -1, height: NaN },
    )
    assert.ok(['desktop', 'mobile', 'tablet', 'tv', 'other'].includes(agent.device))
  }
  const words = fc.constantFrom(
    'Mozilla/5.0 (',
    'Android',
    ' 10',
    '; ',
    'Mobile',
    'Version/',
    '1.',
    'Safari',
    'Chrome/',
    'OS ',
    'X ',
    ')',
    'iPhone',
    'naver(',
    '"',
    'Windows NT ',
  )
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(words, { maxLength: 40 }).map(parts => parts.join('')),
  )
  const hint = fc.option(text, { nil: undefined })
  check(
    fc.property(
      text,
      fc.record({ brands: hint, mobile: hint, platform: hint, platformVersion: hint, model: hint }),
      fc.double(),
      (userAgent, hints, width) => {
        isBot(userAgent)
        const { browser, browserVersion, os, osVersion } = parseAgent(userAgent, hints, { width, height: -width })
        for (const name of [browser, os]) assert.ok(name === null || name.length <= 25, String(name))
        for (const version of [browserVersion, osVersion])
          assert.ok(version === null || /^[\w.]{1,8}$/.test(version), String(version))
      },
    ),
  )
})

test.run()
