// Pages of orders, downloads and accounts are one page each.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import patterns from '../../data/page-patterns.txt'
import { dataRows } from '../../src/lib/data-rows.ts'
import { footfallHere } from '../support/command.ts'
import { withFolder } from '../support/folder.ts'
import { footfall, start } from '../support/program.ts'
import { firefox, withService } from '../support/service.ts'

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

test("an operator's own patterns stand above the lists, and are previewed", () =>
  withFolder(async folder => {
    const [file, patterns] = [join(folder, 'test.db'), join(folder, 'patterns.txt')]
    const show = (...args: string[]) => footfallHere(['page-patterns', ...args, '--json', '--data', file])
    const lines = ['# our shop', '/bookings/{n}/seats', '.../tickets/{}  # a code', '/a.b/{n}', '…/view-order/{}']
    writeFileSync(patterns, lines.join('\r\n'))
    const paths = [
      '/bookings/17/seats',
      '/bookings/18/seats?lang=de',
      '/bookings/x/seats',
      '/en/tickets/Ab-1',
      '/tickets',
      '/a.b/7',
      '/axb/7',
      '/me/view-order/12a',
    ]
    const own = ['/a.b', '/axb/7', '/bookings/seats', '/bookings/x/seats', '/en/tickets', '/me/view-order', '/tickets']
    await withService({ file }, async ({ hit, settled, api }) => {
      for (const path of paths) await hit({ page_url: `https://shop.example${path}` })
      await settled()
      const pages = (await api('/pages?from=2026-03-10&to=2026-03-10')).body.data.map(({ page }: any) => page)
      assert.is(pages.length, paths.length)
    })
    const { status, stdout } = await show(patterns)
    assert.is(status, 0)
    assert.equal(JSON.parse(stdout), [
      { pattern: '/a.b/{n}', pages: '1', become: '/a.b', such_as: '/a.b/7' },
      {
        pattern: '/bookings/{n}/seats',
        pages: '2',
        become: '/bookings/seats',
        such_as: '/bookings/17/seats, /bookings/18/seats',
      },
      { pattern: '…/tickets/{}', pages: '1', become: '/en/tickets', such_as: '/en/tickets/Ab-1' },
      { pattern: '…/view-order/{}', pages: '1', become: '/me/view-order', such_as: '/me/view-order/12a' },
    ])
    const without = await show()
    assert.equal([without.status, without.stdout], [0, '[]\n'])

    const service = await start(['--data', join(folder, 'own.db'), '--page-patterns', patterns])
    const log = join(folder, 'access.log')
    try {
      for (const path of paths)
        await fetch(`${service.url}/analytics/v1/hit`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'user-agent': firefox },
          body: JSON.stringify({ page_url: `https://shop.example${path}` }),
        })
    } finally {
      service.process.kill('SIGTERM')
      assert.is(await service.ended, 0)
    }
    const reported = footfall(['report', 'pages', '--json', '--data', join(folder, 'own.db')])
    const pagesOf = ({ stdout }: { stdout: string }) =>
      JSON.parse(stdout)
        .data.map(({ page }: any) => page)
        .sort()
    assert.equal(pagesOf(reported), own)

    const at = (path: string, index: number) =>
      `203.0.113.${index} - - [10/Mar/2026:09:00:00 +0000] "GET ${path} HTTP/1.1" 200 900 "-" "${firefox}"`
    writeFileSync(log, paths.map(at).join('\n'))
    const other = join(folder, 'imported.db')
    const imported = footfall(['import', log, '--format', 'access-log', '--page-patterns', patterns, '--data', other])
    assert.is(imported.status, 0, imported.stderr)
    assert.equal(
      pagesOf(footfall(['report', 'pages', '--json', '--data', other, '--from', '2026-03-10', '--to', '2026-03-10'])),
      own,
    )
  }))

for (const [line, fault] of [
  ['orders/{n}', /line 2: 'orders\/{n}' is not a path/],
  ['/orders', /line 2: '\/orders' leaves nothing out/],
  ['/orders/{n}x', /leaves nothing out/],
  ['/orders/{n}/{id}', /has a brace/],
  ['/orders/{n}?x=1', /is not a path/],
  ['/first/{n}', /is there already/],
] as const)
  test(`a wrong line is named: ${line}`, () =>
    withFolder(async folder => {
      const path = join(folder, 'patterns.txt')
      writeFileSync(path, `/first/{n}\n${line}\n`)
      const { status, stderr } = await footfallHere([
        'goal',
        'list',
        '--page-patterns',
        path,
        '--data',
        join(folder, 'x.db'),
      ])
      assert.is(status, 2)
      assert.match(stderr, fault)
    }))

test.run()
