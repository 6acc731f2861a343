// The backfill over HTTP and the command line: POST /revenue/backfill, /revenue/wc-status, and kill -9 in the middle.
import { copyFileSync, existsSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { connect } from '../../src/database/connect.ts'
import { footfallHere } from '../support/command.ts'
import { type Running as Program, start as startProgram, temporaryFolder } from '../support/program.ts'
import { type Answer, type Running, withService } from '../support/service.ts'
import { fillShop, makeOrder, type Shop, type ShopOrder, shopKey, startShop, touch } from '../support/wc-shop.ts'

const folder = temporaryFolder()
const started: Program[] = []
test.after(() => {
  for (const { process: child } of started) child.kill('SIGKILL')
  folder.remove()
})

const pass = (milliseconds: number): Promise<void> =>
  new Promise(resolve => {
    setTimeout(resolve, milliseconds)
  })

const withShop = async (work: (shop: Shop) => Promise<void>): Promise<void> => {
  const shop = await startShop()
  try {
    await work(shop)
  } finally {
    await shop.close()
  }
}

const post = (
  { api }: Running,
  body?: unknown,
  as: 'administrator' | 'reader' | 'nobody' = 'administrator',
): Promise<Answer> =>
  api('/revenue/backfill', {
    method: 'POST',
    as,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })

const status = async ({ api }: Running): Promise<any> => (await api('/revenue/wc-status')).body.data

const ended = async (running: Running): Promise<any> => {
  for (;;) {
    const found = await status(running)
    if (!['pending', 'running'].includes(found.backfill.state)) return found
    await pass(20)
  }
}

test('who may start a backfill, and what is refused', () =>
  withService({}, async running => {
    assert.is((await post(running, undefined, 'nobody')).status, 401)
    assert.is((await post(running, undefined, 'reader')).status, 403)
    for (const [body, name] of [
      [{ from: '2026-02-30' }, 'from'],
      [{ to: 'today' }, 'to'],
      [{ from: '2026-03-02', to: '2026-03-01' }, 'to'],
      [{ cancel: 'perhaps' }, 'cancel'],
    ] as const) {
      const { status: code, body: error } = await post(running, body)
      assert.equal([code, error.code, Object.keys(error.data.params)], [400, 'rest_invalid_param', [name]])
    }
    for (const body of [undefined, {}, { cancel: true }]) {
      const { status: code, body: error } = await post(running, body)
      assert.equal([code, error.code], [409, 'shop_not_connected'])
    }
    const { backfill, woocommerce_active, woocommerce_version, hpos_enabled, attribution_enabled } =
      await status(running)
    assert.equal(
      { woocommerce_active, woocommerce_version, hpos_enabled, attribution_enabled },
      { woocommerce_active: false, woocommerce_version: null, hpos_enabled: null, attribution_enabled: null },
    )
    assert.is(backfill.state, 'idle')
  }))

test('a shop without its key is not connected, and the log says what is missing', () =>
  withShop(shop =>
    withService({ flags: { woocommerceUrl: shop.url } }, async running => {
      const { status: code, body } = await post(running)
      assert.equal([code, body.code], [409, 'shop_not_connected'])
      assert.match(body.message, /FOOTFALL_WOOCOMMERCE_KEY/)
      assert.match(running.logs.join(), /FOOTFALL_WOOCOMMERCE_SECRET/)
    }),
  ))

test('from the request to the reports: orders, refunds with lines, the shop information', () =>
  withShop(shop =>
    withService({ flags: { woocommerceUrl: shop.url }, shopKey }, async running => {
      fillShop(shop, 130)
      const { status: code, body } = await post(running)
      assert.is(code, 202)
      assert.ok(['pending', 'running'].includes(body.state))
      const again = await post(running)
      assert.equal([again.status, again.body.code], [409, 'backfill_in_progress'])
      const found = await ended(running)
      assert.equal(found.backfill, {
        state: 'done',
        total: 130,
        processed: 130,
        refunds: 13,
        started_at: '2026-03-10T12:00:00Z',
        finished_at: '2026-03-10T12:00:00Z',
        last_error: null,
        orders_in_shop: 130,
        orders_stored: 130,
      })
      assert.equal(
        [found.woocommerce_active, found.woocommerce_version, found.hpos_enabled, found.attribution_enabled],
        [true, '9.9.3', true, true],
      )
      const range = 'from=2026-03-01&to=2026-03-31'
      const summary = (await running.api(`/revenue/summary?${range}`)).body.data
      assert.equal([summary.orders, summary.gross_revenue, summary.refund_total], [130, 6747, 390])
      const { products } = (await running.api(`/revenue/refunds?${range}`)).body.data
      assert.equal(
        products.map(({ units }: { units: number }) => units),
        [13],
        'the lines of the refunds are there',
      )
      assert.not.match(running.logs.join(), /cs_|oauth_/)

      const before = await rows(running.file)
      assert.is((await post(running)).status, 202)
      assert.is((await ended(running)).backfill.state, 'done')
      assert.equal(await rows(running.file), before, 'a repeated one changes nothing')
    }),
  ))

test('a backfill can be cancelled, and limited to a range of days', () =>
  withShop(shop =>
    withService({ flags: { woocommerceUrl: shop.url }, shopKey }, async running => {
      fillShop(shop, 130)
      shop.trouble.now = ({ query }) => query.orderby === 'id'
      await post(running)
      const { status: code, body } = await post(running, { cancel: true })
      assert.equal([code, body.state], [202, 'cancelled'])
      assert.is((await post(running, { cancel: true })).body.state, 'cancelled')
      shop.trouble.now = null
      shop.orders.set(9_000_000, makeOrder(9_000_000, 40 * 86_400))
      await post(running, { from: '2026-04-10', to: '2026-04-10' })
      const { backfill } = await ended(running)
      assert.equal(
        [backfill.state, backfill.total, backfill.processed, backfill.orders_in_shop, backfill.orders_stored],
        ['done', 1, 1, 131, 1],
      )
    }),
  ))

test('the reconcile fetches later changes', () =>
  withShop(shop =>
    withService({ flags: { woocommerceUrl: shop.url }, shopKey }, async running => {
      fillShop(shop, 30)
      await post(running)
      await ended(running)
      const summary = async (): Promise<any> =>
        (await running.api('/revenue/summary?from=2026-03-01&to=2026-03-31')).body.data
      assert.is((await summary()).orders, 30)
      for (const id of [1000, 1003])
        shop.orders.set(
          id,
          touch(shop.orders.get(id) as ShopOrder, 80_000, { status: id === 1000 ? 'cancelled' : 'trash' }),
        )
      shop.orders.set(5000, makeOrder(5000, 80_001))
      running.clock.now += 901_000
      while ((await summary()).orders !== 29) {
        await status(running)
        await pass(20)
      }
    }),
  ))

/** The stored orders and figures of a file. */
const rows = async (file: string): Promise<unknown> => {
  const copy = folder.path(`copy-${Math.random()}.db`)
  for (const end of ['', '-wal']) if (existsSync(file + end)) copyFileSync(file + end, copy + end)
  const db = connect(copy)
  try {
    const all = (sql: string): unknown[] => db.prepare(sql).raw().all()
    return [
      all('select * from shop_order order by id'),
      all('select * from shop_product order by product_id, variation_id'),
      all('select * from revenue_period order by kind, currency, period, key, part'),
    ]
  } finally {
    db.close()
  }
}

const env = {
  FOOTFALL_WOOCOMMERCE_KEY: shopKey.key,
  FOOTFALL_WOOCOMMERCE_SECRET: shopKey.secret,
  FOOTFALL_ADMIN_PASSWORD: 'long enough for it',
}

const serve = async (shop: Shop, data: string): Promise<Program> => {
  const running = await startProgram(['--data', data, '--woocommerce-url', shop.url, '--log-level', 'warn'], { env })
  started.push(running)
  return running
}

const appPassword = async (data: string): Promise<string> => {
  const { stdout } = await footfallHere([
    'app-password',
    'create',
    'admin',
    '--name',
    `test ${Math.random()}`,
    '--data',
    data,
  ])
  return stdout.trimEnd().split('\n').at(-1) ?? ''
}

const call = async ({ url }: Program, password: string, path: string, method = 'GET'): Promise<any> => {
  const answer = await fetch(`${url}/analytics/v1${path}`, {
    method,
    headers: { authorization: `Basic ${btoa(`admin:${password}`)}` },
  })
  assert.ok(answer.ok, await answer.clone().text())
  return answer.json()
}

const finished = async (running: Program, password: string): Promise<any> => {
  for (;;) {
    const {
      data: { backfill },
    } = await call(running, password, '/revenue/wc-status')
    if (backfill.state !== 'running' && backfill.state !== 'pending') return backfill
    await pass(50)
  }
}

test("after repeated kills it continues, and the file ends with all the shop's orders", () =>
  withShop(async shop => {
    fillShop(shop, 3000, 60)
    const data = folder.path('killed.db')
    let running = await serve(shop, data)
    const password = await appPassword(data)
    await call(running, password, '/revenue/backfill', 'POST')
    for (const requests of [40, 130, 190, 270]) {
      while (shop.seen.length < requests) await pass(2)
      running.process.kill('SIGKILL')
      assert.is(await running.ended, 'SIGKILL')
      running = await serve(shop, data)
    }
    const backfill = await finished(running, password)
    assert.equal(
      [backfill.state, backfill.total, backfill.processed, backfill.orders_stored, backfill.refunds],
      ['done', 3000, 3000, 3000, 300],
    )
    const walked = shop.seen.filter(({ query }) => query.orderby === 'id' && query.modified_after === undefined).length
    assert.ok(walked < 45, `${walked} pages were asked for, of some 32: each start went on where the last had been`)
    running.process.kill('SIGTERM')
    await running.ended

    const whole = folder.path('whole.db')
    const other = await serve(shop, whole)
    const otherPassword = await appPassword(whole)
    await call(other, otherPassword, '/revenue/backfill', 'POST')
    assert.is((await finished(other, otherPassword)).state, 'done')
    other.process.kill('SIGTERM')
    await other.ended
    assert.equal(await rows(data), await rows(whole))
  }))

test('footfall shop shows the status and makes the running service fetch changes', () =>
  withShop(async shop => {
    fillShop(shop, 20)
    const data = folder.path('command.db')
    const shopCommand = (...words: string[]) => footfallHere(['shop', ...words, '--data', data])
    assert.is((await shopCommand('status')).status, 1, 'there is no file yet')
    const running = await serve(shop, data)
    const password = await appPassword(data)

    const early = await shopCommand('fetch')
    assert.is(early.status, 1)
    assert.match(early.stderr, /No backfill has run yet/)
    assert.is((await shopCommand('status')).status, 1, 'the last fetch failed')
    await call(running, password, '/revenue/backfill', 'POST')
    await finished(running, password)
    shop.orders.set(7000, makeOrder(7000, 50_000))
    assert.equal(await shopCommand('fetch'), { status: 0, stdout: 'All shop changes are stored.\n', stderr: '' })
    assert.is((await call(running, password, '/revenue/wc-status')).data.backfill.orders_stored, 21)
    const { status: code, stdout, stderr } = await shopCommand('status', '--json')
    assert.equal([code, stderr], [0, ''])
    const told = JSON.parse(stdout)
    assert.equal(
      [told.backfill.state, told.backfill.orders_stored, told.changes.last_error, told.changes.known_to],
      ['done', 21, null, '2026-03-01T13:53:25Z'],
    )
    const { changes, ...facts } = told
    const { api_connected, ...answer } = (await call(running, password, '/revenue/wc-status')).data
    assert.is(api_connected, true)
    assert.equal(facts, answer, 'what the API says')
    assert.match(
      (await shopCommand('status')).stdout,
      /^woocommerce active +true\nwoocommerce version +9\.9\.3\n[\s\S]*^backfill:\n {2}state +done\n/m,
    )
    running.process.kill('SIGTERM')
    await running.ended
    const alone = await shopCommand('fetch')
    assert.is(alone.status, 1)
    assert.match(alone.stderr, /No service is running on this file/)
  }))

test.run()
