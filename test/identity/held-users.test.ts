// Users who are held to filters: they see what a share link with these filters shows, and their own account.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { endpoints } from '../../src/endpoints/index.ts'
import { auditOf } from '../support/audit.ts'
import { password } from '../support/known-users.ts'
import { type Answer, phone, type Running, withService } from '../support/service.ts'

const range = 'from=2026-03-10&to=2026-03-10'
const json = { 'content-type': 'application/json' }
const filters = { device: 'mobile' }

const send = ({ api }: Running, method: string, path: string, body?: object, headers = {}): Promise<Answer> =>
  api(path, { method, ...(body !== undefined && { body: JSON.stringify(body) }), headers: { ...json, ...headers } })

const record = async (running: Running): Promise<void> => {
  for (const visitor of [1, 2, 3, 4]) {
    const address = { 'x-forwarded-for': `203.0.${visitor}.7` }
    await running.hit({ page_url: 'https://example.org/desk' }, address)
    await running.hit({ page_url: 'https://example.org/pocket' }, { ...address, 'user-agent': phone })
  }
  await running.settled()
}

/** Adds a viewer, and asks as one: by a cookie, or by an application password. */
const withViewer = async (running: Running, more: object = { filters }) => {
  const added = await send(running, 'POST', '/users', { login: 'vera', role: 'viewer', password, ...more })
  assert.is(added.status, 201, JSON.stringify(added.body))
  const logIn = () =>
    running.api('/session', {
      method: 'POST',
      as: 'nobody',
      headers: json,
      body: JSON.stringify({ login: 'vera', password }),
    })
  const entered = await logIn()
  const cookie = {
    ...json,
    'x-wp-nonce': entered.body.nonce,
    cookie: entered.headers.getSetCookie()[0]?.split(';')[0] ?? '',
  }
  const ask = (path: string, init: RequestInit = {}): Promise<Answer> =>
    running.api(path, { as: 'nobody', headers: cookie, ...init })
  return { user: added.body, session: entered.body, ask }
}

const keyOf = async (running: Running, id: number, limits: object = {}) => {
  const { status, body } = await send(running, 'POST', `/users/${id}/application-passwords`, { name: 'key', ...limits })
  const authorization = `Basic ${btoa(`vera:${body.password}`)}`
  return { status, body, ask: (path: string) => running.api(path, { as: 'nobody', headers: { authorization } }) }
}

const pagesOf = ({ body }: Answer): string[] => body.data.map(({ page }: { page: string }) => page)

test('a held user sees in every report what a share link with the same filters shows', () =>
  withService({}, async running => {
    await record(running)
    const { ask, user, session } = await withViewer(running)
    assert.equal([user.filters, session.filters, session.segment], [filters, filters, null])
    const { token } = (await send(running, 'POST', '/share-links', { name: 'Phones', filters })).body
    const link = (path: string) => running.api(path, { as: 'nobody', headers: { 'x-footfall-share': token } })
    const key = await keyOf(running, user.id)
    for (const { path, method } of endpoints.filter(one => one.shared === 'always')) {
      assert.is(method, 'GET')
      const address = `${path.replace(':type', 'country').replace(':key', 'page').replace(':name', 'x')}?${range}`
      const [mine, byKey, shown] = await Promise.all([ask(address), key.ask(address), link(address)])
      assert.equal([mine.status, mine.body.data], [shown.status, shown.body.data], path)
      assert.equal([byKey.status, byKey.body.data], [shown.status, shown.body.data], path)
    }
    assert.equal(pagesOf(await ask(`/pages?${range}`)), ['/pocket'])
    assert.equal(pagesOf(await ask(`/pages?${range}&device=desktop`)), [], 'the query does not replace them')
    assert.is((await ask(`/pages?${range}&explain=1`)).status, 403)
    assert.is((await ask(`/pages?${range}&segment=1`)).status, 400)
    assert.is((await ask(`/summary?${range}&goal=1`)).status, 403)
  }))

test('everything else is shut, alone and in a batch, but the own account', () =>
  withService({}, async running => {
    const { ask } = await withViewer(running)
    const shut = endpoints.filter(
      ({ can, shared, servedBy }) =>
        !['public', 'identified', 'account'].includes(can) && servedBy === undefined && shared !== 'always',
    )
    assert.ok(shut.length > 80)
    for (const { method, path } of shut) {
      const body = method === 'GET' ? {} : { body: '{' }
      const { status, body: answer } = await ask(`${path.replace(/:\w+/g, '1')}?${range}`, { method, ...body })
      assert.equal([status, answer.code], [403, 'rest_forbidden'], `${method} ${path}`)
    }
    const paths = [`/pages?${range}`, '/revenue/summary', '/realtime', '/users', '/goals', '/sessions']
    const batch = await ask('/batch', {
      method: 'POST',
      body: JSON.stringify({ requests: paths.map(path => ({ path })) }),
    })
    const statuses = batch.body.responses.map(({ status }: { status: number }) => status)
    assert.equal(statuses, [200, 403, 403, 403, 403, 200])
    assert.is((await ask('/users/me/totp')).status, 200)
    assert.is((await ask('/session')).body.login, 'vera')
    assert.is((await ask('/session', { method: 'DELETE' })).status, 204, 'and a held user logs out')
    assert.is((await ask(`/pages?${range}`)).status, 403)
  }))

test('filters are given and lifted at once, in sessions that are open, and recorded', () =>
  withService({}, async running => {
    await record(running)
    const { ask, user } = await withViewer(running, {})
    const put = (body: object) => send(running, 'PUT', `/users/${user.id}`, body)
    assert.is((await ask('/realtime')).status, 200)
    const seen = auditOf(running.file).length
    assert.equal((await put({ filters: { device: 'phone' } })).body.filters, filters, 'names of values become keys')
    assert.is((await ask('/realtime')).status, 403)
    assert.equal((await ask('/session')).body.filters, filters)
    assert.equal((await put({ locale: 'de' })).body.filters, filters, 'another change leaves them')
    assert.equal((await put({ filters: {} })).body.filters, null)
    assert.is((await ask('/realtime')).status, 200)
    assert.equal(
      auditOf(running.file)
        .slice(seen)
        .map(line => line.replace(/^.*?: /, '')),
      [
        'Held vera to the filters device=mobile.',
        'Changed the language of vera: en → de.',
        'Lifted the filters of vera.',
      ],
    )
  }))

test('no administrator is held, nor a held user made one', () =>
  withService({}, async running => {
    const sentence = 'An administrator sees all visits: give a user who is held to filters the role viewer.'
    const refused = async (method: string, path: string, body: object): Promise<void> => {
      const answer = await send(running, method, path, body)
      assert.is(answer.status, 400)
      assert.is(answer.body.data.params.user, sentence)
    }
    const before = auditOf(running.file).length
    await refused('POST', '/users', { login: 'otto', filters })
    await refused('PUT', '/users/me', { filters })
    const { user } = await withViewer(running)
    await refused('PUT', `/users/${user.id}`, { role: 'administrator' })
    const made = await send(running, 'PUT', `/users/${user.id}`, { role: 'administrator', filters: null })
    assert.equal([made.status, made.body.filters], [200, null])
    assert.is(
      auditOf(running.file)
        .slice(before)
        .filter(line => line.includes('otto')).length,
      0,
    )
    const unknown = await send(running, 'POST', '/users', { login: 'pia', role: 'viewer', filters: { contry: 'DE' } })
    assert.match(unknown.body.data.params.filters, /There is no filter contry/)
  }))

test('a saved segment holds, is known to the user by name, and stays while it does', () =>
  withService({}, async running => {
    await record(running)
    const segment = (await send(running, 'POST', '/segments', { name: 'Phones', filters })).body
    const { ask, user, session } = await withViewer(running, { filters: { segment: 'phones' } })
    assert.equal(user.filters, { segment: String(segment.id) })
    assert.equal(session.segment, { id: segment.id, name: 'Phones', filters })
    assert.equal(pagesOf(await ask(`/pages?${range}`)), ['/pocket'])
    const kept = await send(running, 'DELETE', `/segments/${segment.id}`)
    assert.equal([kept.status, kept.body.message], [409, 'This segment is used by the user “vera”.'])
    await send(running, 'PUT', `/segments/${segment.id}`, { name: 'Desks', filters: { device: 'desktop' } })
    assert.equal(pagesOf(await ask(`/pages?${range}`)), ['/desk'])
  }))

test('an application password with filters of its own is held to both, and never to one of them alone', () =>
  withService({}, async running => {
    await record(running)
    const { user } = await withViewer(running)
    const own = await keyOf(running, user.id, { scopes: ['reports'], filters: { page: '/desk' } })
    assert.equal(pagesOf(await own.ask(`/pages?${range}`)), [])
    assert.equal((await own.ask('/session')).body.filters, { page: '/desk', device: 'mobile' })
    const other = await keyOf(running, user.id, { name: 'other', scopes: ['reports'], filters: { device: 'desktop' } })
    assert.is(other.status, 400)
    assert.is(other.body.data.params.user, "'vera' is held to another device: leave it out.")
    await send(running, 'PUT', `/users/${user.id}`, { filters: { page: '/pocket' } })
    assert.is((await own.ask(`/pages?${range}`)).status, 401, 'it is held to another page than its user now')
  }))

test.run()
