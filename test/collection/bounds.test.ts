// The numbers of the contract on collection: one below each, at it, and one above.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createPipeline, type Pipeline } from '../model/pipeline.ts'
import { withFolder } from '../support/folder.ts'

const start = Date.parse('2026-03-10T12:00:00Z') / 1000
const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
type Kind = 'hit' | 'event' | 'engagement'
type Body = Record<string, unknown>

const withPipeline = (work: (pipeline: Pipeline) => Promise<void>) => () =>
  withFolder(async folder => {
    const pipeline = createPipeline({ folder, start })
    try {
      await work(pipeline)
    } finally {
      pipeline.close()
    }
  })

const send = async (pipeline: Pipeline, kind: Kind, body: Body, address = '203.0.113.7'): Promise<string> => {
  const got = pipeline.send({ kind, address, userAgent, body })
  pipeline.flush()
  return (await got).outcome
}

const one = (pipeline: Pipeline, sql: string): number => pipeline.rows(sql)[0].n
const trimmed = (pipeline: Pipeline): number =>
  one(pipeline, "select ifnull(sum(requests), 0) as n from ledger where outcome = 'trimmed'")
const count = (pipeline: Pipeline, table: string): number => one(pipeline, `select count(*) as n from ${table}`)

const pvid = 'a-view-of-twenty-ones'
const whole: Record<Kind, Body> = { hit: { page_url: '/' }, event: { name: 'x' }, engagement: { pvid } }
const x = (length: number): string => 'x'.repeat(length)
const path = (length: number): string => `/${x(length - 1)}`
const properties = (number: number): Body =>
  Object.fromEntries(Array.from({ length: number }, (_, index) => [`k${index}`, index]))

test(
  'ids, names and addresses of a wrong length are refused',
  withPipeline(async pipeline => {
    const rows: readonly [Kind, Body, string][] = [
      ['hit', { page_url: path(2047) }, 'accepted'],
      ['hit', { page_url: path(2048) }, 'accepted'],
      ['hit', { page_url: path(2049) }, 'invalid'],
      ...(['pvid', 'event_id'] as const).flatMap((key): [Kind, Body, string][] => {
        const kind = key === 'pvid' ? 'hit' : 'event'
        return [7, 8, 9, 35, 36, 37].map(length => [
          kind,
          { [key]: x(length) },
          length < 8 || length > 36 ? 'invalid' : 'accepted',
        ])
      }),
      ['event', { name: '' }, 'invalid'],
      ['event', { name: x(1) }, 'accepted'],
      ['event', { name: x(99) }, 'accepted'],
      ['event', { name: x(100) }, 'accepted'],
      ['event', { name: x(101) }, 'invalid'],
    ]
    for (const [kind, body, expected] of rows)
      assert.is(await send(pipeline, kind, { ...whole[kind], ...body }), expected, JSON.stringify(body).slice(0, 80))
  }),
)

test(
  'other values beyond a bound are cut or left out, and counted',
  withPipeline(async pipeline => {
    await send(pipeline, 'hit', { page_url: '/', pvid })
    const ages: readonly [Kind, Body, number][] = (['hit', 'event', 'engagement'] as const).flatMap(kind =>
      [
        [-1, 1],
        [0, 0],
        [1, 0],
        [3599, 0],
        [3600, 0],
        [3601, 1],
      ].map(([age, expected = 0]): [Kind, Body, number] => [kind, { age }, expected]),
    )
    const lengths = (kind: Kind, most: number, bodyOf: (text: string) => Body): [Kind, Body, number][] => [
      [kind, bodyOf(x(most - 1)), 0],
      [kind, bodyOf(x(most)), 0],
      [kind, bodyOf(x(most + 1)), 1],
    ]
    const rows: readonly [Kind, Body, number][] = [
      ...ages,
      ...(['screen_width', 'screen_height'] as const).flatMap((key): [Kind, Body, number][] =>
        [-1, 0, 19_999, 20_000, 20_001].map(value => [
          'hit',
          { screen_width: 1, screen_height: 1, [key]: value },
          value < 0 || value > 20_000 ? 1 : 0,
        ]),
      ),
      ['engagement', { scroll_depth: -1 }, 1],
      ['engagement', { scroll_depth: 0 }, 0],
      ['engagement', { scroll_depth: 99 }, 0],
      ['engagement', { scroll_depth: 100 }, 0],
      ['engagement', { scroll_depth: 101 }, 1],
      ['engagement', { engagement_time: -1 }, 1],
      ['engagement', { engagement_time: 0 }, 0],
      ['engagement', { engagement_time: 86_399 }, 0],
      ['engagement', { engagement_time: 86_400 }, 0],
      ['engagement', { engagement_time: 86_401 }, 1],
      ...lengths('hit', 300, title => ({ title })),
      ...lengths('hit', 40, resource_type => ({ resource_type })),
      ...lengths('event', 40, key => ({ properties: { [key]: 1 } })),
      ...lengths('event', 200, value => ({ properties: { a: value } })),
      ['event', { properties: properties(9) }, 0],
      ['event', { properties: properties(10) }, 0],
      ['event', { properties: properties(11) }, 1],
      ...[1, -1].flatMap((sign): [Kind, Body, number][] => [
        ['event', { value: sign * (1e12 - 1) }, 0],
        ['event', { value: sign * 1e12 }, 0],
        ['event', { value: sign * (1e12 + 1) }, 1],
      ]),
    ]
    for (const [kind, body, expected] of rows) {
      const before = trimmed(pipeline)
      const about = `${kind} ${JSON.stringify(body).slice(0, 80)}`
      assert.is(await send(pipeline, kind, { ...whole[kind], ...body }), 'accepted', about)
      assert.is(trimmed(pipeline) - before, expected, about)
    }
  }),
)

test(
  'a gap of 30 minutes is within a visit, a second more begins another',
  withPipeline(async pipeline => {
    const gaps = [1799, 1800, 1801]
    for (const [index, gap] of gaps.entries()) {
      const address = `203.0.${index}.7`
      await send(pipeline, 'hit', { page_url: '/' }, address)
      pipeline.clock.now += gap
      const before = count(pipeline, 'session')
      await send(pipeline, 'hit', { page_url: '/' }, address)
      assert.is(count(pipeline, 'session') - before, gap > 1800 ? 1 : 0, `${gap} s after`)
    }
    // The same of a record that comes late, before the first activity.
    for (const [index, gap] of gaps.entries()) {
      const address = `203.1.${index}.7`
      await send(pipeline, 'hit', { page_url: '/' }, address)
      const before = count(pipeline, 'session')
      await send(pipeline, 'hit', { page_url: '/', age: gap }, address)
      assert.is(count(pipeline, 'session') - before, gap > 1800 ? 1 : 0, `${gap} s before`)
    }
  }),
)

test(
  'an id of 16 characters is one of the whole site, a shorter one of a visitor',
  withPipeline(async pipeline => {
    for (const [length, expected] of [
      [15, 2],
      [16, 1],
      [17, 1],
    ] as const) {
      for (const [kind, key, table] of [
        ['hit', 'pvid', 'view'],
        ['event', 'event_id', 'event'],
      ] as const) {
        const before = count(pipeline, table)
        for (const address of ['203.0.113.7', '198.51.100.7'])
          await send(pipeline, kind, { ...whole[kind], [key]: x(length) }, address)
        assert.is(count(pipeline, table) - before, expected, `${length} characters of ${key}`)
      }
    }
  }),
)

test(
  'a repeat is known for 48 hours',
  withPipeline(async pipeline => {
    const hours = 48 * 3600
    for (const [index, [later, expected]] of (
      [
        [hours - 1, 1],
        [hours, 1],
        [hours + 1, 2],
      ] as const
    ).entries()) {
      const id = `a-view-of-its-own-${index}`
      const before = count(pipeline, 'view')
      await send(pipeline, 'hit', { page_url: '/', pvid: id })
      pipeline.clock.now += later
      pipeline.jobs()
      await send(pipeline, 'hit', { page_url: '/', pvid: id })
      assert.is(count(pipeline, 'view') - before, expected, `${later} s later`)
    }
  }),
)

test.run()
