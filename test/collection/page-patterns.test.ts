// Pages of orders, downloads and accounts are one page each.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import patterns from '../../data/page-patterns.txt'
import { dataRows } from '../../src/lib/data-rows.ts'
import { withService } from '../support/service.ts'

/** For each line of the data a path that it fits, and the page that is counted. */
const examples: readonly (readonly [path: string, page: string])[] = [
  ['/checkout/order-received/151/?key=wc_order_Ab1', '/checkout/order-received'],
  ['/kasse/order-pay/151', '/kasse/order-pay'],
  ['/de/mein-konto/view-order/151/', '/de/mein-konto/view-order'],
  ['/my-account/view-subscription/9', '/my-account/view-subscription'],
  ['/my-account/subscription-payment-method/9', '/my-account/subscription-payment-method'],
  ['/my-account/delete-payment-method/4', '/my-account/delete-payment-method'],
  ['/my-account/set-default-payment-method/4', '/my-account/set-default-payment-method'],
  ['/checkouts/cn/Z2NwLXVzLWVhc3Qx/thank-you', '/checkouts/cn/thank-you'],
  ['/5512/checkouts/9f8e7d', '/checkouts'],
  ['/5512/orders/9f8e7d', '/orders'],
  ['/account/orders/9f8e7d', '/account/orders'],
  ['/shop/sales/order/view/order_id/77/', '/shop/sales/order/view/order_id'],
  ['/sales/order/print/order_id/77', '/sales/order/print/order_id'],
  ['/sales/order/reorder/order_id/77', '/sales/order/reorder/order_id'],
  ['/downloadable/download/link/id/MC4xMjM', '/downloadable/download/link/id'],
  ['/account/order/0a1b2c', '/account/order'],
  ['/checkout/12/complete', '/checkout/complete'],
  ['/user/3/orders/12', '/user/orders'],
  ['/user/3/orders', '/user/orders'],
  ['/checkout/order-confirmation/118', '/checkout/order-confirmation'],
]

/** What is no page of an order stays what it is. */
const others = ['/order-received', '/blog/order-received/how-it-works', '/view-order/12a', '/checkout', '/orders/2026']

const pagesOf = async (paths: readonly string[]): Promise<string[]> => {
  let found: string[] = []
  await withService({}, async ({ hit, settled, api }) => {
    for (const path of paths) await hit({ page_url: `https://shop.example${path}` })
    await settled()
    found = (await api('/pages?from=2026-03-10&to=2026-03-10&limit=100')).body.data.map(
      ({ page }: { page: string }) => page,
    )
  })
  return found.sort()
}

test('a page of an order is that of all orders, for each system that is known', async () => {
  assert.is(examples.length, dataRows(patterns).length)
  const pages = [...new Set(examples.map(([, page]) => page))].sort()
  assert.equal(await pagesOf(examples.map(([path]) => path)), pages)
})

test('other pages keep their names', async () => {
  assert.equal(await pagesOf(others), [...others].sort())
})

test('an address from the bar selects the page of all orders', () =>
  withService({}, async ({ hit, settled, api }) => {
    await hit({ page_url: 'https://shop.example/checkout/order-received/151/?key=x' })
    await hit({ page_url: 'https://shop.example/checkout/order-received/152/?key=y' })
    await settled()
    const page = encodeURIComponent('https://shop.example/checkout/order-received/151/?key=x')
    const { body } = await api(`/summary?from=2026-03-10&to=2026-03-10&page=${page}`)
    assert.is(body.data.totals.views, 2)
  }))

test.run()
