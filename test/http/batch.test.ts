// Several requests in one: each passes all checks as if it had come by itself, and all together take no more than one.
import { Worker } from 'node:worker_threads'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Running, withService } from '../support/service.ts'
import { until } from '../support/wait.ts'

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
      (await send(running, [`/summary?${range}`, '/users', '/session'], options)).body.responses.map(
        (one: { status: number }) => one.status,
      )
    assert.equal(await statuses({ as: 'administrator' }), [200, 200, 200])
    assert.equal(await statuses({ as: 'reader' }), [403, 403, 200])
    const made = JSON.stringify({ name: 'A link', filters: {} })
    const { token } = (await running.api('/share-links', { method: 'POST', body: made, headers: json })).body
    const link: Options = { as: 'nobody', headers: { 'x-footfall-share': token } }
    assert.equal(await statuses(link), [200, 403, 401])
    const stranger = await send(running, [`/summary?${range}`], { as: 'nobody' })
    assert.equal([stranger.status, stranger.body.code], [401, 'rest_forbidden'])
    const wrong = await send(running, ['/settings'], { as: 'nobody', headers: { 'x-wp-nonce': 'deadbeef00' } })
    assert.equal([wrong.status, wrong.body.code], [403, 'rest_cookie_invalid_nonce'])
    // The method of the batch cannot be passed on.
    const { body } = await send(running, ['/share-links?_method=POST'])
    assert.equal([body.responses[0].status, body.responses[0].body.length], [200, 1])
  }))

test('a batch has 1 to 25 requests below the namespace, and no other batch', () =>
  withService({}, async running => {
    const cases: [unknown[], number][] = [
      [[], 400],
      [Array(25).fill('/session?_fields=login'), 207],
      [Array(26).fill('/session'), 400],
      [['/session', '/openapi.json?_fields=openapi'], 400],
      [['/openapi.json//'], 400],
      [['/'], 400],
      [['//'], 400],
      [['/?_fields=namespace'], 400],
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

/** Statuses of the responses. */
const statusesOf = ({ body }: { body: any }): number[] => body.responses.map(({ status }: { status: number }) => status)

test('its requests run one after the other, and their JSON is not parsed', () =>
  withService({}, async running => {
    const paths = Array.from({ length: 25 }, (_, index) => `/pages?${range}&limit=${index + 1}`)
    const { postMessage } = Worker.prototype
    const { parse } = JSON
    const [asked, watched] = [{ now: 0, most: 0, all: 0 }, new WeakSet<Worker>()]
    Worker.prototype.postMessage = function (...sent: Parameters<Worker['postMessage']>) {
      if (sent[0] !== null && typeof sent[0] === 'object' && 'statements' in sent[0]) {
        if (!watched.has(this)) this.on('message', () => (asked.now -= 1))
        watched.add(this)
        asked.all += 1
        asked.most = Math.max(asked.most, (asked.now += 1))
      }
      return Reflect.apply(postMessage, this, sent)
    }
    let parsed = 0
    JSON.parse = ((...parts: Parameters<typeof JSON.parse>) => {
      if (String(parts[0]).startsWith('{"data":')) parsed += 1
      return Reflect.apply(parse, JSON, parts)
    }) as typeof JSON.parse
    try {
      assert.equal(statusesOf(await send(running, paths)), Array(25).fill(200))
    } finally {
      Worker.prototype.postMessage = postMessage
      JSON.parse = parse
    }
    assert.ok(asked.all >= 25, `${asked.all} reports`)
    assert.is(asked.most, 1)
    assert.is(parsed, 0)
    const pruned = await fetch(`${running.service.url}/analytics/v1/batch?_fields=responses.status`, {
      method: 'POST',
      body: JSON.stringify({ requests: [{ path: '/session' }] }),
      headers: { ...json, authorization: running.administrator },
    })
    assert.equal(await pruned.json(), { responses: [{ status: 200 }] })
  }))

test('its responses have 2 MiB together: what comes after is refused with 413, and not run', () =>
  withService({}, async running => {
    for (let client = 1; client <= 4; client++)
      for (let page = 0; page < 50; page++)
        await running.hit(
          { page_url: `/${client}/${page}/${'news/'.repeat(170)}` },
          { 'x-forwarded-for': `203.0.${client}.7` },
        )
    await running.settled()
    const path = `/pages?${range}&limit=200`
    const alone = JSON.stringify((await running.api(path)).body).length
    assert.ok(alone > 180_000, `${alone} bytes`)
    const answer = await send(running, Array(25).fill(path))
    const statuses = statusesOf(answer)
    const fitting = statuses.filter(status => status === 200).length
    assert.equal(statuses, [...Array(fitting).fill(200), ...Array(25 - fitting).fill(413)])
    assert.is(fitting, Math.floor((2 * 1024 * 1024) / alone))
    const { body } = answer.body.responses[24]
    assert.equal([body.code, body.data.status], ['rest_payload_too_large', 413])
    assert.ok(JSON.stringify(answer.body).length < 2.1 * 1024 * 1024)
  }))

test('two batches of a caller run at once, and four in all; another one is to come again', () =>
  withService({}, async running => {
    const paths = Array(25).fill(`/pages?${range}`)
    const from = (address: string): Options => ({ headers: { 'x-forwarded-for': address } })
    const sorted = async (options: readonly Options[]): Promise<number[]> => {
      const answers = await Promise.all(options.map(one => send(running, paths, one)))
      for (const { status, headers } of answers) if (status === 429) assert.is(headers.get('retry-after'), '1')
      return answers.map(({ status }) => status).sort()
    }
    const same = Array(5).fill(from('198.51.100.7'))
    assert.equal(await sorted(same), [207, 207, 429, 429, 429])
    // A network of IPv6 is one client; behind a proxy of a private address, each caller is.
    assert.equal(await sorted([1, 2, 3].map(last => from(`2001:db8:1:1::${last}`))), [207, 207, 429])
    assert.equal(await sorted([{}, {}, {}]), [207, 207, 429])
    const many = [1, 2, 3, 4, 5, 6].map(last => from(`198.51.${last}.7`))
    assert.equal(await sorted(many), [207, 207, 207, 207, 429, 429])
    // A place is free again, also after a caller who left.
    const leaving = new AbortController()
    const gone = [1, 2].map(() =>
      fetch(`${running.service.url}/analytics/v1/batch`, {
        method: 'POST',
        body: JSON.stringify({ requests: paths.map(path => ({ path })) }),
        headers: { ...json, authorization: running.administrator },
        signal: leaving.signal,
      }).catch(() => null),
    )
    leaving.abort()
    await Promise.all(gone)
    await until(async () => assert.is((await send(running, ['/session'])).status, 207))
  }))

test.run()
