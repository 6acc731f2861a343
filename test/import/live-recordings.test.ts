// Access logs, recorded requests and orders are imported beside a running service, as they are without one.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withFolder } from '../support/folder.ts'
import { later, movingInto } from '../support/moving.ts'
import { firefox, phone, type Running, withService } from '../support/service.ts'

const dateOf = (day: number): string => `2026-03-${String(day).padStart(2, '0')}`
const second = (day: number, of: number): number => Date.parse(dateOf(day)) / 1000 + of

const stamp = (at: number): string =>
  new Date(at * 1000).toUTCString().replace(/^\w+, (\d+) (\w+) (\d+) (\S+) GMT$/, '$1/$2/$3:$4 +0000')

const line = (at: number, address: string, path: string, agent = firefox): string =>
  `${address} - - [${stamp(at)}] "GET ${path} HTTP/1.1" 200 1234 "https://www.google.com/" "${agent}"\n`

/** Requests of a day: visitors with breaks of just under and over half an hour, over midnight, and of one address. */
const requestsOf = (day: number): [at: number, line: string][] =>
  Array.from({ length: 400 }, (_, index) => {
    const at = second(day, (index * 7919 * 11) % 86_400)
    return [at, line(at, `198.51.${index % 40}.9`, `/${index % 17}`, index % 3 === 0 ? phone : firefox)]
  })

const sorted = (lines: readonly [at: number, line: string][]): string =>
  [...lines]
    .sort(([one], [other]) => one - other)
    .map(([, text]) => text)
    .join('')

const past = sorted([1, 2, 3, 18, 19].flatMap(requestsOf))
const ofToday = sorted(requestsOf(20).filter(([at]) => at < Date.parse(later) / 1000))
const logFlags = ['--format', 'access-log', '--site-url', 'https://example.org', '--merge']

/** What reports say of the days before today. */
const reported = async ({ api }: Running): Promise<unknown[]> => {
  const reports = [
    'summary',
    'pages',
    'pages/entry',
    'pages/exit',
    'sources',
    'dimensions/device',
    'dimensions/weekday/hour',
    'bots',
  ]
  const answers: unknown[] = []
  for (const report of reports) {
    const { status, body } = await api(`/${report}?from=2026-03-01&to=2026-03-19`)
    assert.is(status, 200, report)
    answers.push(body.data)
  }
  return answers
}

const viewsOf = async ({ api }: Running, from: number, to = from): Promise<number> =>
  (await api(`/summary?from=${dateOf(from)}&to=${dateOf(to)}`)).body.data.totals.views

const flags = { trustProxy: '127.0.0.1' }

/** Visits the site until the work is done. @returns what it gives, and the number of hits */
const whileCounting = async <T>({ hit }: Running, work: Promise<T>): Promise<[result: T, hits: number]> => {
  let isDone = false
  void work.finally(() => {
    isDone = true
  })
  let hits = 0
  while (!isDone) {
    const address = { 'x-forwarded-for': `203.0.${hits >> 8}.${hits & 255}` }
    assert.is((await hit({ page_url: 'https://example.org/' }, address)).status, 204)
    hits += 1
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  return [await work, hits]
}

test('a log becomes the days that it becomes alone, while hits are counted, and what is of today waits', () =>
  withFolder(async folder => {
    const alone = movingInto(folder)
    const log = alone.write('access.log', past + ofToday)
    assert.is((await alone.take(alone.write('past.log', past), ...logFlags)).status, 0)
    const expected: unknown[] = []
    await withService({ file: alone.data, start: later, flags }, async running => {
      expected.push(...(await reported(running)))
    })

    const data = `${folder}/served.db`
    const run = (...args: string[]) => alone.run([...args, '--data', data])
    await withService({ file: data, start: later, flags }, async running => {
      const [{ status, stdout, stderr }, hits] = await whileCounting(running, run('import', log, ...logFlags))
      assert.equal([status, stderr], [0, ''])
      assert.match(stdout, /2,000 {2}accepted/)
      assert.match(stdout, new RegExp(`${ofToday.split('\n').length - 1} {2}left for later`))
      assert.match(stdout, /The service still counts the days from 2026-03-20T00:00:00Z on/)
      await running.settled()
      assert.equal(await reported(running), expected)
      assert.is(await viewsOf(running, 20), hits)

      // Once more: all of it is known, and today is still left.
      const [again, more] = await whileCounting(running, run('import', log, ...logFlags))
      assert.match(again.stdout, /2,000 {2}imported before/)
      assert.is(await viewsOf(running, 1, 19), 2000)

      // The service has its own numbers, also after a start in between.
      await running.restart()
      const [, last] = await whileCounting(running, Promise.resolve())
      await running.settled()
      assert.is(await viewsOf(running, 20), hits + more + last)
      assert.equal(await reported(running), expected)
    })

    // Two days later the same log brings the rest.
    const rest = await alone.run(['import', log, ...logFlags, '--data', data], '2026-03-22T12:00:00Z')
    assert.match(rest.stdout, /imported before/)
    await withService({ file: data, start: '2026-03-22T12:00:00Z', flags }, async running => {
      assert.is(await viewsOf(running, 1, 19), 2000)
      assert.ok((await viewsOf(running, 20)) > ofToday.split('\n').length)
    })
    const rebuilt = await alone.run(['rebuild', '--data', data], '2026-03-22T12:00:00Z')
    assert.is(rebuilt.status, 0, rebuilt.stderr)
    await withService({ file: data, start: '2026-03-22T12:00:00Z', flags }, async running => {
      assert.equal(await reported(running), expected)
    })
  }))

const recorded = (at: number, address: string, body: object): string =>
  `${JSON.stringify({ endpoint: 'hit', time: new Date(at * 1000).toISOString(), ip: address, user_agent: firefox, body })}\n`

test('recorded requests of days that are over come in, others are refused as a whole', () =>
  withFolder(async folder => {
    const moving = { ...movingInto(folder), data: `${folder}/served.db` }
    const run = (...args: string[]) => moving.run([...args, '--data', moving.data])
    const hits = Array.from({ length: 1200 }, (_, index) =>
      recorded(second(10, index * 60), `198.51.${index % 50}.9`, { page_url: `https://example.org/${index % 5}` }),
    )
    await withService({ file: moving.data, start: later, flags }, async running => {
      const until = moving.write('until-today.ndjson', [...hits, recorded(second(20, 1), '198.51.1.9', {})].join(''))
      const refused = await run('import', until, '--format', 'requests')
      assert.is(refused.status, 1)
      assert.match(refused.stderr, /goes on until 2026-03-20T00:00:01Z.* must end before 2026-03-20T00:00:00Z/)
      const path = moving.write('a.ndjson', hits.join(''))
      const [{ status, stdout, stderr }] = await whileCounting(
        running,
        run('import', path, '--format', 'requests', '--merge'),
      )
      assert.equal([status, stderr], [0, ''])
      assert.match(stdout, /1,200 {2}accepted/)
      await running.settled()
      assert.is(await viewsOf(running, 1, 19), 1200)

      // A browser that agreed to be recognised: the salt of its hash is the service's.
      await running.api('/settings', {
        method: 'PUT',
        body: JSON.stringify({ consent_mode: 'full' }),
        headers: { 'content-type': 'application/json' },
      })
      const lasting = recorded(second(11, 5), '198.51.1.9', {
        page_url: 'https://example.org/',
        visitor_id: 'a-browser-that-agreed-to-it',
        consent_granted: true,
      })
      const known = moving.write('known.ndjson', lasting)
      const held = await run('import', known, '--format', 'requests', '--merge')
      assert.is(held.status, 1)
      assert.match(held.stderr, /Stop it, and start the same import again/)
      assert.is(await viewsOf(running, 11), 0)
    })
    const alone = await run('import', `${folder}/known.ndjson`, '--format', 'requests', '--merge')
    assert.equal([alone.status, alone.stderr], [0, ''])
    const { stdout } = await run('report', 'pages', '--from', '2026-03-11', '--to', '2026-03-11', '--json')
    assert.is(JSON.parse(stdout).data[0].views, 1)
  }))

const order = (id: number): object => ({
  id,
  status: 'completed',
  currency: 'EUR',
  total: '10.00',
  date_created_gmt: `${dateOf(1 + (id % 19))}T10:00:00`,
  date_modified_gmt: '2026-03-19T10:00:00',
  line_items: [{ id, product_id: 7, name: 'Bowl', quantity: 1, subtotal: '10.00', total: '10.00' }],
})

test('orders come in beside the service, by the statuses that it counts', () =>
  withFolder(async folder => {
    const moving = { ...movingInto(folder), data: `${folder}/served.db` }
    const orders = Array.from({ length: 170 }, (_, index) => order(index + 1))
    const file = moving.write('orders.json', JSON.stringify(orders))
    const options = { file: moving.data, start: later, flags: { ...flags, orderStatuses: 'completed' } }
    await withService(options, async running => {
      const { status, stdout, stderr } = await moving.run([
        ...['import', file, '--format', 'woocommerce-orders', '--data', moving.data],
      ])
      assert.equal([status, stderr], [0, ''])
      assert.match(stdout, /170 {2}stored/)
      const { body } = await running.api('/revenue/summary?from=2026-03-01&to=2026-03-20')
      assert.is(body.data.orders, 170, JSON.stringify(body))
    })
  }))

test.run()
