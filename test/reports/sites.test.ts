// All hosts of a file side by side, and those who may see only some.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Running, withService } from '../support/service.ts'

const day = 86_400_000
const json = { 'content-type': 'application/json' }

const view = async ({ hit }: Running, visitor: number, page_url: string): Promise<void> =>
  assert.is((await hit({ page_url }, { 'x-forwarded-for': `10.0.${visitor}.1` })).status, 204)

/** Two days before: one visitor of each host. Today: three of one.example, one of whom goes on to two.example. */
const fill = async (running: Running): Promise<void> => {
  running.clock.now -= 2 * day
  await view(running, 1, 'https://one.example/old')
  await view(running, 2, 'https://two.example/')
  await running.settled()
  running.clock.now += 2 * day + 3_600_000
  for (const visitor of [1, 2, 3]) await view(running, visitor, 'https://one.example/new')
  await view(running, 1, 'https://one.example/old')
  await view(running, 3, 'https://two.example/cart')
  await view(running, 4, 'https://xn--mller-kva.example/')
  await running.settled()
}

const rowsOf = (body: any): unknown[] =>
  body.data.map(({ host, visitors, sessions, views, top_page }: any) => [host, visitors, sessions, views, top_page])

test('each host has its figures, those before, its top page and 28 days on the same axis', () =>
  withService({}, async running => {
    await fill(running)
    const { status, body, headers } = await running.api(
      '/sites?from=2026-03-09&to=2026-03-10&compare=2026-03-07..2026-03-08',
    )
    assert.is(status, 200, JSON.stringify(body))
    assert.equal(rowsOf(body), [
      ['one.example', 3, 3, 4, '/new'],
      ['two.example', 1, 0, 1, '/cart'],
      ['müller.example', 1, 1, 1, '/'],
    ])
    assert.is(headers.get('x-wp-total'), '3')
    assert.equal(
      body.data.map(({ previous }: any) => previous),
      [1, 1, 0],
    )
    assert.equal([body.meta.compared.from, body.meta.compared.to], ['2026-03-07', '2026-03-08'])
    for (const { series } of body.data) {
      assert.equal([series.length, series[0].date, series.at(-1).date], [28, '2026-02-11', '2026-03-10'])
    }
    const daily = (host: string) =>
      body.data
        .find((row: any) => row.host === host)
        .series.filter(({ visitors }: any) => visitors > 0)
        .map(({ date, visitors }: any) => `${date} ${visitors}`)
    assert.equal(daily('one.example'), ['2026-03-08 1', '2026-03-10 3'])
    assert.equal(daily('two.example'), ['2026-03-08 1', '2026-03-10 1'])
    assert.equal(daily('müller.example'), ['2026-03-10 1'])
    assert.equal(rowsOf((await running.api('/sites?period=today&limit=1&offset=1')).body), [
      ['two.example', 1, 0, 1, '/cart'],
    ])
  }))

test('filters select the visits, as of other reports', () =>
  withService({}, async running => {
    await fill(running)
    const { body } = await running.api('/sites?from=2026-03-09&to=2026-03-10&page=/cart')
    assert.equal(
      body.data.map(({ host, series }: any) => [host, series.length]),
      [
        ['two.example', 2],
        ['one.example', 2],
      ],
    )
    assert.equal(rowsOf((await running.api('/sites?period=today&host=one.example')).body), [
      ['one.example', 3, 3, 4, '/new'],
    ])
  }))

test('links and passwords that are held to a host see that one only, and no rows of few visits', () =>
  withService({}, async running => {
    await fill(running)
    const send = (path: string, body: object) =>
      running.api(path, { method: 'POST', body: JSON.stringify(body), headers: json })
    const link = async (filters: object) => {
      const { status, body } = await send('/share-links', { name: 'for a client', filters })
      assert.is(status, 201, JSON.stringify(body))
      return { 'x-footfall-share': body.token }
    }
    const sitesOf = async (headers: Record<string, string>, query = '') =>
      running.api(`/sites?period=today${query}`, { as: 'nobody', headers })
    const held = await link({ host: 'one.example' })
    assert.equal(rowsOf((await sitesOf(held)).body), [['one.example', 3, 3, 4, '/new']])
    assert.equal(rowsOf((await sitesOf(held, '&host=two.example')).body), [])
    const { body } = await sitesOf(await link({}))
    assert.equal(rowsOf(body), [
      ['one.example', 3, 3, 4, '/new'],
      ['(few)', 2, 1, 2, null],
    ])
    assert.equal(body.data[1].series, [])
    const made = await send('/users/me/application-passwords', {
      name: 'agency',
      scopes: ['reports'],
      filters: { host: 'one.example' },
    })
    const authorization = `Basic ${btoa(`admin:${made.body.password}`)}`
    assert.equal(rowsOf((await sitesOf({ authorization })).body), [['one.example', 3, 3, 4, '/new']])
    assert.is((await sitesOf({})).status, 401)
  }))

test.run()
