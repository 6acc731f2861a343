// `footfall import` of orders: one per line or one list, with gzip or without; repeating an import changes nothing.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openDatabase, openReadOnly } from '../../src/database/open.ts'
import { footfallHere } from '../support/command.ts'
import { withFolder } from '../support/folder.ts'

import { withService } from '../support/service.ts'
import { late, order, sample, shopOf, simple, variable } from '../support/shop.ts'

const documents = [
  simple(),
  variable(),
  late(),
  order({ total: '1.50', note: 'brackets ]}[{ and a quote \\" in a text' }),
]

const run = (folder: string, content: string | Buffer, ...more: string[]) => {
  const file = join(folder, 'orders.json')
  writeFileSync(file, content)
  return footfallHere(['import', file, '--format', 'woocommerce-orders', '--data', join(folder, 'test.db'), ...more])
}

const forms: [name: string, content: string | Buffer][] = [
  ['one a line', documents.map(document => JSON.stringify(document)).join('\n')],
  [
    'one a line, with empty lines and a mark of byte order',
    `\uFEFF${documents.map(document => `${JSON.stringify(document)}\r\n\r\n`).join('')}`,
  ],
  ['a list on one line', JSON.stringify(documents)],
  ['a list over many lines', JSON.stringify(documents, null, 2)],
  ['objects over many lines', documents.map(document => JSON.stringify(document, null, 1)).join('\n')],
  ['a packed list', gzipSync(JSON.stringify(documents))],
]
for (const [name, content] of forms) {
  test(`orders are read as ${name}`, () =>
    withFolder(async folder => {
      const { status, stdout, stderr } = await run(folder, content)
      assert.equal([status, stderr], [0, ''])
      assert.match(stdout, /4 {2}orders\n\s+4 {2}stored/)
      assert.match((await run(folder, content)).stdout, /4 {2}orders\n\s+4 {2}unchanged/)
      const db = openReadOnly(join(folder, 'test.db'))
      assert.equal(
        db.prepare('select sum(total) from shop_order').pluck().get(),
        5190 + 13560 + 150 + Math.round(Number(late().total) * 100),
      )
      db.close()
    }))
}

test('an import has the same figures as the API', () =>
  withFolder(async folder => {
    await run(
      folder,
      JSON.stringify([...documents, { id: 5012 }]),
      '--timezone',
      'Europe/Paris',
      '--site-url',
      'https://shop.example.com',
    )
    const reports = ['summary', 'timeseries', 'by-channel', 'by-landing', 'by-utm', 'products', 'refunds', 'coupons']
    const answers = async (file?: string): Promise<unknown[]> => {
      const found: unknown[] = []
      await withService(
        {
          start: '2026-04-10T12:00:00Z',
          flags: { timezone: 'Europe/Paris', siteUrl: 'https://shop.example.com' },
          ...(file !== undefined && { file }),
        },
        async running => {
          const shop = shopOf(running)
          if (file === undefined) await shop.push(...documents, { id: 5012 })
          for (const name of reports) found.push(await shop.report(name))
        },
      )
      return found
    }
    assert.equal(await answers(join(folder, 'test.db')), await answers())
  }))

test('rebuild recalculates revenue with the statuses of the file', () =>
  withFolder(async folder => {
    const file = join(folder, 'test.db')
    await run(
      folder,
      JSON.stringify([...documents, order({ status: 'shipped', total: '7.00' })]),
      '--order-statuses',
      'shipped,processing',
    )
    const { db } = openDatabase(file)
    const dump = (): unknown[] =>
      db.prepare('select * from revenue_period order by kind, currency, period, key, part').all()
    const before = dump()
    db.exec(
      'update revenue_period set net = net + 1, orders = 9 where true; delete from revenue_period where period % 2 = 1',
    )
    const { status, stdout } = await footfallHere(['rebuild', '--data', file])
    assert.is(status, 0)
    assert.match(stdout, /Recalculated the revenue of 5 orders/)
    assert.equal(dump(), before)
    db.close()
  }))

test('invalid lines are reported, and the others are stored', () =>
  withFolder(async folder => {
    const { status, stdout, stderr } = await run(
      folder,
      ['{broken', JSON.stringify(simple()), '7', JSON.stringify({ ...simple(), id: 8, total: 'ada@example.org' })].join(
        '\n',
      ),
    )
    assert.is(status, 1)
    assert.match(
      stderr,
      /Order 1: This is not a WooCommerce order\.\nOrder 3: This is not a WooCommerce order\.\nOrder 4: total is missing or cannot be used\./,
    )
    assert.not.match(stderr, /ada@/)
    assert.match(stdout, /4 {2}orders\n\s+1 {2}stored\n\s+3 {2}invalid/)
  }))

test('a truncated list is reported after its complete orders were stored', () =>
  withFolder(async folder => {
    const { status, stderr } = await run(folder, JSON.stringify(documents).slice(0, -200))
    assert.is(status, 1)
    assert.match(stderr, /ends too early, after 3 whole orders/)
    const db = openReadOnly(join(folder, 'test.db'))
    assert.is(db.prepare('select count(*) from shop_order').pluck().get(), 3)
    db.close()
  }))

test('an order larger than one chunk is read', () =>
  withFolder(async folder => {
    const large = { ...simple(), note: 'x'.repeat(700_000) }
    assert.match((await run(folder, JSON.stringify([large, { ...large, id: 2 }]))).stdout, /2 {2}stored/)
  }))

/** Short numbers occur in any file by chance: a postcode may equal an amount. */
const anywhere = /^\d{1,6}$/

const personal = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) => {
    const own =
      ['billing', 'shipping'].includes(key) && typeof member === 'object' && member !== null
        ? Object.values(member)
        : []
    const one = [
      'customer_ip_address',
      'customer_user_agent',
      'order_key',
      'transaction_id',
      'customer_note',
      'payment_url',
      'cart_hash',
    ].includes(key)
      ? [member]
      : []
    return [...own, ...one, ...personal(member)].filter(
      (text): text is string => typeof text === 'string' && text.length > 3 && !anywhere.test(text),
    )
  })
}

test('no customer data is in the file or the log', () =>
  withFolder(async folder => {
    const { readdirSync, readFileSync } = await import('node:fs')
    const file = join(folder, 'test.db')
    const webhookSecret = sample<{ secret: string }[]>('webhook-deliveries')[0]?.secret ?? ''
    const odd = order({
      customer_note: 'Ring twice, Mrs Moreau',
      total: 'Ada Moreau',
      billing: { email: 'ada.moreau@example.org' },
    })
    const coupon = order({
      coupon_lines: [{ code: 'for-ada.moreau@example.org', discount: '1' }],
      customer_note: 'Ring twice, Mrs Moreau',
    })
    const needles = [...new Set([...documents, odd, coupon].flatMap(personal))]
    assert.ok(needles.length > 20)
    let logged = ''
    await withService({ file, webhookSecret }, async running => {
      await shopOf(running).push(...documents, odd, coupon)
      for (const { raw_body, headers } of sample<{ raw_body: string; headers: Record<string, string> }[]>(
        'webhook-deliveries',
      )) {
        await running.api('/woocommerce/webhook', { method: 'POST', as: 'nobody', body: raw_body, headers })
      }
      const bytes = readdirSync(folder).map(name => readFileSync(join(folder, name)))
      assert.equal(
        needles.filter(text => bytes.some(one => one.includes(text))),
        [],
      )
      logged = running.logs.join('')
    })
    const bytes = readdirSync(folder).map(name => readFileSync(join(folder, name)))
    const secrets = [...needles, webhookSecret, 'refunded_by', 'KHTML']
    assert.equal(
      secrets.filter((text: string) => logged.includes(text) || bytes.some(one => one.includes(text))),
      [],
    )
  }))

test.run()
