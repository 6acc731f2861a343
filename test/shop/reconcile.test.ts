// `footfall shop reconcile`: compares the stored orders with those of a shop, over its API.
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openDatabase } from '../../src/database/open.ts'
import { createZone } from '../../src/lib/time.ts'
import { compareOrders } from '../../src/shop/compare.ts'
import { connectShop } from '../../src/shop/connect.ts'
import { createLookup } from '../../src/shop/lookup.ts'
import { createShopStore } from '../../src/shop/store.ts'
import { footfallHere } from '../support/command.ts'
import { withFolder } from '../support/folder.ts'
import { checkAsync } from '../support/property.ts'
import { type Running, withService } from '../support/service.ts'
import { shopOf } from '../support/shop.ts'
import { until } from '../support/wait.ts'
import {
  fillShop,
  makeOrder,
  type Shop,
  type ShopOrder,
  type ShopRefund,
  shopKey,
  startShop,
  touch,
} from '../support/wc-shop.ts'

const env = { FOOTFALL_WOOCOMMERCE_KEY: shopKey.key, FOOTFALL_WOOCOMMERCE_SECRET: shopKey.secret }
const march = ['--from', '2026-03-01', '--to', '2026-03-31']
const day = 86_400

type Setting = {
  shop: Shop
  running: Running
  /** What the command says in JSON while the service runs. */
  reconcile: (...words: string[]) => Promise<any>
}

const withShop = async (work: (shop: Shop) => Promise<void>): Promise<void> => {
  const shop = await startShop()
  try {
    await work(shop)
  } finally {
    await shop.close()
  }
}

/** Imports all orders and waits for the first automatic fetch of changes. */
const importAll = async ({ api }: Running, { seen }: Shop): Promise<void> => {
  const before = seen.length
  await api('/revenue/backfill', { method: 'POST' })
  await until(async () => {
    assert.is((await api('/revenue/wc-status')).body.data.backfill.state, 'done')
    assert.ok(seen.slice(before).filter(({ query }) => query.status === 'trash').length >= 2)
  })
}

/** A shop of 130 orders, and a service that has imported them all. */
const withBoth = (
  work: (setting: Setting) => Promise<void>,
  { timezone = 'UTC', prepare = (shop: Shop): void => fillShop(shop, 130) } = {},
): Promise<void> =>
  withShop(shop =>
    withService({ flags: { woocommerceUrl: shop.url, timezone }, shopKey }, async running => {
      prepare(shop)
      await importAll(running, shop)
      await work({
        shop,
        running,
        reconcile: async (...words) => {
          const { status, stdout, stderr } = await footfallHere(
            [
              'shop',
              'reconcile',
              '--data',
              running.file,
              '--woocommerce-url',
              shop.url,
              '--json',
              ...(words.length > 0 ? words : march),
            ],
            { env },
          )
          assert.is(stderr, '')
          return { status, ...JSON.parse(stdout) }
        },
      })
    }),
  )

test('equal sides: exit 0, and the same sums per day as the reports', () =>
  withBoth(async ({ shop, running, reconcile }) => {
    const {
      status,
      shop: address,
      from,
      to,
      timezone,
      differences,
      unsettled,
      days,
      compared,
      differing,
      equal,
    } = await reconcile()
    assert.equal(
      [status, address, from, to, timezone, differences, unsettled, compared, differing, equal],
      [0, `${shop.url}/wp-json/wc/v3`, '2026-03-01', '2026-03-31', 'UTC', [], [], 130, 0, true],
    )
    assert.is(days.length, 1)
    const summary = await shopOf(running).report('summary')
    for (const side of [days[0].shop, days[0].here]) {
      assert.equal(side, {
        orders: 130,
        gross_revenue: 6747,
        tax_total: summary.tax_total,
        shipping_total: summary.shipping_total,
        refunds: 13,
        refund_total: summary.refund_total,
      })
    }
    const requests = shop.seen.filter(({ query }) => query.modified_after !== undefined && query.status === 'any')
    assert.ok(
      requests.every(({ query }) => Number(query.per_page) <= 100),
      'page by page',
    )
    assert.not.ok(
      shop.seen.some(({ query, path }) => path === '/orders' && query._fields === undefined),
      'nothing of the customers is asked for',
    )
  }))

const changed = (shop: Shop, id: number, changes: Partial<ShopOrder>, second?: number): void => {
  const order = shop.orders.get(id) as ShopOrder
  shop.orders.set(id, second === undefined ? { ...order, ...changes } : touch(order, second, changes))
}

// Earlier than the newest change of the shop, which is that of its last order.
const earlier = 60_000

test('each differing order is reported with its cause, and the days show both sides', () =>
  withBoth(async ({ shop, running, reconcile }) => {
    const { push } = shopOf(running)
    const refund = shop.refunds.get(1027)?.[0] as ShopRefund
    const whole = (id: number): ShopOrder => shop.orders.get(id) as ShopOrder

    shop.orders.set(1001, makeOrder(1001, 30))
    await push({ id: 1003 })
    shop.orders.delete(1006)
    changed(shop, 1009, { status: 'trash' })
    changed(shop, 1012, { status: 'cancelled' }, earlier)
    await push({ ...whole(1015), total: '60.00', date_modified_gmt: '2026-03-01T16:00:00', refunds: [] })
    for (const [id, change] of Object.entries({
      1018: { total: '61.90' },
      1021: { total_tax: '9.65' },
      1024: { shipping_total: '6.00' },
      1030: { line_items: [] },
      1033: { coupon_lines: [] },
      1036: { currency: 'USD' },
    })) {
      changed(shop, Number(id), change)
    }
    changed(shop, 1039, { date_paid_gmt: '2026-03-02T00:00:10' })
    shop.refunds.set(1042, [{ ...refund, id: 990_042, amount: '5.00' }])
    changed(shop, 1045, { total: 'a lot' })
    // As in a webhook: only the refund's id and amount.
    shop.orders.set(1047, makeOrder(1047, 9000))
    shop.refunds.set(1047, [{ ...refund, id: 990_047 }])
    await push({ ...whole(1047), refunds: [{ id: 990_047, reason: '', total: `-${refund.amount}` }] })

    const { status, differences, differing, days, compared, unsettled } = await reconcile()
    const found = Object.fromEntries(
      differences.map(({ id, cause, fields = [] }: any) => [id, [cause, ...fields.map(({ field }: any) => field)]]),
    )
    assert.equal(found, {
      1001: ['missing_here'],
      1003: ['deleted_here'],
      1006: ['missing_in_shop'],
      1009: ['trashed'],
      1012: ['older_here', 'status'],
      1015: ['newer_here', 'total'],
      1018: ['differs', 'total'],
      1021: ['differs', 'total_tax'],
      1024: ['differs', 'shipping_total'],
      1030: ['differs', 'line_items'],
      1033: ['differs', 'coupon_lines'],
      1036: ['differs', 'currency'],
      1039: ['differs', 'date_paid'],
      1042: ['differs', 'refunds'],
      1045: ['unreadable'],
      1047: ['refund_lines_unknown', 'lines of refund 990047', 'date of refund 990047'],
    })
    assert.equal([status, differing, unsettled, compared], [1, 16, [], 132])
    const of = (id: number): any => differences.find((one: any) => one.id === id)
    assert.equal(of(1018), {
      id: 1018,
      date: '2026-03-01',
      cause: 'differs',
      fields: [{ field: 'total', shop: '61.90', here: '51.90' }],
    })
    assert.equal(of(1039).date, '2026-03-02', 'the day by which the shop counts it')
    assert.equal(of(1045), {
      id: 1045,
      date: '2026-03-01',
      cause: 'unreadable',
      reason: 'total is missing or cannot be used.',
    })
    const sides = (date: string, currency: string): any =>
      days
        .filter((one: any) => one.date === date && one.currency === currency)
        .map(({ shop: there, here }: any) => [there.orders, there.gross_revenue, here.orders, here.gross_revenue])
    // In euros the shop has 132 orders except the deleted, trashed, cancelled and unreadable ones, the one in dollars
    // and the one of the next day.
    assert.equal(sides('2026-03-01', 'EUR'), [[126, 6549.4, 130, 6755.1]])
    assert.equal([sides('2026-03-02', 'EUR'), sides('2026-03-01', 'USD')], [[[1, 51.9, 0, 0]], [[1, 51.9, 0, 0]]])

    const text = await footfallHere(
      ['shop', 'reconcile', '--data', running.file, '--woocommerce-url', shop.url, ...march],
      { env },
    )
    assert.is(text.status, 1)
    for (const line of [
      /^ {4}1001 {2}2026-03-01 {2}missing here$/m,
      /^ {4}1018 {2}2026-03-01 {2}same version, different content: total \(shop 61\.90, here 51\.90\)$/m,
      /^ {4}1045 {2}2026-03-01 {2}unreadable: total is missing or cannot be used\.$/m,
      /^2026-03-01 {2}EUR +126 ≠ 130 +6549\.40 ≠ 6755\.10/m,
      /^132 orders from 2026-03-01 to 2026-03-31 \(UTC\): 16 differ\.$/m,
    ])
      assert.match(text.stdout, line)
    assert.match(text.stderr, /footfall shop fetch/)

    // Orders that the shop has can be imported; those it no longer has are deleted by id.
    await running.api('/revenue/backfill', { method: 'POST' })
    await until(async () => assert.is((await running.api('/revenue/wc-status')).body.data.backfill.state, 'done'))
    await push({ id: 1006 }, { id: 1009 })
    const { differences: left } = await reconcile()
    assert.equal(
      left.map(({ id, cause }: any) => [id, cause]),
      [
        [1003, 'deleted_here'],
        [1015, 'newer_here'],
        [1045, 'unreadable'],
      ],
    )
  }))

test('orders belong to the day of their payment, in the time zone of the file', () =>
  withBoth(
    async ({ shop, reconcile }) => {
      const dates = async (...words: string[]): Promise<any> =>
        (await reconcile(...words)).days.map(({ date, shop: there, here }: any) => [date, there.orders, here.orders])
      assert.equal(await dates('--from', '2026-03-05', '--to', '2026-03-06'), [
        ['2026-03-05', 1, 1],
        ['2026-03-06', 3, 3],
      ])
      assert.equal(await dates('--from', '2026-03-07', '--to', '2026-03-08'), [['2026-03-07', 1, 1]])
      // Paid late: not in the file yet, and created long before the range.
      shop.orders.set(
        60,
        makeOrder(60, -40 * day, { date_paid_gmt: '2026-03-06T10:00:00', date_modified_gmt: '2026-03-06T10:00:00' }),
      )
      const { differences, days } = await reconcile('--from', '2026-03-06', '--to', '2026-03-06')
      assert.equal(
        [
          differences.map(({ id, date, cause }: any) => [id, date, cause]),
          days.map(({ shop: there, here }: any) => [there.orders, here.orders]),
        ],
        [[[60, '2026-03-06', 'missing_here']], [[4, 3]]],
      )
    },
    {
      timezone: 'Europe/Berlin',
      prepare: shop => {
        // 23:30 UTC is half past midnight of the next day in Berlin.
        for (const [id, paid] of [
          [10, '2026-03-05T22:30:00'],
          [20, '2026-03-05T23:30:00'],
          [30, '2026-03-06T22:59:59'],
          // The first seconds of two days, of which the second one is not asked for.
          [33, '2026-03-05T23:00:00'],
          [36, '2026-03-06T23:00:00'],
        ] as const) {
          shop.orders.set(id, makeOrder(id, 0, { date_paid_gmt: paid, date_modified_gmt: '2026-03-07T10:00:00' }))
        }
        shop.orders.set(40, makeOrder(40, 10 * day))
      },
    },
  ))

test('the newest change of the shop before the comparison is a difference, if its delivery was lost', () =>
  withBoth(async ({ shop, reconcile }) => {
    changed(shop, 1300, { total: '70.00' }, 500_000)
    const { differences, unsettled } = await reconcile()
    assert.equal([differences.map(({ id, cause }: any) => [id, cause]), unsettled], [[[1300, 'older_here']], []])
  }))

test('an order that changes during the comparison is not a difference', () =>
  withBoth(async ({ shop, running, reconcile }) => {
    let page = 0
    shop.trouble.now = ({ query, path }) => {
      if (path !== '/orders' || query.modified_after === undefined || query.include !== undefined || ++page !== 2)
        return
      // The shop changes two; the webhook of one has arrived, that of the other has not. A third order is new.
      changed(shop, 1300, { total: '70.00' }, 500_000)
      changed(shop, 1303, { total: '80.00' }, 500_001)
      shop.orders.set(9000, makeOrder(9000, 500_002))
    }
    const told = shop.trouble.now
    shop.trouble.now = (seen, response, count) => {
      told?.(seen, response, count)
      if (seen.query.include === undefined || shop.seen.some(({ path }) => path === '/webhook')) return
      shop.seen.push({ path: '/webhook', query: {}, url: '', headers: {} })
      const { refunds, ...order } = shop.orders.get(1300) as ShopOrder
      // The response waits until the service has stored it.
      void shopOf(running).push(order)
    }
    const { status, differences, unsettled, equal, compared } = await reconcile()
    assert.equal([status, differences, equal], [0, [], true])
    assert.equal(
      unsettled.filter((id: number) => id !== 1300),
      [1303, 9000],
    )
    assert.is(compared, 131 - unsettled.length)
    shop.trouble.now = null
    const again = await reconcile()
    assert.equal(
      [
        again.status,
        again.differences.map(({ id, cause }: any) => [id, cause]).filter(([id]: [number]) => id !== 1300),
      ],
      [
        1,
        [
          [1303, 'older_here'],
          [9000, 'missing_here'],
        ],
      ],
    )
  }))

test('a shop restored from an old copy lacks newer orders of the file', () =>
  withBoth(async ({ shop, running, reconcile }) => {
    const { push } = shopOf(running)
    await push(
      makeOrder(9000, 500_000),
      touch({ ...(shop.orders.get(1000) as ShopOrder), refunds: [] }, 500_000, { status: 'completed' }),
    )
    const { status, differences, unsettled } = await reconcile()
    assert.equal(
      [status, unsettled, differences.map(({ id, cause }: any) => [id, cause])],
      [
        1,
        [],
        [
          [1000, 'newer_here'],
          [9000, 'missing_in_shop'],
        ],
      ],
    )
  }))

test('sums are exact in every currency', () =>
  withBoth(
    async ({ reconcile, running }) => {
      await shopOf(running).push({
        ...makeOrder(3, 200),
        currency: 'JOD',
        total: '12.346',
        total_tax: '1.111',
        line_items: [],
        coupon_lines: [],
      })
      const { differences, days } = await reconcile()
      assert.equal(
        differences.map(({ id, fields }: any) => [id, fields]),
        [[3, [{ field: 'total', shop: '12.345', here: '12.346' }]]],
      )
      assert.equal(
        days.map(({ currency, shop: there, here }: any) => [
          currency,
          there.gross_revenue,
          here.gross_revenue,
          there.tax_total,
        ]),
        [
          ['EUR', 51.9, 51.9, 8.65],
          ['JOD', 12.345, 12.346, 1.111],
          ['JPY', 1200, 1200, 100],
        ],
      )
    },
    {
      prepare: shop => {
        shop.orders.set(1, makeOrder(1, 0))
        shop.orders.set(
          2,
          makeOrder(2, 100, { currency: 'JPY', total: '1200', total_tax: '100', line_items: [], coupon_lines: [] }),
        )
        shop.orders.set(
          3,
          makeOrder(3, 200, { currency: 'JOD', total: '12.345', total_tax: '1.111', line_items: [], coupon_lines: [] }),
        )
      },
    },
  ))

test('errors are reported, and Retry-After is honoured', () =>
  withBoth(async ({ shop, running }) => {
    const run = (words: string[], environment: Record<string, string> = env) =>
      footfallHere(['shop', 'reconcile', '--data', running.file, ...words], { env: environment })
    const cases: [words: string[], environment: Record<string, string>, status: number, sentence: RegExp][] = [
      [[], env, 2, /No shop is configured: set --woocommerce-url/],
      [['--woocommerce-url', shop.url], {}, 2, /set FOOTFALL_WOOCOMMERCE_KEY and FOOTFALL_WOOCOMMERCE_SECRET/],
      [['--woocommerce-url', 'shop.example'], env, 2, /--woocommerce-url takes a URL/],
      [['--woocommerce-url', shop.url, '--from', '2026-02-30'], env, 2, /2026-02-30 is not a date/],
      [
        ['--woocommerce-url', shop.url, '--from', '2026-03-02', '--to', '2026-03-01'],
        env,
        2,
        /--from must not be after --to/,
      ],
      [
        ['--woocommerce-url', shop.url],
        { ...env, FOOTFALL_WOOCOMMERCE_SECRET: 'cs_wrong' },
        1,
        /The shop does not accept the key/,
      ],
    ]
    for (const [words, environment, status, sentence] of cases) {
      const { status: code, stdout, stderr } = await run(words, environment)
      assert.equal([code, stdout], [status, ''], words.join(' '))
      assert.match(stderr, sentence)
      assert.not.match(stderr, /cs_/)
    }
    let refused = 0
    shop.trouble.now = (_seen, response) => {
      if (refused++ > 0) return
      response.writeHead(429, { 'retry-after': '1' }).end()
      return true
    }
    const { status, stdout, stderr } = await run(['--woocommerce-url', shop.url, ...march])
    assert.is(status, 0)
    assert.match(stderr, /The shop answered 429\. Retrying in 2 seconds\./)
    assert.match(stdout, /^130 orders from 2026-03-01 to 2026-03-31 \(UTC\): shop and database match\.$/m)
  }))

test('it works without a running service, and does not change the file', () =>
  withShop(shop =>
    withFolder(async folder => {
      const data = `${folder}/alone.db`
      assert.match(
        (await footfallHere(['shop', 'reconcile', '--data', data, '--woocommerce-url', shop.url], { env })).stderr,
        /alone\.db/,
      )
      const { db } = openDatabase(data)
      const run = (...words: string[]) =>
        footfallHere(['shop', 'reconcile', '--data', data, '--woocommerce-url', shop.url, ...words], { env })
      assert.match(
        (await run()).stdout,
        /^0 orders from \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d \(UTC\): shop and database match\.\n$/,
      )
      fillShop(shop, 3)
      const { status, stdout } = await run(...march)
      assert.is(status, 1)
      assert.match(stdout, /^3 orders from .*: 3 differ\.$/m)
      assert.equal(db.prepare('select count(*) from shop_order').raw().all(), [[0]])
      db.close()
    }),
  ))

test('orders hidden from the lists are requested by id, up to a limit', () =>
  withShop(async shop => {
    fillShop(shop, 30)
    changed(shop, 1000, { status: 'checkout-draft' })
    changed(shop, 1003, { status: 'trash' })
    const client = connectShop(shop.url, shopKey, Date.now)
    if (client === null) throw new Error('no client')
    const { signal } = new AbortController()
    const lookup = createLookup(client, 3)
    const found = await lookup([1000, 1003, 1006, 1, 2], signal)
    assert.equal([...found].map(([id, { status }]) => [id, status]).sort(), [
      [1000, 'checkout-draft'],
      [1003, 'trash'],
      [1006, 'processing'],
    ])
    const before = shop.seen.length
    assert.is((await lookup([1000, 3, 4], signal)).size, 0, 'the three are used up')
    assert.is(shop.seen.length - before, 2, 'the lists alone')
  }))

/** What may have happened to an order, and the cause that the comparison must report. */
const fates: Readonly<
  Record<
    string,
    { shop?: (order: ShopOrder) => ShopOrder | null; here?: (order: ShopOrder) => unknown; cause: string | null }
  >
> = {
  arrived: { cause: null },
  lost: { here: () => null, cause: 'missing_here' },
  ended: { here: ({ id }) => ({ id }), cause: 'deleted_here' },
  gone: { shop: () => null, cause: 'missing_in_shop' },
  binned: { shop: order => ({ ...order, status: 'trash' }), cause: 'trashed' },
  late: {
    shop: order => ({ ...order, date_modified_gmt: order.date_modified_gmt.replace(/\d$/, '9'), status: 'on-hold' }),
    cause: 'older_here',
  },
  noted: { shop: order => ({ ...order, date_modified_gmt: order.date_modified_gmt.replace(/\d$/, '9') }), cause: null },
  altered: { shop: order => ({ ...order, total: '1.00' }), cause: 'differs' },
  broken: { shop: order => ({ ...order, currency: null }), cause: 'unreadable' },
  endedBoth: { shop: order => ({ ...order, status: 'trash' }), here: ({ id }) => ({ id }), cause: null },
}

test('exactly the differing orders are reported, for any combination of causes', () =>
  withFolder(async folder => {
    const zone = createZone('Europe/Berlin')
    let run = 0
    await checkAsync(
      fc.asyncProperty(
        fc.array(
          fc.record({
            gap: fc.integer({ min: 1, max: 5000 }),
            fate: fc.constantFrom(...Object.keys(fates)),
            hours: fc.integer({ min: 0, max: 24 * 40 }),
          }),
          { maxLength: 260 },
        ),
        async specs => {
          const shop = await startShop()
          const { db } = openDatabase(`${folder}/${run++}.db`)
          try {
            const store = createShopStore({
              db,
              zone,
              paidStatuses: ['completed', 'processing'],
              siteHosts: [],
              keepQuery: [],
            })
            const expected = new Map<number, string>()
            const documents: unknown[] = []
            let id = 0
            let orders = 0
            // The newest order, so that none counts as changed during the comparison.
            shop.orders.set(5_000_000, makeOrder(5_000_000, 300 * day))
            for (const { gap, fate, hours } of specs) {
              id += gap
              const made = makeOrder(id, hours * 3600, {
                date_modified_gmt: `${new Date(Date.UTC(2026, 2, 1, hours, 30)).toISOString().slice(0, 18)}0`,
              })
              const { shop: there, here, cause } = fates[fate] ?? { cause: null }
              const [kept, told] = [there === undefined ? made : there(made), here === undefined ? made : here(made)]
              if (kept !== null) shop.orders.set(id, kept)
              if (told !== null)
                documents.push(...(typeof told === 'object' && !('status' in (told as object)) ? [made, told] : [told]))
              const paid = zone.dayOf(Date.parse(`${made.date_paid_gmt}Z`) / 1000)
              const within = paid >= 20260305 && paid <= 20260320
              if (within && cause !== null) expected.set(id, cause)
              if (within && kept !== null && kept.status === 'processing' && kept.currency !== null) orders += 1
            }
            store.upsertAll(documents)
            const client = connectShop(shop.url, shopKey, Date.now)
            if (client === null) throw new Error('no client')
            const found = new Map<number, string>()
            const { days } = await compareOrders({
              db,
              client,
              zone,
              statuses: new Set(['completed', 'processing']),
              from: 20260305,
              to: 20260320,
              signal: new AbortController().signal,
              onFinding: ({ id: number, cause }) => {
                assert.not.ok(found.has(number), 'each once')
                found.set(number, cause)
              },
              onUnsettled: number => {
                throw new Error(`${number} was not changed meanwhile`)
              },
              onProgress: () => {},
            })
            assert.equal([...found].sort(), [...expected].sort())
            assert.is(
              days.reduce((sum, one) => sum + one.shop.orders, 0),
              orders,
            )
            const stored = db
              .prepare(
                "select count(*) from shop_order where deleted = 0 and status in ('completed', 'processing') and paid_at >= ? and paid_at < ?",
              )
              .raw()
              .get(zone.startOf(20260305), zone.startOf(20260321)) as [number]
            assert.equal([days.reduce((sum, one) => sum + one.here.orders, 0)], stored)
          } finally {
            db.close()
            await shop.close()
          }
        },
      ),
      { numRuns: 25 },
    )
  }))

test.run()
