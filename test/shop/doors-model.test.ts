// Random shops through the doors of many orders at once, a file and the pages of a shop's list: every report is what the model has.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { footfallHere } from '../support/command.ts'
import { withFolder } from '../support/folder.ts'
import { checkAsync } from '../support/property.ts'
import { type Running, withService } from '../support/service.ts'
import { type Document, shopOf } from '../support/shop.ts'
import { figures, sorted } from '../support/shop-figures.ts'
import { arrivals, digits, documentOf, expected, type Life, lives, manyLives } from '../support/shop-model.ts'
import { type Shop, type ShopOrder, type ShopRefund, shopKey, startShop } from '../support/wc-shop.ts'

/** More of them with RUNS=10. */
const scale = Number(process.env.RUNS || 1)
const start = '2026-04-10T12:00:00Z'

const compare = async (running: Running, found: readonly Life[]): Promise<void> => {
  for (const currency of Object.keys(digits))
    assert.equal(
      sorted(await figures(shopOf(running), currency, '2026-02-01', '2026-05-31')),
      sorted(expected(found, currency, '2026-02-01', '2026-05-31')),
      currency,
    )
}

const forms: Readonly<Record<string, (documents: readonly Document[]) => string | Buffer>> = {
  lines: documents => documents.map(one => `${JSON.stringify(one)}\n`).join(''),
  list: documents => JSON.stringify(documents),
  'list over many lines': documents => JSON.stringify(documents, null, 2),
  'packed lines': documents => gzipSync(documents.map(one => JSON.stringify(one)).join('\r\n')),
}

const files = lives.chain(found =>
  fc.record({
    found: fc.constant(found),
    arriving: arrivals(found),
    cut: fc.nat(10),
    form: fc.constantFrom(...Object.keys(forms)),
  }),
)

test('orders of files in every form and order', () =>
  checkAsync(
    fc.asyncProperty(files, ({ found, arriving, cut, form }) =>
      withFolder(async folder => {
        const file = join(folder, 'test.db')
        for (const documents of [arriving.slice(0, cut), arriving.slice(cut)]) {
          if (documents.length === 0) continue
          const path = join(folder, 'orders')
          writeFileSync(path, forms[form]?.(documents) ?? '')
          const { status, stdout, stderr } = await footfallHere(
            ['import', path, '--format', 'woocommerce-orders', '--data', file, '--timezone', 'UTC'],
            { at: start },
          )
          assert.is(status, 0, stderr)
          assert.match(stdout, new RegExp(`\\b${documents.length} {2}orders`))
        }
        await withService({ file, start }, running => compare(running, found))
      }),
    ),
    { numRuns: Math.ceil(4 * scale) },
  ))

/** Puts the orders into the shop as they are at their first version, or at their last. */
const stock = (shop: Shop, found: readonly Life[]): void => {
  for (const life of found) {
    const { refunds, ...order } = documentOf(life, life.versions.length - 1)
    shop.orders.set(life.id, order as ShopOrder)
    shop.refunds.set(life.id, refunds as ShopRefund[])
  }
}

const backfilled = async ({ api }: Running): Promise<void> => {
  assert.is((await api('/revenue/backfill', { method: 'POST' })).status, 202)
  for (;;) {
    const { backfill } = (await api('/revenue/wc-status')).body.data
    if (!['pending', 'running'].includes(backfill.state)) return assert.is(backfill.state, 'done')
    await new Promise(resolve => {
      setTimeout(resolve, 20)
    })
  }
}

test('orders of several pages of a list, and again when they have changed', () =>
  checkAsync(
    fc.asyncProperty(manyLives, async found => {
      const shop = await startShop()
      try {
        await withService({ start, flags: { woocommerceUrl: shop.url }, shopKey }, async running => {
          for (const versions of [1, 2]) {
            const known = found.map(life => ({ ...life, versions: life.versions.slice(0, versions) }))
            stock(shop, known)
            await backfilled(running)
            await compare(running, known)
          }
        })
        assert.ok(shop.seen.some(({ path, query }) => path === '/orders' && query.page !== '1'))
      } finally {
        await shop.close()
      }
    }),
    { numRuns: Math.ceil(scale) },
  ))

test.run()
