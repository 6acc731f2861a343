// Arbitrary requests never cause a 500, and every error has the platform's shape.
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readParameters } from '../../src/http/body.ts'
import { coerce } from '../../src/http/check.ts'
import { prune, readFields } from '../../src/http/fields.ts'
import { isCalendarDay, limitSchema } from '../../src/http/schemas.ts'
import { credentials, endpoints, startDemo } from '../support/http-demo.ts'
import { answerChecker } from '../support/openapi-answers.ts'
import { check, checkAsync } from '../support/property.ts'

const starting = startDemo()
const checking = starting.then(async demo =>
  answerChecker((await demo.send({ path: '/wp-json/analytics/v1/openapi.json' })).body),
)

const runs = { numRuns: 400 }
const names = [
  'from',
  'to',
  'limit',
  'offset',
  'order',
  'exact',
  'channels',
  'ids',
  'days',
  'nested',
  'login',
  '_fields',
  '_method',
  '__proto__',
  'constructor',
  'hasOwnProperty',
]
const weird = [
  '',
  '0',
  '-1',
  '1e999',
  'NaN',
  'null',
  '[]',
  '%00',
  '%',
  '%E0%A4%A',
  '%ED%A0%80',
  '%C3%A9',
  '..',
  '%2e%2e',
  '/',
  '//',
  '?',
  '&',
  '=',
  '[',
  ']',
  '[]',
  '[__proto__]',
  '#',
  ';',
  '2026-02-30',
  '99999999999999999999',
]
/** Bytes beyond ASCII in an address are refused by node:http itself. */
const sendable = (text: string): string =>
  text.replaceAll(/[^\x21-\x7e]/g, byte => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`)

const word = fc.oneof(
  fc.constantFrom(...weird),
  fc.constantFrom(...names),
  fc.string({ unit: 'binary', maxLength: 8 }).map(text => sendable(Buffer.from(text).toString('latin1'))),
)
const key = fc
  .tuple(
    fc.oneof(fc.constantFrom(...names), word),
    fc.constantFrom('', '[]', '[0]', '[x]', '[__proto__]', '[a][b]', '['),
  )
  .map(parts => parts.join(''))
const query = fc
  .array(
    fc.tuple(key, word).map(([name, value]) => `${name}=${value}`),
    { maxLength: 6 },
  )
  .map(pairs => pairs.join('&'))
const paths = [...endpoints.map(({ path }) => path), '', '/', '/openapi.json', '/nowhere', '/names/']
const path = fc
  .tuple(fc.constantFrom(...paths), fc.oneof(fc.constant(''), word), query)
  .map(([fixed, more, asked]) => `/wp-json/analytics/v1${fixed}${sendable(more)}?${asked}`)
const method = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH')
const body = fc.oneof(
  fc.json({ maxDepth: 6 }),
  fc.dictionary(fc.constantFrom(...names), fc.jsonValue(), { maxKeys: 6 }).map(value => JSON.stringify(value)),
  fc.string({ unit: 'binary' }),
  query,
)
const value = fc.string({ unit: 'binary-ascii', maxLength: 12 }).map(text => text.replaceAll(/[^\x20-\x7e]/g, ''))
const headers = fc.record(
  {
    'content-type': fc.constantFrom(
      'application/json',
      'application/x-www-form-urlencoded',
      'text/plain',
      'application/json;;',
      '',
    ),
    'x-http-method-override': fc.oneof(fc.constantFrom('PUT', 'GET', 'HEAD', 'OPTIONS', 'constructor'), value),
    'x-wp-nonce': value,
    cookie: value,
    host: fc.oneof(fc.constantFrom('a b', '[', 'x/y', 'x:99999', '', 'footfall.example.org'), value),
    'x-anything': value,
  },
  { requiredKeys: ['content-type', 'host'] },
)

const isError = (found: unknown, status: number): boolean => {
  const error = found as { code?: unknown; message?: unknown; data?: { status?: unknown } }
  return typeof error?.code === 'string' && typeof error.message === 'string' && error.data?.status === status
}

test("no request leads to a 500, every error has the platform's shape and every response is documented", async () => {
  const [demo, check] = [await starting, await checking]
  await checkAsync(
    fc.asyncProperty(
      method,
      path,
      headers,
      body,
      fc.constantFrom(...Object.values(credentials)),
      async (asked, to, sent, text, who) => {
        if (to.includes('/broken')) return
        const received = await demo.send({
          method: asked,
          path: to,
          headers: { ...sent, ...who },
          ...(['GET', 'HEAD'].includes(asked) ? {} : { body: text }),
        })
        assert.ok(received.status < 500, received.text)
        const head = asked === 'HEAD' || (asked === 'POST' && sent['x-http-method-override'] === 'HEAD')
        if (received.status >= 400 && !head) assert.ok(isError(received.body, received.status), received.text)
        const plain = !('x-http-method-override' in sent) && !to.includes('_method') && !/\/hit|\/\.\.|%2e|#/.test(to)
        if (plain && received.status !== 404) assert.equal(check(asked, to, received.status, received.body), [])
      },
    ),
    { ...runs, numRuns: 1500 },
  )
  assert.equal(demo.log, [])
})

test('no query key reaches the prototype', () => {
  check(
    fc.property(fc.array(fc.tuple(fc.string(), fc.string())), pairs => {
      const values = readParameters([...pairs, ['__proto__[x]', 'polluted'], ['constructor', 'c']])
      assert.is(Object.getPrototypeOf(values), null)
      assert.is(values.constructor, 'c')
      assert.is(Reflect.get({}, 'x'), undefined)
    }),
    runs,
  )
})

test('an integer in range is accepted as text and as a number', () => {
  check(
    fc.property(fc.integer({ min: 1, max: 200 }), number => {
      for (const text of [number, `${number}`, `${number}.0`, ` ${number} `, `+${number}`])
        assert.is(coerce(limitSchema(), text), number)
    }),
    runs,
  )
})

test('only calendar dates are accepted', () => {
  const noon = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  check(
    fc.property(noon, date => isCalendarDay(date.toISOString().slice(0, 10))),
    runs,
  )
  check(
    fc.property(
      fc.integer({ min: 1900, max: 2200 }),
      fc.integer({ min: 0, max: 99 }),
      fc.integer({ min: 0, max: 99 }),
      (year, month, day) => {
        const text = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
        const days = month >= 1 && month <= 12 ? new Date(Date.UTC(year, month, 0)).getUTCDate() : 0
        assert.is(isCalendarDay(text), day >= 1 && day <= days)
      },
    ),
    runs,
  )
})

test('pruning keeps named keys and adds none', () => {
  check(
    fc.property(
      fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), fc.jsonValue()),
      fc.array(fc.constantFrom('a', 'b.c', '__proto__', 'a.b')),
      (data, list) => {
        const fields = readFields(list.join(','))
        if (fields === null) return
        const pruned = prune(data, fields)
        const roots = list.map(name => name.split('.')[0])
        assert.equal(
          Object.keys(pruned as object),
          Object.keys(data).filter(name => roots.includes(name)),
        )
      },
    ),
    runs,
  )
})

test.after(async () => (await starting).stop())
test.run()
