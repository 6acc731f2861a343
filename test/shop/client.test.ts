// The client of a shop's REST API against a server that behaves like one.

import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { sleep } from '../../src/lib/sleep.ts'
import { withBackoff } from '../../src/shop/backoff.ts'
import { createShopClient, type ShopClientOptions } from '../../src/shop/client.ts'
import type { ShopError } from '../../src/shop/errors.ts'
import { signParameters, toQuery } from '../../src/shop/oauth.ts'
import { type Cursor, endOf, firstCursor, nextPage, walkOrders } from '../../src/shop/walk.ts'
import { check, checkAsync } from '../support/property.ts'
import { certificateFile, fillShop, makeOrder, type Shop, shopKey, startShop } from '../support/wc-shop.ts'

setDefaultCACertificates([...getCACertificates(), readFileSync(certificateFile, 'utf8')])

const never = new AbortController().signal
const now = Date.parse('2026-03-10T12:00:00Z')

let nonces = 0
const clientOf = ({ url }: { url: string }, options: Partial<ShopClientOptions> = {}) =>
  createShopClient({ url, ...shopKey, clock: () => now, nonce: () => `nonce${(nonces += 1)}`, ...options })

const withShop = async (work: (shop: Shop) => Promise<void>, options = {}): Promise<void> => {
  const shop = await startShop(options)
  try {
    await work(shop)
  } finally {
    await shop.close()
  }
}

const failing = async (promise: Promise<unknown>): Promise<ShopError> =>
  promise.then(
    () => {
      throw new Error('it did not fail')
    },
    error => error,
  )

test('over plain http each request is signed, and the secret is not sent', () =>
  withShop(async shop => {
    fillShop(shop, 3)
    const client = clientOf(shop)
    const { body, total, pages } = await client.get(
      'orders',
      { per_page: '2', order: 'asc', search: "O'Neil & söhne (1*)!" },
      never,
    )
    assert.equal(
      (body as { id: number }[]).map(({ id }) => id),
      [1000, 1003],
    )
    assert.equal({ total, pages }, { total: 3, pages: 2 })
    await client.get('orders', {}, never)
    for (const { url, headers } of shop.seen) {
      assert.not.match(url, shopKey.secret)
      assert.is(headers.authorization, undefined)
    }
  }))

test('signatures follow RFC 5849 for any parameters', () => {
  // The base string of RFC 5849 §3.4.1.1 without a token, signed by hand with openssl.
  const parameters = signParameters(
    'GET',
    'http://example.com/request',
    { b5: '=%3D', a3: 'a', 'c@': '', a2: 'r b' },
    { key: '9djdj82h48djs9d2', secret: 'j49sk3j29djd' },
    137131201,
    '7d8f3e4a',
  )
  assert.is(parameters.oauth_signature, 'GAVtpKdDpDdjAAblaDjLZ19HZ49oicqoRMs37krMC9o=')
  assert.is(toQuery({ "a'": '(b)*! ~' }), 'a%27=%28b%29%2A%21%20~')
})

test('over https the key is sent by HTTP Basic', () =>
  withShop(
    async shop => {
      fillShop(shop, 1)
      assert.is((await clientOf(shop).get('orders', {}, never)).total, 1)
      assert.is(shop.seen[0]?.url, '/wp-json/wc/v3/orders')
    },
    { secure: true },
  ))

test('the address of the API is accepted like that of the shop', () =>
  withShop(async shop => {
    for (const end of ['/wp-json', '/wp-json/wc/v3', '/wp-json/wc/v3/'])
      assert.is((await clientOf({ url: shop.url + end }).get('orders', {}, never)).total, 0)
  }))

test('the error for a wrong key does not contain it', () =>
  withShop(async shop => {
    const error = await failing(clientOf(shop, { secret: 'cs_wrong' }).get('orders', {}, never))
    assert.is(error.kind, 'refused')
    assert.match(error.message, /FOOTFALL_WOOCOMMERCE_KEY .*woocommerce_rest_authentication_error/)
    assert.not.match(error.message, /ck_0|cs_/)
  }))

test('redirects are not followed', () =>
  withShop(async shop => {
    const others: string[] = []
    const thief: Server = createServer((request, response) => {
      others.push(request.url ?? '')
      response.end('[]')
    })
    await new Promise<void>(resolve => thief.listen(0, '127.0.0.1', resolve))
    const port = (thief.address() as { port: number }).port
    for (const status of [301, 302, 303, 307, 308]) {
      shop.trouble.now = ({ url }, response) => {
        response.writeHead(status, { location: `http://127.0.0.1:${port}${url}` }).end()
        return true
      }
      const error = await failing(clientOf(shop).get('orders', {}, never))
      assert.is(error.kind, 'refused')
      assert.ok(error.message.includes(`redirects to http://127.0.0.1:${port}.`), error.message)
      assert.not.match(error.message, 'oauth')
    }
    assert.equal(others, [])
    thief.close()
  }))

test('temporary errors are distinguished from those that retrying cannot help', () =>
  withShop(async shop => {
    const cases: [number, string, ShopError['kind']][] = [
      [401, '{}', 'refused'],
      [403, '<html>', 'refused'],
      [404, '', 'refused'],
      [400, '{"code":"rest_invalid_param","message":"Invalid parameter(s): orderby"}', 'refused'],
      [408, '', 'later'],
      [425, '', 'later'],
      [429, '', 'later'],
      [500, '[1]', 'later'],
      [502, '', 'later'],
      [503, '', 'later'],
      [504, '', 'later'],
      [200, '<html>', 'later'],
      [200, '[{"id":1', 'later'],
    ]
    for (const [status, body, kind] of cases) {
      shop.trouble.now = (_, response) => {
        response.writeHead(status).end(body)
        return true
      }
      const error = await failing(clientOf(shop).get('orders', {}, never))
      assert.is(error.kind, kind, `${status}: ${error.message}`)
    }
  }))

test('truncated responses, failed connections and timeouts are temporary', () =>
  withShop(async shop => {
    const troubles: ((response: import('node:http').ServerResponse) => void)[] = [
      response => {
        response.writeHead(200, { 'content-length': '100' })
        response.write('[')
        setImmediate(() => response.destroy())
      },
      response => {
        response.writeHead(200)
        response.write('[')
        setImmediate(() => response.destroy())
      },
      response => response.destroy(),
      () => {},
      response => response.writeHead(200).write('['),
    ]
    for (const trouble of troubles) {
      shop.trouble.now = (_, response) => {
        trouble(response)
        return true
      }
      assert.is((await failing(clientOf(shop, { timeout: 200 }).get('orders', {}, never))).kind, 'later')
    }
    assert.is((await failing(clientOf({ url: 'http://127.0.0.1:1' }).get('orders', {}, never))).kind, 'later')
  }))

test('a response over the limit is cancelled, with a Content-Length or without', () =>
  withShop(async shop => {
    for (const announced of [true, false]) {
      let written = 0
      shop.trouble.now = (_, response) => {
        response.writeHead(200, announced ? { 'content-length': String(2 ** 30) } : {})
        const more = (): void => {
          while (!response.destroyed && written < 2 ** 30 && response.write(Buffer.alloc(65_536, 32))) written += 65_536
          if (!response.destroyed) response.once('drain', more)
        }
        more()
        return true
      }
      const error = await failing(clientOf(shop, { limit: 1_000_000 }).get('orders', {}, never))
      assert.is(error.kind, 'too_large')
      assert.ok(written < 2 ** 26, `${written} bytes were sent`)
    }
  }))

test('a response of exactly the limit is read, with a Content-Length or without', () =>
  withShop(async shop => {
    const kinds: string[] = []
    for (const isAnnounced of [true, false])
      for (const size of [999, 1000, 1001]) {
        shop.trouble.now = (_, response) => {
          response.writeHead(200, isAnnounced ? { 'content-length': String(size) } : {})
          // In two chunks, the first of which may be as long as the limit.
          const text = '[]'.padEnd(size)
          response.write(text.slice(0, 1000))
          setTimeout(() => response.end(text.slice(1000)), 50)
          return true
        }
        const got = clientOf(shop, { limit: 1000 }).get('orders', {}, never)
        kinds.push(
          await got.then(
            ({ bytes }) => String(bytes),
            (error: ShopError) => error.kind,
          ),
        )
      }
    assert.equal(kinds, ['999', '1000', 'too_large', '999', '1000', 'too_large'])
  }))

test('of an error as much is read and shown as a line takes', () =>
  withShop(async shop => {
    const told = async (message: string, padding = ''): Promise<string> => {
      shop.trouble.now = (_, response) => {
        response.writeHead(400).end(JSON.stringify({ code: 'x', message }) + padding)
        return true
      }
      return (await failing(clientOf(shop).get('orders', {}, never))).message
    }
    assert.is(await told('y'.repeat(198)), `The shop answered 400 (x ${'y'.repeat(198)}).`)
    assert.is(await told('y'.repeat(199)), `The shop answered 400 (x ${'y'.repeat(198)}).`)
    const bytes = JSON.stringify({ code: 'x', message: 'no' }).length
    assert.is(await told('no', ' '.repeat(65_536 - bytes)), 'The shop answered 400 (x no).')
    assert.is(await told('no', ' '.repeat(65_537 - bytes)), 'The shop answered 400.')
  }))

test('an abort throws its reason, not a ShopError', () =>
  withShop(async shop => {
    shop.trouble.now = () => true
    const stop = new AbortController()
    const asked = failing(clientOf(shop).get('orders', {}, stop.signal))
    stop.abort(new Error('enough'))
    assert.is((await asked).message, 'enough')
  }))

const patient = (shop: Shop) => {
  const pauses: number[] = []
  const reasons: string[] = []
  const client = withBackoff({
    client: clientOf(shop),
    sleep: async milliseconds => {
      pauses.push(milliseconds / 1000)
    },
    onWait: (_, reason) => reasons.push(reason),
  })
  return { client, pauses, reasons }
}

test('retries wait longer each time, and end', () =>
  withShop(async shop => {
    const { client, pauses, reasons } = patient(shop)
    shop.trouble.now = (_, response, count) => {
      if (count > 3) return false
      response.writeHead(500).end()
      return true
    }
    assert.is((await client.get('orders', {}, never)).total, 0)
    assert.equal(pauses, [2, 4, 8])
    assert.equal(reasons, Array(3).fill('The shop answered 500.'))
    shop.trouble.now = (_, response) => {
      response.writeHead(503).end()
      return true
    }
    pauses.length = 0
    const error = await failing(client.get('orders', {}, never))
    assert.equal(pauses, [2, 4, 8, 16, 32, 64, 128, 256])
    assert.match(error.message, /503.*tried 9 times/)
    assert.is(error.kind, 'refused')
  }))

test('Retry-After is honoured in seconds and as a date, up to an hour', () =>
  withShop(async shop => {
    const { client, pauses } = patient(shop)
    const asked = ['17', 'Tue, 10 Mar 2026 12:01:30 GMT', 'Tue, 10 Mar 2026 11:00:00 GMT', '86400', 'soon', '-5', '1']
    shop.trouble.now = (_, response, count) => {
      const text = asked[count - 1]
      if (text === undefined) return false
      response.writeHead(429, { 'retry-after': text }).end()
      return true
    }
    await client.get('orders', {}, never)
    assert.equal(pauses, [17, 90, 8, 3600, 32, 64, 128])
  }))

test('a sleep ends when it is aborted', async () => {
  const stop = new AbortController()
  const waiting = failing(sleep(600_000, stop.signal))
  stop.abort(new Error('enough'))
  assert.is((await waiting).message, 'enough')
  assert.is((await failing(sleep(600_000, stop.signal))).message, 'enough')
  await sleep(1, never)
})

test('the next page contains the last order read if possible, and always reaches further', () => {
  check(
    fc.property(fc.integer({ min: 1, max: 200_000 }), fc.integer({ min: 1, max: 100 }), (passed, most) => {
      const page = nextPage(passed, most)
      const start = (page.page - 1) * page.size
      assert.ok(page.size >= 1 && page.size <= most)
      assert.ok(endOf(page) > passed)
      assert.ok(start <= passed)
      if (most >= 10) assert.ok(start < passed, `${passed} of ${most}`)
      if (most === 100) assert.ok(endOf(page) - passed >= 50, `${passed}: ${endOf(page) - passed}`)
    }),
  )
})

const walk = async (
  shop: Shop,
  between: (requests: number, cursor: Cursor) => void = () => {},
  from = firstCursor,
): Promise<{ ids: Set<number>; requests: number; last: Cursor; total: number | null }> => {
  const ids = new Set<number>()
  const before = shop.seen.length
  let last = from
  let all: number | null = null
  for await (const { orders, cursor, total } of walkOrders(clientOf(shop), {}, from, never)) {
    for (const { id } of orders) ids.add(id)
    last = cursor
    all = total
    between(shop.seen.length - before, cursor)
  }
  return { ids, requests: shop.seen.length - before, last, total: all }
}

test('a walk yields every order, in few more requests than there are pages', () =>
  withShop(async shop => {
    for (const count of [0, 1, 99, 100, 101, 250, 1234]) {
      shop.orders.clear()
      fillShop(shop, count)
      const { ids, requests, total } = await walk(shop)
      assert.equal([...ids], [...shop.orders.keys()])
      assert.is(total, count)
      assert.ok(requests <= Math.max(1, Math.ceil(count / 88)), `${requests} for ${count}`)
    }
  }))

test('orders deleted, created and restored during a walk do not make it skip others', () =>
  withShop(async shop => {
    await checkAsync(
      fc.asyncProperty(
        fc.array(
          fc.record({
            at: fc.integer({ min: 1, max: 30 }),
            share: fc.double({ min: 0, max: 1, noNaN: true }),
            count: fc.integer({ min: 1, max: 130 }),
            back: fc.boolean(),
          }),
          { maxLength: 6 },
        ),
        async changes => {
          shop.orders.clear()
          fillShop(shop, 800)
          const there = new Set(shop.orders.keys())
          const away = new Map([...shop.orders].filter(([id]) => id % 7 === 0).slice(0, 20))
          for (const id of away.keys()) shop.orders.delete(id)
          const { ids } = await walk(shop, requests => {
            for (const { share, count, back } of changes.filter(({ at }) => at === requests)) {
              const all = [...shop.orders.keys()]
              for (const id of all.slice(Math.floor(share * all.length)).slice(0, count)) shop.orders.delete(id)
              if (back) for (const [id, order] of away) shop.orders.set(id, order)
              const fresh = 100_000 + requests * 100
              for (let id = fresh; id < fresh + count / 2; id++) shop.orders.set(id, makeOrder(id, 0))
            }
          })
          // The reconcile finds orders restored behind the walk, since they were modified later.
          const missed = [...shop.orders.keys()].filter(id => there.has(id) && !away.has(id) && !ids.has(id))
          assert.equal(missed, [])
        },
      ),
      { numRuns: 40 },
    )
  }))

test('repeated or mass deletions during a walk do not make it skip others', () =>
  withShop(async shop => {
    const drop = (count: number): void => {
      for (const id of [...shop.orders.keys()].slice(0, count)) shop.orders.delete(id)
    }
    const cases: readonly [orders: number, vanishing: (at: number) => number][] = [
      [1200, at => (at >= 3 ? 3 : 0)],
      [1200, at => (at === 9 ? 101 : at > 2 && at % 2 === 1 ? 3 : 0)],
      [1200, at => (at === 12 ? 900 : 0)],
      [4000, at => (at === 44 ? 3600 : 0)],
    ]
    for (const [orders, vanishing] of cases) {
      shop.orders.clear()
      fillShop(shop, orders)
      const { ids } = await walk(shop, at => drop(vanishing(at)))
      assert.equal(
        [...shop.orders.keys()].filter(id => !ids.has(id)),
        [],
      )
    }
  }))

test('a walk continues from a stored cursor, and reads the rest', () =>
  withShop(async shop => {
    fillShop(shop, 500)
    const cursors: Cursor[] = []
    await walk(shop, (_, cursor) => cursors.push(cursor))
    for (const id of [1003, 1006, 1300]) shop.orders.delete(id)
    for (const cursor of cursors.slice(0, -1)) {
      const { ids } = await walk(shop, undefined, cursor)
      const rest = [...shop.orders.keys()].filter(id => id > (cursor.lastId ?? 0))
      assert.equal(
        rest.filter(id => !ids.has(id)),
        [],
      )
      assert.ok(ids.size <= rest.length + 100)
    }
  }))

test('shops that ignore the page size or send no totals are read page by page', () =>
  withShop(async shop => {
    fillShop(shop, 95)
    for (const headers of [true, false]) {
      const size = headers ? 20 : 100
      fillShop(shop, headers ? 95 : 230)
      shop.trouble.now = ({ query }, response) => {
        const all = [...shop.orders.values()]
        const rows = all.slice((Number(query.page) - 1) * size, Number(query.page) * size)
        response
          .writeHead(
            200,
            headers
              ? { 'x-wp-total': String(all.length), 'x-wp-totalpages': String(Math.ceil(all.length / size)) }
              : {},
          )
          .end(JSON.stringify(rows))
        return true
      }
      const { ids } = await walk(shop)
      assert.equal([...ids], [...shop.orders.keys()])
    }
  }))

test('orders hidden from the key do not stop the walk', () =>
  withShop(async shop => {
    fillShop(shop, 700)
    shop.trouble.now = ({ query }, response) => {
      const all = [...shop.orders.values()]
      const size = Number(query.per_page)
      const rows = all
        .slice((Number(query.page) - 1) * size, Number(query.page) * size)
        .filter(({ id }) => id < 1300 || id > 2000)
      response
        .writeHead(200, { 'x-wp-total': String(all.length), 'x-wp-totalpages': String(Math.ceil(all.length / size)) })
        .end(JSON.stringify(rows))
      return true
    }
    const { ids } = await walk(shop)
    assert.equal(
      [...ids].sort((one, other) => one - other),
      [...shop.orders.keys()].filter(id => id < 1300 || id > 2000),
    )
  }))

test('a hidden order where two pages overlap costs only a few requests', () =>
  withShop(async shop => {
    fillShop(shop, 5000)
    const list = [...shop.orders.keys()]
    // The second page begins with the last order of the first.
    const hidden = new Set([list[99], list[3000]])
    shop.trouble.now = ({ query }, response) => {
      const size = Number(query.per_page)
      const rows = [...shop.orders.values()]
        .slice((Number(query.page) - 1) * size, Number(query.page) * size)
        .filter(({ id }) => !hidden.has(id))
      response
        .writeHead(200, { 'x-wp-total': String(list.length), 'x-wp-totalpages': String(Math.ceil(list.length / size)) })
        .end(JSON.stringify(rows))
      return true
    }
    const { ids, requests } = await walk(shop)
    assert.is(ids.size, list.length - hidden.size)
    assert.ok(requests <= 5000 / 88 + 2 * 2 * 5 + 1, `${requests}`)
  }))

test('pages shrink when a response exceeds the limit', () =>
  withShop(async shop => {
    for (let id = 1; id <= 150; id++) shop.orders.set(id, makeOrder(id, id, { customer_note: 'x'.repeat(20_000) }))
    const ids = new Set<number>()
    const sizes = new Set<number>()
    for await (const { orders } of walkOrders(clientOf(shop, { limit: 1_000_000 }), {}, firstCursor, never)) {
      for (const { id } of orders) ids.add(id)
      sizes.add(orders.length)
    }
    assert.is(ids.size, 150)
    assert.ok(Math.max(...sizes) <= 50)
  }))

test('a response that is not a list of orders is refused', () =>
  withShop(async shop => {
    for (const body of ['{}', '[{"id":"a"}]', '[1]', 'null']) {
      shop.trouble.now = (_, response) => {
        response.end(body)
        return true
      }
      assert.match((await failing(walk(shop))).message, /did not answer with a list/)
    }
  }))

test.run()
