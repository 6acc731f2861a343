// Visits where several rules interact: midnight, backdated records, consent, restarts. Checked through reports.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createPipeline, type Pipeline, type PipelineOptions } from '../model/pipeline.ts'
import { withFolder } from '../support/folder.ts'

const at = (time: string): number => Date.parse(time) / 1000
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const browser = 'browser-number-0001'

type Body = Record<string, unknown>

/** A pipeline whose one visitor sends at given times; the scheduled jobs run before each. */
const withVisits = (
  options: Partial<PipelineOptions>,
  work: (
    visits: Pipeline & {
      to: (time: string) => void
      hit: (body: Body) => Promise<string>
      event: (body: Body) => Promise<string>
      engagement: (body: Body) => Promise<string>
    },
  ) => Promise<void>,
) =>
  withFolder(async folder => {
    const pipeline = createPipeline({ folder, start: at('2026-03-10T12:00:00Z'), ...options })
    const send =
      (kind: 'hit' | 'event' | 'engagement') =>
      async (body: Body): Promise<string> => {
        pipeline.jobs()
        const got = pipeline.send({ kind, address: '203.0.113.7', userAgent: firefox, body })
        pipeline.flush()
        return (await got).outcome
      }
    const own = {
      to: (time: string) => {
        pipeline.clock.now = at(`2026-03-${time}:00Z`.replace(' ', 'T').replace(/(\d\d:\d\d:\d\d):00Z/, '$1Z'))
      },
      hit: send('hit'),
      event: send('event'),
      engagement: send('engagement'),
    }
    try {
      await work(Object.defineProperties(own, Object.getOwnPropertyDescriptors(pipeline)) as never)
    } finally {
      pipeline.close()
    }
  })

const totals = async (pipeline: Pipeline, day: string) => {
  pipeline.settle()
  const { visitors, sessions, views, bounces, total_duration: seconds } = (await pipeline.summary(day)).totals
  return { visitors, sessions, views, bounces, seconds }
}

test('a visit over midnight: one session on its first day, a visitor on each, no bounce', () =>
  withVisits({}, async visits => {
    visits.to('10 23:50')
    await visits.hit({ page_url: '/a', pvid: 'short-01' })
    visits.to('11 00:10')
    await visits.hit({ page_url: '/b' })
    visits.to('11 00:35')
    assert.is(await visits.engagement({ pvid: 'short-01', engagement_time: 40 }), 'accepted')
    visits.restart()
    visits.to('11 01:00')
    await visits.hit({ page_url: '/c' })
    assert.equal(await totals(visits, '2026-03-10'), { visitors: 1, sessions: 1, views: 1, bounces: 0, seconds: 40 })
    assert.equal(await totals(visits, '2026-03-11'), { visitors: 1, sessions: 0, views: 2, bounces: 0, seconds: 0 })
  }))

test('a visit that ended more than 30 minutes before does not continue after midnight', () =>
  withVisits({}, async visits => {
    visits.to('10 23:45')
    await visits.hit({ page_url: '/a' })
    visits.to('11 00:15:01')
    await visits.hit({ page_url: '/b' })
    assert.equal(await totals(visits, '2026-03-10'), { visitors: 1, sessions: 1, views: 1, bounces: 1, seconds: 0 })
    assert.equal(await totals(visits, '2026-03-11'), { visitors: 1, sessions: 1, views: 1, bounces: 1, seconds: 0 })
  }))

test("an engagement update dated back far before its session does not move the session's start", () =>
  withVisits({}, async visits => {
    visits.to('11 00:10')
    await visits.hit({ page_url: '/a', pvid: 'a-long-id-of-21-chars' })
    assert.is(await visits.engagement({ pvid: 'a-long-id-of-21-chars', engagement_time: 5, age: 3600 }), 'accepted')
    assert.equal(await totals(visits, '2026-03-10'), { visitors: 0, sessions: 0, views: 0, bounces: 0, seconds: 0 })
    assert.equal(await totals(visits, '2026-03-11'), { visitors: 1, sessions: 1, views: 1, bounces: 1, seconds: 5 })
  }))

test("a late update raises its view's figures and extends nothing", () =>
  withVisits({}, async visits => {
    visits.to('10 10:00')
    await visits.hit({ page_url: '/a', pvid: 'a-long-id-of-21-chars' })
    visits.to('10 10:31')
    assert.is(await visits.engagement({ pvid: 'a-long-id-of-21-chars', engagement_time: 900 }), 'accepted')
    visits.to('10 10:32')
    await visits.hit({ page_url: '/b' })
    assert.equal(await totals(visits, '2026-03-10'), { visitors: 1, sessions: 2, views: 2, bounces: 2, seconds: 900 })
  }))

test('a view dated back over midnight counts for the hash of its own day, also after the old salt was destroyed', () =>
  withVisits({}, async visits => {
    visits.to('10 23:50')
    await visits.hit({ page_url: '/a' })
    visits.to('11 00:05')
    await visits.hit({ page_url: '/b' })
    visits.to('11 00:10')
    await visits.hit({ page_url: '/c', age: 900 })
    assert.is((await totals(visits, '2026-03-10')).visitors, 1)
    visits.to('11 00:34')
    await visits.hit({ page_url: '/d', age: 2280 })
    const { visitors, views, sessions } = await totals(visits, '2026-03-10')
    assert.equal({ visitors, views, sessions }, { visitors: 1, views: 3, sessions: 1 })
  }))

test('a record of an earlier visit, sent late, does not keep the current visit from continuing over midnight', () =>
  withVisits({}, async visits => {
    visits.to('10 23:55')
    await visits.hit({ page_url: '/a' })
    visits.to('11 00:15')
    await visits.hit({ page_url: '/old', age: 3600 })
    visits.to('11 00:16')
    await visits.hit({ page_url: '/b' })
    const { sessions } = await totals(visits, '2026-03-10')
    const next = await totals(visits, '2026-03-11')
    assert.equal([sessions, next.sessions], [2, 0])
  }))

test('a record dated back to a visit of yesterday moves that visit: updates find their view, duplicates are detected', () =>
  withVisits({}, async visits => {
    visits.to('10 23:20')
    await visits.hit({ page_url: '/a', pvid: 'short-01' })
    visits.to('11 00:05')
    await visits.hit({ page_url: '/b' })
    assert.is(await visits.hit({ page_url: '/c', pvid: 'short-02', age: 3600 }), 'accepted')
    assert.is(await visits.hit({ page_url: '/a', pvid: 'short-01', age: 2700 }), 'repeated')
    assert.is(await visits.engagement({ pvid: 'short-02', engagement_time: 7 }), 'accepted')
    visits.to('11 00:45')
    visits.restart()
    assert.is(await visits.engagement({ pvid: 'short-02', engagement_time: 9 }), 'accepted')
    assert.is(await visits.engagement({ pvid: 'short-01', engagement_time: 20 }), 'accepted')
    assert.equal(await totals(visits, '2026-03-10'), { visitors: 1, sessions: 1, views: 2, bounces: 0, seconds: 29 })
    assert.equal(await totals(visits, '2026-03-11'), { visitors: 1, sessions: 1, views: 1, bounces: 1, seconds: 0 })
  }))

test('an event id is recognised within the visitor after midnight, as a pvid is', () =>
  withVisits({}, async visits => {
    visits.to('10 23:55')
    await visits.hit({ page_url: '/a', pvid: 'short-01' })
    await visits.event({ name: 'signup', event_id: 'short-e1' })
    visits.to('11 00:05')
    assert.is(await visits.hit({ page_url: '/a', pvid: 'short-01' }), 'repeated')
    assert.is(await visits.event({ name: 'signup', event_id: 'short-e1' }), 'repeated')
  }))

test('a duplicate is detected for 48 hours, then no longer', () =>
  withVisits({}, async visits => {
    const pvid = 'a-long-id-of-21-chars'
    const event = { name: 'signup', event_id: 'e-long-id-of-21-chars' }
    await visits.hit({ page_url: '/a', pvid })
    await visits.event(event)
    visits.to('12 11:59')
    visits.restart()
    assert.is(await visits.hit({ page_url: '/a', pvid }), 'repeated')
    assert.is(await visits.event(event), 'repeated')
    visits.to('12 13:01')
    assert.is(await visits.hit({ page_url: '/a', pvid }), 'accepted')
    assert.is(await visits.event(event), 'accepted')
  }))

test('a visit longer than a day continues after a restart, and keeps its entry page', () =>
  withVisits({}, async visits => {
    const pvid = 'a-long-id-of-21-chars'
    visits.to('10 01:00')
    await visits.hit({ page_url: '/entry', pvid })
    for (let minutes = 25; minutes <= 27 * 60; minutes += 25) {
      visits.clock.now = at('2026-03-10T01:00:00Z') + minutes * 60
      assert.is(await visits.engagement({ pvid, engagement_time: minutes * 60 }), 'accepted')
    }
    visits.restart()
    await visits.hit({ page_url: '/next' })
    visits.restart()
    await visits.hit({ page_url: '/between', age: 60 })
    assert.is((await totals(visits, '2026-03-10')).sessions, 1)
    assert.is((await totals(visits, '2026-03-11')).sessions, 0)
    assert.is((await visits.pages('2026-03-10'))[0].entries, 1)
  }))

test('a view dated back into a visit of two days counts for the visitor of its own day', () =>
  withVisits({ start: at('2026-03-09T12:00:00Z') }, async visits => {
    const pvid = 'a-long-id-of-21-chars'
    visits.to('09 23:50')
    await visits.hit({ page_url: '/a', pvid })
    visits.to('10 00:05')
    await visits.hit({ page_url: '/b' })
    for (let minutes = 25; minutes <= 24 * 60 - 60; minutes += 25) {
      visits.clock.now = at('2026-03-10T00:05:00Z') + minutes * 60
      await visits.engagement({ pvid, engagement_time: minutes * 60 })
    }
    visits.to('11 00:05')
    await visits.hit({ page_url: '/c' })
    assert.is(await visits.hit({ page_url: '/d', age: 3600 }), 'accepted')
    const { visitors, views } = await totals(visits, '2026-03-10')
    assert.equal({ visitors, views }, { visitors: 1, views: 2 })
  }))

test('consent: the visit moves to the lasting hash, with short ids that this browser has used before', () =>
  withVisits({}, async visits => {
    visits.set({ consent_mode: 'full' })
    assert.is(
      await visits.hit({ page_url: '/a', pvid: 'short-01', consent_granted: true, visitor_id: browser }),
      'accepted',
    )
    visits.to('10 14:00')
    assert.is(await visits.hit({ page_url: '/a', pvid: 'short-01' }), 'accepted')
    assert.is(await visits.hit({ page_url: '/b', consent_granted: true, visitor_id: browser }), 'accepted')
    assert.equal(await totals(visits, '2026-03-10'), { visitors: 1, sessions: 2, views: 3, bounces: 1, seconds: 0 })
  }))

test('consent given by a record that is dropped leaves the rollups up to date', () =>
  withVisits({}, async visits => {
    visits.set({ consent_mode: 'full' })
    await visits.hit({ page_url: '/a', consent_granted: true, visitor_id: browser })
    visits.to('10 14:00')
    await visits.hit({ page_url: '/b' })
    assert.is((await totals(visits, '2026-03-10')).visitors, 2)
    assert.is(
      await visits.engagement({ pvid: 'a-long-id-of-21-chars', consent_granted: true, visitor_id: browser }),
      'unmatched',
    )
    assert.is(
      (await totals(visits, '2026-03-10')).visitors,
      visits.rows('select count(distinct visitor_id) as n from view')[0].n,
    )
  }))

test('consent: the same browser is one visitor of each of two days, and one hash', () =>
  withVisits({}, async visits => {
    visits.set({ consent_mode: 'full' })
    await visits.hit({ page_url: '/a', consent_granted: true, visitor_id: browser })
    visits.to('11 12:00')
    await visits.hit({ page_url: '/a', consent_granted: true, visitor_id: browser })
    assert.is((await totals(visits, '2026-03-11')).visitors, 1)
    assert.is(visits.rows('select count(distinct visitor_id) as n from view')[0].n, 1)
    await visits.hit({ page_url: '/a', consent_granted: false, visitor_id: browser })
    assert.is(visits.rows('select count(distinct visitor_id) as n from view')[0].n, 2)
    assert.is((await totals(visits, '2026-03-11')).visitors, 1)
  }))

test('forgetting a browser erases all its data, including events before consent', () =>
  withVisits({}, async visits => {
    visits.set({ consent_mode: 'full' })
    await visits.hit({ page_url: '/a' })
    await visits.event({ name: 'signup', properties: { plan: 'gold' } })
    await visits.hit({ page_url: '/b', consent_granted: true, visitor_id: browser })
    visits.collector.forget(browser)
    const left = ['view', 'session', 'event', 'event_property', 'recent_id'].map(table => [
      table,
      visits.rows(`select count(*) as n from ${table}`)[0].n,
    ])
    assert.equal(left, [
      ['view', 0],
      ['session', 0],
      ['event', 0],
      ['event_property', 0],
      ['recent_id', 0],
    ])
    assert.equal(await totals(visits, '2026-03-10'), { visitors: 0, sessions: 0, views: 0, bounces: 0, seconds: 0 })
    await visits.hit({ page_url: '/c' })
    assert.is((await totals(visits, '2026-03-10')).views, 1)
  }))

test.run()
