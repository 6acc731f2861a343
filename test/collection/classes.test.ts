// Cases of test/fixtures/classes.txt, each with its reason.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { classify, clickIds, isSpam } from '../../src/channel/channel.ts'
import { isBot, parseAgent } from '../../src/collection/enrich/agent.ts'
import cases from '../fixtures/classes.txt'

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:127.0) Gecko/20100101 Firefox/127.0'
const sender = (isBotSender: boolean): string => (isBotSender ? 'bot' : 'person')

/** The channel and source of a visit, from its referrer and query; `-` stands for none. */
const visit = (seen: string): string => {
  const [referrer = '', text = ''] = seen.split(' ')
  const query = new URLSearchParams(text)
  const tag = (name: string): string | null => query.get(`utm_${name}`)
  const { channel, source } = classify({
    referrer: referrer === '-' ? null : referrer,
    utm: {
      source: tag('source'),
      medium: tag('medium'),
      campaign: tag('campaign'),
      term: tag('term'),
      content: tag('content'),
    },
    clickId: clickIds.find(id => [...query.keys()].some(key => key.toLowerCase() === id)) ?? null,
    siteHosts: ['shop.example'],
  })
  return `${channel}, ${source}`
}

const noHints = {
  brands: undefined,
  mobile: undefined,
  platform: undefined,
  platformVersion: undefined,
  model: undefined,
}

/** Device, browser and system, each with its version, of a user agent and the size of the screen behind ` @`. */
const device = (seen: string): string => {
  const [userAgent = '', size = '0x0'] = seen.split(' @')
  const [width = 0, height = 0] = size.split('x').map(Number)
  const { browser, browserVersion, os, osVersion, ...agent } = parseAgent(userAgent, noHints, { width, height })
  return `${agent.device}, ${browser ?? '-'} ${browserVersion ?? '-'}, ${os ?? '-'} ${osVersion ?? '-'}`
}

const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36'
const browser = (brand: string): string =>
  parseAgent(chrome, { ...noHints, brands: `"Chromium";v="126", "${brand}";v="126"` }).browser ?? '-'

/** What each kind of case is classified as. */
const classifiers: Record<string, (seen: string) => string> = {
  agent: userAgent => sender(isBot(userAgent)),
  brands: brands => sender(isBot(firefox, brands)),
  visit,
  device,
  browser,
  spam: referrer => (isSpam(referrer, ['shop.example']) ? 'spam' : 'no spam'),
}

const rows = cases
  .split('\n')
  .filter(line => line !== '' && !line.startsWith('#'))
  .map(line => line.split('\t'))

for (const [kind = '', seen = '', expected = '', why = ''] of rows) {
  test(`${kind} ${seen}: ${expected}, ${why}`, () => {
    assert.ok(why !== '', 'a case has a reason')
    assert.is(classifiers[kind]?.(seen), expected, why)
  })
}

test('no case is there twice', () => {
  const keys = rows.map(([kind, seen]) => `${kind} ${seen}`)
  assert.equal(
    keys.filter((key, at) => keys.indexOf(key) !== at),
    [],
  )
})

test.run()
