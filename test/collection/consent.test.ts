// Consent modes, erasure on request, and the pixel for pages without JavaScript.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openDatabase, openReadOnly } from '../../src/database/open.ts'
import { createPipeline } from '../model/pipeline.ts'
import { withFolder } from '../support/folder.ts'
import { sendRecord } from '../support/records.ts'
import { lastingSalt } from '../support/salts.ts'
import { firefox, type Running, withService } from '../support/service.ts'

const range = 'from=2026-03-10&to=2026-03-12'
const visitor_id = 'browser-0123456789abcdef'

const put = ({ api }: Running, settings: object) =>
  api('/settings', { method: 'PUT', body: JSON.stringify(settings), headers: { 'content-type': 'application/json' } })

const totals = async ({ api, settled }: Running): Promise<Record<string, number>> => {
  await settled()
  return (await api(`/summary?${range}`)).body.data.totals
}

const count = (file: string, sql: string): unknown => {
  const db = openReadOnly(file)
  try {
    return db.prepare(sql).pluck().get()
  } finally {
    db.close()
  }
}

const forget = ({ service }: Running, body: string): Promise<number> =>
  fetch(`${service.url}/analytics/v1/forget`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'text/plain', 'x-forwarded-for': '203.0.113.7' },
  }).then(({ status }) => status)

test('nothing is recorded before consent if the owner requires it', () =>
  withService({}, async running => {
    await put(running, { consent_mode: 'disabled-until-consent' })
    for (const consent_granted of [undefined, false, 'yes'])
      assert.is((await running.hit({ page_url: '/', consent_granted })).status, 204)
    await running.hit({ page_url: '/', consent_granted: true, visitor_id })
    assert.is((await totals(running)).views, 1)
    assert.is(count(running.file, 'select count(*) from visitor where day = 99991231'), 0)
  }))

test('with consent in mode full a browser is recognised on later days and at other addresses', () =>
  withService({}, async running => {
    await put(running, { consent_mode: 'full' })
    const { hit, clock, file } = running
    await hit({ page_url: '/before-consent' })
    await hit({ page_url: '/consented', consent_granted: true, visitor_id })
    assert.is((await totals(running)).visitors, 1)
    assert.is((await totals(running)).sessions, 1)
    clock.now += 24 * 3600_000
    await hit({ page_url: '/next-day', consent_granted: true, visitor_id }, { 'x-forwarded-for': '198.51.100.9' })
    await hit({ page_url: '/next-day-too', consent_granted: true, visitor_id })
    const after = await totals(running)
    assert.is(after.visitors, 2)
    assert.is(after.sessions, 2)
    assert.is(count(file, 'select count(distinct visitor_id) from view'), 1)
  }))

test('withdrawing consent ends recognition', () =>
  withService({}, async running => {
    await put(running, { consent_mode: 'full' })
    const { hit, clock, file } = running
    await hit({ page_url: '/a', consent_granted: true, visitor_id })
    await hit({ page_url: '/b', consent_granted: false, visitor_id })
    assert.is((await totals(running)).sessions, 1)
    clock.now += 24 * 3600_000
    await hit({ page_url: '/c' })
    assert.is(count(file, 'select count(distinct visitor_id) from view'), 2)
  }))

test('the lasting salt is destroyed when the mode changes', () =>
  withService({}, async running => {
    await put(running, { consent_mode: 'full' })
    await running.hit({ page_url: '/a', consent_granted: true, visitor_id })
    const salt = lastingSalt(running.file)
    await put(running, { consent_mode: 'cookieless' })
    assert.is(lastingSalt(running.file), undefined)
    await put(running, { consent_mode: 'full' })
    await running.hit({ page_url: '/b', consent_granted: true, visitor_id })
    assert.is.not(lastingSalt(running.file), salt)
  }))

test('only the requesting browser is forgotten', () =>
  withService({}, async running => {
    await put(running, { consent_mode: 'full' })
    const { hit, service, file, clock } = running
    await hit({ page_url: '/kept' }, { 'x-forwarded-for': '198.51.100.9' })
    await hit({ page_url: '/first', consent_granted: true, visitor_id, pvid: 'pvid-0123456789abcdef' })
    const event = { name: 'secret', properties: { word: 'hidden' }, consent_granted: true, visitor_id }
    await sendRecord(`${service.url}/analytics/v1/event`, {
      method: 'POST',
      body: JSON.stringify(event),
      headers: { 'content-type': 'text/plain', 'user-agent': firefox, 'x-forwarded-for': '203.0.113.7' },
    })
    clock.now += 24 * 3600_000
    await hit({ page_url: '/second', consent_granted: true, visitor_id })
    assert.is((await totals(running)).views, 3)
    for (const body of [
      'no json',
      '{}',
      '{"visitor_id":7}',
      JSON.stringify({ visitor_id: 'another-0123456789abc' }),
      JSON.stringify({ visitor_id }),
    ]) {
      assert.is(await forget(running, body), 204)
    }
    const after = await totals(running)
    assert.equal([after.views, after.sessions, after.visitors], [1, 1, 1])
    for (const table of ['event', 'event_property', 'recent_id'])
      assert.is(count(file, `select count(*) from ${table}`), 0, table)
    assert.is(count(file, 'select count(*) from session'), 1)
  }))

test('forgetting an unknown browser writes nothing and recalculates no day', () =>
  withFolder(async folder => {
    let commits = 0
    const pipeline = createPipeline({
      folder,
      start: Date.parse('2026-03-10T12:00:00Z') / 1000,
      afterCommit: () => {
        commits += 1
      },
    })
    const { db, collector, set, send, flush, close } = pipeline
    const state = () => [db.prepare('select total_changes()').pluck().get(), commits]
    try {
      set({ consent_mode: 'full' })
      const first = state()
      for (let id = 0; id < 20; id++) collector.forget(`unknown-0123456789-${id}`)
      assert.equal(state(), first, 'before anybody has consented')
      const body = { page_url: '/a', consent_granted: true, visitor_id }
      const sent = send({ kind: 'hit', address: '203.0.113.7', userAgent: firefox, body })
      flush()
      assert.is((await sent).outcome, 'accepted')
      const second = state()
      const { db: other } = openDatabase(pipeline.path)
      other.exec('begin immediate')
      for (let id = 0; id < 20; id++) collector.forget(`unknown-0123456789-${id}`)
      other.exec('rollback')
      other.close()
      assert.equal(state(), second, 'nor does it wait for another process that writes')
      collector.forget(visitor_id)
      assert.is(commits, Number(second[1]) + 1)
      assert.is(db.prepare('select count(*) from view').pluck().get(), 0)
      const third = state()
      collector.forget(visitor_id)
      assert.equal(state(), third, 'once forgotten, it is unknown')
    } finally {
      close()
    }
  }))

test('known and unknown browsers get equal answers', () =>
  withService({}, async running => {
    await put(running, { consent_mode: 'full' })
    await running.hit({ page_url: '/a', consent_granted: true, visitor_id })
    const answers = await Promise.all(
      [visitor_id, 'another-0123456789abc'].map(async id => {
        const { status, headers } = await fetch(`${running.service.url}/analytics/v1/forget`, {
          method: 'POST',
          body: JSON.stringify({ visitor_id: id }),
        })
        return [status, [...headers.keys()].sort()]
      }),
    )
    assert.equal(answers[0], answers[1])
    assert.is(answers[0]?.[0], 204)
  }))

test('the pixel counts views', () =>
  withService({ flags: { siteUrl: 'https://shop.example' } }, async running => {
    const pixel = (query: string, headers: Record<string, string> = {}) =>
      fetch(`${running.service.url}/pixel.gif${query}`, {
        headers: { 'user-agent': firefox, 'x-forwarded-for': '203.0.113.7', ...headers },
      })
    const answer = await pixel('?page_url=https%3A%2F%2Fshop.example%2Fa%3Futm_source%3Dnews&title=A')
    assert.is(answer.status, 200)
    assert.is(answer.headers.get('content-type'), 'image/gif')
    assert.is(answer.headers.get('cache-control'), 'no-store')
    assert.is(
      Buffer.from(await answer.arrayBuffer())
        .subarray(0, 6)
        .toString(),
      'GIF89a',
    )
    for (const query of ['', '?page_url=https%3A%2F%2Fevil.example%2F', '?page_url=%00'])
      assert.is((await pixel(query)).status, 200)
    await pixel('', { referer: 'https://shop.example/from-referer' })
    await running.settled()
    const { body } = await running.api(`/pages?${range}`)
    assert.equal(
      body.data.map((row: { page: string }) => row.page),
      ['/a', '/from-referer'],
    )
  }))

test.run()
