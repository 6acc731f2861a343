// The comparison with the shop over HTTP: POST /revenue/reconcile starts it, GET has its progress and result.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { footfallHere } from '../support/command.ts'
import { type Answer, type Running, withService } from '../support/service.ts'
import { until } from '../support/wait.ts'
import { fillShop, makeOrder, type Shop, type ShopOrder, shopKey, startShop } from '../support/wc-shop.ts'

const march = { from: '2026-03-01', to: '2026-03-31' }

const start = ({ api }: Running, body: object = march): Promise<Answer> =>
  api('/revenue/reconcile', {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })

const result = async ({ api }: Running, page = ''): Promise<any> => (await api(`/revenue/reconcile${page}`)).body

const ended = async (running: Running): Promise<any> => {
  await until(async () => assert.is.not((await result(running)).state, 'running'))
  return result(running)
}

/** A service and a shop of 130 orders, all imported. */
const withShop = async (work: (shop: Shop, running: Running) => Promise<void>): Promise<void> => {
  const shop = await startShop()
  try {
    fillShop(shop, 130)
    await withService({ flags: { woocommerceUrl: shop.url }, shopKey }, async running => {
      await running.api('/revenue/backfill', { method: 'POST' })
      const backfill = async (): Promise<string> => (await running.api('/revenue/wc-status')).body.data.backfill.state
      await until(async () => assert.is(await backfill(), 'done'))
      await work(shop, running)
    })
  } finally {
    await shop.close()
  }
}

const order = (shop: Shop, id: number): ShopOrder => shop.orders.get(id) as ShopOrder

test('it finds what the command finds, in pages, and sums of both sides', () =>
  withShop(async (shop, running) => {
    assert.equal(await result(running), {
      ...{ state: 'idle', from: null, to: null, started_at: null, finished_at: null, compared: 0, total: null },
      ...{ differing: 0, unsettled: [], last_error: null, days: [], differences: [] },
    })
    shop.orders.delete(1006)
    for (const id of [1018, 1021]) shop.orders.set(id, { ...order(shop, id), total: '61.90' })
    const begun = await start(running)
    assert.equal(
      [begun.status, begun.body.state, begun.body.from, begun.body.to],
      [202, 'running', ...Object.values(march)],
    )
    const { state, finished_at, days, differences, compared, differing, last_error } = await ended(running)
    assert.equal([state, finished_at, compared, differing, last_error], ['done', '2026-03-10T12:00:00Z', 130, 3, null])
    const command = await footfallHere(
      ['shop', 'reconcile', '--data', running.file, '--woocommerce-url', shop.url, '--json'].concat([
        '--from',
        march.from,
        '--to',
        march.to,
      ]),
      { env: { FOOTFALL_WOOCOMMERCE_KEY: shopKey.key, FOOTFALL_WOOCOMMERCE_SECRET: shopKey.secret } },
    )
    const printed = JSON.parse(command.stdout)
    assert.equal([differences, days], [printed.differences, printed.days])
    assert.equal([days[0].shop.orders, days[0].here.orders], [129, 130])
    const second = await running.api('/revenue/reconcile?limit=1&offset=1')
    assert.equal(second.body.differences, [differences[1]])
    assert.equal([second.headers.get('x-wp-total'), second.headers.get('x-wp-totalpages')], ['3', '3'])
    assert.is((await running.api('/revenue/reconcile?limit=0')).status, 400)
    // Another range has nothing; the result is that of the last comparison.
    await start(running, { from: '2025-01-01', to: '2025-01-31' })
    const other = await ended(running)
    assert.equal([other.state, other.differing, other.days, other.differences], ['done', 0, [], []])
  }))

test('of more differences than are kept all are counted', () =>
  withShop(async (shop, running) => {
    const lacking = 5001
    for (let id = 2000; id < 2000 + lacking; id += 1) shop.orders.set(id, makeOrder(id, id))
    await start(running)
    const { state, differing, compared, days } = await ended(running)
    assert.equal([state, differing, compared], ['done', lacking, 130 + lacking])
    const orders = (side: 'shop' | 'here'): number => days.reduce((sum: number, day: any) => sum + day[side].orders, 0)
    assert.equal([orders('shop'), orders('here')], [130 + lacking, 130])
    const last = await running.api('/revenue/reconcile?limit=100&offset=4950')
    assert.is(last.headers.get('x-wp-total'), '5000')
    assert.equal([last.body.differences.length, last.body.differences.at(-1).id], [50, 6999])
  }))

test('one at a time; it can be cancelled, and neither side is changed', () =>
  withShop(async (shop, running) => {
    const before = (await running.api(`/revenue/summary?from=${march.from}&to=${march.to}`)).body.data
    shop.orders.set(1018, { ...order(shop, 1018), total: '61.90' })
    const release: (() => void)[] = []
    shop.trouble.now = (_, response) => {
      release.push(() => response.destroy())
      return true
    }
    await start(running)
    const again = await start(running)
    assert.equal([again.status, again.body.code], [409, 'reconcile_in_progress'])
    const cancelled = await start(running, { cancel: true })
    assert.equal([cancelled.status, cancelled.body.state], [202, 'cancelled'])
    shop.trouble.now = null
    for (const end of release) end()
    assert.is((await result(running)).state, 'cancelled')
    await start(running)
    assert.is((await ended(running)).differing, 1)
    const after = (await running.api(`/revenue/summary?from=${march.from}&to=${march.to}`)).body.data
    assert.equal(after, before)
  }))

test('a shop that refuses is reported, and a service that stops does not wait for one that hangs', () =>
  withShop(async (shop, running) => {
    shop.trouble.now = (_, response) => {
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"code":"x","message":"no","data":{}}')
      return true
    }
    await start(running)
    const failed = await ended(running)
    assert.is(failed.state, 'failed')
    assert.match(failed.last_error, /key|401/)
    shop.trouble.now = () => true
    await start(running)
    await running.restart()
    assert.is((await result(running)).state, 'idle', 'the result lives as long as the service')
  }))

test('without a shop, and for invalid days, it is refused', () =>
  withService({}, async running => {
    const refused = await start(running)
    assert.equal([refused.status, refused.body.code], [409, 'shop_not_connected'])
    for (const [body, name] of [
      [{ from: '2026-02-30' }, 'from'],
      [{ from: '2026-03-02', to: '2026-03-01' }, 'to'],
      [{ from: '2000-01-01', to: '2026-03-01' }, 'to'],
    ] as const) {
      const { status, body: error } = await start(running, body)
      assert.equal([status, Object.keys(error.data.params)], [400, [name]])
    }
  }))

test.run()
