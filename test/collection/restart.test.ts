// Restarts and crashes change no figures, and no hit waits for caches to load.
import { createHash } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { rebuildDirtyDays } from '../../src/rollup/rebuild.ts'
import { createPipeline, type Pipeline } from '../model/pipeline.ts'
import { withFolder } from '../support/folder.ts'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const start = Date.parse('2026-03-10T12:00:00Z') / 1000

const withPipeline = (work: (pipeline: Pipeline) => Promise<void>) =>
  withFolder(async folder => {
    const pipeline = createPipeline({ folder, start })
    try {
      await work(pipeline)
    } finally {
      pipeline.close()
    }
  })

const send = async (pipeline: Pipeline, kind: 'hit' | 'event', body: Record<string, unknown>): Promise<string> => {
  const sent = pipeline.send({ kind, address: '203.0.113.7', userAgent: firefox, body })
  pipeline.flush()
  return (await sent).outcome
}

const sessions = (pipeline: Pipeline) =>
  pipeline.rows('select views, events, ended_at - started_at as seconds from session')

/** A visit of two seconds with three views and an event. */
const visit = async (pipeline: Pipeline): Promise<void> => {
  pipeline.clock.now += 3600
  await send(pipeline, 'hit', { page_url: '/first' })
  pipeline.clock.now += 1
  await send(pipeline, 'hit', { page_url: '/second' })
  await send(pipeline, 'event', { name: 'signup' })
  await send(pipeline, 'hit', { page_url: '/third' })
  assert.equal(sessions(pipeline).at(-1), counted, 'each commit writes the visit as it is')
}

const counted = { views: 3, events: 1, seconds: 1 }

const checkReports = async (pipeline: Pipeline, visits: number): Promise<void> => {
  pipeline.settle()
  const { totals } = (await pipeline.summary('2026-03-10')) as any
  assert.equal([totals.sessions, totals.views, totals.bounces], [visits, 3 * visits, 0])
  assert.equal(pipeline.drifted(), [])
}

test('after a crash, visits have all their views and events', () =>
  withPipeline(async pipeline => {
    await visit(pipeline)
    pipeline.restart()
    assert.equal(sessions(pipeline), [counted])
    await checkReports(pipeline, 1)
  }))

test('after a crash, a not_found event still extends its visit', () =>
  withPipeline(async pipeline => {
    await send(pipeline, 'hit', { page_url: '/first' })
    pipeline.clock.now += 1
    await send(pipeline, 'event', { name: 'not_found' })
    pipeline.restart()
    assert.equal(sessions(pipeline), [{ views: 1, events: 0, seconds: 1 }])
    pipeline.clock.now += 1800
    await send(pipeline, 'hit', { page_url: '/second' })
    assert.is(sessions(pipeline).length, 1)
  }))

test('after a crash, the rollups have the whole visit', () =>
  withPipeline(async pipeline => {
    await visit(pipeline)
    rebuildDirtyDays(pipeline.db, pipeline.zone)
    const totals = async (): Promise<number[]> => {
      const found = ((await pipeline.summary('2026-03-10')) as any).totals
      return [found.sessions, found.views, found.bounces]
    }
    assert.equal(await totals(), [1, 3, 0])
    assert.equal(pipeline.rows('select * from dirty_day'), [])
    pipeline.clock.now += 24 * 3600
    pipeline.restart()
    pipeline.settle()
    assert.equal(await totals(), [1, 3, 0])
    assert.equal(pipeline.drifted(), [])
  }))

/** Counts the rows of a table that are read from now on, by a view in its place. */
const countReads = ({ db }: Pipeline, table: string, columns: string): (() => number) => {
  let reads = 0
  db.function(`read_${table}`, { varargs: true }, () => ++reads)
  const values = columns.replace(/\w+/g, 'new.$&')
  db.exec(`
    create temp view ${table} as select ${columns} from main.${table} where read_${table}(${columns}) > 0;
    create temp trigger add_${table} instead of insert on ${table}
    begin insert into main.${table} (${columns}) values (${values}); end`)
  return () => reads
}

test('ids and visitors are loaded before the first hit: no commit reads them all', () =>
  withPipeline(async pipeline => {
    const pvid = (n: number): string => `a-long-id-of-the-view-${n}`
    const hash = (text: string): Buffer => createHash('sha256').update(text).digest().subarray(0, 8)
    await send(pipeline, 'hit', { page_url: '/a', pvid: pvid(0) })
    const add = pipeline.db.prepare("insert into recent_id (kind, visitor_id, key, id) values ('view', 0, ?, ?)")
    for (let n = 1; n <= 500; n++) add.run(hash(pvid(n)), (start - n) * 2 ** 20)
    const addVisitor = pipeline.db.prepare('insert into visitor (day, hash) values (20260310, ?)')
    for (let n = 0; n < 500; n++) addVisitor.run(hash(`visitor ${n}`))

    pipeline.restart()
    const reads = ['recent_id', 'visitor'].map((table, index) =>
      countReads(pipeline, table, ['kind, visitor_id, key, id', 'id, day, hash'][index] ?? ''),
    )
    for (const n of [0, 1, 250, 500])
      assert.is(await send(pipeline, 'hit', { page_url: '/a', pvid: pvid(n) }), 'repeated')
    assert.is(await send(pipeline, 'hit', { page_url: '/a', pvid: 'a-long-id-of-another-view' }), 'accepted')
    assert.is(await send(pipeline, 'hit', { page_url: '/a', pvid: 'a-long-id-of-another-view' }), 'repeated')
    assert.equal(
      reads.map(count => count()),
      [5, 0],
      'one row for each repeat',
    )

    // Nor does the commit after a failed one.
    pipeline.db.exec(
      `create temp trigger poison before insert on main.page when new.path = '/poison'
      begin select raise(abort, 'poison'); end`,
    )
    await send(pipeline, 'hit', { page_url: '/poison', pvid: 'a-long-id-of-a-lost-view' }).catch(() => {})
    pipeline.db.exec('drop trigger temp.poison')
    assert.is(await send(pipeline, 'hit', { page_url: '/b', pvid: 'a-long-id-of-a-lost-view' }), 'accepted')
    assert.is(await send(pipeline, 'hit', { page_url: '/b', pvid: 'a-long-id-of-a-lost-view' }), 'repeated')
    assert.ok(reads.every(count => count() < 10))
    assert.is(pipeline.rows('select count(distinct visitor_id) as n from main.view')[0].n, 1)
  }))

test.run()
