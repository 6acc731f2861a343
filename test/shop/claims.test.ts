// Which visit an order is attributed to when several claim it, or strangers guess its number.
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openDatabase } from '../../src/database/open.ts'
import { runErasure } from '../../src/erasure/run.ts'
import { createZone } from '../../src/lib/time.ts'
import { createShopStore } from '../../src/shop/store.ts'
import { createPipeline } from '../model/pipeline.ts'
import { withFolder } from '../support/folder.ts'
import { checkAsync } from '../support/property.ts'
import { firefox, type Running, withService } from '../support/service.ts'
import { type Document, meta, order, sendEvent, shopOf } from '../support/shop.ts'

const start = Date.parse('2026-03-10T10:00:00Z')
const scale = Number(process.env.RUNS || 1)

/** A time of the shop, some seconds after the start. */
const gmt = (seconds: number): string => new Date(start + seconds * 1000).toISOString().slice(0, 19)

const created = (id: number, at: number, paid: number | null = at): Document =>
  order({ id, date_created_gmt: gmt(at), date_paid_gmt: paid === null ? null : gmt(paid) })

const claimTest = (name: string, work: (running: Running) => Promise<void>): void => {
  test(name, () => withService({ start: '2026-03-10T10:00:00Z' }, work))
}

/** An address in a network of its own: visitors are distinguished by that. */
const addressOf = (name: string): string =>
  `203.0.${[...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 250}.7`

/** A visit of a client at a time: an entry whose UTM source names it, and its events. */
const visit = async (running: Running, name: string, at: number, ...events: Document[]): Promise<void> => {
  const address = addressOf(name)
  running.clock.now = start + at * 1000
  await running.hit({ page_url: `/?utm_source=${name}&utm_medium=email` }, { 'x-forwarded-for': address })
  for (const event of events) await sendEvent(running, event, address)
}

const buys = (id: number | string): Document => ({ name: 'purchase', order_id: id })
const hour = 3600
const checkout: Document = { name: 'checkout_start' }

/** The UTM sources that orders are attributed to, with their numbers of orders. */
const sources = async (running: Running): Promise<Record<string, number>> =>
  Object.fromEntries(
    (await shopOf(running).report('by-utm')).map(({ utm_source, orders }: Document) => [utm_source, orders]),
  )

const count = (file: string, sql: string): number => {
  const { db } = openDatabase(file)
  const found = db.prepare(sql).pluck().get()
  db.close()
  return Number(found)
}

claimTest('a claim counts from 24 hours before to 2 hours after the creation of its order', async running => {
  await visit(running, 'guess', 0, ...[1, 2, 3, 4].map(buys))
  const push = (id: number, at: number): Promise<string[]> => shopOf(running).push(created(id, at))
  await push(1, 24 * 3600 + 1)
  await push(2, -2 * 3600 - 1)
  assert.equal(await sources(running), {})
  await push(3, 24 * 3600)
  assert.equal(await sources(running), { guess: 1 })
  await push(4, -2 * 3600)
  assert.equal(await sources(running), { guess: 2 })
})

claimTest('an order whose date changes leaves the claims that no longer count', async running => {
  await visit(running, 'guess', 0, buys(1))
  await shopOf(running).push(created(1, 60))
  assert.equal(await sources(running), { guess: 1 })
  await shopOf(running).push({ ...created(1, 3 * 86_400), date_modified_gmt: '2026-03-14T00:00:00' })
  assert.equal(await sources(running), {})
})

for (const name of ['checkout_start', 'wc_checkout_start'])
  claimTest(`the visit that went through ${name} has the order, however many guess its number`, async running => {
    await visit(running, 'early', 0, buys(1))
    await visit(running, 'buyer', 100, { name }, { name: 'wc_purchase', order_id: '1' })
    await visit(running, 'guess', 109, buys(1))
    await visit(running, 'late', 110, buys(1), checkout)
    await shopOf(running).push(created(1, 110))
    assert.equal(await sources(running), { buyer: 1 })
    await visit(running, 'later', 111, buys(1))
    assert.equal(await sources(running), { buyer: 1 })
  })

claimTest('a claim that comes first gives way to the one that went through checkout', async running => {
  await shopOf(running).push(created(1, 5))
  await visit(running, 'early', 0, buys(1))
  assert.equal(await sources(running), { early: 1 })
  await visit(running, 'buyer', 100, checkout, buys(1))
  assert.equal(await sources(running), { buyer: 1 })
})

claimTest('the event of the checkout may arrive after that of the purchase', async running => {
  await shopOf(running).push(created(1, 5))
  await visit(running, 'early', 0, buys(1))
  await visit(running, 'buyer', 100)
  running.clock.now += 60_000
  await sendEvent(running, buys(1), addressOf('buyer'))
  assert.equal(await sources(running), { early: 1 })
  await sendEvent(running, { ...checkout, age: 30 }, addressOf('buyer'))
  assert.equal(await sources(running), { buyer: 1 })
})

for (const [what, before] of [
  ['else', []],
  ['of several visits through checkout', [checkout]],
] as const)
  claimTest(`${what} the latest claim until the payment has it, else the first one after it`, async running => {
    for (const [name, at] of [
      ['a', 0],
      ['b', 100],
      ['c', 200],
      ['d', 300],
    ] as const)
      await visit(running, name, at, ...before, ...[1, 2, 3, 4, 5].map(buys))
    const { push } = shopOf(running)
    await push(created(1, 150))
    assert.equal(await sources(running), { b: 1 })
    await push(created(2, 0, 200))
    assert.equal(await sources(running), { b: 1, c: 1 })
    await push(created(3, 299, null))
    assert.equal(await sources(running), { b: 1, c: 2 })
    await push(created(4, 1, 5000))
    assert.equal(await sources(running), { b: 1, c: 2, d: 1 })
    await push(created(5, -10))
    assert.equal(await sources(running), { a: 1, b: 1, c: 2, d: 1 })
  })

claimTest('a session claims at most twenty orders, and one without a session none', async running => {
  await visit(running, 'guess', 0, ...Array.from({ length: 22 }, (_, index) => buys(1 + Math.min(index, 20))), buys(2))
  await visit(running, 'guess', 5 * 3600, buys(90))
  const { push } = shopOf(running)
  await push(...Array.from({ length: 21 }, (_, index) => created(1 + index, 10)))
  assert.equal(await sources(running), { guess: 20 })
  // The twenty-second and the last are orders that the visit has already bought.
  assert.is(count(running.file, 'select count(*) from event'), 22)
  assert.is(count(running.file, 'select count(*) from event where claim is not null'), 21)
  running.clock.now += 3600_000
  await sendEvent(running, buys(91))
  await push(created(91, 6 * 3600))
  assert.equal(await sources(running), { guess: 20 })
})

claimTest('claims are deleted with the single visits, and what they have said stays', async running => {
  // Shortly before and after midnight.
  await visit(running, 'buyer', 13.9 * hour, checkout, buys(1), buys(2))
  await visit(running, 'late', 15 * hour, checkout, buys(1))
  await shopOf(running).push(created(1, 14.5 * hour))
  const post = async (path: string, method: string, body: Document): Promise<void> => {
    const headers = { 'content-type': 'application/json' }
    assert.is((await running.api(path, { method, body: JSON.stringify(body), headers })).status, 200)
  }
  await post('/settings', 'PUT', { retention_days: 30 })
  running.clock.now = Date.parse('2026-04-10T03:00:00Z')
  await running.settled()
  await post('/cron/run', 'POST', { jobs: ['retention'] })
  assert.is(count(running.file, 'select count(*) from event where claim is not null or order_id is not null'), 2)
  await shopOf(running).push(
    { ...created(1, 14.5 * hour), date_modified_gmt: '2026-04-10T00:00:00' },
    created(2, 14.5 * hour),
  )
  assert.equal(await sources(running), { buyer: 1 })
})

claimTest('a claim whose visit is erased claims nothing', async running => {
  await visit(running, 'buyer', 100, checkout, { ...buys(1), page_url: '/thanks' })
  await visit(running, 'late', 200, buys(1))
  await running.restart(() => {
    const { db } = openDatabase(running.file)
    runErasure(db, createZone('UTC'), { target: 'page', value: '/', keepQuery: [], dryRun: false }, start / 1000)
    db.close()
  })
  await visit(running, 'other', 300, buys(1))
  await shopOf(running).push(created(1, 110))
  assert.equal(await sources(running), { other: 1 })
  assert.is(count(running.file, 'select count(*) from event where claim is not null'), 1)
})

/** Visits with their events in seconds after the start, and two states of each order, the second one newer. */
type State = { at: number; paid: number | null; isRecorded: boolean }
type Case = {
  steps: ({ visit: number; at: number; order: number | null } | { id: number; state: State; isNewer: boolean })[]
  first: number[]
  second: number[]
}

const visits = 4
/** All events are within 29 minutes of the entry of their visit. */
const [entry, latest] = [1700, 3400]

const states = (): fc.Arbitrary<State> => {
  const within = fc.integer({ min: 0, max: latest })
  return fc.record({
    at: fc.oneof(
      within,
      within.map(at => at + 24 * hour),
      within.map(at => at - 2 * hour),
    ),
    paid: fc.option(within),
    isRecorded: fc.boolean(),
  })
}

const cases: fc.Arbitrary<Case> = fc
  .record({
    times: fc.uniqueArray(fc.integer({ min: 0, max: latest }), { minLength: 1, maxLength: 14 }),
    kinds: fc.infiniteStream(fc.record({ visit: fc.nat(visits - 1), order: fc.option(fc.constantFrom(1, 2)) })),
    orders: fc.tuple(states(), states(), states(), states()),
  })
  .chain(({ times, kinds, orders }) => {
    const drawn = times.map(at => ({ at, ...kinds.next().value }))
    // A visit buys an order once: of a second report only the first to arrive is kept.
    const events = drawn.filter(
      ({ visit, order }, index) =>
        order === null || index === drawn.findIndex(other => other.visit === visit && other.order === order),
    )
    const documents = orders.map((state, index) => ({
      id: 1 + (index >> 1),
      state: { ...state, isRecorded: state.isRecorded && index % 2 === 0 },
      isNewer: index % 2 === 1,
    }))
    const steps = [...events, ...documents]
    const indices = steps.map((_, index) => index)
    const shuffled = fc.shuffledSubarray(indices, { minLength: indices.length })
    return fc.record({ steps: fc.constant(steps), first: shuffled, second: shuffled })
  })

/** Collection and the shop's orders over one file, without the jobs that run beside them. */
const openShop = (folder: string) => {
  const pipeline = createPipeline({ folder, start: start / 1000 + latest })
  const { db } = pipeline
  const store = createShopStore({ db, zone: createZone('UTC'), paidStatuses: [], siteHosts: [], keepQuery: [] })
  store.adopt()
  const send = (kind: 'hit' | 'event', visitor: number, at: number, body: Document): void => {
    const given = { ...body, age: latest - at }
    void pipeline.send({ kind, address: `203.0.${visitor}.1`, userAgent: firefox, body: given })
  }
  return { pipeline, store, send }
}

test('numbers of orders that do not exist leave nothing to do behind', () =>
  withFolder(folder => {
    const { pipeline, store, send } = openShop(folder)
    store.upsert(created(1, 0))
    const guesses = Array.from({ length: 15 }, (_, index) => buys(1 + index))
    send('hit', 1, 0, { page_url: '/' })
    for (const event of [...guesses, buys('A-1'), buys(1e15)]) send('event', 1, 1, event)
    pipeline.flush()
    assert.is(pipeline.db.prepare('select count(*) from event').pluck().get(), 17)
    assert.is(pipeline.db.prepare('select count(*) from shop_purchase').pluck().get(), 1)
    pipeline.close()
  }))

/** The visits that the orders are attributed to, after the steps in this order. */
const play = async (steps: Case['steps'], arrival: readonly number[]): Promise<unknown[]> => {
  let found: unknown[] = []
  await withFolder(async folder => {
    const { pipeline, store, send } = openShop(folder)
    for (let number = 0; number < visits; number++)
      send('hit', number, entry, { page_url: `/?utm_source=visit-${number}` })
    pipeline.flush()
    for (const step of arrival.map(index => steps[index]).filter(found => found !== undefined)) {
      if ('id' in step) {
        const { at, paid, isRecorded } = step.state
        store.upsert({
          ...created(step.id, at, paid),
          date_modified_gmt: step.isNewer ? '2026-03-12T00:00:01' : '2026-03-12T00:00:00',
          meta_data: isRecorded ? meta({ source_type: 'typein' }) : [],
        })
      } else send('event', step.visit, step.at, step.order === null ? checkout : buys(step.order))
      pipeline.flush()
      store.attribute()
    }
    found = pipeline.db
      .prepare('select source from shop_order o left join campaign c on c.id = o.campaign_id order by o.id')
      .pluck()
      .all()
    pipeline.close()
  })
  return found
}

/** The same by the words of the rule, over everything at once. */
const attributed = (steps: Case['steps'], id: number): string | null => {
  const events = steps.filter(step => 'visit' in step)
  const newest = steps.find(step => 'id' in step && step.id === id && step.isNewer)
  if (newest === undefined || !('state' in newest)) return null
  const { at, paid } = newest.state
  const claims = events
    .filter(event => event.order === id && event.at >= at - 24 * hour && event.at <= at + 2 * hour)
    .map(claim => {
      const wait = (paid ?? at) - claim.at
      const isThrough = events.some(({ visit, order, at }) => visit === claim.visit && order === null && at < claim.at)
      return { visit: claim.visit, isThrough, isAfter: wait < 0, wait: Math.abs(wait) }
    })
  const [best] = claims.sort(
    (a, b) => Number(b.isThrough) - Number(a.isThrough) || Number(a.isAfter) - Number(b.isAfter) || a.wait - b.wait,
  )
  return best === undefined ? null : `visit-${best.visit}`
}

test('the attribution does not depend on the order in which orders and events arrive', () =>
  checkAsync(
    fc.asyncProperty(cases, async ({ steps, first, second }) => {
      const expected = [attributed(steps, 1), attributed(steps, 2)]
      assert.equal(await play(steps, first), expected)
      assert.equal(await play(steps, second), expected)
    }),
    { numRuns: 30 * scale },
  ))

test.run()
