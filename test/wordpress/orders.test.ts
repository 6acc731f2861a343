// Orders of a shop in WordPress, with a double of WooCommerce: each change once, nothing about customers, all on request.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import * as assert from 'uvu/assert'
import { withBrowser } from '../browser/chromium.ts'
import { footfallHere } from '../support/command.ts'
import { keepOpen } from '../support/keep-open.ts'
import { needs, wordpress } from '../support/needs.ts'
import { start } from '../support/program.ts'
import { range, startWordPress, until, type WordPress } from '../support/wordpress.ts'

const test = needs(...wordpress, 'chromium')

type Sent = { method: string; path: string; body: any; text: string }

let site: WordPress
/** What the plugin has sent to the service, which a recorder between the two passes on. */
const sent: Sent[] = []
let refuse = false

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = ''
  for await (const part of request.setEncoding('utf8')) text += part
  return text
}

const recorder = createServer((request, response) => {
  void (async () => {
    const text = await bodyOf(request)
    const { method = 'GET', url: path = '/' } = request
    sent.push({ method, path, text, body: text === '' ? null : JSON.parse(text) })
    if (refuse) return response.writeHead(503).end()
    const { host: _, connection: __, 'transfer-encoding': ___, ...headers } = request.headers
    const answer = await fetch(site.service.url + path, {
      method,
      headers: headers as Record<string, string>,
      ...(method === 'GET' ? {} : { body: text }),
    })
    for (const name of ['content-type', 'x-footfall-signature']) {
      const value = answer.headers.get(name)
      if (value !== null) response.setHeader(name, value)
    }
    response.writeHead(answer.status).end(await answer.text())
  })()
})

const fixture = (name: string): any => JSON.parse(readFileSync(`test/fixtures/woocommerce/${name}.json`, 'utf8'))
const [simple, variable, refund] = [
  fixture('order-simple-coupon-attribution'),
  fixture('order-variable-partial-refund'),
  fixture('refund-line-item'),
]

/** Runs a statement of PHP in the shop, with a document in `$data`. */
const shop = async (statement: string, data: object = {}): Promise<string> => {
  const file = join(site.folder, 'data.json')
  writeFileSync(file, JSON.stringify(data))
  return site.wp('eval', `$data = json_decode( file_get_contents( '${file}' ), true ); ${statement}`)
}

const runActions = (within = 0): Promise<string> => shop(`echo double_run( ${within} );`)

/** Runs what is due within so many seconds, but not what that schedules. */
const runActionOnce = (within: number): Promise<string> => shop(`echo double_run( ${within}, 1 );`)

/** Runs the shop's queue; returns what it sent to the door of orders. */
const pushed = async (): Promise<Sent[]> => {
  sent.length = 0
  await runActions()
  return sent.filter(({ path }) => path === '/analytics/v1/orders')
}

const stored = async (): Promise<number> => (await site.direct('/revenue/wc-status')).body.data.backfill.orders_stored
const totals = async (): Promise<any> =>
  (await site.direct('/revenue/summary?from=2026-01-01&to=2026-12-31&currency=EUR')).body.data

test.before(async () => {
  site = await startWordPress({ connected: false })
  const plugins = join(site.folder, 'site/www/wp-content/mu-plugins')
  mkdirSync(plugins, { recursive: true })
  copyFileSync('test/wordpress/woocommerce-double.php', join(plugins, 'woocommerce-double.php'))
  await new Promise<void>(ready => keepOpen(recorder).listen(0, '127.0.0.1', ready))
  const address = recorder.address()
  await site.connect(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`)
})
test.after(async () => {
  await site.stop()
  recorder.close()
})

test('a connected shop reports its state', async () => {
  const { data } = (await site.direct('/revenue/wc-status')).body
  assert.equal(
    [data.woocommerce_active, data.woocommerce_version, data.hpos_enabled, data.attribution_enabled],
    [true, '11.0.1', true, true],
  )
})

test('an order is sent once, though the shop announces it several times, and without the customer', async () => {
  await shop("double_save( $data, 'woocommerce_new_order' );", simple)
  const requests = await pushed()
  assert.is(requests.length, 1)
  const [{ text = '', body } = {}] = requests
  assert.is(body.id, 5012)
  for (const secret of [
    'Ada',
    'Moreau',
    'ada.moreau',
    'Lyon',
    '69003',
    '+336',
    'Mozilla',
    simple.order_key,
    simple.customer_ip_address,
  ])
    assert.not(text.includes(secret), secret)
  assert.equal(Object.keys(body).sort(), [
    'coupon_lines',
    'currency',
    'date_created_gmt',
    'date_modified_gmt',
    'date_paid_gmt',
    'id',
    'line_items',
    'meta_data',
    'refunds',
    'shipping_total',
    'status',
    'total',
    'total_tax',
  ])
  assert.is((await pushed()).length, 0, 'nothing is left to send')
  assert.is(await stored(), 1)
  const channels = (await site.direct('/revenue/by-channel?from=2026-01-01&to=2026-12-31')).body.data
  assert.is(channels.find((row: { channel: string }) => row.channel === 'Email').orders, 1)
  assert.equal([(await totals()).orders, (await totals()).gross_revenue], [1, 51.9])
})

test('refunds in part are sent with their order; a refund is not an order, and not a deletion', async () => {
  const { refunds: _, ...order } = variable
  await shop("double_save( $data, 'woocommerce_new_order' );", order)
  await pushed()
  const before = await totals()
  await shop(`double_refund( $data, ${order.id} );`, refund)
  const requests = await pushed()
  assert.equal(
    requests.map(({ body }) => [body.id, body.refunds.length]),
    [[order.id, 1]],
  )
  assert.is(await stored(), 2)
  const after = await totals()
  assert.equal([before.refund_total, after.refund_total, after.orders], [0, 30, 2])
})

test('a full refund is sent once, with what the shop says of both', async () => {
  const order = { ...simple, id: 5900, order_key: 'wc_order_full' }
  await shop("double_save( $data, 'woocommerce_new_order' );", order)
  await pushed()
  const before = await totals()
  const whole = { ...refund, id: 5901, amount: order.total }
  // WooCommerce first saves the refund, then sets the order's status.
  await shop(`double_refund( $data['refund'], 5900 ); double_save( $data['order'] );`, {
    refund: whole,
    order: { ...order, status: 'refunded', date_modified_gmt: '2026-03-20T10:00:00' },
  })
  const requests = await pushed()
  assert.equal(
    requests.map(({ body }) => [body.id, body.status, body.refunds.map((one: { amount: string }) => one.amount)]),
    [[5900, 'refunded', [order.total]]],
  )
  const after = await totals()
  assert.is(after.orders, before.orders, 'it was an order all the same')
  assert.ok(Math.abs(after.refund_total - before.refund_total - Number(order.total)) < 0.005)
  // The shop deletes refunds with their order.
  await shop('double_delete( 5901 ); double_delete( 5900 );')
  assert.equal(
    (await pushed()).map(({ body }) => body),
    [{ id: 5900 }],
  )
  assert.is((await totals()).orders, before.orders - 1)
})

test('a trashed order leaves the reports, a restored one comes back, a deleted one is gone', async () => {
  const at = (seconds: number): object => ({ ...simple, date_modified_gmt: `2026-04-01T10:00:0${seconds}` })
  await shop("double_save( array( 'status' => 'trash' ) + $data, 'woocommerce_trash_order' );", at(1))
  assert.equal(
    (await pushed()).map(({ body }) => body),
    [{ id: 5012 }],
  )
  assert.is((await totals()).orders, 1)
  await shop("double_save( $data, 'woocommerce_untrash_order' );", at(2))
  await pushed()
  assert.is((await totals()).orders, 2)
  await shop('double_delete( 5012 );')
  assert.equal(
    (await pushed()).map(({ body }) => body),
    [{ id: 5012 }],
  )
  assert.is((await totals()).orders, 1)
})

test('while the service is away, an order waits, and is sent when it is back', async () => {
  refuse = true
  await shop("double_save( $data, 'woocommerce_new_order' );", { ...simple, id: 6001 })
  assert.is((await pushed()).length, 1)
  assert.is((await pushed()).length, 0, 'not before five minutes')
  refuse = false
  assert.is((await totals()).orders, 1)
  sent.length = 0
  await runActions(301)
  assert.is(sent.length, 1)
  assert.is((await totals()).orders, 2)
  // Deleted during a longer outage: no comparison finds it, so it is sent until the service has it.
  refuse = true
  await shop('double_delete( 6001 );')
  const hour = 3600
  for (const within of [0, hour, hour, 3 * hour, 25 * hour, 25 * hour]) {
    sent.length = 0
    await runActionOnce(within)
    assert.equal(
      sent.filter(({ path }) => path === '/analytics/v1/orders').map(({ body }) => body),
      [{ id: 6001 }],
    )
  }
  refuse = false
  await runActions(25 * hour)
  assert.is((await totals()).orders, 1)
  // What was missed altogether, the night finds.
  await shop(
    "$all = double_orders(); $data['date_modified_gmt'] = gmdate( 'Y-m-d\\TH:i:s' ); $all[ 6002 ] = array( 'id' => 6002 ) + $data; update_option( 'double_orders', $all, false );",
    simple,
  )
  await site.wp('cron', 'event', 'run', 'footfall_nightly')
  await runActions()
  assert.is((await totals()).orders, 2)
})

test('the import of all orders goes by hundreds, reports its progress, and can be cancelled', async () => {
  await shop(
    "$all = array(); for ( $i = 1; $i <= 230; $i++ ) { $all[ 7000 + $i ] = array( 'id' => 7000 + $i ) + $data; } update_option( 'double_orders', $all, false );",
    simple,
  )
  const headers = { ...(await site.passwordOf('admin')), 'content-type': 'application/json' }
  const start = (body: object) => site.api('/revenue/backfill', { method: 'POST', body: JSON.stringify(body), headers })
  const progress = async (): Promise<unknown[]> => {
    const { state, total, processed } = (await site.direct('/revenue/wc-status')).body.data.backfill
    return [state, total, processed]
  }
  const before = await stored()
  const started = await start({})
  assert.equal([started.status, started.body.state], [202, 'running'])
  const again = await start({})
  assert.equal([again.status, again.body.code], [409, 'backfill_in_progress'])
  assert.is((await start({ cancel: true })).body.state, 'cancelled')
  await runActions()
  assert.is(await stored(), before, 'nothing was sent')

  // One that nothing goes on with does not stand in the way of the next.
  assert.is((await start({})).status, 202)
  await site.wp('plugin', 'deactivate', 'footfall')
  assert.is((await progress())[0], 'cancelled')
  await site.wp('plugin', 'activate', 'footfall')
  assert.match(await site.wp('footfall', 'orders'), /The import has started/)
  assert.match(await site.wp('footfall', 'orders', '--cancel'), /The import was cancelled/)
  await runActions()
  assert.is(await stored(), before, 'nothing was sent')

  assert.is((await start({})).status, 202)
  sent.length = 0
  await runActions()
  const batches = sent.filter(({ path }) => path === '/analytics/v1/orders').map(({ body }) => body.length)
  assert.equal(batches, [100, 100, 30])
  const told = sent
    .filter(({ path }) => path === '/analytics/v1/woocommerce/state')
    .map(({ body }) => body.backfill.processed)
  assert.equal(told, [100, 200, 230])
  assert.equal(await progress(), ['done', 230, 230])
  assert.is(await stored(), before + 230)
  assert.is((await start({ from: 'yesterday' })).status, 400)
  assert.is((await site.api('/revenue/backfill', { method: 'POST' })).status, 401)
  assert.is((await start({ from: '2030-01-01' })).status, 202)
  await runActions()
  assert.equal(await progress(), ['done', 0, 0])

  // Orders that come and go meanwhile move no other: by both ways to keep orders.
  for (const posts of [0, 1]) {
    await site.wp('option', 'update', 'double_posts', String(posts))
    // Of one that was cancelled, nothing goes on beside the next.
    assert.is((await start({})).status, 202)
    await runActionOnce(0)
    assert.is((await start({ cancel: true })).status, 202)
    assert.is((await start({})).status, 202)
    sent.length = 0
    const orders = (): number[] =>
      sent
        .filter(({ path }) => path === '/analytics/v1/orders')
        .flatMap(({ body }) => body.map((order: { id: number }) => order.id))
    while (orders().length === 0) await runActionOnce(0)
    const gone = orders().slice(0, 60)
    await shop(
      `$all = double_orders(); foreach ( $data['gone'] as $i ) { unset( $all[ $i ] ); } $all[ 7900 + ${posts} ] = array( 'id' => 7900 + ${posts} ) + $data['order']; update_option( 'double_orders', $all, false );`,
      { gone, order: simple },
    )
    await runActions()
    const kept: number[] = JSON.parse(await shop('echo wp_json_encode( array_keys( double_orders() ) );'))
    assert.equal(orders(), [...gone, ...kept])
    assert.equal(await progress(), ['done', orders().length, orders().length])
  }

  // Where another plugin takes the number out of the query, the first part is not sent for ever.
  await site.wp('option', 'update', 'double_deaf', '1')
  assert.is((await start({})).status, 202)
  await runActions()
  await site.wp('option', 'delete', 'double_deaf')
  const [state, , processed] = await progress()
  assert.equal([state, processed], ['failed', 100])
})

test('what changed while the plugin was not active is compared once it is', async () => {
  await site.wp('option', 'delete', 'double_posts')
  await shop("update_option( 'double_actions', array() );")
  await site.wp('plugin', 'deactivate', 'footfall')
  await shop(
    "$all = double_orders(); $data['date_modified_gmt'] = gmdate( 'Y-m-d\\TH:i:s' ); $all[ 8800 ] = array( 'id' => 8800 ) + $data; update_option( 'double_orders', $all, false );",
    simple,
  )
  // Ten days later: more than any night compares.
  await shop("update_option( 'footfall_left', get_option( 'footfall_left' ) - 10 * DAY_IN_SECONDS );")
  await shop(
    "$all = double_orders(); $data['date_modified_gmt'] = gmdate( 'Y-m-d\\TH:i:s', time() - 9 * DAY_IN_SECONDS ); $all[ 8801 ] = array( 'id' => 8801 ) + $data; update_option( 'double_orders', $all, false );",
    simple,
  )
  await site.wp('plugin', 'activate', 'footfall')
  await site.wp('option', 'get', 'siteurl')
  const requests = await pushed()
  assert.equal(
    requests.map(({ body }) => body.map((order: { id: number }) => order.id)),
    [[8800, 8801]],
  )
  await site.wp('option', 'get', 'siteurl')
  assert.is((await pushed()).length, 0, 'once')
  const [next = '', zone = ''] = (
    await site.wp('eval', "echo wp_date( 'H:i', wp_next_scheduled( 'footfall_nightly' ) ), ' ', wp_timezone_string();")
  ).split(' ')
  assert.equal([next, zone], ['03:40', '+00:00'])
})

test('another service has pages and the state of the shop sent again', async () => {
  const address = await site.wp('option', 'pluck', 'footfall', 'address')
  const data = join(site.folder, 'other.db')
  const other = await start(['--data', data, '--port', '0'])
  try {
    await site.connect(other.url, { data, at: site.url })
    await site.wp('cron', 'event', 'run', '--due-now')
  } finally {
    other.process.kill('SIGTERM')
    await other.ended
  }
  const { stdout } = await footfallHere(['shop', 'status', '--data', data, '--json'])
  assert.is(JSON.parse(stdout).woocommerce_version, '11.0.1')
  const db = new Database(data, { readonly: true })
  assert.ok((db.prepare('select count(*) from cms_page').pluck().get() as number) > 1)
  db.close()
  await site.connect(address)
  assert.equal(site.warnings(), [])
})

test('the four stages of a purchase, from the product to the thank-you page', async () => {
  for (const name of ['product', 'checkout'])
    await site.wp(
      'post',
      'create',
      '--post_type=page',
      `--post_name=${name}`,
      `--post_title=${name}`,
      '--post_status=publish',
      '--post_content=<form class="cart" action="/checkout/" method="post"><input name="quantity" value="3"><button name="add-to-cart" value="77">Add to cart</button></form><p><a id="link" href="/checkout/?add-to-cart=12&amp;quantity=2">Buy</a> <button id="block" data-product_id="9">Add</button></p>',
    )
  const paid = new Date().toISOString().slice(0, 19)
  await shop("double_save( $data, 'woocommerce_new_order' );", {
    ...simple,
    id: 8001,
    date_created_gmt: paid,
    date_modified_gmt: paid,
    date_paid_gmt: paid,
  })
  await runActions()
  await withBrowser(async browser => {
    const page = await browser.newPage()
    const event = (name: string) =>
      page.waitForResponse(
        answer =>
          answer.url().endsWith('/event') &&
          answer.status() === 204 &&
          (answer.request().postData() ?? '').includes(`"name":"${name}"`),
      )
    const told: { name: string; properties: unknown }[] = []
    page.on('request', request => {
      if (request.url().endsWith('/event')) told.push(JSON.parse(request.postData() ?? '{}'))
    })
    const carts = (): unknown[] => told.filter(({ name }) => name === 'add_to_cart').map(({ properties }) => properties)
    const viewed = event('product_view')
    await page.goto(`${site.url}/product/`)
    await viewed
    const [added] = await Promise.all([event('checkout_start'), page.click('form.cart button')])
    assert.ok(added.ok())
    assert.equal(carts(), [{ product: 77, quantity: 3 }])

    // Links, here and from elsewhere; a page that is shown again adds nothing.
    // Until its own events are gone, those of a click wait, and leave with the page, unseen here.
    await Promise.all([event('product_view'), page.goto(`${site.url}/product/`)])
    await Promise.all([event('checkout_start'), page.click('#link')])
    assert.equal(carts().slice(1), [{ product: 12, quantity: 2 }])
    await Promise.all([event('add_to_cart'), page.goto(`${site.url}/product/?add-to-cart=5`)])
    await Promise.all([event('product_view'), page.reload()])
    assert.equal(carts().slice(2), [{ product: 5, quantity: 1 }])
    // Without leaving the page, once the shop has added it: the button and the block tell of the same.
    await page.click('#block')
    await page.waitForTimeout(1100)
    const block = event('add_to_cart')
    await page.evaluate(() => {
      for (const _ of [1, 2]) document.dispatchEvent(new CustomEvent('wc-blocks_added_to_cart'))
    })
    await block
    assert.equal(carts().slice(3), [{ product: 9, quantity: 1 }])
    assert.equal(
      told.filter(({ name }) => name === 'form_submit'),
      [],
      'the form of a cart is no other',
    )

    const bought = event('purchase')
    await page.goto(`${site.url}/checkout/?order-received=8001&key=${simple.order_key}`)
    assert.match((await bought).request().postData() ?? '', /"order_id":8001/)
    await page.goto(`${site.url}/checkout/?order-received=8001&key=wrong`)
    assert.not((await page.content()).includes('"order":'), 'an order is shown to its buyer only')
    // Nor unless it is paid, and made or paid just now.
    const isTold = async (document: object): Promise<boolean> => {
      await shop("double_save( $data, 'woocommerce_new_order' );", { ...simple, id: 8001, ...document })
      await page.goto(`${site.url}/checkout/?order-received=8001&key=${simple.order_key}`)
      return (await page.content()).includes('"order":8001')
    }
    const [now, before] = [{ date_created_gmt: paid }, '2026-01-02T03:04:05']
    for (const status of ['pending', 'on-hold', 'failed', 'cancelled', 'refunded'])
      assert.not(await isTold({ ...now, date_paid_gmt: null, status }), status)
    assert.ok(await isTold({ ...now, date_paid_gmt: null, status: 'processing' }), 'paid on delivery')
    assert.ok(await isTold({ date_created_gmt: before, date_paid_gmt: paid, status: 'completed' }), 'paid later')
    assert.not(await isTold({ date_created_gmt: before, date_paid_gmt: before, status: 'completed' }), 'opened again')
  })
  const stages = await until(
    async () => (await site.direct(`/revenue/funnel?${range()}`)).body.data.stages,
    found => found.every((one: { sessions: number }) => one.sessions === 1),
  )
  assert.equal(
    stages.map((one: { stage: string }) => one.stage),
    ['product_view', 'add_to_cart', 'checkout_start', 'purchase'],
  )
})

test('all published pages are described to the service, and a new one by itself', async () => {
  const pages = async (): Promise<string[]> =>
    (await site.direct('/content?limit=200&from=2026-01-01&to=2026-01-01')).body.data.map(
      (row: { page: string }) => row.page,
    )
  await site.wp('footfall', 'content')
  await site.wp('cron', 'event', 'run', 'footfall_describe_all')
  const described = await pages()
  assert.equal(
    ['/hello-world', '/sample-page', '/product'].filter(page => !described.includes(page)),
    [],
  )
  await site.wp('post', 'create', '--post_title=New', '--post_name=new', '--post_status=publish')
  await site.wp('cron', 'event', 'run', '--due-now')
  assert.ok((await pages()).includes('/new'))
  assert.equal(site.warnings(), [])
})

test.run()
