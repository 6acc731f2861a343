// WooCommerce's webhooks, accepted and refused.
import { createHmac } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { open, portOf, statusOf } from '../support/hostile.ts'
import { type Answer, type Running, withService } from '../support/service.ts'
import { type Document, order, sample, shopOf } from '../support/shop.ts'
import { until, within } from '../support/wait.ts'

type Delivery = { note: string; secret: string; headers: Record<string, string>; raw_body: string }
const deliveries = sample<Delivery[]>('webhook-deliveries')
const webhookSecret = deliveries[0]?.secret ?? ''
const path = '/woocommerce/webhook'

const sign = (body: string | Buffer, secret = webhookSecret): string =>
  createHmac('sha256', secret).update(body).digest('base64')

const send = ({ api }: Running, body: string, headers: Record<string, string> = {}): Promise<Answer> =>
  api(path, { method: 'POST', as: 'nobody', body, headers: { 'content-type': 'application/json', ...headers } })

const signed = (running: Running, body: string): Promise<Answer> =>
  send(running, body, { 'x-wc-webhook-signature': sign(body) })

const status = async (
  running: Running,
): Promise<{ webhook: Document; backfill: Document; woocommerce_active: boolean }> =>
  shopOf(running).report('wc-status')

const shopTest = (
  name: string,
  work: (running: Running) => Promise<void>,
  options: { webhookSecret?: string } = { webhookSecret },
): void => {
  test(name, () => withService({ start: '2026-04-10T12:00:00Z', ...options }, work))
}

shopTest('each recorded delivery is answered with 200', async running => {
  for (const { note, raw_body, headers } of deliveries) {
    const { status } = await send(running, raw_body, headers)
    assert.is(status, 200, note)
  }
  assert.is((await status(running)).webhook.last_received_at, '2026-04-10T12:00:00Z')
})

shopTest('a signed order is stored', async running => {
  const { status: code, body } = await signed(running, JSON.stringify(order()))
  assert.equal([code, body], [200, { result: 'stored' }])
  assert.is((await shopOf(running).report('summary')).orders, 1)
  assert.is((await status(running)).backfill.orders_stored, 1)
})

shopTest(
  'without a secret nothing is taken',
  async running => {
    const { status: code, body } = await signed(running, JSON.stringify(order()))
    assert.equal([code, body.code], [409, 'webhook_not_configured'])
    assert.is((await status(running)).woocommerce_active, false)
  },
  {},
)

shopTest('a wrong or missing signature is refused and counted', async running => {
  const body = JSON.stringify(order())
  const wrong = [
    '',
    'x',
    sign(body, 'other'),
    sign(`${body} `),
    Buffer.from(sign(body), 'base64').toString('hex'),
    `${sign(body)}=`,
  ]
  for (const signature of wrong) {
    const answer = await send(running, body, { 'x-wc-webhook-signature': signature })
    assert.equal([answer.status, answer.body.code], [401, 'webhook_signature_invalid'], signature)
  }
  assert.is((await send(running, body)).status, 401)
  assert.is((await status(running)).webhook.rejected, wrong.length + 1)
  assert.is((await status(running)).webhook.last_received_at, null)
  await running.restart()
  assert.is((await status(running)).webhook.rejected, wrong.length + 1)
})

shopTest('the ping of the set-up does nothing; only a ping may come unsigned', async running => {
  const ping = (body: string): Promise<Answer> =>
    send(running, body, { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' })
  assert.is((await ping('webhook_id=12')).status, 200)
  assert.equal((await status(running)).webhook, { last_received_at: null, rejected: 0 })
  assert.is((await ping('webhook_id=12&id=5')).status, 401)
  assert.is((await ping('')).status, 401)
})

shopTest('a signed body that cannot be used is answered with 200 and counted', async running => {
  const bodies = [
    '',
    'no JSON',
    '[]',
    'null',
    '{"code":"rest_forbidden"}',
    '{"action":"woocommerce_add_to_cart","arg":1}',
    JSON.stringify(order({ currency: '' })),
  ]
  for (const body of bodies) {
    const answer = await signed(running, body)
    assert.equal([answer.status, answer.body.result], [200, 'invalid'], body)
  }
  assert.is((await status(running)).webhook.rejected, bodies.length)
})

shopTest('the topic decides nothing', async running => {
  const body = JSON.stringify(order({ id: 9 }))
  const topics = {
    'x-wc-webhook-topic': 'order.deleted',
    'x-wc-webhook-resource': 'order',
    'x-wc-webhook-event': 'deleted',
  }
  await send(running, body, { ...topics, 'x-wc-webhook-signature': sign(body) })
  assert.is((await shopOf(running).report('summary')).orders, 1)
  assert.equal((await signed(running, '{"id":9}')).body, { result: 'stored' })
  assert.is((await shopOf(running).report('summary')).orders, 0)
})

shopTest(
  'a secret with entities is signed as the shop decodes it',
  async running => {
    const body = JSON.stringify(order())
    const { status } = await send(running, body, { 'x-wc-webhook-signature': sign(body, 'a&b"c') })
    assert.is(status, 200)
  },
  { webhookSecret: 'a&amp;b&quot;c' },
)

shopTest('a body over 2 MiB is refused', async running => {
  const body = JSON.stringify({ ...order(), note: 'x'.repeat(2 * 1024 * 1024) })
  assert.equal(
    [(await signed(running, body)).status, (await signed(running, body)).body.code],
    [413, 'rest_payload_too_large'],
  )
  assert.is((await signed(running, JSON.stringify({ ...order(), note: 'x'.repeat(1024 * 1024) }))).status, 200)
})

/** A delivery from an address over a socket of its own; its headers have arrived when this resolves. */
const begin = async (running: Running, address: string, body: string, signature = sign(body)): Promise<Slow> => {
  const socket = await open(portOf(running.service.url))
  const received: Buffer[] = []
  let onData = (): void => {}
  socket.on('data', chunk => {
    received.push(chunk)
    onData()
  })
  socket.on('error', () => {
    /* It was let go. */
  })
  const seen = (text: RegExp): Promise<string> =>
    new Promise(resolve => {
      onData = () => {
        const all = Buffer.concat(received).toString('latin1')
        if (text.test(all)) resolve(all)
      }
      onData()
    })
  socket.write(
    [
      `POST /analytics/v1${path} HTTP/1.1`,
      'Host: footfall.example.org',
      `X-Forwarded-For: ${address}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-WC-Webhook-Signature: ${signature}`,
      // The service confirms that it has read the headers.
      'Expect: 100-continue',
      '\r\n',
    ].join('\r\n'),
  )
  await within('the headers', seen(/100 Continue/))
  let sent = 0
  return {
    drip: bytes => {
      socket.write(body.slice(sent, sent + bytes))
      sent += bytes
    },
    status: async () => statusOf(await within('the answer', seen(/^HTTP\/1\.1 (?!100)\d/m))),
    isAnswered: () => /^HTTP\/1\.1 (?!100)\d/m.test(Buffer.concat(received).toString('latin1')),
    close: () => socket.destroy(),
  }
}

type Slow = {
  /** Sends the next bytes of the body. */
  drip: (bytes: number) => void
  status: () => Promise<number | null>
  isAnswered: () => boolean
  close: () => void
}

/** Of the right shape. */
const forged = Buffer.alloc(32, 7).toString('base64')

/** A signed delivery whose body comes at once. */
const deliver = async (running: Running, address: string, body = JSON.stringify(order())): Promise<number | null> => {
  const delivery = await begin(running, address, body)
  delivery.drip(body.length)
  return delivery.status()
}

const beginMany = (
  running: Running,
  count: number,
  addressOf: (index: number) => string,
  body: (index: number) => string = () => 'x'.repeat(1000),
): Promise<Slow[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => begin(running, addressOf(index), body(index), forged)))

shopTest('slow bodies of sixty addresses hold up no delivery', async running => {
  const slow = await beginMany(running, 60, index => `198.51.100.${index}`)
  for (let turn = 0; turn < 3; turn++) {
    for (const one of slow) one.drip(1)
    assert.is(await deliver(running, '203.0.113.7'), 200)
  }
  assert.is((await shopOf(running).report('summary')).orders, 3)
  for (const one of slow) one.close()
})

shopTest('one address has one place, however many bodies it begins', async running => {
  const slow = await beginMany(running, 60, index => `2001:db8:0:1::${index}`)
  assert.is(await deliver(running, '2001:db8:0:2::1'), 200)
  // A slow machine may reach the time limit of the last one.
  await until(() => assert.ok(slow.filter(one => !one.isAnswered()).length <= 1))
  assert.is(await Promise.race(slow.map(one => one.status())), 429)
  assert.is(await deliver(running, '2001:db8:0:1::99'), 200)
  await until(() => assert.ok(slow.every(one => one.isAnswered())))
  for (const one of slow) one.close()
})

shopTest('any number of slow bodies takes 64 places at most', async running => {
  const slow = await beginMany(running, 100, index => `198.51.100.${index}`)
  assert.is(await deliver(running, '203.0.113.7'), 200)
  await until(() => assert.ok(slow.filter(one => !one.isAnswered()).length <= 63))
  for (const one of slow) one.close()
})

shopTest('of five large bodies four are received, and one gives way', async running => {
  // Again, if the machine was too slow for the ten seconds that a body may take.
  await until(async () => {
    const large = await Promise.all(
      Array.from({ length: 5 }, (_, index) =>
        begin(running, `198.51.100.${index}`, JSON.stringify({ ...order(), note: 'x'.repeat(300_000) })),
      ),
    )
    try {
      for (const one of large) one.drip(200_000)
      await until(() => assert.is(large.filter(one => one.isAnswered()).length, 1), 5)
      for (const one of large) if (!one.isAnswered()) one.drip(200_000)
      assert.equal((await Promise.all(large.map(one => one.status()))).sort(), [200, 200, 200, 200, 429])
    } finally {
      for (const one of large) one.close()
    }
  })
})

shopTest('what cannot be signed is refused before its body, and counted', async running => {
  const shapes: Record<string, string>[] = [
    { 'X-WC-Webhook-Signature': 'x', 'Content-Length': '5000' },
    { 'X-WC-Webhook-Signature': sign('a').slice(1), 'Content-Length': '5000' },
    { 'X-WC-Webhook-Signature': Buffer.alloc(33).toString('base64'), 'Content-Length': '5000' },
    { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': '101' },
    { 'Content-Type': 'application/x-www-form-urlencoded', 'Transfer-Encoding': 'chunked' },
  ]
  for (const headers of shapes) {
    const head = Object.entries({ Host: 'a', Connection: 'close', ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    )
    // Only the headers: the answer must not wait for the body.
    const socket = await open(portOf(running.service.url))
    socket.write(`${[`POST /analytics/v1${path} HTTP/1.1`, ...head].join('\r\n')}\r\n\r\n`)
    const answer = await within(
      'the answer',
      new Promise<string>(resolve => socket.once('data', data => resolve(String(data)))),
    )
    assert.is(statusOf(answer), 401, JSON.stringify(headers))
    socket.destroy()
  }
  assert.is((await status(running)).webhook.rejected, shapes.length)
})

shopTest('orders are pushed by administrators only, one or up to 500', async running => {
  const push = (body: unknown, as?: 'reader' | 'nobody'): Promise<Answer> =>
    running.api('/orders', {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
      ...(as && { as }),
    })
  assert.equal([(await push(order(), 'nobody')).status, (await push(order(), 'reader')).status], [401, 403])
  const single = order()
  assert.equal((await push(single)).body, {
    results: [{ id: single.id, result: 'stored' }],
    stored: 1,
    unchanged: 0,
    stale: 0,
    invalid: 0,
  })
  const many = Array.from({ length: 501 }, () => order())
  assert.equal([(await push(many)).status, (await push(many)).body.code], [400, 'rest_invalid_param'])
  assert.is((await push(many.slice(1))).body.stored, 500)
  assert.is((await push([])).status, 200)
  assert.is((await push({ ...order(), note: 'x'.repeat(3 * 1024 * 1024) })).status, 200)
  assert.is((await push('text')).body.invalid, 1)
})

test.run()
