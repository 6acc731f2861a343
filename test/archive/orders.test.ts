// Orders in archives: any shop comes back as it was, in any order of archives, and by the rules of every other order.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { archiveText } from '../../src/archive/day.ts'
import { headerOf } from '../../src/archive/header.ts'
import { openDatabase } from '../../src/database/open.ts'
import type { Db } from '../../src/database/query.ts'
import { importArchive } from '../../src/import/archive/import.ts'
import { createZone } from '../../src/lib/time.ts'
import { daysWithData } from '../../src/rollup/whole.ts'
import { saveZone } from '../../src/rollup/zone.ts'
import { ordersByDay } from '../../src/shop/orders-by-day.ts'
import { createShopStore } from '../../src/shop/store.ts'
import { createPipeline } from '../model/pipeline.ts'
import { rows } from '../support/archive-traffic.ts'
import { footfallHere } from '../support/command.ts'
import { withFolder } from '../support/folder.ts'

import { checkAsync } from '../support/property.ts'
import { firefox, withService } from '../support/service.ts'
import { type Document, line, meta, order, sendEvent, shopOf } from '../support/shop.ts'
import { arrivals, lives } from '../support/shop-model.ts'

const paidStatuses = ['processing', 'completed', 'refunded']
const zone = createZone('Europe/Berlin')
const now = Date.parse('2026-06-01T00:00:00Z') / 1000
/** More of them with RUNS=10. */
const scale = Number(process.env.RUNS || 1)

const storeOf = (db: Db, statuses = paidStatuses) =>
  createShopStore({ db, zone, paidStatuses: statuses, siteHosts: [], keepQuery: [] })

const textOf = (db: Db): string => {
  db.exec('begin')
  const orders = ordersByDay(db, zone, 0, 99991231)
  const days = [...new Set([...daysWithData(db, 0, 99991231), ...orders.days])].sort()
  const text = [
    ...archiveText(
      db,
      zone,
      days,
      headerOf(db, zone, days, now),
      { sessions: 0, views: 0, events: 0 },
      { others: [orders] },
    ),
  ].join('')
  db.exec('commit')
  return text
}

const orderLines = (text: string): string[] => text.split('\n').filter(one => one.startsWith('{"type":"order"'))

async function* linesOf(text: string): AsyncGenerator<string> {
  yield* text.trimEnd().split('\n')
}

const bring = (db: Db, text: string, replace = false) =>
  importArchive(linesOf(text), {
    db,
    timezone: null,
    paidStatuses,
    now,
    replace,
    report: () => {},
    progress: () => {},
    stopped: () => false,
  })

/** All that reports of revenue read, with texts for the file's own numbers. */
const revenueOf = (db: Db): unknown[] =>
  db
    .prepare(`
  select r.kind, r.currency, r.period,
    case r.kind when 'channel' then (select text from label where id = r.key)
      when 'coupon' then (select text from label where id = r.key)
      when 'landing' then (select path from page where id = r.key)
      when 'utm' then (select json_array(source, medium, campaign, term, content) from campaign where id = r.key)
      else r.key end as name,
    r.part, r.orders, r.gross, r.tax, r.shipping, r.net, r.refunded, r.discount, r.units, r.refunded_units
  from revenue_period r
  order by 1, 2, 3, 4, 5`)
    .raw()
    .all()
const namesOf = (db: Db): unknown[] => db.prepare('select * from shop_product order by 1, 2').raw().all()
const stateOf = (db: Db): unknown[] => [orderLines(textOf(db)), revenueOf(db), namesOf(db)]

let files = 0
const withFile = async (folder: string, work: (db: Db) => Promise<void>): Promise<void> => {
  const { db } = openDatabase(join(folder, `${(files += 1)}.db`))
  db.pragma('synchronous = off')
  try {
    await work(db)
  } finally {
    db.close()
  }
}

/** What happens to a shop besides documents: orders end, and visitors buy. */
type Step =
  | { do: 'document'; document: Document }
  | { do: 'end'; id: number }
  | { do: 'purchase'; id: number; visitor: number }

const shops = lives.chain(found =>
  arrivals(found).chain(documents => {
    const id = fc.integer({ min: 1, max: found.length + 1 })
    const other = fc.oneof(
      fc.record({ do: fc.constant('end' as const), id }),
      fc.record({ do: fc.constant('purchase' as const), id, visitor: fc.nat(3) }),
    )
    return fc
      .tuple(fc.array(other, { maxLength: 5 }), fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })))
      .map(([others, keys]) =>
        [
          ...documents.map(
            (document): Step => ({
              do: 'document',
              // Most orders are created while the visitors buy, so that their claims count.
              document:
                Number(document.id) % 4 === 0 ? document : { ...document, date_created_gmt: '2026-03-28T22:00:00' },
            }),
          ),
          ...others,
        ]
          .map(step => ({ step, key: keys.next().value }))
          .sort((a, b) => a.key - b.key)
          .map(({ step }) => step),
      )
  }),
)

/** Plays the steps into a file; returns its archives after some of them and in the end. */
const play = async (
  folder: string,
  steps: readonly Step[],
  cut: number,
): Promise<{ early: string; late: string; state: unknown[] }> => {
  const pipeline = createPipeline({ folder, zone: zone.name, start: Date.parse('2026-03-28T20:00:00Z') / 1000 })
  saveZone(pipeline.db, zone.name)
  const store = storeOf(pipeline.db)
  store.adopt()
  const archive = (): string => {
    pipeline.settle()
    while (store.attribute() > 0) {
      /* As the service does. */
    }
    return textOf(pipeline.db)
  }
  let early = ''
  for (const [index, step] of steps.entries()) {
    pipeline.clock.now += 3000
    if (step.do === 'document') store.upsert(step.document)
    else if (step.do === 'end') store.remove(step.id)
    else {
      const common = { address: `203.0.${step.visitor}.1`, userAgent: firefox }
      const way = ['?utm_source=news&utm_medium=email', '?utm_source=News', '', ''][step.visitor] ?? ''
      void pipeline.send({
        ...common,
        kind: 'hit',
        body: { page_url: `/in-${step.visitor}${way}`, pvid: `view-of-step-${index}-of-them` },
      })
      if (step.visitor % 2 === 1) void pipeline.send({ ...common, kind: 'event', body: { name: 'checkout_start' } })
      void pipeline.send({
        ...common,
        kind: 'event',
        body: { name: 'purchase', order_id: String(step.id), event_id: `event-of-step-${index}-of-them` },
      })
    }
    pipeline.flush()
    if (index === cut) early = archive()
  }
  const late = archive()
  const state = stateOf(pipeline.db)
  pipeline.close()
  return { early: early || late, late, state }
}

test('any shop comes back as it was, and a second time changes nothing', () =>
  checkAsync(
    fc.asyncProperty(shops, steps =>
      withFolder(async folder => {
        const { late, state } = await play(folder, steps, -1)
        await withFile(folder, async db => {
          const { refused, damaged } = await bring(db, late)
          assert.equal([refused, damaged], [[], false])
          assert.equal(stateOf(db), state)
          assert.is((await bring(db, late)).orders, 0)
          assert.equal(stateOf(db), state)
          // And once more, from the copy; derived anew, the rollups are the same.
          await withFile(folder, async third => {
            await bring(third, textOf(db))
            assert.equal(stateOf(third), state)
            storeOf(third).adopt(true)
            assert.equal(stateOf(third), state)
          })
        })
      }),
    ),
    { numRuns: 6 * scale },
  ))

test('archives of two moments lead to the newest state in either order, whatever is there already', () =>
  checkAsync(
    fc.asyncProperty(shops, fc.nat(8), fc.boolean(), fc.nat(3), (steps, cut, isLateFirst, known) =>
      withFolder(async folder => {
        const { early, late, state } = await play(folder, steps, Math.min(cut, steps.length - 1))
        await withFile(folder, async db => {
          await bring(
            db,
            '{"footfall_archive":2,"timezone":"Europe/Berlin","installation":"00000000000000000000000000000000","origins":{},"from":null,"to":null,"exported_at":"2026-06-01T00:00:00Z"}',
          )
          // The shop sent this file some of it as well, before the archives come: documents that the other one has,
          // too.
          const told = steps.filter(step => step.do === 'document').slice(0, known)
          storeOf(db).upsertAll(told.map(({ document }) => document))
          for (const text of isLateFirst ? [late, early, late] : [early, late, early]) await bring(db, text, true)
          const [lines, revenue, names] = stateOf(db)
          // Deleted before anything was known: such a mark is in no archive, and the document of the other door stays.
          if (steps.some(step => step.do === 'end')) return
          assert.equal([lines, revenue, names], state)
        })
      }),
    ),
    { numRuns: 6 * scale },
  ))

const kept = (folder: string, name: string): string => join(folder, name)
const exportTo = (data: string, path: string, ...more: string[]) =>
  footfallHere(['export', path, '--format', 'archive', '--data', data, ...more])
const bringBack = (data: string, path: string, ...more: string[]) =>
  footfallHere(['import', path, '--format', 'archive', '--data', data, ...more])
const readLines = (path: string): string[] => readFileSync(path, 'utf8').trimEnd().split('\n')

const dayOf = (one: string): string => /"day":"[^"]+"/.exec(one)?.[0] ?? ''

/** A day's closing lines count and hash what comes before them; without the hash the count is enough. */
const rewrite = (path: string, to: string, change: (line: string) => string | null): void => {
  writeFileSync(
    to,
    `${readLines(path)
      .map(change)
      .filter(one => one !== null)
      .map(one => one.replace(/,"sha256":"[0-9a-f]+"/, ''))
      .join('\n')}\n`,
  )
}

/** Every report as CSV, by its file. */
const tablesOf = async (data: string): Promise<Record<string, string>> => {
  const to = `${data}-tables`
  const { status, stderr } = await footfallHere(['export', to, '--format', 'csv', '--report', 'all', '--data', data])
  assert.is(`${stderr}${status}`, '0')
  return Object.fromEntries(readdirSync(to).map(name => [name, readFileSync(join(to, name), 'utf8')]))
}

/** Two days of visits, and orders on these and another one. */
const fill = (file: string): Promise<void> =>
  withService(
    { file, start: '2026-03-10T10:00:00Z', flags: { timezone: 'Europe/Berlin', siteUrl: 'https://shop.example' } },
    async running => {
      const { push } = shopOf(running)
      await running.hit({ page_url: '/tea?utm_source=news&utm_medium=email&utm_campaign=spring', title: 'Tea' })
      await sendEvent(running, { name: 'purchase', order_id: '7' })
      running.clock.now += 86_400_000
      await running.hit({ page_url: '/', title: 'Home' }, { 'x-forwarded-for': '203.0.9.7' })
      assert.equal(
        new Set(
          await push(
            order({ id: 7, coupon_lines: [{ code: 'Spring', discount: '1.00' }] }),
            order({
              id: 8,
              status: 'refunded',
              refunds: [{ id: 80, amount: '12.00', reason: 'ada@example.org asked' }],
              meta_data: meta({
                source_type: 'utm',
                utm_source: 'ads',
                utm_medium: 'cpc',
                session_entry: 'https://shop.example/tea',
              }),
            }),
            order({
              id: 9,
              currency: 'JPY',
              total: '1200',
              date_paid_gmt: '2026-03-11T10:00:00',
              line_items: [
                line({ product_id: 5, variation_id: 55, name: 'Pot - red', parent_name: 'Pot', total: '1000' }),
              ],
            }),
            order({
              id: 10,
              date_paid_gmt: '2026-02-28T23:30:00',
              refunds: [
                {
                  id: 100,
                  amount: '3.00',
                  date_created_gmt: '2026-03-11T09:00:00',
                  line_items: [line({ quantity: -1, total: '-2.50', total_tax: '-0.50' })],
                },
              ],
            }),
            order({ id: 11, status: 'on-hold', date_paid_gmt: null }),
            order({ id: 12 }),
          ),
        ),
        new Set(['stored']),
      )
      await push({ id: 12 })
      await running.settled()
      await running.settled()
    },
  )

test('a new file made of an archive answers every report of revenue as the old one', () =>
  withFolder(async folder => {
    const [file, archive, copy, again] = ['a.db', 'a.ndjson', 'b.db', 'b.ndjson'].map(name => kept(folder, name)) as [
      string,
      string,
      string,
      string,
    ]
    await fill(file)
    assert.is((await exportTo(file, archive)).status, 0)
    const text = readFileSync(archive, 'utf8')
    const found = orderLines(text).map(one => JSON.parse(one))
    assert.equal(
      found.map(({ id, day, deleted }) => [id, day, deleted]),
      [
        [10, '2026-03-01', false],
        [7, '2026-03-10', false],
        [8, '2026-03-10', false],
        [11, '2026-03-10', false],
        [12, '2026-03-10', true],
        [9, '2026-03-11', false],
      ],
    )
    assert.equal(
      [found[1].attributed_by, found[1].channel, found[1].utm_campaign, found[1].landing_page],
      ['session', 'Email', 'spring', '/tea'],
    )
    assert.equal(
      found[5].names.map(({ name }: { name: string }) => name),
      ['Pot', 'Pot - red'],
    )
    for (const secret of ['Ada', 'example.org', '203.0.', 'Gecko']) assert.not(text.includes(secret), secret)

    const { status, stdout, stderr } = await bringBack(copy, archive)
    assert.is(`${stderr}${status}`, '0')
    assert.match(stdout, '6  orders')
    assert.is((await exportTo(copy, again)).status, 0)
    assert.equal(orderLines(readFileSync(again, 'utf8')), orderLines(text))
    const before = await tablesOf(file)
    assert.match(before['revenue-summary.csv'] ?? '', /\d/)
    assert.equal(await tablesOf(copy), before)

    // Days that have their single visits already are left as they are, and orders are the newest of both sides.
    await withService(
      { file: copy, start: '2026-03-12T10:00:00Z', flags: { timezone: 'Europe/Berlin' } },
      async running => {
        assert.equal(
          await shopOf(running).push(order({ id: 7, total: '99.00', date_modified_gmt: '2026-03-12T08:00:00' }), {
            id: 9,
          }),
          ['stored', 'stored'],
        )
      },
    )
    const second = await bringBack(copy, archive)
    assert.is(second.status, 1)
    assert.match(second.stdout, '2  days already present: 2026-03-10 to 2026-03-11')
    assert.not.match(second.stdout, 'orders')
    assert.equal(await rows(copy, 'select id, total, deleted from shop_order where id in (7, 9) order by id'), [
      [7, 9900, 0],
      [9, 1200, 1],
    ])
    assert.is((await bringBack(file, kept(folder, 'b.ndjson'), '--replace')).status, 0)
    assert.equal(await tablesOf(file), before)
  }))

test('a day of orders alone leaves the visits of that day alone, and a file of orders alone has its days', () =>
  withFolder(async folder => {
    const [file, archive, shop, orders] = ['a.db', 'a.ndjson', 'b.db', 'b.ndjson'].map(name => kept(folder, name)) as [
      string,
      string,
      string,
      string,
    ]
    await fill(file)
    await exportTo(file, archive)
    rewrite(archive, orders, one =>
      one.includes('"archive_day"')
        ? one.replace(
            /"lines":\d+/,
            `"lines":${orderLines(readFileSync(archive, 'utf8')).filter(other => other.includes(dayOf(one))).length}`,
          )
        : /^{"type":"(session|view|event|ledger|rollup)"/.test(one)
          ? null
          : one,
    )
    const first = await bringBack(shop, orders)
    assert.is(`${first.stderr}${first.status}`, '0')
    assert.equal(await rows(shop, 'select count(*) from shop_order'), [[6]])
    assert.equal(await rows(shop, 'select count(*) from site_day'), [[0]])
    const of = async (data: string): Promise<string | undefined> => (await tablesOf(data))['revenue-products.csv']
    assert.equal(await of(shop), await of(file))
    // Into the file with the visits: also with --replace there is nothing to put in their place.
    const views = await rows(file, 'select * from view')
    for (const more of [[], ['--replace']]) assert.is((await bringBack(file, orders, ...more)).status, 0)
    assert.equal(await rows(file, 'select * from view'), views)

    // The visits come after the orders: the purchase finds its session.
    rewrite(orders, archive.replace('a.nd', 'c.nd'), one =>
      one.replace(
        /"channel":"Email","source":"[^"]*","domain":[^,]*,"attributed_by":"session","utm_source":"news","utm_medium":"email","utm_campaign":"spring"(.*?)"landing_page":"[^"]*"/,
        '"channel":"Direct","source":"Direct","domain":null,"attributed_by":"nothing","utm_source":null,"utm_medium":null,"utm_campaign":null$1"landing_page":null',
      ),
    )
    const late = kept(folder, 'late.db')
    assert.is((await bringBack(late, kept(folder, 'c.ndjson'))).status, 0)
    assert.equal(
      await rows(
        late,
        'select channel, attributed_by from shop_order o join origin g on g.id = o.origin_id where o.id = 7',
      ),
      [['Direct', 'nothing']],
    )
    rewrite(archive, kept(folder, 'd.ndjson'), one =>
      one.startsWith('{"type":"order"')
        ? null
        : one.includes('"archive_day"')
          ? one.replace(
              /"lines":(\d+)/,
              (_, lines) =>
                `"lines":${Number(lines) - orderLines(readFileSync(archive, 'utf8')).filter(other => other.includes(dayOf(one))).length}`,
            )
          : one,
    )
    // An archive of before there were orders in it.
    const old = await bringBack(late, kept(folder, 'd.ndjson'))
    assert.is(`${old.stderr}${old.status}`, '0')
    assert.equal(
      await rows(
        late,
        'select channel, attributed_by from shop_order o join origin g on g.id = o.origin_id where o.id = 7',
      ),
      [['Email', 'session']],
    )
    assert.equal(await tablesOf(late), await tablesOf(file))
  }))

const harms: readonly (readonly [string, (line: string) => string])[] = [
  ['no currency', one => one.replace('"currency":"EUR"', '"currency":"€"')],
  ['no moment', one => one.replace(/"created_at":"[^"]*"/, '"created_at":"2026-13-41T00:00:00Z"')],
  ['half an amount', one => one.replace(/"total":\d+/, '"total":0.5')],
  ['another day', one => one.replace(/"paid_at":"2026-03-10/, '"paid_at":"2026-03-12')],
  [
    'an amount beyond all numbers',
    one =>
      one
        .replace('"tax":200', '"tax":9007199254740991')
        .replace('"amount":1200', '"amount":9007199254740991')
        .replace('"total":1200', '"total":1'),
  ],
  ['more than is asked for', one => one.replace('"id":8', '"id":8,"email":"ada@example.org"')],
]

test('a line that cannot be an order refuses its day by number, and the other days come in', () =>
  withFolder(async folder => {
    const [file, archive] = ['a.db', 'a.ndjson'].map(name => kept(folder, name)) as [string, string]
    await fill(file)
    await exportTo(file, archive)
    for (const [index, [name, harm]] of harms.entries()) {
      const harmed = kept(folder, `harmed-${index}.ndjson`)
      rewrite(archive, harmed, one => (one.startsWith('{"type":"order"') && one.includes('"id":8,') ? harm(one) : one))
      const copy = kept(folder, `harmed-${index}.db`)
      const { status, stderr, stdout } = await bringBack(copy, harmed)
      assert.is(status, 1, name)
      assert.match(stderr, /2026-03-10 was not imported: .*line \d+/, name)
      assert.not.match(stderr + stdout, /This is a bug|RangeError|TypeError/, name)
      assert.equal(await rows(copy, 'select id from shop_order order by id'), [[9], [10]], name)
      assert.equal(await rows(copy, 'select day from site_day'), [[20260311]], name)
      assert.equal(await rows(copy, "select sum(orders) from revenue_period where kind = 'stored'"), [[2]], name)
      // The whole one brings the rest, and nothing twice.
      assert.is((await bringBack(copy, archive)).status, 1, name)
      assert.equal(await tablesOf(copy), await tablesOf(file), name)
    }
  }))

test('statuses that count are those of the file, not of the archive', () =>
  withFolder(async folder => {
    const [file, archive, copy] = ['a.db', 'a.ndjson', 'b.db'].map(name => kept(folder, name)) as [
      string,
      string,
      string,
    ]
    await fill(file)
    await exportTo(file, archive)
    const counted = (path: string): Promise<unknown[]> =>
      rows(path, "select sum(orders) from revenue_period where kind = 'currency'")
    assert.equal(await counted(file), [[4]])
    writeFileSync(kept(folder, 'none.json'), '[]')
    assert.is(
      (
        await footfallHere([
          'import',
          kept(folder, 'none.json'),
          '--format',
          'woocommerce-orders',
          '--order-statuses',
          'on-hold',
          '--timezone',
          'Europe/Berlin',
          '--data',
          copy,
        ])
      ).status,
      0,
    )
    assert.is((await bringBack(copy, archive)).status, 0)
    assert.equal(await counted(copy), [[1]])
    // A new one takes those that are named.
    const other = kept(folder, 'c.db')
    assert.is((await bringBack(other, archive, '--order-statuses', 'on-hold,completed')).status, 0)
    assert.equal(await counted(other), [[4]])
    assert.equal(await rows(other, "select value from installation where name = 'revenue_basis'"), [
      ['["Europe/Berlin",["completed","on-hold"]]'],
    ])
  }))

test('the currency that the shop reported goes along; orders of a real shop never mix with made-up ones', () =>
  withFolder(async folder => {
    const [file, archive, copy, demo] = ['a.db', 'a.ndjson', 'b.db', 'demo.db'].map(name => kept(folder, name)) as [
      string,
      string,
      string,
      string,
    ]
    await fill(file)
    await rows(file, 'select 1')
    const { db } = openDatabase(file)
    db.exec("insert into shop_info (id, currency) values (1, 'JPY')")
    db.close()
    await exportTo(file, archive)
    assert.is((await bringBack(copy, archive)).status, 0)
    assert.match((await tablesOf(copy))['revenue-summary.csv'] ?? '', '1200')
    assert.equal(await tablesOf(copy), await tablesOf(file))

    // A file with nothing but orders is one of real figures.
    writeFileSync(kept(folder, 'orders.json'), JSON.stringify([order()]))
    const shop = kept(folder, 'shop.db')
    assert.is(
      (await footfallHere(['import', kept(folder, 'orders.json'), '--format', 'woocommerce-orders', '--data', shop]))
        .status,
      0,
    )
    assert.is((await footfallHere(['demo', '--data', demo, '--visits', '1000', '--to', '2026-03-31'])).status, 0)
    await exportTo(demo, kept(folder, 'demo.ndjson'))
    const { status, stderr } = await bringBack(shop, kept(folder, 'demo.ndjson'))
    assert.is(status, 1)
    assert.match(stderr, 'The archive holds demo data, and the database real figures.')
  }))

test.run()
