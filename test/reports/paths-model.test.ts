// Paths of random visits under random filters, compared with a model; from packed days and from rows.
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Expected, expectPaths, type Node, type PathQuestion } from '../model/paths.ts'
import { type Filters, makeVisits, queryOf, sendVisits, zone } from '../model/segments.ts'
import { withFile } from '../support/file.ts'
import { checkAsync } from '../support/property.ts'
import { type Running, withService } from '../support/service.ts'

const days = ['2026-03-27', '2026-03-28', '2026-03-29', '2026-03-30', '2026-03-31']
const visits = makeVisits()
const hosts = ['shop.example', 'blog.example']
const paths = ['/', '/a', '/b', '/c,d', '/!e']
const names = hosts.flatMap(host => paths.map(path => `${host}${path}`))

/** A start as it is asked for, and the pages that it means. */
const starts: [asked: string | null, pages: string[] | null][] = [
  [null, null],
  ['/a', ['shop.example/a', 'blog.example/a']],
  ['shop.example/', ['shop.example/']],
  ['/c\\,d,blog.example/b', ['shop.example/c,d', 'blog.example/c,d', 'blog.example/b']],
  ['\\!e', []],
  ['/\\!e', ['shop.example/!e', 'blog.example/!e']],
  ['/*', names],
  ['blog.*/*', names.filter(name => name.startsWith('blog'))],
  ['/nowhere', []],
]

const values: Record<string, readonly string[]> = {
  host: ['shop.example', 'b*', 'nowhere.example'],
  page: ['/', '/a', '/b', '/c,d', 'blog.example/a', '*d'],
  entry_page: ['/', '/a', 'shop.example/'],
  exit_page: ['/b', '/c,d'],
  channel: ['Direct', 'email'],
  country: ['gb', ''],
  device: ['desktop', 'mobile'],
  hour: ['12', '13', '23'],
  weekday: ['6', '7', '1'],
  event: ['signup', 'download', 'never'],
  'property.plan': ['pro', 'free'],
}
const filterOf = (key: string) =>
  fc.record({
    included: fc.boolean(),
    values: fc.uniqueArray(fc.constantFrom(...(values[key] ?? [])), { minLength: 1, maxLength: 2 }),
  })
const filters: fc.Arbitrary<Filters> = fc
  .uniqueArray(fc.constantFrom(...Object.keys(values)), { maxLength: 2 })
  .chain(keys => fc.record(Object.fromEntries(keys.map(key => [key, filterOf(key)]))))
const node: fc.Arbitrary<Node> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ page: fc.constantFrom(...names) }, { noNullPrototype: true }) },
  { weight: 1, arbitrary: fc.record({ event: fc.constantFrom('signup', 'download') }, { noNullPrototype: true }) },
)
const question = fc.record({
  direction: fc.constantFrom('next' as const, 'previous' as const),
  include: fc.constantFrom('pages' as const, 'pages' as const, 'events' as const, 'both' as const),
  start: fc.constantFrom(...starts),
  via: fc.oneof(
    { weight: 3, arbitrary: fc.constant<Node[]>([]) },
    { weight: 1, arbitrary: fc.array(node, { minLength: 1, maxLength: 2 }) },
  ),
  depth: fc.integer({ min: 1, max: 4 }),
})
const range = fc
  .tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 4 }))
  .map(([a, b]): [number, number] => [Math.min(a, b), Math.max(a, b)])

const viaText = (via: readonly Node[]): string =>
  via.map(one => ('page' in one ? one.page : `event:${one.event}`).replaceAll(',', '\\,')).join(',')

/** Pages are filtered by a shared link, because `page` is where paths start. */
const headersFor = async ({ api }: Running, { page }: Filters): Promise<Record<string, string>> => {
  if (page === undefined) return {}
  const filters = Object.fromEntries(new URLSearchParams(queryOf({ page })))
  const headers = { 'content-type': 'application/json' }
  const made = await api('/share-links', { method: 'POST', headers, body: JSON.stringify({ name: 'x', filters }) })
  assert.is(made.status, 201, JSON.stringify(made.body))
  return { 'x-footfall-share': made.body.token }
}

/** The visits that a row needs to be named: for the owner, and for who holds a link. */
const [own, shared] = [2, 3]

const tallyOf = (row: any) => ({ sessions: row.sessions, ends: row.exits ?? row.entries })

const hold = (data: any, expected: Expected, { via, start, least, held }: PathQuestion, about: string): void => {
  assert.is(data.truncated, false, about)
  const isNarrow = via.length > 0 || (held && start !== null)
  if (isNarrow && expected.start.sessions > 0 && expected.start.sessions < least) {
    assert.equal([data.start.sessions, data.steps.flat()], [null, []], about)
    return
  }
  assert.equal(tallyOf(data.start), expected.start, about)
  assert.is(data.steps.length, expected.steps.length, about)
  for (const [index, { shared, single }] of expected.steps.entries()) {
    const rows: any[] = data.steps[index]
    const alone = rows.filter(({ page }) => page === (held ? '(few)' : '(single visits)'))
    assert.equal(alone.map(tallyOf), single.sessions === 0 ? [] : [single], about)
    const named = rows.filter(row => !alone.includes(row))
    assert.equal(
      Object.fromEntries(named.map(row => [row.page ?? `event:${row.event}`, tallyOf(row)])),
      Object.fromEntries(shared),
      `step ${index + 1} of ${about}`,
    )
    // All who came to a step came from the one before.
    const before = index === 0 ? [data.start] : data.steps[index - 1]
    const went = before.reduce((sum: number, row: any) => sum + row.sessions - tallyOf(row).ends, 0)
    assert.is(
      rows.reduce((sum, { sessions }) => sum + sessions, 0),
      went,
      about,
    )
    for (const row of rows) assert.is(row.share, Math.round((row.sessions / data.start.sessions) * 1e4) / 1e4, about)
  }
}

const compareAll = (running: Running, numRuns: number, seed: number): Promise<void> =>
  checkAsync(
    fc.asyncProperty(filters, question, range, async (chosen, { start, via, depth, ...asked }, [first, last]) => {
      const [page, pages] = start
      const headers = await headersFor(running, chosen)
      const { page: _, ...others } = chosen
      const steps = Math.min(depth, 4 - via.length)
      const query =
        `/paths?from=${days[first]}&to=${days[last]}${queryOf(others)}&direction=${asked.direction}` +
        `&include=${asked.include}&depth=${steps}&limit=100` +
        (page === null ? '' : `&page=${encodeURIComponent(page)}`) +
        (via.length === 0 ? '' : `&via=${encodeURIComponent(viaText(via))}`)
      const options = chosen.page === undefined ? {} : { as: 'nobody' as const, headers }
      const { status, body } = await running.api(query, options)
      const about = `${query} ${JSON.stringify(chosen.page ?? null)}`
      assert.is(status, 200, `${about} ${JSON.stringify(body)}`)
      const held = chosen.page !== undefined
      const full = { ...asked, start: pages, via, depth: steps, least: held ? shared : own, held }
      hold(body.data, expectPaths(visits, chosen, zone, days.slice(first, last + 1), full), full, about)
    }),
    { numRuns, seed },
  )

const seed = Number(process.env.SEED ?? 20261124)

test(`paths follow the contract, from packed days and from rows (SEED=${seed})`, () =>
  withService({ start: '2026-03-27T00:00:00Z', flags: { timezone: zone } }, async running => {
    await sendVisits(running, visits)
    const packed = () =>
      withFile(running.file, db =>
        db.prepare('select count(*) from packed_day where length(columns) > 1').pluck().get(),
      )
    assert.ok(Number(packed()) >= 3, 'days are packed')
    await compareAll(running, 400, seed)
    await running.restart(() => {
      withFile(running.file, db => db.exec("update packed_day set columns = x''"))
    })
    assert.is(packed(), 0)
    await compareAll(running, 150, seed + 1)
  }))

test.run()
