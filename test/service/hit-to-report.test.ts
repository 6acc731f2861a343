// The main job: a hit comes in by the port, is in the file, and shows in every report.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { phone, withService } from '../support/service.ts'

const today = 'from=2026-03-10&to=2026-03-10'

test('a hit shows in /summary, /pages and /realtime', () =>
  withService({}, async ({ hit, api, settled }) => {
    const answer = await hit({
      page_url: 'https://shop.example/blog/hello/?utm_source=news#top',
      title: 'Hello',
      referrer: 'https://www.google.de/search?q=x',
    })
    assert.is(answer.status, 204)
    assert.is(answer.headers.get('access-control-allow-origin'), '*')
    assert.is((await hit({ page_url: 'https://shop.example/blog/hello' }, { 'user-agent': phone })).status, 204)

    const { body: realtime } = await api('/realtime')
    assert.is(realtime.data.active_visitors, 2)
    assert.is(realtime.data.recent.length, 2)
    assert.equal(realtime.data.recent[1], {
      page: '/blog/hello',
      title: 'Hello',
      country: 'AU',
      device: 'desktop',
      browser: 'Firefox',
      channel: 'Organic Search',
      time: '2026-03-10T12:00:00Z',
    })
    assert.is(realtime.data.minutes.at(-1).views, 2)

    await settled()
    const { body: summary } = await api(`/summary?${today}`)
    assert.equal(summary.data.totals, {
      visitors: 2,
      sessions: 2,
      views: 2,
      bounces: 2,
      total_duration: 0,
      bounce_rate: 1,
      views_per_session: 1,
      avg_session_duration: 0,
    })
    assert.is(summary.data.series.length, 1)
    assert.is(summary.meta.timezone, 'UTC')
    const { body: pages, headers } = await api(`/pages?${today}`)
    assert.is(headers.get('x-wp-total'), '1')
    assert.is(headers.get('x-wp-totalpages'), '1')
    assert.equal(pages.data, [
      {
        page: '/blog/hello',
        title: 'Hello',
        visitors: 2,
        views: 2,
        sessions: 2,
        entries: 2,
        exits: 2,
        bounces: 2,
        total_duration: 0,
        avg_time_on_page: null,
        avg_scroll_depth: null,
        share: 1,
      },
    ])
  }))

test('a visit goes on through a restart', () =>
  withService({}, async ({ hit, api, clock, restart, settled }) => {
    await hit({ page_url: '/a' })
    clock.now += 29 * 60_000
    await restart()
    await hit({ page_url: '/b' })
    await settled()
    const { body } = await api(`/summary?${today}`)
    assert.is(body.data.totals.sessions, 1)
    assert.is(body.data.totals.visitors, 1)
    assert.is(body.data.totals.views, 2)
    assert.is(body.data.totals.bounces, 0)
  }))

test('after 30 minutes without activity the next view begins a session', () =>
  withService({}, async ({ hit, api, clock, settled }) => {
    await hit({ page_url: '/a' })
    clock.now += 30 * 60_000
    await hit({ page_url: '/b' })
    clock.now += 30 * 60_000 + 1000
    await hit({ page_url: '/c' })
    await settled()
    const { body } = await api(`/summary?${today}`)
    assert.is(body.data.totals.sessions, 2)
    assert.is(body.data.totals.visitors, 1)
  }))

test('a repeat by pvid is stored once, also from another address', () =>
  withService({}, async ({ hit, api, settled }) => {
    const pvid = 'abcdefghijklmnopqrstu'
    await hit({ page_url: '/a', pvid })
    await hit({ page_url: '/a', pvid })
    await hit({ page_url: '/a', pvid }, { 'x-forwarded-for': '198.51.100.9' })
    await hit({ page_url: '/a', pvid: 'short-id' })
    await hit({ page_url: '/a', pvid: 'short-id' })
    await hit({ page_url: '/a', pvid: 'short-id' }, { 'x-forwarded-for': '198.51.100.9' })
    await settled()
    const { body } = await api(`/summary?${today}`)
    assert.is(body.data.totals.views, 3)
  }))

test.run()
