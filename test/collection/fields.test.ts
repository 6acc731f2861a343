// Parsing of a record's fields: page keys, redaction, truncation, limits. In process, read back from the file.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createPipeline, type Pipeline } from '../model/pipeline.ts'
import { withFolder } from '../support/folder.ts'

const start = Date.parse('2026-03-10T12:00:00Z') / 1000
const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
type Body = Record<string, unknown>

const withPipeline = (work: (pipeline: Pipeline) => Promise<void>) => () =>
  withFolder(async folder => {
    const pipeline = createPipeline({ folder, start })
    try {
      await work(pipeline)
    } finally {
      pipeline.close()
    }
  })

const send = async (
  pipeline: Pipeline,
  kind: 'hit' | 'event' | 'engagement',
  body: Body,
  headers: Record<string, string> = {},
): Promise<string> => {
  const got = pipeline.send({ kind, address: '203.0.113.7', userAgent, body, headers })
  pipeline.flush()
  return (await got).outcome
}
/** Many at once, one commit. */
const sendAll = async (pipeline: Pipeline, kind: 'hit' | 'event', bodies: readonly Body[]): Promise<void> => {
  const got = bodies.map(body => pipeline.send({ kind, address: '203.0.113.7', userAgent, body }))
  pipeline.flush()
  assert.equal([...new Set((await Promise.all(got)).map(({ outcome }) => outcome))], ['accepted'])
}

const lastPage = (pipeline: Pipeline): string =>
  pipeline.rows('select path from view join page on page.id = page_id order by view.id desc limit 1')[0].path
const lastTitle = (pipeline: Pipeline): string | null =>
  pipeline.rows('select text from view left join label on label.id = title_id order by view.id desc limit 1')[0].text
const trimmed = (pipeline: Pipeline): number =>
  pipeline.rows("select ifnull(sum(requests), 0) as n from ledger where outcome = 'trimmed'")[0].n
const lastEvent = (pipeline: Pipeline) => {
  const [event] = pipeline.rows(
    'select e.id, text as name, value, order_id, path as page from event e join label l on l.id = name_id left join page p on p.id = page_id order by e.id desc limit 1',
  )
  const properties = pipeline.rows(
    'select k.text as key, v.text as value from event_property join label k on k.id = key_id join label v on v.id = value_id where event_id = ?',
    event.id,
  )
  return {
    name: event.name,
    value: event.value,
    order_id: event.order_id,
    page: event.page,
    properties: Object.fromEntries(properties.map(({ key, value }) => [key, value])),
  }
}

const hex = '0123456789abcdef'.repeat(2)
const pageCases: readonly [string, string][] = [
  ['https://shop.example', '/'],
  ['https://shop.example/', '/'],
  ['/', '/'],
  ['//', '/'],
  ['/a/', '/a'],
  ['/a//b///', '/a/b'],
  ['/a%2F%2Fb', '/a%2F%2Fb'],
  ['/a#top', '/a'],
  ['/a/?x=1#top', '/a'],
  ['/caf%C3%A9', '/café'],
  ['/%E6%97%A5%E6%9C%AC', '/日本'],
  ['/café', '/café'],
  ['/%E9', '/%E9'],
  ['/100%', '/100%25'],
  ['/a%2520b', '/a%2520b'],
  ['/?p=12', '/?p=12'],
  ['/index.php?p=12&x=1&cat=3', '/index.php?cat=3&p=12'],
  ['/?tag=b&author=a&m=202603', '/?author=a&m=202603&tag=b'],
  ['/?p=1%20or%201', '/'],
  [`/?p=${'1'.repeat(41)}`, '/'],
  [`/?p=${'1'.repeat(40)}`, `/?p=${'1'.repeat(40)}`],
  ['/?p=', '/'],
  ['/a?utm_source=x&gclid=y', '/a'],
  [`/${'a/'.repeat(600)}`, `/${'a/'.repeat(600)}`.slice(0, 1024)],
  [`/reset/${hex}`, '/reset/(redacted)'],
  [`/reset/${hex}/done`, '/reset/(redacted)/done'],
  [`/reset/${hex.toUpperCase()}${hex}/`, '/reset/(redacted)'],
  ['/t/dGhpcyBpcyBhIHNlY3JldCB0b2tlbiE0Mg==', '/t/(redacted)'],
  [`/reset/token-${hex}`, '/reset/(redacted)'],
  [`/reset/${hex.slice(0, 30)}`, `/reset/${hex.slice(0, 30)}`],
  ['/u/550e8400-e29b-41d4-a716-446655440000', '/u/(redacted)'],
  ['/a-readable-title-of-more-than-thirty-two-letters', '/a-readable-title-of-more-than-thirty-two-letters'],
  ['/user/jane.doe@example.com/edit', '/user/(redacted)/edit'],
  ['/user/jane.doe%40example.com', '/user/(redacted)'],
  ['/user/jane.doe%2540example.com', '/user/(redacted)'],
  ['/%E9/jane%40example.com', '/%E9/(redacted)'],
  ['/whois/203.0.113.7/', '/whois/(redacted)'],
  ['/whois/203.0.113.7:8080/x', '/whois/(redacted)/x'],
  ['/whois/2001:db8::7?p=12', '/whois/(redacted)?p=12'],
  ['/whois/203%252E0%252E113%252E7', '/whois/(redacted)'],
  ['/setup/192.168.1.1', '/setup/192.168.1.1'],
  ['/get/app-1.2.3.4.zip', '/get/app-1.2.3.4.zip'],
  ['/ua/Mozilla%2F5.0%20(X11)', '/(redacted)'],
  ['/a%07b%E2%80%AEc', '/abc'],
  [`/${'a/'.repeat(507)}x/9.8.7.6x`, `/${'a/'.repeat(507)}x/(redact`],
]

test(
  'page keys',
  withPipeline(async pipeline => {
    const problems: string[] = []
    for (const [url, expected] of pageCases) {
      for (const page_url of url.startsWith('/') && !url.startsWith('//')
        ? [url, `https://shop.example${url}`]
        : [url]) {
        pipeline.clock.now += 1
        assert.is(await send(pipeline, 'hit', { page_url }), 'accepted', page_url)
        if (lastPage(pipeline) !== expected) problems.push(`${page_url} → ${lastPage(pipeline)}, not ${expected}`)
      }
    }
    await send(pipeline, 'hit', { page_url: '/plain', page_query: '?page_id=7&utm_source=news' })
    pipeline.clock.now += 1
    if (lastPage(pipeline) !== '/plain?page_id=7') problems.push(`page_query → ${lastPage(pipeline)}`)
    assert.equal(problems, [])
  }),
)

const textColumns = [
  'select text from label',
  'select path as text from page',
  "select ifnull(source,'')||ifnull(medium,'')||ifnull(campaign,'')||ifnull(term,'')||ifnull(content,'') as text from campaign",
  "select source||ifnull(domain,'') as text from origin",
  'select order_id as text from event',
  "select ifnull(author,'')||ifnull(resource_type,'') as text from page_content",
  'select host as text from foreign_host_day',
]
const storedTexts = (pipeline: Pipeline): string[] =>
  textColumns.flatMap(sql => pipeline.rows(sql).map(({ text }) => String(text)))

test(
  'e-mail addresses are redacted wherever a visitor can put them, also where a text is cut',
  withPipeline(async pipeline => {
    const mail = 'jane.doe@example.com'
    const bodies: Body[] = [
      {
        page_url: `/p/${mail}?utm_source=${mail}&utm_campaign=${encodeURIComponent(mail)}`,
        title: `Hello ${mail}!`,
        author: mail,
        resource_type: mail,
      },
      {
        page_url: '/',
        page_query: `utm_content=${mail}&utm_term=a${hex}`,
        referrer: `https://mail.example/?u=${mail}`,
      },
      ...Array.from({ length: 20 }, (_, index) => ({
        page_url: '/',
        title: `${'x'.repeat(300 - 20 + index)} ${mail}`,
      })),
    ]
    for (const body of bodies) await send(pipeline, 'hit', body)
    const events: Body[] = [
      { name: 'signup', properties: { email: mail, [mail]: 'key' }, order_id: mail },
      { name: mail },
      ...Array.from({ length: 20 }, (_, index) => ({
        name: 'cut',
        properties: { a: `${'x'.repeat(200 - 20 + index)} ${mail}`, [`${'k'.repeat(40 - 20 + index)} ${mail}`]: 1 },
      })),
    ]
    for (const body of events) await send(pipeline, 'event', body)
    const left = storedTexts(pipeline).filter(text => /jane.doe/.test(text))
    assert.equal(
      left.map(text => text.slice(-30)),
      [],
    )
  }),
)

test(
  'IP addresses and user agents are redacted in every text; private addresses and versions stay',
  withPipeline(async pipeline => {
    const rows: readonly [string, string | null][] = [
      ['Your IP is 203.0.113.7.', 'Your IP is (redacted).'],
      ['from 2001:db8::7', 'from (redacted)'],
      [`You are ${userAgent}`, '(redacted)'],
      ['Mozilla/5.0 jane@site.example', '(redacted)'],
      ['203.0\u200e.113.7', '203.0\u200e.113.7'],
      ['203.0.\u0007113.7', '(redacted)'],
      ['192.168.1.1, 1.2.3 and 12:30:45', '192.168.1.1, 1.2.3 and 12:30:45'],
      [`${'x'.repeat(290)} 9.8.7.6.5`, `${'x'.repeat(290)} 9.8.7.6.5`],
      [`${'x'.repeat(291)} 9.8.7.6.5`, `${'x'.repeat(291)} (redacte`],
    ]
    for (const [title, expected] of rows) {
      pipeline.clock.now += 1
      await send(pipeline, 'hit', { page_url: '/', title })
      assert.is(lastTitle(pipeline), expected)
    }
    const names: readonly [string, string][] = [
      ['login 203.0.113.7', 'login _redacted_'],
      ['a\u0007\u202eb\tc', 'ab c'],
    ]
    for (const [name, expected] of names) {
      pipeline.clock.now += 1
      await send(pipeline, 'event', { name })
      assert.is(lastEvent(pipeline).name, expected)
    }
    assert.is(await send(pipeline, 'event', { name: '\u0007\u202e' }), 'invalid')
  }),
)

test(
  'no field of any record brings an address or a user agent into the file',
  withPipeline(async pipeline => {
    const texts = ['203.0.113.77', '[2001:db8:77::1]:443', userAgent, '203%2E0.113.77']
    for (const text of texts) {
      const encoded = encodeURIComponent(text)
      const utm = ['source', 'medium', 'campaign', 'term', 'content'].map(key => `utm_${key}=${encoded}`).join('&')
      pipeline.clock.now += 3600
      await send(pipeline, 'hit', {
        page_url: `/${encoded}/x?${utm}`,
        title: text,
        author: text,
        resource_type: text,
        referrer: `https://${encoded}/`,
        language: text,
        timezone: text,
        published_at: text,
      })
      pipeline.clock.now += 3600
      await send(pipeline, 'hit', { page_url: '/', referrer: 'https://203.0.113.77.nip.io/' })
      pipeline.clock.now += 3600
      await send(pipeline, 'hit', { page_url: '/', referrer: 'android-app://org.x203.0.113.77/' })
      await send(pipeline, 'event', {
        name: text,
        order_id: text,
        properties: { [text]: text, url: `https://x.example/?ip=${encoded}` },
      })
    }
    assert.equal(
      storedTexts(pipeline).filter(text => /113.77|2001.db8|Mozilla\/5.0 \(/.test(text)),
      [],
    )
    assert.equal(
      pipeline.rows(
        "select distinct source from origin where domain is null and channel = 'Referral' and source not like '%redacted%'",
      ),
      [{ source: 'IP address' }],
    )
  }),
)

test(
  'values are cut, left out and counted, and no visit is lost',
  withPipeline(async pipeline => {
    const rows: readonly ['hit' | 'event' | 'engagement', Body, number, string?][] = [
      ['hit', { title: 'x'.repeat(300) }, 0],
      ['hit', { title: 'x'.repeat(301) }, 1],
      ['hit', { title: 7 }, 1],
      ['hit', { title: null, pvid: '', language: '' }, 0],
      ['hit', { screen_width: 20_001, screen_height: 900 }, 1],
      ['hit', { screen_width: '1280', screen_height: 900 }, 1],
      ['hit', { language: 'not a language', timezone: 'Mars/Base' }, 2],
      ['hit', { resource_type: 'x'.repeat(41), resource_id: 'seven' }, 2],
      ['hit', { age: 3601, consent_granted: 'yes' }, 2],
      ['hit', { referrer: 'nonsense' }, 0, 'an unusable referrer is absent'],
      [
        'event',
        { name: 'x', properties: Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`k${index}`, index])) },
        2,
      ],
      ['event', { name: 'x', properties: { a: 'x'.repeat(201) } }, 1],
      ['event', { name: 'x', properties: { ['k'.repeat(41)]: 1 } }, 1, 'a key that is cut'],
      ['event', { name: 'x', properties: { a: {}, b: [], c: null } }, 3],
      ['event', { name: 'x', properties: 'text' }, 1],
      ['event', { name: 'x', value: 'ten' }, 1, 'a value of a wrong type'],
      ['event', { name: 'x', order_id: {} }, 1, 'an order_id of a wrong type'],
    ]
    const problems: string[] = []
    for (const [kind, body, expected, what = JSON.stringify(body).slice(0, 60)] of rows) {
      const before = trimmed(pipeline)
      const outcome = await send(pipeline, kind, kind === 'hit' ? { page_url: '/', ...body } : body)
      const got = trimmed(pipeline) - before
      if (outcome !== 'accepted' || got !== expected)
        problems.push(`${what}: ${outcome}, ${got} trimmed, not ${expected}`)
    }
    assert.equal(problems, [])
  }),
)

test(
  'texts are cut at a character boundary, one line, without controls',
  withPipeline(async pipeline => {
    const rows: readonly [string, string | null][] = [
      [`${'x'.repeat(299)}😀`, 'x'.repeat(299)],
      [`${'x'.repeat(298)}😀y`, `${'x'.repeat(298)}😀`],
      ['  a\n\tb\0c  ', 'a bc'],
      ['a\u001b[31mb\u007f\u009b\u0085c', 'a[31mbc'],
      ['\u202ea\u202c\u2066b\u2069\u2028c\u2029', 'abc'],
      ['\u202e\u2069', null],
      ['a\u200cb\u200d\u200e\u200fc', 'a\u200cb\u200d\u200e\u200fc'],
      [' \n ', null],
      ['\ud800a', '\ufffda'],
      ['日本', '日本'],
    ]
    for (const [title, expected] of rows) {
      pipeline.clock.now += 1
      await send(pipeline, 'hit', { page_url: '/', title })
      assert.is(lastTitle(pipeline), expected)
    }
  }),
)

test(
  'a page has its most frequent title of the last 30 days',
  withPipeline(async pipeline => {
    const title = async (): Promise<string | null> => {
      pipeline.settle()
      return (await pipeline.pages('2026-03-10', '2026-05-31'))[0].title
    }
    for (const title of ['Old', 'Old', 'Old', 'New', undefined]) await send(pipeline, 'hit', { page_url: '/', title })
    assert.is(await title(), 'Old')
    pipeline.clock.now += 29 * 86_400
    await send(pipeline, 'hit', { page_url: '/', title: 'New' })
    assert.is(await title(), 'Old')
    pipeline.clock.now += 86_400
    await send(pipeline, 'hit', { page_url: '/', title: 'New' })
    assert.is(await title(), 'New')
  }),
)

test(
  'UTM values and click ids are read before the query goes; the id itself is not kept',
  withPipeline(async pipeline => {
    await send(pipeline, 'hit', {
      page_url:
        '/a?utm_source=news&utm_medium=email&utm_campaign=spring%20sale&utm_term=t&utm_content=c&gclid=SECRETCLICK',
    })
    assert.equal(pipeline.rows('select source, medium, campaign, term, content from campaign'), [
      { source: 'news', medium: 'email', campaign: 'spring sale', term: 't', content: 'c' },
    ])
    assert.equal(pipeline.rows('select channel from origin'), [{ channel: 'Paid Search' }])
  }),
)

test(
  'event names, their alias, value and order',
  withPipeline(async pipeline => {
    const rows: readonly [Body, object][] = [
      [{ name: 'sign up!' }, { name: 'sign up_' }],
      [{ event_name: 'old' }, { name: 'old' }],
      [{ name: null, event_name: 'old' }, { name: 'old' }],
      [{ name: 'näme😀' }, { name: 'näme_' }],
      [{ name: 'A-z_0.9:x' }, { name: 'A-z_0.9:x' }],
      [
        { name: 'purchase', value: 12.5, order_id: 1001 },
        { name: 'purchase', value: 12.5, order_id: '1001' },
      ],
      [
        { name: 'purchase', value: 0, order_id: ' A-1 ' },
        { name: 'purchase', value: 0, order_id: 'A-1' },
      ],
      [
        { name: 'x', properties: { t: 'text', n: 1.5, b: false, z: 0 } },
        { name: 'x', properties: { t: 'text', n: '1.5', b: 'false', z: '0' } },
      ],
      [
        { name: 'x', page_url: 'https://shop.example/b/?q=1' },
        { name: 'x', page: '/b' },
      ],
    ]
    for (const [body, expected] of rows) {
      pipeline.clock.now += 1
      assert.is(await send(pipeline, 'event', body), 'accepted')
      assert.equal(lastEvent(pipeline), { value: null, order_id: null, page: null, properties: {}, ...expected })
    }
  }),
)

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

test(
  'bounds of a day: referrer hosts',
  withPipeline(async pipeline => {
    const views = (host: string): number =>
      pipeline.rows('select count(*) as n from session join origin on origin.id = origin_id where domain = ?', host)[0]
        .n
    const hosts = (from: number, to: number): void => {
      for (const index of numbers(to - from)) {
        void pipeline.send({
          kind: 'hit',
          address: `10.${Math.floor(index / 250)}.${index % 250}.1`,
          userAgent,
          body: { page_url: '/', referrer: `https://h${from + index}.example/path` },
        })
      }
      pipeline.flush()
    }
    hosts(0, 1002)
    assert.is(views('h0.example'), 1)
    assert.is(views('(other)'), 2)
    pipeline.clock.now += 86_400
    hosts(2000, 2001)
    assert.is(views('h2000.example'), 1)
  }),
)

test(
  'bounds of a day: one referrer host counts once, whatever utm_source comes with it',
  withPipeline(async pipeline => {
    for (const index of numbers(1001)) {
      void pipeline.send({
        kind: 'hit',
        address: `10.${Math.floor(index / 250)}.${index % 250}.1`,
        userAgent,
        body: { page_url: `/?utm_source=s${index}`, referrer: 'https://one.example/' },
      })
    }
    void pipeline.send({
      kind: 'hit',
      address: '198.51.100.1',
      userAgent,
      body: { page_url: '/', referrer: 'https://two.example/' },
    })
    pipeline.flush()
    assert.is(
      pipeline.rows(
        "select count(*) as n from session join origin on origin.id = origin_id where domain = 'two.example'",
      )[0].n,
      1,
    )
  }),
)

test(
  'bounds of a day: event names, 200 new ones, also if a title had them before',
  withPipeline(async pipeline => {
    const names = (): number => pipeline.rows('select count(distinct name_id) as n from event')[0].n
    await sendAll(
      pipeline,
      'event',
      numbers(203).map(index => ({ name: `e${index}` })),
    )
    assert.is(names(), 201)
    assert.is(
      pipeline.rows("select count(*) as n from event join label on label.id = name_id where text = '(other)'")[0].n,
      3,
    )
    pipeline.clock.now += 86_400
    await sendAll(
      pipeline,
      'hit',
      numbers(250).map(index => ({ page_url: '/', title: `t${index}` })),
    )
    await sendAll(
      pipeline,
      'event',
      numbers(250).map(index => ({ name: `t${index}` })),
    )
    assert.is(names(), 401)
  }),
)

test(
  'bounds of a day: 50 keys of an event, 500 values of a key, also if another key had them before',
  withPipeline(async pipeline => {
    const count = (key: string): number =>
      pipeline.rows(
        'select count(distinct value_id) as n from event_property join label k on k.id = key_id where k.text = ?',
        key,
      )[0].n
    await sendAll(
      pipeline,
      'event',
      numbers(60).map(index => ({ name: 'keys', properties: { [`k${index}`]: 1 } })),
    )
    assert.is(pipeline.rows('select count(distinct key_id) as n from event_property')[0].n, 51)
    await sendAll(
      pipeline,
      'event',
      numbers(510).map(index => ({ name: 'values', properties: { a: index } })),
    )
    assert.is(count('a'), 501)
    await sendAll(
      pipeline,
      'hit',
      numbers(600).map(index => ({ page_url: '/', title: `t${index}` })),
    )
    await sendAll(
      pipeline,
      'event',
      numbers(600).map(index => ({ name: 'values', properties: { b: `t${index}` } })),
    )
    assert.is(count('b'), 501)
  }),
)

test(
  'bounds of a day: UTM values, 1,000 of each key',
  withPipeline(async pipeline => {
    const medium = (): number => pipeline.rows('select count(distinct medium) as n from campaign')[0].n
    for (const [key, offset] of [
      ['utm_source', 0],
      ['utm_medium', 0],
    ] as const) {
      for (const index of numbers(1002)) {
        void pipeline.send({
          kind: 'hit',
          address: `10.${key === 'utm_source' ? 1 : 2}.${index % 250}.1`,
          userAgent: `${userAgent} ${index}`,
          body: { page_url: `/?${key}=v${index + offset}` },
        })
      }
      pipeline.flush()
    }
    assert.is(medium(), 1001)
  }),
)

test(
  'bounds of a day: pages, 10,000; views keep their sums',
  withPipeline(async pipeline => {
    for (const part of numbers(11))
      await sendAll(
        pipeline,
        'hit',
        numbers(1000).map(index => ({ page_url: `/p${part * 1000 + index}` })),
      )
    assert.is(pipeline.rows('select count(*) as n from page')[0].n, 10_001)
    assert.is(
      pipeline.rows("select count(*) as n from view join page on page.id = page_id where path = '(other)'")[0].n,
      1000,
    )
    assert.is(pipeline.rows('select count(*) as n from view')[0].n, 11_000)
  }),
)

test.run()
