// Random shops with documents in any order: every report equals a naive sum, and deletions leave no rollups behind.
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openDatabase } from '../../src/database/open.ts'
import { createZone } from '../../src/lib/time.ts'
import { createShopStore } from '../../src/shop/store.ts'
import { withFolder } from '../support/folder.ts'
import { check, checkAsync } from '../support/property.ts'
import { withService } from '../support/service.ts'
import { type Document, shopOf } from '../support/shop.ts'
import { figures, sorted } from '../support/shop-figures.ts'
import { arrivals, digits, expected, lives } from '../support/shop-model.ts'

/** More of them with RUNS=10. */
const scale = Number(process.env.RUNS || 1)

const shop = lives.chain(found =>
  fc.record({
    found: fc.constant(found),
    arriving: arrivals(found),
    cut: fc.nat(10),
    range: fc.constantFrom(
      ['2026-02-01', '2026-05-31'],
      ['2026-02-25', '2026-04-02'],
      ['2026-03-01', '2026-03-31'],
      ['2026-03-10', '2026-03-20'],
    ),
  }),
)

/** The figures of the preceding range, as `compare=previous` reports them. */
const previous = async (
  { report }: ReturnType<typeof shopOf>,
  currency: string,
  from: string,
  to: string,
): Promise<{ from: string; to: string; figures: (number | null)[] }> => {
  const {
    previous: { totals, ...window },
  } = await report('summary', `currency=${currency}&from=${from}&to=${to}&compare=previous`)
  return { ...window, figures: [totals.orders, totals.net_revenue, totals.average_order_value] }
}

test('every report equals the sum over the newest documents, and nothing is left when all are deleted', () =>
  withService({ start: '2026-04-10T12:00:00Z' }, async running => {
    const door = shopOf(running)
    await checkAsync(
      fc.asyncProperty(shop, async ({ found, arriving, cut, range: [from = '', to = ''] }) => {
        await door.push(...arriving.slice(0, cut))
        await door.push(...arriving.slice(cut))
        try {
          for (const [currency, places] of Object.entries(digits)) {
            assert.equal(sorted(await figures(door, currency, from, to)), sorted(expected(found, currency, from, to)))
            const before = await previous(door, currency, from, to)
            const sums = expected(found, currency, before.from, before.to)
            const [orders = 0n, net = 0n, mean = 0n] = ['orders', 'net', 'mean'].map(name => sums.get(name))
            assert.equal(before.figures, [
              Number(orders),
              Number(net) / 10 ** places,
              orders === 0n ? null : Number(mean) / 10 ** places,
            ])
          }
        } finally {
          await door.push(...found.map(({ id }) => ({ id })))
          for (const currency of Object.keys(digits)) assert.equal(sorted(await figures(door, currency, from, to)), [])
          // Orders of the next round are other ones.
          const { db } = openDatabase(running.file)
          assert.is(db.prepare('select count(*) from revenue_period').pluck().get(), 0)
          db.exec('delete from shop_order where true; delete from shop_product where true')
          db.close()
        }
      }),
      { numRuns: Math.ceil(30 * scale) },
    )
  }))

test('incrementally updated rollups equal recalculated ones', () =>
  withFolder(folder => {
    const { db } = openDatabase(`${folder}/test.db`)
    const open = (paidStatuses: readonly string[]) =>
      createShopStore({ db, zone: createZone('UTC'), paidStatuses, siteHosts: [], keepQuery: [] })
    const dump = (): unknown[] =>
      db.prepare("select * from revenue_period where kind <> 'stored' order by kind, currency, period, key, part").all()
    const paid = ['processing', 'completed', 'refunded']
    open(paid).adopt()
    check(
      fc.property(lives.chain(arrivals), (arriving: Document[]) => {
        open(paid).upsertAll(arriving)
        const before = dump()
        open([]).adopt()
        assert.equal(dump(), [])
        open(paid).adopt()
        assert.equal(dump(), before)
      }),
      { numRuns: Math.ceil(30 * scale) },
    )
    db.close()
  }))

test.run()
