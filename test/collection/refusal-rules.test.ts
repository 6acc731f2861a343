// The operator's own rules of what is not counted: at every way in, in the ledger by name, with a preview.
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openDatabase } from '../../src/database/open.ts'
import { createAppPassword } from '../../src/identity/app-passwords.ts'
import { fits, gap } from '../../src/lib/fits.ts'
import { auditOf } from '../support/audit.ts'
import { footfallHere } from '../support/command.ts'
import { check } from '../support/property.ts'
import { firefox, phone, type Running, withService } from '../support/service.ts'
import { until } from '../support/wait.ts'

const json = { 'content-type': 'application/json' }
const range = 'from=2026-03-01&to=2026-03-31'

type Rule = { name?: string; field: string; pattern: string; action?: string }
type Headers = Record<string, string>

const put = ({ api }: Running, rules: readonly Rule[]) =>
  api('/rules', { method: 'PUT', body: JSON.stringify({ rules }), headers: json })
const preview = ({ api }: Running, rules: readonly Rule[]) =>
  api('/rules/preview', { method: 'POST', body: JSON.stringify({ rules }), headers: json })

const post = ({ service }: Running, path: string, body: object, headers: Headers = {}) =>
  fetch(`${service.url}${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { ...json, 'user-agent': firefox, 'x-forwarded-for': '203.0.113.7', ...headers },
  })

/** What was refused by each rule, once the service has written it. */
const refused = async (running: Running): Promise<Record<string, number>> => {
  await running.restart()
  const { body } = await running.api(`/refusals?${range}`)
  const sum = body.data.rules.reduce((all: number, { requests }: { requests: number }) => all + requests, 0)
  const outcomes = Object.fromEntries(
    body.data.outcomes.map(({ outcome, requests }: { outcome: string; requests: number }) => [outcome, requests]),
  )
  assert.is(outcomes.rule ?? 0, sum, 'the sum by outcome is that by rule')
  const { received = 0, trimmed: _, ...others } = outcomes
  assert.is(
    received,
    Object.values<number>(others).reduce((all, requests) => all + requests, 0),
    'every request is in the ledger once',
  )
  return Object.fromEntries(body.data.rules.map((row: { rule: string; requests: number }) => [row.rule, row.requests]))
}

const pages = async ({ api, settled }: Running): Promise<string[]> => {
  await settled()
  return (await api(`/pages?${range}`)).body.data.map((row: { page: string }) => row.page).sort()
}

type Row = {
  what: string
  rule: Rule
  /** The rule as it is kept, where that differs. */
  kept?: string
  refused: { body: object; headers?: Headers }[]
  counted: { body: object; headers?: Headers }[]
}

const at = (page_url: string, more: object = {}) => ({ body: { page_url, ...more } })
const from = (referrer: string) => at('https://shop.example/in', { referrer })
const by = (agent: string) => ({ ...at('/by'), headers: { 'user-agent': agent } })

const rows: readonly Row[] = [
  {
    what: 'one path',
    rule: { field: 'path', pattern: '/Private' },
    refused: [at('https://shop.example/Private'), at('/Private/'), at('/Private?x=1#y')],
    counted: [at('/private'), at('/Private/a'), at('/a/Private')],
  },
  {
    what: 'paths below one',
    rule: { field: 'path', pattern: '/wp-admin/*' },
    refused: [at('/wp-admin/index.php'), at('https://shop.example/wp-admin/a/b')],
    counted: [at('/wp-admin'), at('/wp-administration'), at('/a/wp-admin/b')],
  },
  {
    what: 'a path with signs that patterns have elsewhere',
    rule: { field: 'path', pattern: '/a[b].*c+' },
    refused: [at('/a[b].xc+')],
    counted: [at('/ab.c+')],
  },
  {
    what: 'a host, as an address',
    rule: { field: 'host', pattern: 'https://WWW.Staging.example/' },
    kept: 'staging.example',
    refused: [at('https://staging.example/a'), at('https://www.staging.example:8443/a')],
    counted: [at('https://shop.example/a'), at('https://x.staging.example/a')],
  },
  {
    what: 'hosts below one, in another script',
    rule: { field: 'host', pattern: '*.müller.example' },
    kept: '*.xn--mller-kva.example',
    refused: [at('https://a.müller.example/'), at('https://a.b.xn--mller-kva.example/')],
    counted: [at('https://müller.example/')],
  },
  {
    what: 'the host that a path was sent from',
    rule: { field: 'host', pattern: 'staging.example' },
    refused: [{ ...at('/a'), headers: { origin: 'https://staging.example' } }],
    counted: [{ ...at('/a'), headers: { origin: 'https://shop.example' } }],
  },
  {
    what: 'a country by an older code',
    rule: { field: 'country', pattern: 'uk' },
    kept: 'GB',
    refused: [{ ...at('/a'), headers: { 'x-forwarded-for': '81.2.69.160' } }],
    counted: [{ ...at('/a'), headers: { 'x-forwarded-for': '89.160.20.112' } }, at('/a')],
  },
  {
    what: 'a part of a user agent',
    rule: { field: 'agent', pattern: 'FireFox/140*Intranet' },
    kept: 'firefox/140*intranet',
    refused: [by(`${firefox} (Acme intranet 2)`)],
    counted: [by(firefox), by(phone)],
  },
  {
    what: 'a query as it arrived',
    rule: { field: 'query', pattern: '?*Preview=*' },
    kept: '*preview=*',
    refused: [at('/a?preview=1'), at('https://shop.example/a?x=1&preview=%20'), at('/a', { page_query: 'PREVIEW=' })],
    counted: [at('/a?x=1'), at('/preview=')],
  },
  {
    what: 'a referring host',
    rule: { field: 'referrer', pattern: 'https://www.Junk.example/' },
    kept: 'junk.example',
    refused: [from('https://junk.example/x'), from('http://www.junk.example'), from('https://JUNK.example:8080/')],
    counted: [from('https://a.junk.example/'), from('https://other.example/?junk.example'), at('/a')],
  },
  {
    what: 'an address of a referring host',
    rule: { field: 'referrer', pattern: 'forum.example/topic/*?spam=*' },
    refused: [from('https://www.forum.example/Topic/12?spam=1')],
    counted: [from('https://forum.example/'), from('https://forum.example/topic/12')],
  },
  {
    what: 'an app',
    rule: { field: 'referrer', pattern: 'android-app://com.junk.app' },
    kept: 'com.junk.app',
    refused: [from('android-app://com.junk.app/')],
    counted: [from('android-app://com.other.app/')],
  },
]

test('a request that fits a rule is answered as others are, and only in the ledger', () =>
  withService({ flags: { geoipCity: 'test/fixtures/mmdb/GeoIP2-City-Test.mmdb' } }, async running => {
    const expected: Record<string, number> = {}
    let counted = 0
    for (const { what, rule, kept = rule.pattern, ...sent } of rows) {
      const { status, body } = await put(running, [{ name: what, ...rule }])
      assert.equal([status, body], [200, { rules: [{ action: 'refuse', ...rule, name: what, pattern: kept }] }], what)
      for (const { body: one, headers } of [...sent.refused, ...sent.counted])
        assert.is((await running.hit({ ...one }, headers)).status, 204, what)
      if (sent.refused.length > 0) expected[what] = sent.refused.length
      counted += sent.counted.length
    }
    assert.equal(await refused(running), expected)
    const { body } = await running.api(`/refusals?${range}`)
    const accepted = body.data.outcomes.find((row: { outcome: string }) => row.outcome === 'accepted')
    assert.is(accepted.requests, counted)
    assert.match((await running.api('/diagnostics')).body.collection.refused_24h.rule, /^\d+$/)
  }))

test('every way in asks the rules, and what was refused is in no report', () =>
  withService({ flags: { siteUrl: 'https://shop.example', plausibleApi: 'true' } }, async running => {
    const { db } = openDatabase(running.file)
    const { password } = createAppPassword(db, { login: 'admin', name: 'back end', scopes: ['collect'] }, 0)
    db.close()
    const authorization = `Basic ${btoa(`admin:${password}`)}`
    await put(running, [{ field: 'path', pattern: '/secret*' }])
    const [page_url, kept] = ['https://shop.example/secret', 'https://shop.example/open']
    const v1 = '/analytics/v1'
    for (const url of [page_url, kept]) {
      const pvid = url === kept ? 'view-open' : 'view-secret'
      assert.is((await post(running, `${v1}/hit`, { page_url: url, pvid })).status, 204)
      assert.is((await post(running, `${v1}/event`, { name: 'signup', page_url: url, pvid })).status, 204)
      const engagement = { pvid, page_url: url, engagement_time: 5 }
      assert.is((await post(running, `${v1}/engagement`, engagement)).status, 204)
      const pixel = `${running.service.url}/pixel.gif?page_url=${encodeURIComponent(url)}`
      const headers = { 'user-agent': phone, 'x-forwarded-for': '203.0.113.8' }
      assert.is((await fetch(pixel, { headers })).status, 200)
      assert.is((await post(running, '/api/event', { name: 'pageview', url, domain: 'shop.example' })).status, 202)
      const named = { page_url: url, address: '203.0.113.9', user_agent: firefox }
      const told = await post(running, `${v1}/hit`, named, { authorization })
      assert.is(told.headers.get('x-footfall-outcome'), url === kept ? 'accepted' : 'rule')
      const records = [
        { type: 'hit', ...named },
        { type: 'event', name: 'signup', ...named },
      ]
      const batch = await post(running, `${v1}/batch`, { records }, { authorization })
      assert.equal(
        (await batch.json()).responses.map(({ headers }: { headers: Headers }) => headers['X-Footfall-Outcome']),
        url === kept ? ['accepted', 'accepted'] : ['rule', 'rule'],
      )
    }
    assert.equal(await refused(running), { 'path /secret*': 8 })
    assert.equal(await pages(running), ['/open'])
    const events = (await running.api(`/events?${range}`)).body.data
    assert.equal(
      events.map((row: { name: string; total: number }) => [row.name, row.total]),
      [['signup', 2]],
    )
  }))

test('a restart keeps the rules', () =>
  withService({}, async running => {
    await put(running, [{ field: 'path', pattern: '/a' }])
    await running.restart()
    await running.hit({ page_url: '/a' })
    await running.hit({ page_url: '/b' })
    assert.equal(await pages(running), ['/b'])
    assert.equal((await running.api('/rules')).body, {
      rules: [{ name: 'path /a', field: 'path', pattern: '/a', action: 'refuse' }],
    })
    await put(running, [])
    await running.hit({ page_url: '/a' })
    assert.equal(await pages(running), ['/a', '/b'])
  }))

const rules = ({ file }: Running, ...args: string[]) =>
  footfallHere(['rules', ...args, '--data', file], { at: '2026-03-10T12:00:00Z' })

test('the command line lists, previews, adds and removes rules of a running service', () =>
  withService({}, async running => {
    const known = async (names: readonly string[]): Promise<void> =>
      until(async () => {
        const { body } = await running.api('/rules')
        assert.equal(
          body.rules.map(({ name }: Rule) => name),
          names,
        )
      })
    assert.match((await rules(running)).stderr, /^There are no rules\. Add one with 'footfall rules add/)
    await running.hit({ page_url: '/wp-admin/a' })
    await running.settled()
    const seen = await rules(running, 'add', 'path', '/wp-admin/*', '--preview')
    assert.match(
      seen.stdout,
      /^From 2026-02-09 to 2026-03-10 .*\nNAME +VISITS +PAGE VIEWS\npath \/wp-admin\/\* +1 +1\n$/,
    )
    await known([])
    const added = await rules(running, 'add', 'path', '/wp-admin/*')
    assert.equal([added.status, added.stdout], [0, "The rule 'path /wp-admin/*' was added.\n"])
    await rules(running, 'add', 'agent', 'Acme', '--name', 'Monitor')
    await known(['path /wp-admin/*', 'Monitor'])
    await running.hit({ page_url: '/wp-admin/b' })
    assert.equal(await pages(running), ['/wp-admin/a'])
    assert.match((await rules(running, 'list')).stdout, /^NAME +FIELD +PATTERN\n.*\nMonitor +agent +acme\n$/)
    const { stdout, stderr } = await rules(running, '--preview')
    assert.match(stdout, /\nMonitor +\? +\?\n$/)
    assert.match(stderr, /^Monitor: Of user agents only the names/)
    assert.is((await rules(running, 'remove', 'path /wp-admin/*')).status, 0)
    await known(['Monitor'])
    const [none, twice, field] = [
      await rules(running, 'remove', 'path /wp-admin/*'),
      await rules(running, 'add', 'agent', 'ACME'),
      await rules(running, 'add', 'address', '192.0.2.1'),
    ]
    assert.equal([none.status, twice.status, field.status], [1, 2, 2])
    assert.match(none.stderr, /There is no rule 'path \/wp-admin\/\*'/)
    assert.match(twice.stderr, /There are two rules for agent acme/)
    assert.match(field.stderr, /Fields: path, host, country, agent, query, referrer/)
    assert.is(
      auditOf(running.file).at(-1),
      'cli: Rules for what is not counted: 2 → 1. Added: –. Removed: path /wp-admin/*.',
    )
  }))

const many = (length: number): Rule[] => Array.from({ length }, (_, index) => ({ field: 'path', pattern: `/${index}` }))

const wrong: readonly [what: string, rules: unknown, name: string, message: RegExp][] = [
  ['a field', [{ field: 'address', pattern: '/a' }], 'rules[0][field]', /not one of path, host, country/],
  ['an action', [{ field: 'path', pattern: '/a', action: 'count' }], 'rules[0][action]', /is not refuse/],
  ['no pattern', [{ field: 'path' }], 'rules[0]', /pattern is a required property/],
  ['an unknown member', [{ field: 'path', pattern: '/a', regex: true }], 'rules[0]', /regex is not a valid property/],
  ['an empty pattern', [{ field: 'path', pattern: '' }], 'rules[0][pattern]', /at least 1 character/],
  ['a long pattern', [{ field: 'path', pattern: `/${'a'.repeat(200)}` }], 'rules[0][pattern]', /at most 200/],
  ['all', [{ field: 'agent', pattern: ' ** ' }], 'rules[0][pattern]', /refuse everything/],
  ['nothing but a scheme', [{ field: 'host', pattern: 'https://' }], 'rules[0][pattern]', /refuse everything/],
  ['a path without /', [{ field: 'path', pattern: '*admin' }], 'rules[0][pattern]', /begins with \//],
  ['a host with a path', [{ field: 'host', pattern: 'a.example/b' }], 'rules[0][pattern]', /has no path/],
  ['a country by name', [{ field: 'country', pattern: 'Germany' }], 'rules[0][pattern]', /code of two letters/],
  ['no country', [{ field: 'country', pattern: 'XX' }], 'rules[0][pattern]', /code of two letters/],
  ['a control character', [{ field: 'query', pattern: 'a\u001fb' }], 'rules[0][pattern]', /control characters/],
  ['a backslash', [{ field: 'path', pattern: '/a\\*' }], 'rules[0][pattern]', /no backslash/],
  [
    'the same twice',
    [
      { field: 'host', pattern: 'a.example' },
      { name: 'other', field: 'host', pattern: 'www.A.example' },
    ],
    'rules[1][pattern]',
    /two rules for host a\.example/,
  ],
  [
    'a name twice',
    [
      { name: 'one', field: 'path', pattern: '/a' },
      { name: ' one', field: 'path', pattern: '/b' },
    ],
    'rules[1][name]',
    /two rules with the name one/,
  ],
  ['101 rules', many(101), 'rules', /at most 100 items/],
]

test('all rules are taken or none, and what is wrong is said in the shape of the platform', () =>
  withService({}, async running => {
    const before = many(100)
    assert.is((await put(running, before)).status, 200)
    for (const [what, rules, name, message] of wrong) {
      for (const ask of [put, preview]) {
        const { status, body } = await ask(running, [...(Array.isArray(rules) ? rules : [])] as Rule[])
        assert.equal([status, body.code], [400, 'rest_invalid_param'], what)
        assert.match(body.data.params[name] ?? `${what}: ${JSON.stringify(body.data.params)}`, message, what)
      }
    }
    assert.is((await put(running, undefined as never)).status, 400)
    assert.is((await running.api('/rules')).body.rules.length, 100)
  }))

test('a preview counts the visits of the last 30 days, where they can tell', () =>
  withService({ flags: { geoipCity: 'test/fixtures/mmdb/GeoIP2-City-Test.mmdb' } }, async running => {
    const visit = async (address: string, paths: readonly string[], referrer?: string): Promise<void> => {
      for (const path of paths)
        await running.hit(
          { page_url: `https://shop.example${path}`, ...(path === paths[0] && { referrer }) },
          { 'x-forwarded-for': address },
        )
    }
    const now = running.clock.now
    running.clock.now -= 31 * 86_400_000
    await visit('81.2.69.160', ['/admin/old'], 'https://junk.example/')
    running.clock.now = now - 2 * 86_400_000
    await visit('81.2.69.160', ['/admin/a', '/admin/b', '/c'], 'https://www.google.com/')
    running.clock.now = now
    await visit('203.0.113.5', ['/admin/a', '/c'], 'https://junk.example/')
    await visit('198.51.100.6', ['/c'], 'https://a.junk.example/')
    await running.hit({ page_url: 'https://staging.example/c' }, { 'x-forwarded-for': '203.0.113.5' })
    await running.settled()
    const rules: [Rule, number | null, number | null][] = [
      [{ field: 'path', pattern: '/admin/*' }, 2, 3],
      [{ field: 'path', pattern: '/c' }, 3, 4],
      [{ field: 'path', pattern: '/a,b!' }, 0, 0],
      [{ field: 'host', pattern: 'staging.*' }, 0, 1],
      [{ field: 'host', pattern: 'shop.example' }, 3, 6],
      [{ field: 'country', pattern: 'GB' }, 1, 3],
      [{ field: 'referrer', pattern: 'junk.example' }, 1, 3],
      [{ field: 'referrer', pattern: '*junk.example' }, 2, 4],
      [{ field: 'referrer', pattern: 'google.com' }, 1, 3],
      [{ field: 'referrer', pattern: 'junk.example/*' }, null, null],
      [{ field: 'agent', pattern: 'Firefox' }, null, null],
      [{ field: 'query', pattern: '*a=*' }, null, null],
    ]
    const { status, body } = await preview(
      running,
      rules.map(([rule]) => rule),
    )
    assert.is(status, 200)
    assert.equal([body.from, body.to], ['2026-02-09', '2026-03-10'])
    for (const [index, [rule, sessions, views]] of rules.entries()) {
      const found = body.rules[index]
      assert.equal([found.sessions, found.views], [sessions, views], `${rule.field} ${rule.pattern}`)
      assert.is(found.why === null, sessions !== null)
    }
    assert.equal((await running.api('/rules')).body, { rules: [] }, 'nothing was saved')
  }))

test('a pattern fits as a search of its parts does, in linear time', () => {
  const sign = fc.constantFrom('a', 'b', gap)
  const text = fc.array(fc.constantFrom('a', 'b'), { maxLength: 8 }).map(signs => signs.join(''))
  const pattern = fc.array(sign, { maxLength: 6 }).map(signs => signs.join(''))
  check(
    fc.property(text, pattern, (one, other) => {
      assert.is(fits(one, other), new RegExp(`^${other.replaceAll(gap, '.*')}$`).test(one))
    }),
  )
})

test.run()
