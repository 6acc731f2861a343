// The backfill and the reconcile against a server that behaves like a shop: state machine, retries, cancel, changes.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openDatabase } from '../../src/database/open.ts'
import type { Db } from '../../src/database/query.ts'
import { createZone } from '../../src/lib/time.ts'
import { createLog } from '../../src/runtime/log.ts'
import { backfillStatus } from '../../src/shop/backfill-status.ts'
import { connectShop } from '../../src/shop/connect.ts'
import { findReconcile, requestReconcile } from '../../src/shop/reconcile-state.ts'
import { createShopJobs, type ShopJobs } from '../../src/shop/shop-jobs.ts'
import { createShopStore } from '../../src/shop/store.ts'
import { withFolder } from '../support/folder.ts'
import { until } from '../support/wait.ts'
import { fillShop, makeOrder, type Shop, type ShopOrder, shopKey, startShop, touch } from '../support/wc-shop.ts'

type Setting = {
  shop: Shop
  db: Db
  jobs: ShopJobs
  /** The last stored document of each order, by id. */
  kept: Map<number, ShopOrder>
  /** The number of orders of each transaction. */
  transactions: number[]
  clock: { now: number }
  /** Whether the store fails every transaction as SQLite does on a full disk. */
  disk: { full: boolean }
  pauses: number[]
  /** What a pause waits for: nothing, unless a test sets it. */
  rest: { until: Promise<void> }
  logs: string[]
  /** Stops the jobs and starts them again on the same file, with this shop, another one or none. */
  restart: (url?: string | null) => Promise<void>
  /** Waits until no work is running. */
  idle: () => Promise<void>
}

const everything = { from: null, to: null }

const withJobs = (work: (setting: Setting) => Promise<void>, { key = shopKey } = {}): Promise<void> =>
  withFolder(async folder => {
    const shop = await startShop()
    const { db } = openDatabase(`${folder}/test.db`)
    const clock = { now: Date.parse('2026-03-20T12:00:00Z') }
    const kept = new Map<number, ShopOrder>()
    const transactions: number[] = []
    const disk = { full: false }
    const pauses: number[] = []
    const rest = { until: Promise.resolve() }
    const logs: string[] = []
    const zone = createZone('Europe/Berlin')
    const store = createShopStore({
      db,
      zone,
      paidStatuses: ['processing', 'completed', 'refunded'],
      siteHosts: [],
      keepQuery: [],
    })
    const make = (url: string | null = shop.url): ShopJobs =>
      createShopJobs({
        db,
        zone,
        now: () => Math.floor(clock.now / 1000),
        client: connectShop(url, key, () => clock.now),
        missing: url === null ? 'There is no shop.' : null,
        store: {
          upsertAll: documents => {
            if (disk.full) throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
            transactions.push(documents.length)
            for (const document of documents as ShopOrder[]) if ('status' in document) kept.set(document.id, document)
            return store.upsertAll(documents)
          },
        },
        sleep: async (milliseconds, signal) => {
          pauses.push(milliseconds / 1000)
          await rest.until
          signal.throwIfAborted()
        },
        log: createLog({ level: 'info', format: 'text', write: line => logs.push(line), clock: () => clock.now }),
      })
    let jobs = make()
    const setting: Setting = {
      shop,
      db,
      kept,
      transactions,
      clock,
      disk,
      pauses,
      rest,
      logs,
      get jobs() {
        return jobs
      },
      restart: async url => {
        await jobs.stop()
        jobs = make(url)
      },
      idle: async () => {
        jobs.tick()
        for (let last = -1; ; ) {
          await new Promise(resolve => {
            setTimeout(resolve, 30)
          })
          const busy = backfillStatus(db).state === 'running' || findReconcile(db).begun !== null
          if (!busy && shop.seen.length === last) return
          last = shop.seen.length
        }
      },
    }
    try {
      await work(setting)
    } finally {
      await jobs.stop()
      db.close()
      await shop.close()
    }
  })

const ids = (orders: ReadonlyMap<number, ShopOrder>): number[] => [...orders.keys()].sort((one, other) => one - other)

/** Asserts that the stored orders equal those of the shop. */
const inShop = ({ shop, kept, db }: Setting): void => {
  assert.equal(ids(kept), ids(shop.orders))
  const stored = new Map(db.prepare('select id, status from shop_order').raw().all() as [number, string][])
  assert.equal(
    [...stored.keys()].sort((one, other) => one - other),
    ids(shop.orders),
  )
  for (const [id, order] of shop.orders) {
    assert.is(stored.get(id), order.status)
    assert.is(kept.get(id)?.date_modified_gmt, order.date_modified_gmt)
    assert.equal(kept.get(id)?.refunds, shop.refunds.get(id) ?? [], `the refunds of ${id} with their lines`)
  }
}

const starts = ({ logs }: Setting): number => logs.filter(line => line.includes('the backfill has started')).length

test('imports all orders and their refunds in small transactions, without customer data', () =>
  withJobs(async setting => {
    const { shop, db, jobs, kept, transactions, idle } = setting
    fillShop(shop, 230)
    assert.is(backfillStatus(db).state, 'idle')
    assert.is(jobs.pickUp(), 'No import of orders has been requested yet.')
    assert.is(jobs.backfill(everything), true)
    assert.is(jobs.backfill(everything), false)
    await idle()
    const { state, total, processed, refunds, started_at, finished_at, last_error, orders_in_shop } = backfillStatus(db)
    assert.equal(
      { state, total, processed, refunds, started_at, finished_at, last_error, orders_in_shop },
      {
        state: 'done',
        total: 230,
        processed: 230,
        refunds: 23,
        started_at: '2026-03-20T12:00:00Z',
        finished_at: '2026-03-20T12:00:00Z',
        last_error: null,
        orders_in_shop: 230,
      },
    )
    inShop(setting)
    assert.is(jobs.pickUp(), '230 orders were imported; later changes are fetched regularly.')
    assert.ok(transactions.every(count => count <= 50))
    for (const order of kept.values())
      assert.equal(
        ['billing', 'shipping', 'customer_ip_address', 'customer_user_agent'].filter(name => name in order),
        [],
      )
  }))

test("stores the shop's version and settings", () =>
  withJobs(async ({ shop, db, jobs, idle }) => {
    const info = () =>
      db.prepare('select woocommerce_version, currency, hpos_enabled, attribution_enabled from shop_info').raw().get()
    await idle()
    await until(() => assert.equal(info(), ['9.9.3', 'EUR', 1, 1]))
    const cases: [object, unknown[]][] = [
      [
        {
          environment: { version: '7.0.0' },
          settings: { order_datastore: 'WC_Order_Data_Store_CPT', currency: 'USD' },
        },
        ['7.0.0', 'USD', 0, null],
      ],
      [
        { environment: { version: 7 }, settings: { HPOS_enabled: 'yes', enabled_features: 'all', currency: 'Euro' } },
        // A known currency stays, since reports depend on it.
        [null, 'USD', null, null],
      ],
      [{ settings: { HPOS_enabled: false, enabled_features: [] } }, [null, 'USD', 0, 0]],
      [[], [null, 'USD', null, null]],
    ]
    for (const [status, expected] of cases) {
      shop.status = status
      jobs.backfill(everything)
      await idle()
      assert.equal(info(), expected, JSON.stringify(status))
    }
  }))

test("the shop's settings are asked for every six hours, and after a failure every 15 minutes", () =>
  withJobs(async ({ shop, clock, idle }) => {
    const asked = (): number => shop.seen.filter(({ path }) => path === '/system_status').length
    await idle()
    assert.is(asked(), 1)
    assert.is(shop.seen[0]?.query._fields, 'environment,settings', 'and for no more of the report')
    shop.trouble.now = ({ path }, response) => {
      if (path !== '/system_status' || asked() > 3) return false
      response.writeHead(403).end('{}')
      return true
    }
    for (const [seconds, count] of [
      [21_599, 1],
      [1, 2],
      [899, 2],
      [1, 3],
      [899, 3],
      [1, 4],
      [21_599, 4],
      [1, 5],
    ] as const) {
      clock.now += seconds * 1000
      await idle()
      assert.is(asked(), count, `${seconds} seconds later`)
    }
  }))

test("a range selects orders by their creation day in the site's time zone", () =>
  withJobs(async ({ shop, jobs, kept, idle }) => {
    // Midnight in Berlin is 23:00 UTC.
    const hours = [-2, -1, 0, 22, 23, 46, 47]
    hours.forEach((hour, index) => shop.orders.set(index + 1, makeOrder(index + 1, hour * 3600)))
    jobs.backfill({ from: 20260301, to: 20260302 })
    await idle()
    // Only the newest order lies within the overlap of the catch-up, which stores it as well.
    assert.equal(
      ids(kept).filter(id => id !== 7),
      [2, 3, 4, 5, 6],
    )
  }))

test('changes during the walk are stored', () =>
  withJobs(async setting => {
    const { shop, jobs, idle } = setting
    fillShop(shop, 400)
    let listed = 0
    shop.trouble.now = ({ path, query }) => {
      if (path !== '/orders' || query.orderby !== 'id' || query.status !== 'any' || query.modified_after !== undefined)
        return false
      listed += 1
      if (listed === 3) {
        const all = [...shop.orders.values()]
        for (const order of all.slice(0, 5))
          shop.orders.set(order.id, touch(order, 400 * 600 + order.id, { status: 'cancelled' }))
        shop.orders.set(9999, makeOrder(9999, 400 * 600 + 50))
        shop.orders.set(2, touch(makeOrder(2, 5), 400 * 600 + 60))
        for (const order of all.slice(20, 40))
          shop.orders.set(order.id, touch(order, 400 * 600 + 70, { status: 'trash' }))
      }
      return false
    }
    jobs.backfill(everything)
    await idle()
    assert.ok(listed >= 4)
    inShop(setting)
  }))

test('429, 500, timeouts and truncated responses are retried, and the reason is shown meanwhile', () =>
  withJobs(async setting => {
    const { shop, db, jobs, pauses, idle } = setting
    fillShop(shop, 120)
    const seen: (string | null)[] = []
    shop.trouble.now = (_, response, count) => {
      if (count % 3 === 0) return false
      seen.push(backfillStatus(db).last_error)
      if (count % 3 === 1) response.writeHead(429, { 'retry-after': '7' }).end()
      else response.writeHead(200, { 'content-length': '9999' }).end('[{"id":', () => response.destroy())
      return true
    }
    jobs.backfill(everything)
    await idle()
    assert.is(backfillStatus(db).state, 'done')
    assert.is(backfillStatus(db).last_error, null)
    inShop(setting)
    assert.ok(pauses.includes(7))
    assert.ok(seen.some(text => text !== null && /broke off|429/.test(text)))
  }))

test('a wrong key fails it with a message; the same backfill continues where it stopped', () =>
  withJobs(async setting => {
    const { shop, db, jobs, idle, logs } = setting
    fillShop(shop, 350)
    shop.trouble.now = ({ query }, response) => {
      if (query.page !== '3' || query.orderby !== 'id') return false
      response
        .writeHead(401)
        .end('{"code":"woocommerce_rest_cannot_view","message":"Sorry, you cannot list resources."}')
      return true
    }
    jobs.backfill(everything)
    await idle()
    const failed = backfillStatus(db)
    assert.is(failed.state, 'failed')
    assert.match(failed.last_error ?? '', /does not accept the key.*FOOTFALL_WOOCOMMERCE_KEY.*cannot list resources/)
    assert.is(failed.processed, 198)
    assert.not.match(logs.join(), /cs_|ck_/)
    shop.trouble.now = null
    const before = shop.seen.length
    jobs.backfill(everything)
    await idle()
    assert.equal(
      [backfillStatus(db).state, backfillStatus(db).processed, backfillStatus(db).refunds],
      ['done', 350, 35],
    )
    inShop(setting)
    const pages = shop.seen
      .slice(before)
      .filter(({ query }) => query.orderby === 'id' && query.modified_after === undefined)
    assert.is(pages.length, 2, 'the pages read before are not read again')
  }))

test('an unreachable shop fails it after a limited number of attempts', () =>
  withJobs(async ({ shop, db, jobs, pauses, idle }) => {
    shop.trouble.now = (_, response) => {
      response.writeHead(503).end()
      return true
    }
    jobs.backfill(everything)
    await idle()
    assert.is(backfillStatus(db).state, 'failed')
    assert.match(backfillStatus(db).last_error ?? '', /503.*tried 9 times/)
    assert.equal(pauses, [2, 4, 8, 16, 32, 64, 128, 256])
  }))

test('it can be cancelled at any time and requested again', () =>
  withJobs(async setting => {
    const { shop, db, jobs, kept, idle } = setting
    fillShop(shop, 300)
    jobs.cancel()
    assert.is(backfillStatus(db).state, 'idle')
    shop.trouble.now = ({ query }) => {
      if (query.page === '2' && query.orderby === 'id') jobs.cancel()
      return false
    }
    jobs.backfill(everything)
    await idle()
    assert.is(backfillStatus(db).state, 'cancelled')
    assert.is(backfillStatus(db).processed, 100)
    assert.is(kept.size, 100)
    shop.trouble.now = null
    jobs.backfill(everything)
    assert.equal([backfillStatus(db).state, backfillStatus(db).processed], ['running', 0])
    await idle()
    assert.is(backfillStatus(db).state, 'done')
    inShop(setting)
  }))

test('a stop in the middle leaves it running, and the next start continues it', () =>
  withJobs(async setting => {
    const { shop, db, idle, restart } = setting
    fillShop(shop, 300)
    let stopped: Promise<void> | null = null
    shop.trouble.now = ({ query }) => {
      if (stopped === null && query.page === '2' && query.orderby === 'id') stopped = restart()
      return false
    }
    setting.jobs.backfill(everything)
    while (stopped === null)
      await new Promise(resolve => {
        setTimeout(resolve, 5)
      })
    await stopped
    assert.equal([backfillStatus(db).state, backfillStatus(db).processed], ['running', 100])
    await idle()
    assert.equal(
      [backfillStatus(db).state, backfillStatus(db).processed, backfillStatus(db).refunds],
      ['done', 300, 30],
    )
    inShop(setting)
  }))

test('a run without activity for more than five minutes is started again', () =>
  withJobs(async setting => {
    const { shop, db, jobs, clock, idle } = setting
    fillShop(shop, 150)
    let hung = 0
    shop.trouble.now = ({ query }) => {
      if (query.page !== '2' || query.orderby !== 'id' || hung > 0) return false
      hung += 1
      return true
    }
    jobs.backfill(everything)
    while (hung === 0)
      await new Promise(resolve => {
        setTimeout(resolve, 5)
      })
    const before = shop.seen.length
    for (const seconds of [1, 298, 1]) {
      clock.now += seconds * 1000
      jobs.tick()
    }
    assert.is(shop.seen.length, before)
    clock.now += 1000
    jobs.tick()
    await idle()
    assert.is(backfillStatus(db).state, 'done')
    inShop(setting)
  }))

test('the time that a shop asks to wait is no time without activity', () =>
  withJobs(async setting => {
    const { shop, db, jobs, clock, pauses, rest, idle } = setting
    fillShop(shop, 150)
    shop.trouble.now = (_, response) => {
      if (pauses.length > 0) return false
      response.writeHead(429, { 'retry-after': '600' }).end()
      return true
    }
    let wake = (): void => {}
    rest.until = new Promise(resolve => {
      wake = resolve
    })
    jobs.backfill(everything)
    await until(() => assert.equal(pauses, [600]))
    for (const seconds of [600, 299, 1]) {
      clock.now += seconds * 1000
      jobs.tick()
    }
    assert.is(starts(setting), 1)
    clock.now += 1000
    jobs.tick()
    assert.is(starts(setting), 2)
    wake()
    await idle()
    assert.is(backfillStatus(db).state, 'done')
    inShop(setting)
  }))

test('the reconcile fetches changed and trashed orders every 15 minutes, and no others', () =>
  withJobs(async setting => {
    const { shop, db, jobs, kept, transactions, clock, idle } = setting
    fillShop(shop, 300)
    await idle()
    assert.is(findReconcile(db).at, null, 'there is none before a backfill')
    jobs.backfill(everything)
    await idle()
    const newest = 300 * 600
    for (const round of [1, 2]) {
      const order = shop.orders.get(1000 + round * 30) as ShopOrder
      shop.orders.set(order.id, touch(order, newest + round * 1000, { status: 'cancelled' }))
      const binned = shop.orders.get(1300 + round * 30) as ShopOrder
      shop.orders.set(binned.id, touch(binned, newest + round * 1000 + 1, { status: 'trash' }))
      shop.orders.set(5000 + round, makeOrder(5000 + round, newest + round * 1000 + 2))
      transactions.length = 0
      clock.now += 899_000
      if (round > 1) {
        await idle()
        assert.equal(transactions, [], 'not before its time')
      }
      clock.now += 1000
      await idle()
      assert.is(findReconcile(db).at, Math.floor(clock.now / 1000))
      inShop(setting)
      assert.is(kept.get(binned.id)?.status, 'trash')
      assert.is(db.prepare('select deleted from shop_order where id = ?').pluck().get(binned.id), 1)
      assert.is(backfillStatus(db).orders_stored, 300)
      assert.ok(transactions.reduce((sum, count) => sum + count, 0) <= 8, `${transactions}`)
    }
  }))

test('a failed reconcile reports why, and the next one catches up', () =>
  withJobs(async setting => {
    const { shop, db, jobs, clock, idle } = setting
    fillShop(shop, 20)
    jobs.backfill(everything)
    await idle()
    shop.orders.set(7000, makeOrder(7000, 20 * 600 + 5000))
    shop.trouble.now = ({ query }, response) => {
      if (query.modified_after === undefined) return false
      response.writeHead(403).end()
      return true
    }
    clock.now += 1000_000
    await idle()
    assert.match(findReconcile(db).error ?? '', /read permission/)
    shop.trouble.now = null
    shop.orders.set(7001, makeOrder(7001, 20 * 600 + 90_000))
    requestReconcile(db, 1)
    await idle()
    assert.equal([findReconcile(db).error, findReconcile(db).requested], [null, null])
    inShop(setting)
  }))

test('a shop without orders is done at once', () =>
  withJobs(async setting => {
    const { shop, db, jobs, clock, idle } = setting
    jobs.backfill(everything)
    await idle()
    const { state, total, processed, orders_in_shop } = backfillStatus(db)
    assert.equal(
      { state, total, processed, orders_in_shop },
      { state: 'done', total: 0, processed: 0, orders_in_shop: 0 },
    )
    fillShop(shop, 12)
    clock.now += 1000_000
    await idle()
    inShop(setting)
  }))

test('a full disk does not end it: it continues once there is space', () =>
  withJobs(async setting => {
    const { shop, db, jobs, clock, disk, idle, logs } = setting
    fillShop(shop, 150)
    disk.full = true
    jobs.backfill(everything)
    while (!logs.some(line => line.includes('disk is full')))
      await new Promise(resolve => {
        setTimeout(resolve, 5)
      })
    assert.equal([backfillStatus(db).state, backfillStatus(db).processed], ['running', 0])
    disk.full = false
    for (const seconds of [1, 58]) {
      clock.now += seconds * 1000
      jobs.tick()
    }
    assert.is(starts(setting), 1)
    clock.now += 1000
    await idle()
    assert.is(starts(setting), 2)
    assert.is(backfillStatus(db).state, 'done')
    inShop(setting)
  }))

test('the progress in one shop does not apply to another', () =>
  withJobs(async setting => {
    const { shop, db, idle, restart } = setting
    const other = await startShop()
    fillShop(shop, 300)
    shop.trouble.now = ({ query }, response) => {
      if (query.page !== '2' || query.orderby !== 'id') return false
      response.writeHead(403).end()
      return true
    }
    setting.jobs.backfill(everything)
    await idle()
    assert.equal([backfillStatus(db).state, backfillStatus(db).processed], ['failed', 100])
    fillShop(other, 220)
    await restart(other.url)
    setting.jobs.backfill(everything)
    while (backfillStatus(db).state === 'running')
      await new Promise(resolve => {
        setTimeout(resolve, 5)
      })
    assert.equal(
      [backfillStatus(db).state, backfillStatus(db).processed, backfillStatus(db).refunds],
      ['done', 220, 22],
    )
    assert.ok(other.seen.some(({ query }) => query.page === '1' && query.per_page === '100'))
    shop.trouble.now = null
    const before = shop.seen.length
    await restart()
    setting.clock.now += 1000_000
    await idle()
    assert.equal(
      shop.seen.slice(before).filter(({ query }) => query.modified_after !== undefined),
      [],
      'no reconcile before a backfill of this one',
    )
    await other.close()
  }))

test('without a shop, unfinished work fails and pending requests get the reason', () =>
  withJobs(async setting => {
    const { shop, db, restart } = setting
    fillShop(shop, 300)
    shop.trouble.now = () => true
    setting.jobs.backfill(everything)
    await restart(null)
    assert.equal([backfillStatus(db).state, backfillStatus(db).last_error], ['failed', 'There is no shop.'])
    assert.is(setting.jobs.backfill(everything), false)
    requestReconcile(db, 1)
    setting.jobs.tick()
    assert.equal([findReconcile(db).requested, findReconcile(db).error], [null, 'There is no shop.'])
  }))

test('invalid orders are counted, and the others stored', () =>
  withJobs(async ({ shop, db, jobs, idle }) => {
    fillShop(shop, 3)
    shop.orders.set(1, makeOrder(1, 0, { total: 'free' }))
    shop.orders.set(2, makeOrder(2, 0, { date_created_gmt: null as never }))
    jobs.backfill(everything)
    await idle()
    const { state, processed, orders_stored, last_error } = backfillStatus(db)
    assert.equal(
      { state, processed, orders_stored, last_error },
      { state: 'done', processed: 5, orders_stored: 3, last_error: '2 orders were skipped because they are invalid.' },
    )
  }))

test.run()
