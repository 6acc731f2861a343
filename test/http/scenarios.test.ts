// The contract's conventions (api.md §1) as a table, on a real server. Every response is also checked against the
// OpenAPI
// document.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Received, Sent } from '../support/http-demo.ts'
import { credentials, startDemo } from '../support/http-demo.ts'
import { answerChecker } from '../support/openapi-answers.ts'

type Scenario = Omit<Sent, 'path'> & {
  name: string
  /** Below the namespace. */
  path: string
  as?: keyof typeof credentials
  status: number
  code?: string
  /** Expected parts of the body, by path: `data.params.limit`. */
  has?: Record<string, unknown>
  header?: Record<string, string | undefined>
  body?: string | Uint8Array
  /** The method it counts as, where that is another than the one sent; null: not held against the document. */
  countsAs?: string | null
}

const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const rows = (query: string, expected: Partial<Scenario>): Omit<Scenario, 'name'> => ({
  path: `/rows?${query}`,
  status: 200,
  ...expected,
})
const refused = (name: string, sentence: string, code: string): Partial<Scenario> => ({
  status: 400,
  code: 'rest_invalid_param',
  has: { [`data.params.${name}`]: sentence, [`data.details.${name}.code`]: code },
})
const settings = (body: unknown, expected: Partial<Scenario> = {}): Omit<Scenario, 'name'> => ({
  method: 'PUT',
  path: '/settings',
  headers: json,
  body: JSON.stringify(body),
  status: 200,
  ...expected,
})
const big = (size: number) => JSON.stringify({ note: 'x'.repeat(size - 11) })
const nested = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`

const scenarios: Scenario[] = [
  // Who may.
  {
    name: 'a guest is not let in',
    path: '/rows',
    as: 'guest',
    status: 401,
    code: 'rest_forbidden',
    header: { allow: undefined, 'cache-control': 'no-store', 'www-authenticate': undefined },
  },
  {
    name: 'a user without the capability is not let in',
    path: '/rows',
    as: 'subscriber',
    status: 403,
    code: 'rest_forbidden',
    header: { allow: undefined },
  },
  {
    name: 'the administrator is let in',
    path: '/rows',
    status: 200,
    header: { allow: 'GET', 'cache-control': 'no-store', 'x-wp-total': '51', 'x-wp-totalpages': '3' },
  },
  {
    name: 'permission comes before the size',
    method: 'PUT',
    path: '/settings',
    as: 'guest',
    headers: json,
    body: big(70_000),
    status: 401,
  },
  {
    name: 'permission comes before JSON',
    method: 'PUT',
    path: '/settings',
    as: 'subscriber',
    headers: json,
    body: '{',
    status: 403,
  },
  { name: 'permission comes before parameters', path: '/rows?limit=x', as: 'guest', status: 401 },
  {
    name: 'the route comes before the nonce',
    path: '/nowhere',
    as: 'guest',
    headers: { 'x-wp-nonce': 'wrong' },
    status: 404,
    code: 'rest_no_route',
  },
  {
    name: 'a wrong nonce is refused on public routes',
    path: '/openapi.json',
    as: 'guest',
    headers: { 'x-wp-nonce': 'wrong' },
    status: 403,
    code: 'rest_cookie_invalid_nonce',
  },
  {
    name: 'identification may add headers',
    path: '/rows',
    as: 'guest',
    headers: { 'x-wp-nonce': 'f1ba9f040f' },
    status: 200,
    header: { 'x-wp-nonce': 'f1ba9f040f', 'set-cookie': 'b=2' },
  },
  {
    name: 'and cookies of both are sent',
    method: 'POST',
    path: '/session',
    as: 'guest',
    headers: { ...json, 'x-wp-nonce': 'f1ba9f040f' },
    body: '{"login":"x"}',
    status: 201,
    header: { 'set-cookie': 'b=2,a=1', 'cache-control': 'private' },
  },
  // Routes and methods.
  { name: 'a trailing slash is taken', path: '/rows/?limit=5', status: 200 },
  { name: 'a longer path is not a route', path: '/rows/x', status: 404, code: 'rest_no_route' },
  {
    name: 'a wrong method is no route',
    method: 'DELETE',
    path: '/rows',
    status: 404,
    code: 'rest_no_route',
    header: { allow: undefined },
  },
  { name: 'PATCH is no method here', method: 'PATCH', path: '/settings', status: 404 },
  { name: 'PROPFIND is no method here', method: 'PROPFIND', path: '/rows', status: 404 },
  {
    name: 'what the collection handler serves is not served by the router',
    method: 'POST',
    path: '/hit',
    countsAs: null,
    status: 404,
  },
  { name: 'but described', method: 'OPTIONS', path: '/hit', as: 'guest', status: 200, has: { methods: ['POST'] } },
  {
    name: 'HEAD is GET without a body',
    method: 'HEAD',
    path: '/rows',
    status: 200,
    header: { 'x-wp-total': '51', allow: 'GET' },
  },
  { name: 'HEAD of an error has none either', method: 'HEAD', path: '/rows', as: 'guest', status: 401 },
  { name: 'HEAD of what can only be posted is no route', method: 'HEAD', path: '/insert', status: 404 },
  {
    name: 'OPTIONS for the administrator says what is allowed',
    method: 'OPTIONS',
    path: '/settings',
    status: 200,
    has: { methods: ['PUT'], 'endpoints.0.args.mode.enum': ['a', 'b', 'c'] },
    header: { allow: 'PUT' },
  },
  { name: 'OPTIONS of nowhere', method: 'OPTIONS', path: '/nowhere', as: 'guest', status: 404, code: 'rest_no_route' },
  {
    name: 'OPTIONS of a route with a variable has no link',
    method: 'OPTIONS',
    path: '/names/x',
    as: 'guest',
    status: 200,
    has: { _links: undefined, 'endpoints.0.args.name': { type: 'string', required: true } },
  },
  {
    name: 'override by query',
    method: 'POST',
    path: '/settings?_method=put',
    countsAs: 'PUT',
    headers: json,
    body: '{"days":40}',
    status: 200,
    has: { days: 40 },
  },
  {
    name: 'the query overrides the header',
    method: 'POST',
    path: '/settings?_method=PUT',
    countsAs: 'PUT',
    headers: { ...json, 'x-http-method-override': 'DELETE' },
    body: '{}',
    status: 200,
  },
  {
    name: 'override to GET',
    method: 'POST',
    path: '/rows',
    countsAs: 'GET',
    headers: { 'x-http-method-override': 'GET' },
    status: 200,
  },
  {
    name: 'override to HEAD',
    method: 'POST',
    path: '/rows',
    countsAs: null,
    headers: { 'x-http-method-override': 'HEAD' },
    status: 200,
    header: { 'content-length': '0' },
  },
  {
    name: 'override to a method nobody has',
    method: 'POST',
    path: '/settings',
    headers: { 'x-http-method-override': 'BREW' },
    status: 404,
  },
  { name: 'override counts on POST only', path: '/rows?_method=DELETE', status: 200 },
  {
    name: 'the index in short',
    path: '',
    as: 'guest',
    status: 200,
    has: { namespace: 'analytics/v1', 'routes./analytics/v1/names/(?P<name>[^/]+).methods': ['GET'] },
  },
  {
    name: 'the index is pruned too',
    path: '/?_fields=namespace',
    as: 'guest',
    status: 200,
    has: { routes: undefined },
  },
  // Path variables.
  { name: 'a variable is decoded', path: '/names/sign%20up%2F1', status: 200, has: { name: 'sign up/1' } },
  { name: 'dots are no separators', path: '/names/v1.2', status: 200, has: { name: 'v1.2' } },
  { name: 'a bad encoding stays as it is', path: '/names/%E0%A4%A', status: 200, has: { name: '%E0%A4%A' } },
  { name: 'NUL in the path', path: '/names/%00', status: 200, has: { name: '\0' } },
  { name: "a prototype's key as name", path: '/names/__proto__', status: 200, has: { name: '__proto__' } },
  { name: 'a fixed path comes before a variable', path: '/names/fixed', status: 200, has: { fixed: true } },
  {
    name: "an endpoint's own error",
    path: '/names/nobody',
    status: 404,
    code: 'rest_name_not_found',
    header: { allow: 'GET' },
  },
  // The query by the platform's rules.
  {
    name: 'defaults',
    ...rows('', {
      has: { 'meta.limit': 25, 'meta.offset': 0, 'meta.order': 'asc', 'meta.exact': false, 'meta.channels': undefined },
    }),
  },
  { name: 'integer text', ...rows('limit=5.0', { has: { 'meta.limit': 5 } }) },
  { name: 'integer with exponent and spaces', ...rows('limit=%201e2%20', { has: { 'meta.limit': 100 } }) },
  { name: 'no integer', ...rows('limit=1.5', refused('limit', 'limit is not of type integer.', 'rest_invalid_type')) },
  {
    name: 'bounds before wholeness',
    ...rows(
      'limit=300.5',
      refused('limit', 'limit must be between 1 (inclusive) and 200 (inclusive)', 'rest_out_of_bounds'),
    ),
  },
  {
    name: 'an empty integer',
    ...rows('limit=', refused('limit', 'limit is not of type integer.', 'rest_invalid_type')),
  },
  {
    name: 'hexadecimal',
    ...rows('limit=0x10', refused('limit', 'limit is not of type integer.', 'rest_invalid_type')),
  },
  {
    name: 'below the least',
    ...rows('offset=-1', refused('offset', 'offset must be greater than or equal to 0', 'rest_out_of_bounds')),
  },
  {
    name: 'more than a number holds exactly',
    ...rows('offset=99999999999999999999', refused('offset', 'offset is not of type integer.', 'rest_invalid_type')),
  },
  {
    name: 'infinite',
    ...rows('offset=1e999', refused('offset', 'offset is not of type integer.', 'rest_invalid_type')),
  },
  { name: 'a number', ...rows('ratio=.5', { has: { 'meta.ratio': 0.5 } }) },
  { name: 'true', ...rows('exact=TRUE', { has: { 'meta.exact': true } }) },
  { name: 'zero is false', ...rows('exact=0', { has: { 'meta.exact': false } }) },
  {
    name: 'yes is no boolean',
    ...rows('exact=yes', refused('exact', 'exact is not of type boolean.', 'rest_invalid_type')),
  },
  {
    name: 'not one of two',
    ...rows('order=up', refused('order', 'order is not one of asc and desc.', 'rest_not_in_enum')),
  },
  {
    name: 'a list for a choice',
    ...rows('order[]=asc', refused('order', 'order is not of type string.', 'rest_invalid_type')),
  },
  {
    name: 'too short',
    ...rows('word=a', refused('word', 'word must be at least 2 characters long.', 'rest_too_short')),
  },
  {
    name: 'too long',
    ...rows('word=abcdef', refused('word', 'word must be at most 5 characters long.', 'rest_too_long')),
  },
  { name: 'a list by commas', ...rows('channels=a,,b%20c', { has: { 'meta.channels': ['a', 'b', 'c'] } }) },
  { name: 'a list by brackets', ...rows('channels[]=a&channels[]=b,c', { has: { 'meta.channels': ['a', 'b,c'] } }) },
  { name: 'a list by numbers', ...rows('channels[0]=a&channels[1]=b', { has: { 'meta.channels': ['a', 'b'] } }) },
  {
    name: 'an object for a list',
    ...rows('channels[x]=a', refused('channels', 'channels is not of type array.', 'rest_invalid_type')),
  },
  { name: 'the last of a repeated key', ...rows('limit=x&limit=7', { has: { 'meta.limit': 7 } }) },
  { name: 'unknown keys', ...rows('bogus=1&__proto__=2&constructor[prototype]=3', {}) },
  {
    name: 'a bad encoding and NUL in the query',
    ...rows('order=%FF%00%', refused('order', 'order is not one of asc and desc.', 'rest_not_in_enum')),
  },
  {
    name: 'all that is wrong at once',
    ...rows('limit=0&order=x', {
      status: 400,
      has: { message: 'Invalid parameter(s): limit, order', 'data.params.order': 'order is not one of asc and desc.' },
    }),
  },
  {
    name: 'an invalid day',
    path: '/admin?from=2026-02-30&to=2026-03-01',
    ...refused('from', 'Invalid date.', 'rest_invalid_date'),
    status: 400,
  },
  { name: 'a leap day', path: '/admin?from=2028-02-29&to=2028-03-01', status: 200 },
  { name: 'no leap day', path: '/admin?from=2026-02-29&to=2028-03-01', status: 400 },
  {
    name: 'a line feed after the day',
    path: '/admin?from=2026-02-02%0A&to=2028-03-01',
    ...refused('from', 'from does not match pattern ^\\d{4}-\\d{2}-\\d{2}$.', 'rest_invalid_pattern'),
    status: 400,
  },
  // Bodies.
  {
    name: 'JSON',
    ...settings({ enabled: false, days: 30, roles: ['x'] }, { has: { enabled: false, days: 30, roles: ['x'] } }),
  },
  {
    name: 'JSON by another name',
    ...settings(
      { days: 30 },
      { headers: { 'content-type': 'Application/vnd.api+JSON; charset=utf-8' }, has: { days: 30 } },
    ),
  },
  {
    name: 'text in JSON is brought to its type',
    ...settings({ enabled: '1', days: '31', roles: 'a, b' }, { has: { enabled: true, days: 31, roles: ['a', 'b'] } }),
  },
  { name: 'null means absent', ...settings({ days: null }, { has: { days: undefined } }) },
  { name: 'null where it is a value', ...settings({ note: null }, { has: { note: null } }) },
  {
    name: 'an unknown key where none is allowed',
    ...settings(
      { dayz: 1, mode: 'd' },
      {
        status: 400,
        code: 'rest_invalid_param',
        has: {
          'data.params': { mode: 'mode is not one of a, b, and c.', dayz: 'dayz is not a valid property of Object.' },
          'data.details.dayz.code': 'rest_additional_properties_forbidden',
        },
      },
    ),
  },
  {
    name: "a prototype's key where none is allowed",
    ...settings(
      {},
      {
        body: '{"__proto__":{"days":1},"constructor":2}',
        status: 400,
        has: { 'data.params.constructor': 'constructor is not a valid property of Object.' },
      },
    ),
  },
  {
    name: 'too many items',
    ...settings(
      { roles: ['a', 'b', 'c'] },
      refused('roles', 'roles must contain at most 2 items.', 'rest_too_many_items'),
    ),
  },
  {
    name: 'a wrong item',
    ...settings({ roles: ['a', { b: 1 }] }, refused('roles', 'roles[1] is not of type string.', 'rest_invalid_type')),
  },
  {
    name: 'a property that lacks',
    ...settings(
      { nested: { depth: 1 } },
      refused('nested', 'page is a required property of nested.', 'rest_property_required'),
    ),
  },
  {
    name: 'a wrong property',
    ...settings(
      { nested: { page: 'a', depth: 'x' } },
      refused('nested', 'nested[depth] is not of type number.', 'rest_invalid_type'),
    ),
  },
  {
    name: 'no object',
    ...settings({ nested: [1] }, refused('nested', 'nested is not of type object.', 'rest_invalid_type')),
  },
  {
    name: 'a value missing in the body is taken from the query',
    method: 'PUT',
    path: '/settings?days=33',
    headers: json,
    body: '{"mode":"a"}',
    status: 200,
    has: { days: 33, mode: 'a' },
  },
  {
    name: 'the body beats the query',
    method: 'PUT',
    path: '/settings?days=33',
    headers: json,
    body: '{"days":34}',
    status: 200,
    has: { days: 34 },
  },
  {
    name: 'a form',
    method: 'PUT',
    path: '/settings',
    headers: form,
    body: 'days=35&roles[]=a&roles[]=b',
    status: 200,
    has: { days: 35, roles: ['a', 'b'] },
  },
  {
    name: 'text is not read',
    method: 'PUT',
    path: '/settings',
    headers: { 'content-type': 'text/plain' },
    body: '{"days":36}',
    status: 200,
    has: { days: undefined },
  },
  { name: 'a list where named values are due counts as nothing', ...settings([1]) },
  {
    name: 'no JSON',
    ...settings(
      {},
      {
        body: '{"a"',
        status: 400,
        code: 'rest_invalid_json',
        has: { 'data.json_error_code': 4, 'data.json_error_message': 'Syntax error' },
      },
    ),
  },
  {
    name: 'no UTF-8',
    ...settings(
      {},
      {
        body: new Uint8Array([0x22, 0xff, 0x22]),
        status: 400,
        code: 'rest_invalid_json',
        has: { 'data.json_error_code': 5 },
      },
    ),
  },
  {
    name: 'too deep',
    ...settings(
      {},
      { body: nested(30_000), status: 400, code: 'rest_invalid_json', has: { 'data.json_error_code': 1 } },
    ),
  },
  {
    name: 'no JSON where no body is due',
    method: 'POST',
    path: '/insert',
    headers: json,
    body: '{',
    status: 400,
    code: 'rest_invalid_json',
  },
  { name: 'as large as allowed', ...settings({}, { body: big(65_536), has: { 'note.length': 65_525 } }) },
  { name: 'a byte more', ...settings({}, { body: big(65_537), status: 413, code: 'rest_payload_too_large' }) },
  {
    name: 'a byte more, unannounced',
    ...settings({}, { headers: { ...json, 'transfer-encoding': 'chunked' }, body: big(65_537), status: 413 }),
  },
  { name: 'far too large', ...settings({}, { body: big(5_000_000), status: 413 }) },
  {
    name: 'far too large, unannounced',
    ...settings({}, { headers: { ...json, 'transfer-encoding': 'chunked' }, body: big(5_000_000), status: 413 }),
  },
  {
    name: 'one order',
    method: 'POST',
    path: '/orders',
    headers: json,
    body: '{"id":1}',
    status: 200,
    has: { count: 1 },
  },
  {
    name: 'many orders',
    method: 'POST',
    path: '/orders',
    headers: json,
    body: '[{"id":1},{"id":2}]',
    status: 200,
    has: { count: 2 },
  },
  {
    name: 'neither',
    method: 'POST',
    path: '/orders',
    headers: json,
    body: '7',
    ...refused('body', 'body does not match any of the expected formats.', 'rest_no_matching_schema'),
    status: 400,
  },
  {
    name: 'no orders',
    method: 'POST',
    path: '/orders',
    headers: json,
    status: 400,
    code: 'rest_missing_callback_param',
    has: { 'data.params': ['body'] },
  },
  {
    name: 'a limit of its own',
    method: 'POST',
    path: '/orders',
    headers: json,
    body: JSON.stringify({ id: 1, note: 'x'.repeat(100_000) }),
    status: 200,
  },
  {
    name: 'raw bytes',
    method: 'POST',
    path: '/hook',
    as: 'guest',
    headers: json,
    body: '{"broken',
    status: 200,
    has: { bytes: 8 },
  },
  {
    name: 'an accepted type',
    method: 'POST',
    path: '/session',
    as: 'guest',
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: '{"login":"a"}',
    status: 201,
    has: { login: 'a' },
  },
  {
    name: 'another type',
    method: 'POST',
    path: '/session',
    as: 'guest',
    headers: form,
    body: 'login=a',
    status: 415,
    code: 'rest_unsupported_media_type',
  },
  { name: 'no type', method: 'POST', path: '/session', as: 'guest', status: 415 },
  // Pruning.
  {
    name: 'fields of each element',
    path: '/rows?_fields=data.page,data.by.country,meta.limit',
    status: 200,
    has: {
      data: [
        { page: '/a', by: { country: 'DE' } },
        { page: '/b', by: { country: 'FR' } },
      ],
      meta: { limit: 25 },
    },
  },
  {
    name: 'a whole part',
    path: '/rows?_fields=data.by.country,data',
    status: 200,
    has: { 'data.0.views': 2, meta: undefined },
  },
  { name: 'fields by brackets', path: '/rows?_fields[]=meta', status: 200, has: { data: undefined, 'meta.limit': 25 } },
  { name: 'no fields', path: '/rows?_fields=', status: 200, has: { 'meta.limit': 25 } },
  {
    name: 'no such field',
    path: '/rows?_fields=none,constructor,__proto__',
    status: 200,
    has: { data: undefined, meta: undefined },
  },
  { name: 'errors are whole', path: '/rows?_fields=code&limit=0', status: 400, has: { 'data.status': 400 } },
  { name: 'text that is already written', path: '/names/a?_fields=none', status: 200, has: { name: undefined } },
  // Bugs.
  {
    name: 'a bug says nothing',
    path: '/broken',
    as: 'guest',
    status: 500,
    code: 'internal_error',
    has: { 'data.status': 500 },
    header: { allow: 'GET', 'cache-control': 'no-store' },
  },
]

const at = (value: unknown, path: string): unknown => {
  if (path === '') return value
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' && path === 'length' ? value.length : undefined
  // The longest key first: those of the index hold dots themselves.
  const keys = path
    .split('.')
    .map((_, count, parts) => parts.slice(0, count + 1).join('.'))
    .reverse()
  const key = keys.find(name => Object.hasOwn(value, name))
  return key === undefined
    ? undefined
    : at(Object.entries(value).find(([name]) => name === key)?.[1], path.slice(key.length + 1))
}

const starting = startDemo()
const checking = starting.then(async demo =>
  answerChecker((await demo.send({ path: '/wp-json/analytics/v1/openapi.json' })).body),
)

const verify = ({ name, code, has = {}, header = {}, status, method }: Scenario, received: Received): void => {
  assert.is(received.status, status, `${name}: ${received.text}`)
  if (method === 'HEAD') assert.is(received.text, '')
  if (code !== undefined) assert.is(at(received.body, 'code'), code)
  if (status >= 400 && method !== 'HEAD') assert.is(at(received.body, 'data.status'), status)
  for (const [path, value] of Object.entries(has))
    assert.equal(at(received.body, path), value, `${path} of ${received.text}`)
  for (const [field, value] of Object.entries(header)) {
    const found = received.headers[field]
    assert.is(Array.isArray(found) ? found.join(',') : found, value, field)
  }
  assert.ok(received.headers['x-request-id'])
  assert.is(received.headers['x-content-type-options'], 'nosniff')
  assert.is(received.headers['x-robots-tag'], 'noindex')
}

for (const scenario of scenarios) {
  test(`${scenario.name} (${scenario.status})`, async () => {
    const { method = 'GET', headers = {}, body, as = 'admin' } = scenario
    const path = `/wp-json/analytics/v1${scenario.path}`
    const demo = await starting
    const received = await demo.send({
      method,
      path,
      headers: { ...credentials[as], ...headers },
      ...(body !== undefined && { body }),
    })
    verify(scenario, received)
    const documented = scenario.countsAs === undefined ? method : scenario.countsAs
    if (documented !== null) assert.equal((await checking)(documented, path, received.status, received.body), [])
  })
}

test('a bug is logged under its request id, with the route and not the address', async () => {
  const demo = await starting
  const before = demo.log.length
  const { body, text } = await demo.send({ path: '/wp-json/analytics/v1/broken?secret=1' })
  const entry = demo.log[before]
  assert.is(demo.log.length, before + 1)
  assert.is(entry?.route, 'GET /broken')
  assert.is(entry?.requestId, at(body, 'data.request_id'))
  assert.not.match(text, 'secret')
  assert.instance(entry?.error, Error)
})

test('HEAD announces the length of GET', async () => {
  const demo = await starting
  const path = '/wp-json/analytics/v1/rows'
  const [head, get] = [
    await demo.send({ method: 'HEAD', path, headers: credentials.admin }),
    await demo.send({ path, headers: credentials.admin }),
  ]
  assert.is(head.headers['content-length'], get.headers['content-length'])
  assert.is(get.headers['content-length'], String(Buffer.byteLength(get.text)))
})

test('a connection stays usable after a refused body', async () => {
  const { Agent, request } = await import('node:http')
  const demo = await starting
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ports: (number | undefined)[] = []
  const ask = (headers: Record<string, string>, body: string) =>
    new Promise<number>((resolve, reject) => {
      const sent = request(
        {
          agent,
          port: demo.port,
          host: '127.0.0.1',
          method: 'PUT',
          path: '/wp-json/analytics/v1/settings',
          headers: { ...credentials.admin, ...json, ...headers },
        },
        response => {
          ports.push(response.socket.localPort)
          response.resume().on('end', () => resolve(response.statusCode ?? 0))
        },
      )
      sent.on('error', reject).end(body)
    })
  assert.is(await ask({ 'transfer-encoding': 'chunked' }, big(2_000_000)), 413)
  assert.is(await ask({}, big(2_000_000)), 413)
  assert.is(await ask({}, '{"days":30}'), 200)
  assert.is(new Set(ports).size, 1)
  agent.destroy()
})

test('a client that disconnects during its request is not logged as a bug', async () => {
  const { connect } = await import('node:net')
  const demo = await startDemo()
  await new Promise<void>(resolve => {
    const socket = connect(demo.port, '127.0.0.1', () => {
      socket.write(
        `PUT /wp-json/analytics/v1/settings HTTP/1.1\r\nHost: x\r\nAuthorization: ${credentials.admin.authorization}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"days"`,
      )
      setTimeout(() => socket.destroy(), 50)
    })
    socket.on('close', () => setTimeout(resolve, 50))
  })
  assert.equal(demo.log, [])
  assert.is((await demo.send({ path: '/wp-json/analytics/v1/rows' })).status, 401)
  await demo.stop()
})

test('an expected failure can be translated from a thrown error', async () => {
  const { storageUnavailable } = await import('../../src/http/errors.ts')
  const demo = await startDemo({
    translate: () => storageUnavailable(7),
    originOf: () => 'https://footfall.example.org',
  })
  const broken = await demo.send({ path: '/wp-json/analytics/v1/broken' })
  assert.is(broken.status, 503)
  assert.is(broken.headers['retry-after'], '7')
  assert.is(demo.log.length, 0)
  const index = await demo.send({ path: '/wp-json/analytics/v1' })
  assert.equal(at(index.body, '_links.up'), [{ href: 'https://footfall.example.org/wp-json/' }])
  await demo.stop()
})

test("a failing dependency leads to an error in the platform's shape", async () => {
  const demo = await startDemo({
    addressOf: () => {
      throw new Error('no address')
    },
  })
  const { status, body } = await demo.send({ path: '/wp-json/analytics/v1/rows' })
  assert.is(status, 500)
  assert.is(at(body, 'code'), 'internal_error')
  await demo.stop()
})

test.after(async () => (await starting).stop())
test.run()
