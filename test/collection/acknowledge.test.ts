// No hit is acknowledged before it is on disk, including after failed groups and failed syncs.
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { connect } from '../../src/database/connect.ts'
import { createPipeline, type Pipeline, type PipelineOptions } from '../model/pipeline.ts'
import { withFolder } from '../support/folder.ts'
import { until } from '../support/wait.ts'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const start = Date.parse('2026-03-10T12:00:00Z') / 1000

const withPipeline = (options: Partial<PipelineOptions>, work: (pipeline: Pipeline, folder: string) => Promise<void>) =>
  withFolder(async folder => {
    const pipeline = createPipeline({ folder, start, durable: true, ...options })
    try {
      await work(pipeline, folder)
    } finally {
      pipeline.collector.queue.close()
      pipeline.close()
    }
  })

/** One hit, and what became of it: 'thrown' for a bug. */
const hit = (pipeline: Pipeline, page: string, address = '203.0.113.7'): Promise<string> =>
  pipeline
    .send({
      kind: 'hit',
      address,
      userAgent: firefox,
      body: { page_url: page, pvid: `id-of-the-view${page.replaceAll('/', '-')}` },
    })
    .then(({ outcome }) => outcome)
    .catch(() => 'thrown')

const pagesOf = (pipeline: Pipeline): string[] =>
  pipeline.rows('select p.path from view v join page p on p.id = v.page_id order by v.id').map(({ path }) => path)

/** A sync that ends when the test says so. */
const createHeldSync = () => {
  const held: ((error: Error | null) => void)[] = []
  return {
    syncFile: (_file: number, onDone: (error: Error | null) => void) => void held.push(onDone),
    /** Ends the sync under way. */
    end: async (error: Error | null = null): Promise<void> => {
      await until(() => assert.ok(held.length > 0, 'a sync of the log'))
      held.shift()?.(error)
      await nextTurn()
    },
    count: () => held.length,
  }
}

const paths = (count: number, name = 'page'): string[] => Array.from({ length: count }, (_, n) => `/${name}/${n}`)
const ioError = Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' })

test('a group gets its responses after its sync, not before', async () => {
  const sync = createHeldSync()
  await withPipeline({ syncFile: sync.syncFile }, async pipeline => {
    const outcomes: string[] = []
    const sent = paths(6).map(page => hit(pipeline, page).then(outcome => outcomes.push(outcome)))
    await until(() => assert.ok(sync.count() === 1, 'the sync'))
    for (let turn = 0; turn < 10; turn++) await nextTurn()
    assert.equal(pagesOf(pipeline), paths(6), 'it is committed')
    assert.equal(outcomes, [])
    const next = paths(6, 'next').map(page => hit(pipeline, page))
    for (let turn = 0; turn < 10; turn++) await nextTurn()
    assert.is(sync.count(), 1, 'the next group waits for the sync under way')
    await sync.end()
    await Promise.all(sent)
    assert.equal(outcomes, Array(6).fill('accepted'))
    await sync.end()
    assert.equal(await Promise.all(next), Array(6).fill('accepted'))
  })
})

test('a bug in what follows a commit does not have its group written twice', () => {
  const afterCommit = (): void => {
    throw new Error('a bug after the commit')
  }
  return withPipeline({ afterCommit }, async pipeline => {
    const send = (): Promise<string> =>
      pipeline
        .send({ kind: 'hit', address: '203.0.113.7', userAgent: firefox, body: { page_url: '/without-id' } })
        .then(({ outcome }) => outcome)
        .catch(() => 'thrown')
    assert.equal(await Promise.all([send(), send(), send()]), Array(3).fill('accepted'))
    assert.equal(pagesOf(pipeline), Array(3).fill('/without-id'))
    assert.ok(pipeline.errors.length > 0)
  })
})

test('after a failed sync hits are refused until a checkpoint, and no acknowledged hit is lost', async () => {
  const sync = createHeldSync()
  await withPipeline({ syncFile: sync.syncFile, retryAfter: 1 }, async (pipeline, folder) => {
    const before = paths(6, 'before').map(page => hit(pipeline, page))
    await sync.end()
    assert.equal(await Promise.all(before), Array(6).fill('accepted'))

    const failed = paths(6, 'failed').map(page => hit(pipeline, page))
    await until(() => assert.ok(sync.count() === 1, 'the sync'))
    const waiting = hit(pipeline, '/waiting')
    const reader = connect(pipeline.path, { readonly: true })
    reader.exec('begin')
    reader.prepare('select count(*) from view').get()
    await sync.end(ioError)
    assert.equal(await Promise.all(failed), Array(6).fill('storage'))
    assert.is(await waiting, 'storage')
    assert.match(String(pipeline.errors[0]), /EIO.*hits are refused until a checkpoint succeeds/)

    // The reader keeps the checkpoint from emptying the log.
    for (let turn = 0; turn < 20; turn++) await delay(2)
    assert.is(sync.count(), 0)
    assert.is(await hit(pipeline, '/refused'), 'storage')
    reader.exec('rollback')
    reader.close()

    // The disk still refuses; then it does not.
    await sync.end(ioError)
    assert.is(await hit(pipeline, '/refused'), 'storage')
    await sync.end()
    const after = hit(pipeline, '/after')
    await sync.end()
    assert.is(await after, 'accepted')
    assert.equal(pagesOf(pipeline), [...paths(6, 'before'), ...paths(6, 'failed'), '/after'])

    // The database file has all of it without the log.
    copyFileSync(pipeline.path, join(folder, 'copy.db'))
    const copy = connect(join(folder, 'copy.db'))
    assert.ok(Number(copy.prepare('select count(*) from view').pluck().get()) >= 12)
    copy.close()
    const again = hit(pipeline, '/failed/3')
    await sync.end()
    assert.is(await again, 'repeated')
    const ledger = pipeline.rows('select outcome, sum(requests) as n from ledger group by outcome')
    pipeline.flush()
    assert.is(ledger.find(({ outcome }) => outcome === 'accepted').n, 13)
  })
})

for (const count of [3, 8]) {
  for (const poison of [0, 1, count - 1]) {
    test(`a group of ${count} that fails is written one by one: only record ${poison} is refused`, () =>
      withPipeline({}, async pipeline => {
        pipeline.db.exec(
          `create trigger poison before insert on page when new.path = '/poison'
          begin select raise(abort, 'poison'); end`,
        )
        const pages = paths(count).map((page, index) => (index === poison ? '/poison' : page))
        const outcomes = await Promise.all(pages.map(page => hit(pipeline, page)))
        assert.equal(
          outcomes,
          pages.map(page => (page === '/poison' ? 'thrown' : 'accepted')),
        )
        assert.equal(
          pagesOf(pipeline),
          pages.filter(page => page !== '/poison'),
        )
        assert.is(pipeline.collector.queue.failures(), 2)
        assert.is(pipeline.rows('select count(*) as n from visitor')[0].n, 1)
        pipeline.db.exec('drop trigger poison')
        assert.equal(
          await Promise.all(pages.map(page => hit(pipeline, page))),
          pages.map(page => (page === '/poison' ? 'accepted' : 'repeated')),
        )
      }))
  }
}

test('commits that fail one after another leave nothing behind, in the file or in memory', () =>
  withPipeline({}, async pipeline => {
    pipeline.db.exec(
      `create trigger poison before insert on view when (select path from page where id = new.page_id) like '/poison%'
      begin select raise(abort, 'poison'); end`,
    )
    const known = '203.0.113.7'
    const others = ['198.51.100.1', '192.0.2.1']
    assert.is(await hit(pipeline, '/a', known), 'accepted')
    pipeline.clock.now += 60
    // Each has a page, a visitor or a visit that only the failed commit knew.
    for (const [index, address] of [known, ...others, known, ...others].entries())
      assert.is(await hit(pipeline, `/poison/${index}`, address), 'thrown', String(index))
    pipeline.clock.now += 60
    assert.is(await hit(pipeline, '/b', known), 'accepted')
    assert.is(await hit(pipeline, '/c', others[0]), 'accepted')
    pipeline.db.exec('drop trigger poison')
    pipeline.clock.now += 60
    for (const [index, address] of [known, ...others].entries())
      assert.is(await hit(pipeline, `/poison/${index}`, address), 'accepted', 'what failed was not seen')
    const held = (): unknown => [
      pagesOf(pipeline),
      pipeline.rows('select views, ended_at - started_at as seconds from session order by id'),
      pipeline.rows('select count(*) as visitors from visitor'),
    ]
    const expected = [
      ['/a', '/b', '/c', '/poison/0', '/poison/1', '/poison/2'],
      [
        { views: 3, seconds: 180 },
        { views: 2, seconds: 60 },
        { views: 1, seconds: 0 },
      ],
      [{ visitors: 3 }],
    ]
    assert.equal(held(), expected)
    pipeline.settle()
    const { totals } = await pipeline.summary('2026-03-10')
    assert.equal([totals.views, totals.sessions, totals.visitors], [6, 3, 3])
    assert.equal(pipeline.drifted(), [])
    pipeline.restart()
    assert.is(await hit(pipeline, '/poison/0', known), 'repeated')
    assert.equal(held(), expected)
  }))

test.run()
