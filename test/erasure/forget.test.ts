// Erasing one thing while the service runs: what goes, what stays, and that the reports say so.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openDatabase } from '../../src/database/open.ts'
import { runErasure } from '../../src/erasure/run.ts'
import { chooseZone } from '../../src/rollup/zone.ts'
import { auditOf } from '../support/audit.ts'
import { footfallHere } from '../support/command.ts'
import { sendRecord } from '../support/records.ts'
import { firefox, type Running, withService } from '../support/service.ts'

const range = 'from=2026-03-01&to=2026-03-31'
const forget = ({ file }: Running, ...args: string[]) => footfallHere(['forget', ...args, '--data', file])
const event = async ({ service }: Running, body: object, address = '203.0.113.7'): Promise<void> => {
  const headers = { 'content-type': 'application/json', 'user-agent': firefox, 'x-forwarded-for': address }
  assert.is(
    (await sendRecord(`${service.url}/analytics/v1/event`, { method: 'POST', body: JSON.stringify(body), headers }))
      .status,
    204,
  )
}
const pages = async ({ api }: Running): Promise<Record<string, number>> =>
  Object.fromEntries(
    (await api(`/pages?${range}`)).body.data.map((row: { page: string; views: number }) => [row.page, row.views]),
  )
const totals = async ({ api }: Running): Promise<{ views: number; sessions: number; visitors: number }> =>
  (await api(`/summary?${range}`)).body.data.totals
const rowsOf = ({ file }: Running, sql: string): unknown => {
  const { db } = openDatabase(file)
  const value = db.prepare(sql).pluck().get()
  db.close()
  return value
}
/** Whether a text is anywhere on disk. */
const isOnDisk = ({ file }: Running, text: string): boolean =>
  readdirSync(dirname(file)).some(name => readFileSync(join(dirname(file), name)).includes(text))

const visit = async (running: Running): Promise<void> => {
  const at =
    (address: string, referrer?: string) =>
    (page: string, title = page) =>
      running.hit(
        { page_url: page, title, ...(referrer !== undefined && { referrer }) },
        { 'x-forwarded-for': address },
      )
  const [one, two, three] = [at('12.0.1.1'), at('12.0.2.1', 'https://spam.example/x'), at('12.0.3.1')]
  for (const page of ['/in', '/jane-doe', '/out']) {
    await one(page, `Title of ${page}`)
    running.clock.now += 60_000
  }
  await two('/in')
  await two('/out')
  await three('/jane-doe', 'Title of /jane-doe')
  await event(running, { name: 'signup', page_url: '/out', properties: { plan: 'gold-plan' } }, '12.0.1.1')
  await running.settled()
}

test('a page goes with its views, title and texts; visits that saw others begin and end with these', () =>
  withService({}, async running => {
    await visit(running)
    assert.equal(await pages(running), { '/in': 2, '/jane-doe': 2, '/out': 2 })
    const dry = await forget(running, '--page', '/jane-doe', '--dry-run')
    assert.equal([dry.status, dry.stdout], [0, 'Would erase 2 page views, 0 events and 1 visit of 2026-03-10.\n'])
    assert.equal(await pages(running), { '/in': 2, '/jane-doe': 2, '/out': 2 })

    const { status, stdout, stderr } = await forget(running, '--page', 'https://site.example/jane-doe/')
    assert.equal([status, stderr], [0, ''])
    assert.is(stdout, 'Erased 2 page views, 0 events and 1 visit of 2026-03-10.\nThe days were rebuilt.\n')
    assert.equal(await pages(running), { '/in': 2, '/out': 2 })
    const { views, sessions, visitors } = await totals(running)
    assert.equal({ views, sessions, visitors }, { views: 4, sessions: 2, visitors: 2 })
    assert.not(isOnDisk(running, 'jane-doe'), 'the page is on disk')
    assert.is(
      rowsOf(
        running,
        'select count(*) from session where views <> (select count(*) from view where session_id = session.id)',
      ),
      0,
    )

    // The service had the page, the visits and their numbers in memory.
    await running.hit({ page_url: '/jane-doe' }, { 'x-forwarded-for': '12.0.3.1' })
    await running.hit({ page_url: '/new' }, { 'x-forwarded-for': '12.0.1.1' })
    await running.settled()
    assert.equal(await pages(running), { '/in': 2, '/out': 2, '/jane-doe': 1, '/new': 1 })
    assert.is((await totals(running)).sessions, 3, 'the shortened visit goes on, the erased one is a new one')
    assert.is(auditOf(running.file).at(-1), 'cli: Erased data; kind: page.')
  }))

test('the first and last page of a visit follow when these are erased', () =>
  withService({}, async running => {
    await visit(running)
    await forget(running, '--page', '/in')
    await forget(running, '--page', '/out')
    const entries = (await running.api(`/pages/entry?${range}`)).body.data.map((row: { page: string }) => row.page)
    const exits = (await running.api(`/pages/exit?${range}`)).body.data.map((row: { page: string }) => row.page)
    assert.equal([entries, exits], [['/jane-doe'], ['/jane-doe']])
    const { views, sessions } = await totals(running)
    assert.equal([views, sessions], [2, 2])
  }))

test('a referrer goes with the visits that came from it', () =>
  withService({}, async running => {
    await visit(running)
    const { stdout } = await forget(running, '--referrer', 'www.spam.example')
    assert.match(stdout, /^Erased 2 page views, 0 events and 1 visit of/)
    assert.equal(await pages(running), { '/in': 1, '/jane-doe': 2, '/out': 1 })
    assert.not.match(JSON.stringify((await running.api(`/sources?${range}`)).body.data), /spam/)
    assert.not(isOnDisk(running, 'spam.example'))
  }))

test('an event goes with its properties; the visit may be a bounce again', () =>
  withService({}, async running => {
    await running.hit({ page_url: '/in' })
    await event(running, { name: 'signup', page_url: '/in', properties: { plan: 'gold-plan' } })
    await event(running, { name: 'not_found', page_url: '/in' })
    await running.settled()
    const bounces = async () => (await running.api(`/pages?${range}`)).body.data[0].bounces
    assert.is(await bounces(), 0)
    const { stdout } = await forget(running, '--event', 'signup')
    assert.match(stdout, /^Erased 0 page views, 1 event and 0 visits of/)
    assert.is(await bounces(), 1)
    assert.equal(
      (await running.api(`/events?${range}`)).body.data.map((row: { name: string }) => row.name),
      ['not_found'],
    )
    assert.not(isOnDisk(running, 'gold-plan'))
    await event(running, { name: 'signup', page_url: '/in', properties: { plan: 'gold-plan' } })
    await running.settled()
    assert.is((await running.api(`/events?${range}`)).body.data.length, 2)
  }))

test('a title goes also if an event that is gone had it as a value, and stays while one has it', () =>
  withService({ start: '2026-03-12T12:00:00Z' }, async running => {
    await event(running, { name: 'signup', page_url: '/in', properties: { plan: 'gold-plan', seat: 'aisle-seat' } })
    running.clock.now += 24 * 3_600_000
    await event(running, { name: 'signup', page_url: '/in', properties: { seat: 'aisle-seat' } })
    await running.hit({ page_url: '/gold', title: 'gold-plan' })
    await running.hit({ page_url: '/aisle', title: 'aisle-seat' })
    await running.settled()
    await forget(running, '--day', '2026-03-12')
    for (const page of ['/gold', '/aisle']) await forget(running, '--page', page)
    assert.is(rowsOf(running, "select count(*) from label where text = 'gold-plan'"), 0)
    assert.is(rowsOf(running, 'select count(*) from event_value where value_id not in (select id from label)'), 0)
    assert.is(rowsOf(running, "select count(*) from label where text = 'aisle-seat'"), 1)
    assert.not(isOnDisk(running, 'gold-plan'))
  }))

test('a day goes, and a visit over midnight keeps its other part', () =>
  withService({ start: '2026-03-10T23:50:00Z' }, async running => {
    await running.hit({ page_url: '/before' })
    running.clock.now += 20 * 60_000
    await running.hit({ page_url: '/after' })
    await running.settled()
    assert.equal(await pages(running), { '/before': 1, '/after': 1 })
    const { stdout } = await forget(running, '--day', '2026-03-10')
    assert.match(stdout, /^Erased 1 page view, 0 events and 0 visits of 2 days between 2026-03-10 and 2026-03-11\./)
    assert.equal(await pages(running), { '/after': 1 })
    const { views, sessions } = await totals(running)
    assert.equal([views, sessions], [1, 1])
  }))

test('a visitor who consented goes by the id of the browser', () =>
  withService({}, async running => {
    await running.api('/settings', {
      method: 'PUT',
      body: '{"consent_mode":"full"}',
      headers: { 'content-type': 'application/json' },
    })
    const visitor = { visitor_id: 'a-browser-of-somebody', consent_granted: true }
    await running.hit({ page_url: '/mine', ...visitor })
    await running.hit({ page_url: '/other' }, { 'x-forwarded-for': '12.0.2.1' })
    await running.settled()
    assert.match(
      (await forget(running, '--visitor', 'another-browser-than-that')).stdout,
      /^Nothing is stored about this visitor/,
    )
    assert.match(
      (await forget(running, '--visitor', visitor.visitor_id)).stdout,
      /^Erased 1 page view, 0 events and 1 visit of/,
    )
    assert.equal(await pages(running), { '/other': 1 })
  }))

test('days without raw rows lose the rows of the page, and it is said that their totals stay', () =>
  withService({}, async running => {
    await visit(running)
    await running.restart(async () => {
      const { db } = openDatabase(running.file)
      db.exec(
        "delete from event_property where true; delete from event; delete from view; delete from session; insert into installation values ('raw_from', 20260311)",
      )
      db.close()
      const { status, stdout } = await forget(running, '--page', '/jane-doe')
      assert.is(status, 0)
      assert.match(
        stdout,
        /^Erased 0 page views, 0 events and 0 visits\.\nThe visits of 1 day before 2026-03-11 were deleted, so these days cannot be rebuilt: the rows of this page were removed, but the totals still include it\.\n$/,
      )
      assert.match((await forget(running, '--event', 'signup')).stdout, /1 day before/)
      assert.match((await forget(running, '--referrer', 'spam.example')).stdout, /1 day before/)
    })
    assert.equal(await pages(running), { '/in': 2, '/out': 2 })
    assert.is((await totals(running)).views, 6)
    assert.equal((await running.api(`/events?${range}`)).body.data, [])
    assert.is((await forget(running, '--day', '2026-03-10')).status, 0)
    assert.is((await totals(running)).views, 0)
  }))

test('without a service the command derives the days itself, and nothing meant is not guessed', () =>
  withService({}, async running => {
    await visit(running)
    await running.restart(async () => {
      assert.match((await forget(running, '--page', '/in')).stdout, /The days were rebuilt/)
      assert.is(rowsOf(running, 'select views from site_day'), 4)
    })
    const cases: [string[], number, RegExp][] = [
      [[], 2, /Give exactly one of/],
      [['--page', '/in', '--event', 'signup'], 2, /Give exactly one of/],
      [['--day', '2026-02-30'], 2, /--day takes a date/],
    ]
    for (const [args, status, message] of cases) {
      const answer = await forget(running, ...args)
      assert.is(answer.status, status)
      assert.match(answer.stderr, message)
    }
    for (const args of [
      ['--page', '/in'],
      ['--event', 'none'],
      ['--referrer', 'nobody.example'],
      ['--day', '2025-01-01'],
    ]) {
      const answer = await forget(running, ...args)
      assert.equal([answer.status, /^Nothing is stored about this/.test(answer.stdout)], [0, true])
    }
  }))

test('what an interrupted command erased but did not recalculate, the next one recalculates', () =>
  withService({}, async running => {
    await visit(running)
    await running.restart(async () => {
      const { db } = openDatabase(running.file)
      // All that a command does before it can be interrupted.
      runErasure(db, chooseZone(db, null), { target: 'page', value: '/in', keepQuery: [], dryRun: false }, 0)
      db.close()
      assert.is(rowsOf(running, 'select views from site_day'), 6)
      assert.is((await forget(running, '--page', '/in', '--dry-run')).stdout, 'Nothing is stored about this page.\n')
      assert.is(rowsOf(running, 'select views from site_day'), 6)
      const { status, stdout } = await forget(running, '--page', '/in')
      assert.is(status, 0)
      assert.is(stdout, 'Nothing is stored about this page.\nThe days that were out of date were rebuilt: 1 day.\n')
      assert.is(rowsOf(running, 'select views from site_day'), 4)
      assert.not(isOnDisk(running, 'Title of /in'), 'the write-ahead log still has it')
      assert.is((await forget(running, '--page', '/in')).stdout, 'Nothing is stored about this page.\n')
    })
    assert.equal(await pages(running), { '/jane-doe': 2, '/out': 2 })
  }))

test.run()
