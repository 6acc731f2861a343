import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { failureText } from '../../src/commands/failure.ts'
import {
  type Config,
  flagOf,
  type OptionName,
  optionNames,
  parseConfig,
  UsageError,
  variableOf,
} from '../../src/config/config.ts'
import { adminPassword, environmentWarnings, shopKey } from '../../src/config/environment.ts'
import { DatabaseError } from '../../src/database/errors.ts'
import { ExpectedError } from '../../src/lib/errors.ts'
import { createLog, type LogLevel } from '../../src/runtime/log.ts'

const defaults: Config = {
  host: '127.0.0.1',
  port: 8787,
  listen: null,
  metricsListen: null,
  metricsSite: false,
  publicUrl: null,
  rootPath: '',
  basePath: '',
  trustProxy: ['127.0.0.0/8', '::1/128'],
  plausibleApi: false,
  requireTotp: false,
  securityContact: null,
  siteName: null,
  siteUrl: null,
  wordpressUrl: null,
  viewerRoles: [],
  woocommerceUrl: null,
  allowedHosts: [],
  timezone: null,
  trackerPath: '/tracker.js',
  orderStatuses: ['processing', 'completed', 'refunded'],
  keepQuery: ['p', 'page_id', 'attachment_id', 'cat', 'tag', 'm', 'author'],
  sources: null,
  pagePatterns: null,
  digest: [],
  mailTo: [],
  alertRecipients: [],
  mailFrom: null,
  mailCommand: null,
  alertCommand: null,
  webhook: null,
  webhookFormat: 'json',
  webhookEvents: ['alerts', 'digests', 'goals'],
  webhookAllowPrivate: false,
  lang: 'en',
  throttleHits: { burst: 60, rate: 5 },
  throttleEngagement: { burst: 120, rate: 20 },
  data: './footfall.db',
  backupFolder: null,
  backupKeep: 7,
  archiveFormat: 'ndjson',
  homeCountry: null,
  currency: null,
  weekStart: 'monday',
  plan: 'paid',
  geoipCity: null,
  geoipFallbackUrl: 'https://download.db-ip.com/free/dbip-city-lite-{year}-{month}.mmdb.gz',
  geoipEdition: 'GeoLite2-City',
  geoipLicensedUrl: null,
  logLevel: 'info',
  logFormat: 'text',
  loginFile: null,
}

const accepted: { [K in OptionName]?: [text: string, value: Config[K]][] } = {
  host: [
    ['0.0.0.0', '0.0.0.0'],
    ['::', '::'],
    ['[::1]', '::1'],
    ['localhost', 'localhost'],
    ['My-Host.example', 'my-host.example'],
  ],
  port: [
    ['0', 0],
    ['65535', 65535],
  ],
  geoipFallbackUrl: [['http://127.0.0.1/{year}/{month}.mmdb', 'http://127.0.0.1/{year}/{month}.mmdb']],
  geoipEdition: [['GeoIP2-City', 'GeoIP2-City']],
  geoipLicensedUrl: [
    ['', null],
    ['https://mirror.example/{edition}.{suffix}', 'https://mirror.example/{edition}.{suffix}'],
    ['http://[::1]:8080/?k={key}&s={suffix}', 'http://[::1]:8080/?k={key}&s={suffix}'],
  ],
  listen: [
    ['', null],
    ['unix:/run/footfall/footfall.sock', '/run/footfall/footfall.sock'],
  ],
  metricsListen: [
    ['', null],
    ['127.0.0.1:9187', { host: '127.0.0.1', port: 9187 }],
    ['[::1]:0', { host: '::1', port: 0 }],
  ],
  securityContact: [
    ['', null],
    ['Security@example.org', 'mailto:Security@example.org'],
    ['mailto:security@example.org', 'mailto:security@example.org'],
    ['mailto:a%2Bb@example.org?subject=Footfall', 'mailto:a%2Bb@example.org?subject=Footfall'],
    ['tel:+49-30-1234567', 'tel:+49-30-1234567'],
    ['https://example.org/security', 'https://example.org/security'],
    ['https://bücher.example/melden', 'https://xn--bcher-kva.example/melden'],
  ],
  publicUrl: [
    ['', null],
    ['https://example.org/stats/', 'https://example.org/stats'],
  ],
  rootPath: [
    ['', ''],
    ['/', ''],
    ['/stats', '/stats'],
    ['stats/', '/stats'],
    ['/a/b.c/', '/a/b.c'],
  ],
  basePath: [
    ['/wp-json', '/wp-json'],
    ['wp-json', '/wp-json'],
  ],
  trustProxy: [
    ['10.0.0.0/8, 192.0.2.1', ['10.0.0.0/8', '192.0.2.1']],
    ['2001:db8::/32', ['2001:db8::/32']],
    ['', []],
  ],
  siteUrl: [
    ['https://example.org', 'https://example.org'],
    ['http://example.org:8080/blog/', 'http://example.org:8080/blog'],
    ['', null],
  ],
  wordpressUrl: [
    ['https://example.org/', 'https://example.org'],
    ['https://example.org/blog/wp-json', 'https://example.org/blog/wp-json'],
    ['', null],
  ],
  woocommerceUrl: [
    ['https://shop.example.org', 'https://shop.example.org'],
    ['http://127.0.0.1:8080/shop/', 'http://127.0.0.1:8080/shop'],
    ['', null],
  ],
  allowedHosts: [
    ['example.org,www.example.org', ['example.org', 'www.example.org']],
    ['Example.ORG example.org', ['example.org']],
    ['münchen.example', ['xn--mnchen-3ya.example']],
    ['::1', ['[::1]']],
    ['127.0.0.1', ['127.0.0.1']],
  ],
  timezone: [
    ['Europe/Berlin', 'Europe/Berlin'],
    ['europe/berlin', 'Europe/Berlin'],
    ['utc', 'UTC'],
    ['America/Argentina/Ushuaia', 'America/Argentina/Ushuaia'],
  ],
  trackerPath: [
    ['/js/t.js', '/js/t.js'],
    ['t.js', '/t.js'],
  ],
  keepQuery: [
    ['', []],
    ['p, id', ['p', 'id']],
    ['p,p', ['p']],
  ],
  homeCountry: [
    ['', null],
    ['de', 'DE'],
    ['FR', 'FR'],
  ],
  currency: [
    ['', null],
    ['eur', 'EUR'],
    ['USD', 'USD'],
  ],
  weekStart: [
    ['sunday', 'sunday'],
    ['Saturday', 'saturday'],
  ],
  plan: [
    ['free', 'free'],
    ['PAID', 'paid'],
  ],
  throttleHits: [
    ['1/1', { burst: 1, rate: 1 }],
    ['1000/200', { burst: 1000, rate: 200 }],
  ],
  data: [['/var/lib/footfall/a.db', '/var/lib/footfall/a.db']],
  geoipCity: [
    ['', null],
    ['city.mmdb', 'city.mmdb'],
  ],
  digest: [
    ['', []],
    ['Week, month', ['week', 'month']],
  ],
  mailTo: [['owner@example.org,root@localhost', ['owner@example.org', 'root@localhost']]],
  mailFrom: [
    ['', null],
    ['o.w+ner@example.org', 'o.w+ner@example.org'],
  ],
  alertCommand: [['true', 'true']],
  webhook: [
    ['', null],
    ['https://chat.example.org/hooks/KEY?thread=1', 'https://chat.example.org/hooks/KEY?thread=1'],
    ['http://[::1]:8080', 'http://[::1]:8080/'],
  ],
  webhookFormat: [['Slack', 'slack']],
  webhookEvents: [
    ['', []],
    ['Goals, alerts', ['goals', 'alerts']],
  ],
  webhookAllowPrivate: [['true', true]],
  lang: [
    ['de', 'de'],
    ['en-GB', 'en-GB'],
  ],
  mailCommand: [
    ['', null],
    ['sendmail -t | cat', 'sendmail -t | cat'],
  ],
  logLevel: [
    ['debug', 'debug'],
    ['ERROR', 'error'],
  ],
  logFormat: [['json', 'json']],
}

const refused: { [K in OptionName]?: string[] } = {
  host: ['', 'a b', 'http://a', 'a:80', '-a', 'a..b'],
  geoipFallbackUrl: ['', 'city.mmdb', 'ftp://example.org/{year}'],
  geoipEdition: ['', 'GeoLite2 City', '../x'],
  geoipLicensedUrl: [
    'https://mirror.example/city.tar.gz',
    'http://mirror.example/{suffix}',
    'https://me:secret@mirror.example/{suffix}',
    'city.{suffix}',
    'ftp://mirror.example/{suffix}',
  ],
  listen: ['/run/footfall.sock', 'unix:footfall.sock', 'unix:', 'unix:/a b', 'unix:/a:/b', `unix:/${'x'.repeat(107)}`],
  metricsListen: ['9187', '127.0.0.1', '127.0.0.1:', ':9187', '127.0.0.1:99999'],
  securityContact: [
    'http://example.org/security',
    'https://',
    'https://me:secret@example.org/',
    'example.org/security',
    'security@localhost',
    'a@b@example.org',
    'security@example.org\nContact: mailto:x@example.com',
    'mailto:',
    'mailto:security',
    'mailto:jürgen@example.org',
    'tel:',
    'tel:+49 30 1',
    'ftp://example.org',
    'javascript:alert(1)',
    'nobody',
  ],
  port: ['', '-1', '65536', '1.5', '0x50', 'http', ' 80'],
  rootPath: ['//', '/a//b', '/a b', '/a?b', '/../a', 'https://example.org'],
  basePath: ['/.', '/wp-json#'],
  trustProxy: ['10.0.0.0/33', '10.0.0', 'proxy', '::1/129', '10.0.0.1,x'],
  siteUrl: [
    'example.org',
    'ftp://example.org',
    'https://',
    'https://me:secret@example.org',
    'https://example.org/?a=1',
    '/blog',
  ],
  wordpressUrl: [
    'example.org',
    'ftp://example.org',
    'https://me:secret@example.org',
    'https://example.org/?rest_route=/',
  ],
  woocommerceUrl: [
    'shop.example.org',
    'ftp://shop.example.org',
    'https://ck_1:cs_1@shop.example.org',
    'https://shop.example.org/?consumer_key=ck_1',
  ],
  allowedHosts: ['https://example.org', 'example.org:8080', 'example.org/blog', '*.example.org', 'a@b'],
  timezone: ['Berlin', 'Europe/Nowhere', '+01:00', 'Mars/Olympus'],
  trackerPath: ['', '/', '/a/', '/a b.js'],
  keepQuery: ['a=b', 'a&b', 'ä'],
  homeCountry: ['Germany', 'D', '49'],
  currency: ['Euro', '€', 'EU', 'E1R'],
  weekStart: ['', '7', 'sun', 'Sonntag'],
  plan: ['', 'gold'],
  throttleHits: ['60', '60/', '0/5', '60/0', '-1/5', '60/5/1', '1.5/1'],
  data: [''],
  digest: ['year', 'week;month'],
  mailTo: [
    'owner',
    'a@b@c',
    'Owner <owner@example.org>',
    'owner@example.org;x@example.org',
    '@example.org',
    'ä@example.org',
  ],
  mailFrom: ['a@example.org,b@example.org', 'a@example.org\nBcc: b@example.org'],
  lang: ['', 'it', 'german', 'de;q=1'],
  mailCommand: ['true\nfalse'],
  alertCommand: ['true\nfalse'],
  webhookFormat: ['', 'mattermost'],
  webhookEvents: ['visits', 'alerts;goals'],
  logLevel: ['', 'loud', 'warning'],
  logFormat: ['xml'],
}

test('without flags and environment there are the defaults', () => assert.equal(parseConfig({}, {}), defaults))

for (const name of optionNames) {
  for (const [text, value] of accepted[name] ?? []) {
    test(`${flagOf(name)} '${text}' is taken, as a flag and from the environment`, () => {
      assert.equal(parseConfig({ [name]: text }, {})[name], value)
      if (text !== '') assert.equal(parseConfig({}, { [variableOf(name)]: text })[name], value)
    })
  }
  for (const text of refused[name] ?? []) {
    test(`${flagOf(name)} '${text}' is refused in a sentence that names its source`, () => {
      const matches = (source: string) => (error: Error) =>
        error instanceof UsageError &&
        error.message.startsWith(`${source} takes `) &&
        error.message.endsWith(`, not '${text}'.`)
      assert.throws(() => parseConfig({ [name]: text }, {}), matches(flagOf(name)))
      if (text !== '') assert.throws(() => parseConfig({}, { [variableOf(name)]: text }), matches(variableOf(name)))
    })
  }
}

test('an empty variable, as compose writes it, is not set', () => {
  const empty = Object.fromEntries(Object.keys(defaults).map(name => [variableOf(name), ' ']))
  assert.equal(parseConfig({}, empty), defaults)
})

test('flags come before the environment, and the environment before the defaults', () => {
  const { port, host, timezone } = parseConfig({ port: '1' }, { FOOTFALL_PORT: '2', FOOTFALL_HOST: '::1' })
  assert.equal({ port, host, timezone }, { port: 1, host: '::1', timezone: null })
})

test('a wrong variable does not matter where there is a flag', () => {
  assert.is(parseConfig({ port: '1' }, { FOOTFALL_PORT: 'x' }).port, 1)
})

test('an unknown FOOTFALL_ variable is named, with what was meant', () => {
  assert.equal(
    environmentWarnings({
      FOOTFALL_PROT: '1',
      FOOTFALL_PORT: '1',
      FOOTFALL_CACHE_DIR: '/x',
      FOOTFALL_ADMIN_PASSWORD: 'x',
      HOME: '/',
    }),
    ['Unknown environment variable FOOTFALL_PROT is ignored. Did you mean FOOTFALL_PORT?'],
  )
  assert.equal(environmentWarnings({ FOOTFALL_SOMETHING_ELSE: '1' }), [
    'Unknown environment variable FOOTFALL_SOMETHING_ELSE is ignored.',
  ])
})

test('the first password comes from the environment only, and is no part of Config', () => {
  assert.is(adminPassword({ FOOTFALL_ADMIN_PASSWORD: 'secret' }), 'secret')
  assert.is(adminPassword({ FOOTFALL_ADMIN_PASSWORD: '' }), null)
  assert.is(adminPassword({}), null)
  assert.not.match(
    JSON.stringify(parseConfig({ adminPassword: 'secret' }, { FOOTFALL_ADMIN_PASSWORD: 'secret' })),
    'secret',
  )
})

test('the key of the shop comes from the environment only, whole or not at all', () => {
  assert.equal(shopKey({ FOOTFALL_WOOCOMMERCE_KEY: 'ck_1', FOOTFALL_WOOCOMMERCE_SECRET: ' cs_1\n' }), {
    key: 'ck_1',
    secret: 'cs_1',
  })
  for (const half of ['KEY', 'SECRET']) assert.is(shopKey({ [`FOOTFALL_WOOCOMMERCE_${half}`]: 'x' }), null)
  assert.equal(environmentWarnings({ FOOTFALL_WOOCOMMERCE_KEY: 'ck_1', FOOTFALL_WOOCOMMERCE_SECRET: 'cs_1' }), [])
  assert.not.match(
    JSON.stringify(parseConfig({ woocommerceSecret: 'cs_1' }, { FOOTFALL_WOOCOMMERCE_SECRET: 'cs_1' })),
    'cs_1',
  )
})

const logged = (level: LogLevel, format: 'text' | 'json'): { log: ReturnType<typeof createLog>; lines: string[] } => {
  const lines: string[] = []
  return { lines, log: createLog({ level, format, write: line => lines.push(line), clock: () => 0 }) }
}

test('a log entry is one line, whatever is in it', () => {
  const { log, lines } = logged('info', 'text')
  log.warn('two\nlines \u2028 \u001b[31m', { path: '/x y', count: 2, none: null, ok: true })
  assert.equal(lines, [
    '1970-01-01T00:00:00.000Z warn  two\\u000alines \\u2028 \\u001b[31m path="/x y" count=2 none=null ok=true\n',
  ])
})

test('as JSON, fields are added to time, level and message and never replace them', () => {
  const { log, lines } = logged('info', 'json')
  log.info('hello\n', { level: 'x', count: 2 })
  assert.equal(lines, ['{"time":"1970-01-01T00:00:00.000Z","level":"info","message":"hello\\n","count":2}\n'])
})

test('what is below the level is not written', () => {
  const { log, lines } = logged('warn', 'text')
  for (const level of ['error', 'warn', 'info', 'debug'] as const) log[level](level)
  assert.equal(
    lines.map(line => line.slice(25).trim()),
    ['error error', 'warn  warn'],
  )
})

test('an error is its sentence; only --log-level debug shows where it came from, and only for what nobody expected', () => {
  const bug = new TypeError('x is not a function')
  assert.is(
    failureText(bug, false),
    'x is not a function\nThis is a bug in Footfall. Please report it with the output of --log-level debug.',
  )
  assert.match(failureText(bug, true), /config\.test/)
  for (const expected of [new UsageError('wrong'), new ExpectedError('wrong'), new DatabaseError('wrong')])
    assert.is(failureText(expected, true), 'wrong')
  assert.is(failureText('a text', false), 'a text')
})

test.run()
