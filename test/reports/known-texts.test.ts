// POST /known-texts: what the CMS has said, or ten visits on two days hold.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Answer, firefox, type Running, withService } from '../support/service.ts'

const json = { 'content-type': 'application/json' }
const post = ({ api }: Running, path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  api(path, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) })

const known = async (running: Running, ...texts: string[]): Promise<string[]> => {
  const { status, body } = await post(running, '/known-texts', { texts })
  assert.is(status, 200, JSON.stringify(body))
  return body.known.sort()
}

const hours = ['nine', 'oneday', 'ten', 'page']

/** Visits of one day, at an hour of the name, each of another visitor, who views a page, comes from a host and sends an event. */
const visit = async (running: Running, date: string, visits: number, name: string, host = 'site.example') => {
  running.clock.now = Date.parse(`${date}T${12 + hours.indexOf(name)}:00:00Z`)
  for (let visitor = 1; visitor <= visits; visitor++) {
    const page_url = `https://${host}/${name}`
    const headers = { 'x-forwarded-for': `198.51.${visitor}.1` }
    const { status } = await running.hit({ page_url, referrer: `https://${name}.referrer.example/` }, headers)
    assert.is(status, 204)
    const event = JSON.stringify({ name: `${name}_done`, page_url })
    const agent = { ...json, ...headers, 'user-agent': firefox }
    const sent = await running.api('/event', { method: 'POST', as: 'nobody', headers: agent, body: event })
    assert.is(sent.status, 204)
  }
}

const textsOf = (name: string): string[] => [`/${name}`, `${name}.referrer.example`, `${name}_done`]

test('a page, a source and an event are known with ten visits on two days, and not with fewer of either', () =>
  withService({ start: '2026-03-01T12:00:00Z' }, async running => {
    await visit(running, '2026-03-02', 4, 'nine')
    await visit(running, '2026-03-02', 12, 'oneday')
    await visit(running, '2026-03-02', 9, 'ten')
    await visit(running, '2026-03-03', 5, 'nine')
    await visit(running, '2026-03-03', 1, 'ten')
    await running.settled()
    const texts = ['nine', 'oneday', 'ten'].flatMap(textsOf)
    assert.equal(
      await known(running, ...texts, 'site.example', '/nobody', ''),
      [...textsOf('ten'), 'site.example'].sort(),
    )
    // A year later, when longer periods have been summed, it is the same.
    running.clock.now = Date.parse('2027-03-03T12:00:00Z')
    await running.settled()
    assert.equal(await known(running, ...texts), textsOf('ten').sort())
    assert.equal(await known(running), [])
  }))

test('with several hosts a page is known with its host', () =>
  withService({ start: '2026-03-01T12:00:00Z' }, async running => {
    for (const date of ['2026-03-02', '2026-03-03']) await visit(running, date, 5, 'page')
    await visit(running, '2026-03-03', 1, 'page', 'stranger.example')
    await running.settled()
    const asked = ['site.example/page', 'stranger.example/page', 'stranger.example', 'site.example/other', '/page']
    assert.equal(await known(running, ...asked), ['/page', 'site.example/page'])
  }))

test('what the CMS has said of a page is known, and what a tracker has said of it is not', () =>
  withService({}, async running => {
    const page = { page: '/new', author: 'Mira', resource_type: 'recipe' }
    assert.is((await post(running, '/content', page)).status, 200)
    await running.hit({ page_url: 'https://site.example/other', author: 'Mallory', resource_type: 'lure' })
    await running.settled()
    const asked = ['/new', 'Mira', 'recipe', '/other', 'Mallory', 'lure']
    assert.equal(await known(running, ...asked), ['/new', 'Mira', 'recipe'])
  }))

test('more texts or longer ones are refused, and so are passwords with filters', () =>
  withService({}, async running => {
    assert.is((await post(running, '/known-texts', { texts: Array(501).fill('/') })).status, 400)
    assert.is((await post(running, '/known-texts', { texts: ['x'.repeat(2049)] })).status, 400)
    const { status, body } = await post(running, '/users/me/application-passwords', {
      name: 'held',
      scopes: ['reports'],
      filters: { country: 'DE' },
    })
    assert.is(status, 201, JSON.stringify(body))
    const authorization = `Basic ${btoa(`admin:${body.password}`)}`
    const pages = await running.api('/pages', { headers: { authorization } })
    assert.is(pages.status, 200)
    assert.is((await post(running, '/known-texts', { texts: ['/'] }, { authorization })).status, 403)
  }))

test.run()
