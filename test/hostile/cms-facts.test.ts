// What the CMS has pushed about a page stays, whatever anonymous hits say of it.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Running, withService } from '../support/service.ts'

const url = 'https://site.example/report'
const pushed = {
  page: url,
  title: 'Annual report',
  resource_type: 'post',
  author: 'Ada',
  published_at: '2026-03-01T08:00:00.000Z',
}
const lie = {
  page_url: url,
  title: 'Hacked',
  resource_type: 'casino',
  resource_id: 7,
  author: 'Mallory',
  published_at: '1999-01-01T00:00:00Z',
  status: 404,
}

const push = async ({ api }: Running, item: Record<string, unknown>): Promise<void> => {
  const headers = { 'content-type': 'application/json' }
  assert.is((await api('/content', { method: 'POST', headers, body: JSON.stringify(item) })).status, 200)
}

const range = '?from=2026-03-10&to=2026-03-10'

/** What reports say of the page. */
const described = async ({ api, settled }: Running) => {
  await settled()
  const [row] = (await api(`/content${range}`)).body.data
  const titleIn = async (path: string): Promise<string> => (await api(`${path}${range}`)).body.data[0].title
  const { recent, active_pages: active } = (await api('/realtime')).body.data
  return {
    title: row.title,
    resource_type: row.resource_type,
    author: row.author,
    published_at: row.published_at,
    pages: await titleIn('/pages'),
    entry: await titleIn('/pages/entry'),
    exit: await titleIn('/pages/exit'),
    recent: recent[0].title,
    active: active[0].title,
  }
}

const asPushed = {
  title: 'Annual report',
  resource_type: 'post',
  author: 'Ada',
  published_at: '2026-03-01T08:00:00.000Z',
  pages: 'Annual report',
  entry: 'Annual report',
  exit: 'Annual report',
  recent: 'Annual report',
  active: 'Annual report',
}

test('pushed first: hits change nothing, nor does a rebuild or a restart', () =>
  withService({}, async running => {
    await push(running, pushed)
    for (let at = 0; at < 3; at++) assert.is((await running.hit(lie)).status, 204)
    assert.equal(await described(running), asPushed)
    await running.restart()
    assert.equal(await described(running), asPushed)
  }))

test('pushed later: it replaces what trackers have said', () =>
  withService({}, async running => {
    await running.hit(lie)
    const before = await described(running)
    assert.equal([before.title, before.author, before.pages], ['Hacked', 'Mallory', 'Hacked'])
    await push(running, pushed)
    assert.equal(await described(running), asPushed)
    await running.hit(lie)
    assert.equal(await described(running), asPushed)
  }))

test('fields that the CMS leaves out are those of the tracker', () =>
  withService({}, async running => {
    await push(running, { page: url, author: 'Ada' })
    await running.hit(lie)
    const { title, author, resource_type: type, pages } = await described(running)
    assert.equal([title, author, type, pages], ['Hacked', 'Ada', 'casino', 'Hacked'])
  }))

test('one address changes the facts of at most 200 pages a day', () =>
  withService({ flags: { throttleHits: '10000/10000' } }, async running => {
    const pageAt = (at: number): string => `https://site.example/p${at}`
    for (let at = 0; at < 210; at++) await push(running, { page: pageAt(at), title: `Page ${at}` })
    for (let at = 0; at < 210; at++) await running.hit({ page_url: pageAt(at), author: 'Mallory' })
    // Repeating what is known costs nothing.
    for (let at = 0; at < 210; at++) await running.hit({ page_url: pageAt(at), author: 'Mallory' })
    await running.settled()
    let changed = 0
    for (const offset of [0, 200])
      for (const { author } of (await running.api(`/content${range}&limit=200&offset=${offset}`)).body.data)
        changed += author === 'Mallory' ? 1 : 0
    assert.is(changed, 200)
  }))

test.run()
