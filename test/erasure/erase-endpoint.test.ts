// Erasing by the API of a running service: what would go, what goes, and a referrer that is refused from then on.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { auditOf } from '../support/audit.ts'
import { type Running, withService } from '../support/service.ts'
import { until } from '../support/wait.ts'

const range = 'from=2026-03-01&to=2026-03-31'

const erase = ({ api }: Running, body: object, as: 'administrator' | 'reader' | 'nobody' = 'administrator') =>
  api('/erase', { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' }, as })

/** The page views by path, of all hosts. */
const pages = async ({ api, settled }: Running): Promise<Record<string, number>> => {
  await settled()
  const sums: Record<string, number> = {}
  for (const { page, views } of (await api(`/pages?${range}`)).body.data) {
    const path = page.slice(page.indexOf('/'))
    sums[path] = (sums[path] ?? 0) + views
  }
  return sums
}

const isOnDisk = ({ file }: Running, text: string): boolean =>
  readdirSync(dirname(file)).some(name => readFileSync(join(dirname(file), name)).includes(text))

const visit = async ({ hit, service }: Running): Promise<void> => {
  for (const page of ['/in', '/jane-doe', '/out'])
    await hit({ page_url: `https://shop.example${page}` }, { 'x-forwarded-for': '12.0.1.1' })
  for (const page of ['/in', '/out'])
    await hit(
      { page_url: `https://shop.example${page}`, ...(page === '/in' && { referrer: 'https://www.junk.example/x' }) },
      { 'x-forwarded-for': '12.0.2.1' },
    )
  await hit({ page_url: 'https://old.example/in' }, { 'x-forwarded-for': '12.0.3.1' })
  const event = { name: 'signup', page_url: 'https://shop.example/out', properties: { plan: 'secret-plan' } }
  await fetch(`${service.url}/analytics/v1/event`, {
    method: 'POST',
    body: JSON.stringify(event),
    headers: { 'content-type': 'application/json', 'user-agent': 'Mozilla/5.0 Firefox/140.0' },
  })
}

const none = { found: false, sessions: 0, views: 0, events: 0, from: null, to: null, sums_days: 0 }
const day = { from: '2026-03-10', to: '2026-03-10', sums_days: 0, found: true }

test('a preview says what would go, and changes nothing; then it goes, and the reports follow', () =>
  withService({}, async running => {
    await visit(running)
    const before = await pages(running)
    assert.equal(before, { '/in': 3, '/out': 2, '/jane-doe': 1 })
    const cases: [target: string, value: string, counts: object][] = [
      ['page', '/jane-doe', { ...day, sessions: 0, views: 1, events: 0 }],
      ['page', '/nobody', none],
      ['host', 'old.example', { ...day, sessions: 1, views: 1, events: 0 }],
      ['referrer', 'junk.example', { ...day, sessions: 1, views: 2, events: 0 }],
      ['property', 'plan', { ...day, sessions: 0, views: 0, events: 1 }],
      ['property', 'signup', none],
      ['event', 'signup', { ...day, sessions: 0, views: 0, events: 1 }],
      ['day', '2026-03-10', { ...day, sessions: 3, views: 6, events: 1 }],
      ['day', '2026-03-09', none],
    ]
    const entries = auditOf(running.file).length
    for (const [target, value, counts] of cases)
      assert.equal((await erase(running, { target, value, preview: true })).body, counts, `${target} ${value}`)
    assert.equal(await pages(running), before)
    assert.is(auditOf(running.file).length, entries, 'a preview is in no audit log')

    assert.equal((await erase(running, { target: 'page', value: '/jane-doe' })).body, cases[0]?.[2])
    assert.equal(await pages(running), { '/in': 3, '/out': 2 })
    assert.is(auditOf(running.file).at(-1), 'admin (test 0): Erased data; kind: page.')
    await until(async () => assert.not(isOnDisk(running, 'jane-doe'), 'the page is on disk'))
    assert.equal((await erase(running, { target: 'page', value: '/jane-doe' })).body, none)
    // The service had the page and the visit in memory.
    await running.hit({ page_url: 'https://shop.example/jane-doe' }, { 'x-forwarded-for': '12.0.1.1' })
    assert.equal(await pages(running), { '/in': 3, '/out': 2, '/jane-doe': 1 })
    assert.is((await running.api(`/summary?${range}`)).body.data.totals.sessions, 3)
    assert.is((await erase(running, { target: 'property', value: 'plan' })).body.events, 1)
    await until(async () => assert.not(isOnDisk(running, 'secret-plan'), 'the value is on disk'))
    await running.settled()
    const { series, properties } = (await running.api(`/events/signup?${range}`)).body.data
    assert.is(
      series.reduce((sum: number, { total }: { total: number }) => sum + total, 0),
      1,
    )
    assert.equal(properties, [])
    for (const [target, value] of cases.slice(2)) assert.is((await erase(running, { target, value })).status, 200)
    assert.equal(await pages(running), {})
  }))

test('a referrer that is spam is erased, and refused from then on', () =>
  withService({}, async running => {
    await visit(running)
    const spam = { target: 'referrer', value: 'www.junk.example', refuse: true }
    assert.equal((await erase(running, { ...spam, preview: true })).body, { ...day, sessions: 1, views: 2, events: 0 })
    assert.equal((await running.api('/rules')).body.rules, [])
    assert.is((await erase(running, spam)).body.sessions, 1)
    const rules = [{ name: 'referrer junk.example', field: 'referrer', pattern: 'junk.example', action: 'refuse' }]
    assert.equal((await running.api('/rules')).body.rules, rules)
    const later = { page_url: '/later', referrer: 'https://junk.example/' }
    assert.is((await running.hit(later, { 'x-forwarded-for': '12.0.4.1' })).status, 204)
    assert.equal(await pages(running), { '/in': 2, '/out': 1, '/jane-doe': 1 })
    assert.equal(await erase(running, spam).then(({ body }) => body), none, 'once more is no fault')
    assert.equal((await running.api('/rules')).body.rules, rules)
  }))

test('only administrators erase, and what cannot be is said', () =>
  withService({}, async running => {
    await visit(running)
    const before = await pages(running)
    const page = { target: 'page', value: '/in' }
    assert.is((await erase(running, page, 'reader')).status, 403)
    assert.is((await erase(running, page, 'nobody')).status, 401)
    for (const [body, name] of [
      [{ target: 'visitor', value: 'a' }, 'target'],
      [{ target: 'day', value: '10 March' }, 'value'],
      [{ target: 'day', value: '2026-02-30' }, 'value'],
      [{ target: 'page', value: '' }, 'value'],
      [{ ...page, refuse: true }, 'refuse'],
    ] as const) {
      const { status, body: answer } = await erase(running, body)
      assert.equal([status, Object.keys(answer.data.params)], [400, [name]])
    }
    assert.equal(await pages(running), before)
  }))

test.run()
