// Invitations: a link that makes one user, with the role and the filters that the administrator chose.
import { readFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { auditOf } from '../support/audit.ts'
import { password } from '../support/known-users.ts'
import { type Answer, type Running, withService } from '../support/service.ts'

const json = { 'content-type': 'application/json' }
const day = 86_400_000

const send = ({ api }: Running, method: string, path: string, body?: object): Promise<Answer> =>
  api(path, { method, headers: json, ...(body !== undefined && { body: JSON.stringify(body) }) })

const invite = async (running: Running, more: object = {}): Promise<any> => {
  const { status, body } = await send(running, 'POST', '/invitations', { name: 'For Vera', ...more })
  assert.is(status, 201, JSON.stringify(body))
  return body
}

const accept = ({ api }: Running, token: string, more: object = {}, headers = {}): Promise<Answer> =>
  api('/invitations/accept', {
    method: 'POST',
    as: 'nobody',
    headers: { ...json, ...headers },
    body: JSON.stringify({ token, login: 'vera', password, ...more }),
  })

const gone = async (answer: Promise<Answer>): Promise<void> => {
  const { status, body } = await answer
  assert.equal([status, body.code], [404, 'rest_invitation_not_found'])
}

test('whoever opens it chooses login and password, is logged in, and has the role and the filters', () =>
  withService({}, async running => {
    const { token, uuid, ...made } = await invite(running, { filters: { device: 'phone' } })
    assert.equal(made, {
      name: 'For Vera',
      role: 'viewer',
      filters: { device: 'mobile' },
      created: '2026-03-10T12:00:00Z',
      expires_at: '2026-03-17T12:00:00Z',
    })
    const [listed] = (await send(running, 'GET', '/invitations')).body
    assert.equal(listed, { uuid, ...made }, 'the token is not shown again')
    const { status, body, headers } = await accept(running, token, { locale: 'de' })
    assert.is(status, 201)
    assert.equal([body.login, body.role, body.locale, body.filters], ['vera', 'viewer', 'de', { device: 'mobile' }])
    const cookie = headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const asVera = { as: 'nobody', headers: { cookie, 'x-wp-nonce': body.nonce } } as const
    assert.equal(
      [(await running.api('/pages', asVera)).status, (await running.api('/realtime', asVera)).status],
      [200, 403],
    )
    const again = await running.api('/session', {
      method: 'POST',
      as: 'nobody',
      headers: json,
      body: JSON.stringify({ login: 'vera', password }),
    })
    assert.is(again.status, 200)
    assert.equal(auditOf(running.file).slice(-6), [
      'admin (test 0): Invited “For Vera” with the role viewer.',
      'vera: Added the user vera with the role viewer.',
      'vera: Held vera to the filters device=mobile.',
      'vera: Accepted the invitation of “For Vera” as vera.',
      'vera: Logged in.',
      'vera: Logged in.',
    ])
  }))

test('it works once, also for two who accept it at the same moment', () =>
  withService({}, async running => {
    const { token } = await invite(running)
    const both = await Promise.all([accept(running, token, { login: 'one' }), accept(running, token, { login: 'two' })])
    assert.equal(both.map(({ status }) => status).sort(), [201, 404])
    await gone(accept(running, token, { login: 'three' }))
    assert.equal((await send(running, 'GET', '/invitations')).body, [])
    const users = (await send(running, 'GET', '/users')).body.map(({ login }: { login: string }) => login)
    assert.is(users.filter((login: string) => ['one', 'two', 'three'].includes(login)).length, 1)
  }))

test('it is refused after seven days, and once it was withdrawn', () =>
  withService({}, async running => {
    const late = await invite(running)
    const withdrawn = await invite(running)
    assert.equal((await send(running, 'DELETE', `/invitations/${withdrawn.uuid}`)).body, { deleted: true })
    await gone(accept(running, withdrawn.token))
    await gone(send(running, 'DELETE', `/invitations/${withdrawn.uuid}`))
    running.clock.now += 7 * day - 1000
    assert.is((await send(running, 'GET', '/invitations')).body.length, 1)
    running.clock.now += 1000
    await gone(accept(running, late.token))
    assert.equal((await send(running, 'GET', '/invitations')).body, [])
    await gone(send(running, 'DELETE', `/invitations/${late.uuid}`))
  }))

test('a login that is taken or a weak password leave it as it is', () =>
  withService({}, async running => {
    const { token } = await invite(running)
    assert.is((await accept(running, token, { login: 'ADMIN' })).body.code, 'existing_user_login')
    assert.is((await accept(running, token, { password: 'password' })).status, 400)
    assert.is((await accept(running, token, { login: 'cli' })).status, 400)
    assert.is((await accept(running, token)).status, 201)
  }))

test('the file has only a hash of it, and what nobody can be invited as is refused', () =>
  withService({}, async running => {
    const { token } = await invite(running)
    for (const file of [running.file, `${running.file}-wal`])
      assert.not(readFileSync(file).includes(token), 'the token is in the file')
    for (const wrong of [
      { role: 'administrator', filters: { device: 'mobile' } },
      { role: 'chief' },
      { name: ' ' },
      { filters: { contry: 'DE' } },
    ])
      assert.is(
        (await send(running, 'POST', '/invitations', { name: 'x', ...wrong })).status,
        400,
        JSON.stringify(wrong),
      )
    const segment = (await send(running, 'POST', '/segments', { name: 'Phones', filters: { device: 'mobile' } })).body
    await invite(running, { filters: { segment: 'phones' } })
    const kept = await send(running, 'DELETE', `/segments/${segment.id}`)
    assert.equal([kept.status, kept.body.message], [409, 'This segment is used by the invitation “For Vera”.'])
  }))

test('guesses are limited as those of passwords, by address', () =>
  withService({}, async running => {
    const { token } = await invite(running)
    const from = (address: string) => ({ 'x-forwarded-for': address })
    const guess = 'x'.repeat(43)
    for (let count = 0; count < 10; count++) await gone(accept(running, guess, {}, from('203.0.113.5')))
    const refused = await accept(running, token, {}, from('203.0.113.5'))
    assert.equal([refused.status, refused.body.code], [429, 'rest_too_many_requests'])
    running.clock.now += 20_000
    assert.is((await accept(running, token, {}, from('198.51.100.7'))).status, 201)
  }))

test.run()
