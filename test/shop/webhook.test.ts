// WooCommerce's webhooks, accepted and refused.
import { createHmac } from 'node:crypto'
import { request as nodeRequest } from 'node:http'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withService, type Answer, type Running } from '../support/service.ts'
import { order, sample, shopOf, type Document } from '../support/shop.ts'

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

/** A request with an incomplete body; `end` sends the rest and returns the status. */
const begin = (running: Running, body: string): { end: () => Promise<number>; answered: () => boolean } => {
  let code: number | undefined
  const sent = nodeRequest(`${running.service.url}/analytics/v1${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'x-wc-webhook-signature': sign(body),
    },
  })
  const done = new Promise<number>((resolve, reject) => {
    sent
      .on('response', response => {
        code = response.statusCode ?? 0
        response.resume()
        resolve(code)
      })
      .on('error', reject)
  })
  sent.write(body.slice(0, 10))
  return {
    end: () => {
      sent.end(body.slice(10))
      return done
    },
    answered: () => code !== undefined,
  }
}

shopTest('at most four bodies are taken at a time; the fifth waits for its turn', async running => {
  const four = Array.from({ length: 4 }, () => begin(running, JSON.stringify(order())))
  await new Promise(resolve => {
    setTimeout(resolve, 100)
  })
  const fifth = begin(running, JSON.stringify(order()))
  const last = fifth.end()
  await new Promise(resolve => {
    setTimeout(resolve, 200)
  })
  assert.is(fifth.answered(), false)
  assert.is(await four[0]?.end(), 200)
  assert.is(await last, 200)
  assert.equal(await Promise.all(four.slice(1).map(one => one.end())), [200, 200, 200])
  assert.is((await shopOf(running).report('summary')).orders, 5)
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
