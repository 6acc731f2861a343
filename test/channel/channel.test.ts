import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import adSystems from '../../data/ad-systems.txt'
import ads from '../../data/channels/ads.txt'
import ai from '../../data/channels/ai.txt'
import mail from '../../data/channels/mail.txt'
import mailProviders from '../../data/channels/mail-providers.txt'
import mailServices from '../../data/channels/mail-services.txt'
import portals from '../../data/channels/portals.txt'
import referral from '../../data/channels/referral.txt'
import search from '../../data/channels/search.txt'
import social from '../../data/channels/social.txt'
import spam from '../../data/referrer-spam.txt'
import spamMore from '../../data/referrer-spam-more.txt'
import shortNames from '../../data/source-names.txt'
import networks from '../../data/source-networks.txt'
import { type Arrival, channels, classify, clickIds, isSpam, referrerHost } from '../../src/channel/channel.ts'
import { entries } from '../../src/channel/lists.ts'
import { serviceNamed, shortForm } from '../../src/channel/services.ts'
import cases from '../fixtures/channel-cases.txt'
import { check } from '../support/property.ts'

const siteHosts = ['shop.example', 'www.magazin.example']
const nothing = { source: null, medium: null, campaign: null, term: null, content: null }
const from = (referrer: string | null): Arrival => ({ referrer, utm: nothing, clickId: null, siteHosts })

/** Reads a query as collection does: utm values, and the first click id of the list. */
const arrivalOf = (referrer: string, query: string): Arrival => {
  const tags = new Map([...new URLSearchParams(query)].map(([key, value]) => [key.toLowerCase(), value]))
  const tag = (name: string): string | null => tags.get(`utm_${name}`) ?? null
  return {
    referrer: referrer === '-' ? null : referrer,
    utm: {
      source: tag('source'),
      medium: tag('medium'),
      campaign: tag('campaign'),
      term: tag('term'),
      content: tag('content'),
    },
    clickId: clickIds.find(id => tags.has(id)) ?? null,
    siteHosts,
  }
}

const rows = cases
  .split('\n')
  .filter(line => line !== '' && !line.startsWith('#'))
  .map(line => line.split(/ {2,}/))
for (const [referrer = '', query = '', channel = '', source = '', domain = ''] of rows) {
  test(`${referrer} ${query} is ${channel} from ${source}`, () => {
    assert.equal(classify(arrivalOf(referrer, query)), { channel, domain: domain === '-' ? null : domain, source })
  })
}

test('the table has no row twice', () => {
  const keys = rows.map(([referrer, query]) => `${referrer} ${query}`)
  assert.equal(
    keys.filter((key, at) => keys.indexOf(key) !== at),
    [],
  )
})

test('every channel and every click id is in the table', () => {
  assert.equal([...new Set(rows.map(([, , channel]) => channel))].sort(), [...channels].sort())
  for (const id of clickIds)
    assert.ok(
      rows.some(([, query]) => query?.toLowerCase().includes(`${id}=`)),
      id,
    )
})

test('a host that is too long is ignored', () => {
  const labels = (count: number): string => `https://${'a.'.repeat(count)}example/`
  assert.is(referrerHost(labels(123))?.length, 253)
  assert.is(referrerHost(labels(124)), null)
  assert.is(referrerHost(labels(500_000)), null)
  assert.is(referrerHost(`https://${'a'.repeat(64)}.example/`), null)
  assert.is(referrerHost(`https://news.example/${'a'.repeat(1_000_000)}`), 'news.example')
  assert.is(referrerHost(`https://${'a'.repeat(1_000_000)}@news.example/`), 'news.example')
  assert.is(referrerHost(`android-app://${'a.'.repeat(200)}b`), null)
})

// Properties, with arbitrary text and with text similar to a referrer.

const hosts = [ads, ai, mail, search, portals, social, referral, spam].flatMap(text =>
  entries(text).map(([key]) => key.replace('*', 'de').replace(/\.$/, '.example')),
)
const words = [
  'google',
  'fb',
  'newsletter',
  'cpc',
  'display',
  'paid social',
  'email',
  'organic',
  'referral',
  '(direct)',
  '',
]
const texts = fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.constantFrom(...words, ...hosts.slice(0, 40)))
const referrers = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.webUrl(),
  fc.ipV4(),
  fc.ipV6().map(ip => `http://[${ip}]/`),
  texts.map(text => `http://${text}/`),
  fc.constantFrom(...hosts).map(host => `https://${host}/`),
  texts.map(text => `android-app://${text}`),
)
const arrivals: fc.Arbitrary<Arrival> = fc.record({
  referrer: fc.option(referrers),
  utm: fc.record({
    source: fc.option(texts),
    medium: fc.option(texts),
    campaign: fc.option(texts),
    term: fc.option(texts),
    content: fc.option(texts),
  }),
  clickId: fc.option(fc.constantFrom(...clickIds, 'constructor')),
  siteHosts: fc.array(fc.oneof(fc.domain(), texts), { maxLength: 3 }),
})

test('any arrival has one of the eight channels, a source, and a bare host', () => {
  check(
    fc.property(arrivals, arrival => {
      const { channel, domain, source } = classify(arrival)
      assert.ok(channels.includes(channel))
      assert.ok(source.trim() !== '')
      assert.ok(domain === null || /^(?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}$/.test(domain), `${domain}`)
      assert.not.match(domain ?? '', /^\d+\.\d+\.\d+\.\d+$|^www\..+\./)
    }),
    { numRuns: 5_000 },
  )
})

test('classification is deterministic, and the same for the stored part of a referrer', () => {
  check(
    fc.property(arrivals, arrival => {
      const origin = classify(arrival)
      assert.equal(classify(arrival), origin)
      if (origin.domain === null || arrival.referrer === null) return
      const scheme = arrival.referrer.trim().toLowerCase().startsWith('android-app:') ? 'android-app' : 'https'
      assert.equal(classify({ ...arrival, referrer: `${scheme}://${origin.domain}` }), origin)
    }),
    { numRuns: 5_000 },
  )
})

test('the site itself is never its own source', () => {
  check(
    fc.property(fc.domain(), fc.constantFrom('', 'www.'), (host, www) => {
      const own = { ...from(`https://${www}${host}/a?b=c`), siteHosts: [host] }
      assert.equal(classify(own), { channel: 'Direct', domain: null, source: 'Direct' })
    }),
  )
})

test('a service name followed by another domain is not the service', () => {
  check(
    fc.property(
      fc.constantFrom(...hosts.filter(host => !host.endsWith('.example') && !host.startsWith('app:'))),
      host => {
        const { channel } = classify(from(`https://evil-${host}.evil.example/`))
        assert.is(channel, 'Referral')
      },
    ),
    { numRuns: 2_000 },
  )
})

// The data.

const lists = {
  ads,
  ai,
  mail,
  mailProviders,
  search,
  portals,
  social,
  referral,
  mailServices,
  spam,
  spamMore,
  shortNames,
  adSystems,
}
const keyed = Object.entries({ ads, ai, mail, search, portals, social, referral }).flatMap(([list, text]) =>
  entries(text).map(([key, name]) => ({ list, key, name })),
)
const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?'
const host = new RegExp(`^(${label}\\.)+(${label}|\\*)$`)
const key = new RegExp(`${host.source}|^${label}\\.$|^app:[a-z][a-z0-9_]*(\\.[a-z0-9_]+)+$`)

for (const [name, text] of Object.entries(lists)) {
  test(`${name} is sorted, without repeats, and ends with a newline`, () => {
    const keys = entries(text).map(([each]) => each)
    assert.equal(keys, [...new Set(keys)].sort())
    assert.ok(text.endsWith('\n') && !text.endsWith('\n\n'))
  })
}

test('every key of a list is a host, a name with any country suffix, a prefix, or an app', () => {
  for (const each of keyed) assert.match(each.key, key)
  for (const each of [...entries(mailServices), ...entries(spam), ...entries(spamMore)]) assert.match(each[0], host)
  for (const each of [...entries(shortNames), ...entries(adSystems)]) assert.is(each[0], shortForm(each[0]))
})

test('every key has a name, except for spam', () => {
  for (const each of [...keyed.map(({ key, name }) => [key, name]), ...entries(mailServices), ...entries(shortNames)])
    assert.ok(each[1] !== '', each[0])
  for (const [each, name] of [...entries(spam), ...entries(spamMore)]) assert.is(name, '', each)
})

test('no key is in two lists, so that only specificity decides', () => {
  const seen = new Map<string, string>()
  for (const { key, list } of keyed) {
    assert.is(seen.get(key) ?? list, list, key)
    seen.set(key, list)
  }
})

test('no name is in two lists or has two spellings, since utm_source may be the name', () => {
  const seen = new Map<string, string>()
  for (const { name, list } of keyed) {
    const owner = `${list === 'portals' ? 'search' : list} ${name}`
    assert.is(seen.get(shortForm(name)) ?? owner, owner)
    seen.set(shortForm(name), owner)
  }
})

/** Services that are senders and something else; rule 3 comes first for their name. */
const senderAndMore = ['Substack']

test('a mailer is in no list but mail, except for Substack', () => {
  const senders = new Map(entries(mailServices).map(([, name]) => [shortForm(name), name]))
  const both = keyed.filter(({ name, list }) => list !== 'mail' && senders.has(shortForm(name)))
  assert.equal([...new Set(both.map(({ name }) => name))], senderAndMore)
})

test("no entry repeats its parent domain's", () => {
  const named = new Map(keyed.map(({ key, name }) => [key, name]))
  const above = (host: string): string[] =>
    host
      .split('.')
      .map((_, at, parts) => parts.slice(at + 1).join('.'))
      .filter(part => part !== '')
  const again = keyed.filter(
    ({ key, name }) => !key.startsWith('app:') && above(key).some(part => named.get(part) === name),
  )
  assert.equal(
    again.map(({ key }) => key),
    [],
  )
  const spamHosts = new Set([...entries(spam), ...entries(spamMore)].map(([each]) => each))
  assert.equal(
    entries(spamMore).filter(([each]) => above(each).some(part => spamHosts.has(part))),
    [],
  )
})

test('every spam host is spam, unless it is on another list', () => {
  const known = new Set(keyed.map(({ key }) => key))
  for (const [each] of [...entries(spam), ...entries(spamMore)])
    assert.is(isSpam(`https://${each}/`, []), !known.has(each), each)
})

test('no host on a list is spam, nor is anything below it', () => {
  for (const { key } of keyed.filter(({ key }) => !key.startsWith('app:'))) {
    const host = key.replace('*', 'de').replace(/\.$/, '.news.example')
    assert.not(isSpam(`https://${host}/`, []), key)
    assert.not(isSpam(`https://below.${host}/`, []) && !key.endsWith('.'), key)
  }
})

test('every short form belongs to exactly one listed name', () => {
  for (const [short, name] of entries(shortNames)) {
    assert.is(serviceNamed(short)?.name, name, short)
    assert.not.equal(shortForm(name), short)
  }
})

test('every network that a source may begin with is a listed one, in a word of its own', () => {
  for (const [first, name] of entries(networks)) {
    assert.match(first, /^[a-z]{6,}$/)
    assert.is(serviceNamed(name)?.list, 'social', name)
    for (const source of [`${first}_post`, `${first.toUpperCase()}-Post 2`]) assert.is(serviceNamed(source)?.name, name)
    assert.is(serviceNamed(`${first}s_post`), null)
  }
})

test('every system of ads belongs to a listed name, and is paid', () => {
  for (const [short, name] of entries(adSystems)) {
    const paid = classify({ ...from(null), utm: { ...nothing, source: short } })
    const channel = serviceNamed(name)?.list === 'social' ? 'Paid Social' : 'Paid Search'
    assert.equal(paid, { channel, domain: null, source: name }, short)
  }
})

test('every entry is found by its host, by its app and by its name', () => {
  for (const { key, name } of keyed) {
    const place = key.startsWith('app:')
      ? key.replace('app:', 'android-app://')
      : `https://${key.replace('*', 'de').replace(/\.$/, '.news.example')}/`
    assert.is(classify(from(place)).source, name, key)
    assert.is(serviceNamed(name)?.name.toLowerCase(), name.toLowerCase(), name)
    assert.match(shortForm(name), /\p{L}/u, `digits alone would name ${name}`)
  }
})

test.run()
