// Several requests in one: each passes all checks as if it had come by itself.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Running, withService } from '../support/service.ts'

const json = { 'content-type': 'application/json' }
const range = 'from=2026-03-10&to=2026-03-10'
type Options = { as?: 'administrator' | 'reader' | 'nobody'; headers?: Record<string, string> }

const send = ({ api }: Running, paths: readonly unknown[], { headers, ...options }: Options = {}) =>
  api('/batch', {
    method: 'POST',
    body: JSON.stringify({ requests: paths.map(path => ({ path })) }),
    headers: { ...json, ...headers },
    ...options,
  })

const withoutTime = ({ meta, ...body }: any): any => ({ ...body, meta: { ...meta, generated_at: null } })

test('each response is that of the request alone, in the order of the requests', () =>
  withService({ flags: { basePath: '/wp-json', rootPath: '/stats' } }, async running => {
    for (const page of ['/a', '/b', '/c']) await running.hit({ page_url: page })
    await running.settled()
    const paths = [`/summary?${range}`, `/pages?${range}&limit=2`, '/settings', '/nowhere', '/summary', '/session']
    const { status, body } = await send(running, paths)
    assert.is(status, 207)
    const alone = await Promise.all(paths.map(path => running.api(path).catch(() => null)))
    assert.equal(
      body.responses.map((one: { status: number }) => one.status),
      [200, 200, 200, 404, 400, 200],
    )
    for (const [index, one] of alone.entries()) {
      const { body: given } = body.responses[index]
      if (one !== null) assert.equal(withoutTime(given), withoutTime(one.body), paths[index])
    }
    assert.is(body.responses[0].body.data.totals.views, 3)
    assert.equal(
      ['X-WP-Total', 'X-WP-TotalPages'].map(name => body.responses[1].headers[name]),
      ['3', '2'],
    )
    assert.is(body.responses[3].body.code, 'rest_no_route')
  }))

test('every request is refused as it would be alone', () =>
  withService({}, async running => {
    const statuses = async (options: Options): Promise<number[]> =>
      (await send(running, [`/summary?${range}`, '/users', '/openapi.json'], options)).body.responses.map(
        (one: { status: number }) => one.status,
      )
    assert.equal(await statuses({ as: 'administrator' }), [200, 200, 200])
    assert.equal(await statuses({ as: 'reader' }), [403, 403, 200])
    assert.equal(await statuses({ as: 'nobody' }), [401, 401, 200])
    const wrong = await send(running, ['/settings'], { as: 'nobody', headers: { 'x-wp-nonce': 'deadbeef00' } })
    assert.equal([wrong.status, wrong.body.code], [403, 'rest_cookie_invalid_nonce'])
    // The method of the batch cannot be passed on.
    const { body } = await send(running, ['/share-links?_method=POST'])
    assert.equal([body.responses[0].status, body.responses[0].body], [200, []])
  }))

test('a batch has 1 to 25 requests below the namespace, and no other batch', () =>
  withService({}, async running => {
    const cases: [unknown[], number][] = [
      [[], 400],
      [Array(25).fill('/openapi.json?_fields=openapi'), 207],
      [Array(26).fill('/openapi.json'), 400],
      [['/batch'], 400],
      [['/batch/'], 400],
      [['/x/../batch'], 400],
      [['/../../healthz'], 400],
      [['/%2e%2e/%2e%2e/metrics'], 400],
      [['summary'], 400],
      [['http://example.org/analytics/v1/summary'], 400],
      [['//example.org/summary'], 207],
      [['/%zz'], 207],
      [[7], 400],
    ]
    for (const [paths, status] of cases)
      assert.is((await send(running, paths)).status, status, JSON.stringify(paths).slice(0, 60))
    const outside = await send(running, ['//example.org/summary'])
    assert.is(outside.body.responses[0].status, 404, 'no other host is asked')
  }))

test.run()
