// Devices that have logged in: strangers who guess passwords do not keep them out, nor an owner at a new address.
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createLoginLink } from '../../src/identity/login-links.ts'
import { removeUser, updateUser } from '../../src/identity/users.ts'
import { logIn, password, type Running, startIdentity } from '../support/identity-service.ts'
import { addKnownUser } from '../support/known-users.ts'
import { until } from '../support/wait.ts'

const json = { 'content-type': 'application/json' }
const https = { 'x-forwarded-proto': 'https' }
const day = 86_400

/** The known password, hashed at a low cost: so many attempts would take minutes on a slow machine. */
const cheapHash = '$scrypt$ln=10,r=8,p=1$BwcHBwcHBwcHBwcHBwcHBw==$CKd40dGjC9U7QJZcF8WUW7k6WHRdo58XyRuAayESmr4='
const hashCheaply = ({ db }: Running): void => {
  db.prepare('update user set password_hash = ?').run(cheapHash)
}

/** A service where a login that has to wait for strangers waits until the test lets a second pass. */
const withService = (work: (service: Running, passSecond: () => void) => Promise<void>) => async (): Promise<void> => {
  let wake = (): void => {}
  const service = await startIdentity({ wait: () => new Promise(resolve => (wake = resolve)) })
  hashCheaply(service)
  try {
    await work(service, () => {
      service.pass(1)
      wake()
    })
    assert.equal(service.bugs, [])
  } finally {
    await service.stop()
  }
}

let addresses = 0
/** An address that has never been seen, in a network of its own. */
const newAddress = (): string => `10.${(addresses += 1) >> 8}.${addresses & 255}.9`

/** Logs in from a new address. Returns the status. */
const attempt = async (
  service: Running,
  { login = 'admin', secret = password, address = newAddress(), cookie = '' },
): Promise<number> => {
  const { status } = await service.api('/session', {
    method: 'POST',
    headers: { ...json, 'x-forwarded-for': address, cookie },
    body: JSON.stringify({ login, password: secret }),
  })
  return status
}

/** Logs in by a one-time link. Returns the device's cookie. */
const logInByLink = async (service: Running): Promise<string> => {
  const { headers } = await service.send({
    method: 'POST',
    path: '/login',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `token=${createLoginLink(service.db, 1, service.seconds())}`,
  })
  return String(headers['set-cookie']?.[1]).split(';', 1).join('')
}

/**
 * Strangers guess until no failure is left of the budget and the queue is full: ten are checked, twenty wait, one is
 * refused. Returns the statuses of those who have an answer, as they come.
 */
const attack = async (service: Running, addressOf: (index: number) => string): Promise<number[]> => {
  const statuses: number[] = []
  const send = (from: number, to: number): void => {
    for (let index = from; index < to; index += 1)
      // Those who still wait at the end of the test are disconnected.
      void attempt(service, { secret: 'a wrong guess', address: addressOf(index) }).then(
        status => statuses.push(status),
        () => {},
      )
  }
  service.pass(60)
  send(0, 22)
  await until(() => assert.equal(statuses, Array(10).fill(401)))
  send(22, 31)
  await until(() => assert.equal(statuses.slice(10), [429]))
  return statuses
}

const botnet = (index: number): string => `2a0${index & 7}:${index}::1`

test(
  'a login marks the device with a second cookie that scripts cannot read, of which the file has a hash only',
  withService(async service => {
    const plain = await logIn(service)
    assert.match(plain.setDevice, /^footfall_device=[\w-]{43}; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax$/)
    const secure = await logIn(service, 'admin', https)
    assert.match(secure.setDevice, /^__Host-footfall-device=[\w-]{43}; Path=\/; .*; HttpOnly; SameSite=Lax; Secure$/)
    const rows = service.db.prepare('select hash from login_device').pluck().all() as Buffer[]
    assert.equal(
      rows.map(hash => hash.length),
      [32, 32],
    )
    assert.not.ok(rows.some(hash => plain.device.includes(hash.toString('base64url'))))
  }),
)

test(
  'it grants nothing, and nobody gets it without logging in',
  withService(async service => {
    const { device } = await logIn(service)
    assert.is((await service.api('/session', { headers: { cookie: device } })).status, 401)
    assert.is((await service.api('/restricted', { headers: { cookie: device } })).status, 401)
    assert.is(await attempt(service, { secret: 'a wrong guess', cookie: device }), 401)
    for (const [path, sent] of [
      ['/hit', { method: 'POST' }],
      ['/session', { method: 'POST', headers: json, body: '{"login":"admin","password":"a wrong guess"}' }],
      ['/open', {}],
    ] as const)
      assert.is((await service.api(path, sent)).headers['set-cookie'], undefined, path)
  }),
)

test(
  'a stranger with a fresh /64 for each guess keeps no owner at a new address out',
  withService(async (service, passSecond) => {
    const statuses = await attack(service, index => `2001:db8:7:${index.toString(16)}::1`)
    const owner = attempt(service, { address: '2001:db8:8::1' })
    // One of the strangers makes room, and the owner comes next.
    await until(() => assert.equal(statuses.slice(11), [429]))
    passSecond()
    assert.is(await owner, 200)
  }),
)

test(
  'with a fresh /48 of one provider for each guess neither',
  withService(async (service, passSecond) => {
    const statuses = await attack(service, index => `2001:db8:${index.toString(16)}::1`)
    const owner = attempt(service, { address: '2001:db9::1' })
    await until(() => assert.equal(statuses.slice(11), [429]))
    passSecond()
    assert.is(await owner, 200)
  }),
)

test(
  'when very many networks attack, a device that has logged in gets in at once, at any address',
  withService(async service => {
    const { device, cookie, nonce } = await logIn(service)
    await service.api('/session', { method: 'DELETE', headers: { cookie, 'x-wp-nonce': nonce } })
    await attack(service, botnet)
    assert.is(await attempt(service, { login: 'ADMIN', secret: 'a wrong guess', cookie: device }), 401)
    assert.is(await attempt(service, {}), 429, 'no other device does')
    assert.is(await attempt(service, { cookie: `footfall_device=${'a'.repeat(43)}` }), 429)
    assert.is(await attempt(service, { login: 'reader', cookie: device }), 429, 'nor for another account')
    assert.is(await attempt(service, { login: 'ADMIN', cookie: device }), 200)
  }),
)

test(
  'each login changes the cookie, for every account that was used on the device',
  withService(async service => {
    const { device: first } = await logIn(service)
    const { device: second } = await logIn(service, 'reader', { cookie: first })
    const { device: third } = await logIn(service, 'admin', { cookie: second })
    await attack(service, botnet)
    for (const old of [first, second]) {
      assert.is(await attempt(service, { cookie: old }), 429)
      assert.is(await attempt(service, { login: 'reader', cookie: old }), 429)
    }
    assert.is(await attempt(service, { login: 'reader', cookie: third }), 200)
  }),
)

test(
  'a device is known for a year after its last login, and twenty of a user',
  withService(async service => {
    const old = await logInByLink(service)
    service.pass(365 * day)
    await attack(service, botnet)
    assert.is(await attempt(service, { cookie: old }), 429)
    const devices: string[] = []
    for (let index = 0; index < 21; index += 1) {
      service.pass(1)
      devices.push(await logInByLink(service))
    }
    assert.is(service.db.prepare('select count(*) from login_device').pluck().get(), 20)
    assert.is(await attempt(service, { cookie: devices[0] ?? '' }), 429)
    assert.is(await attempt(service, { cookie: devices[1] ?? '' }), 200)
  }),
)

test(
  'another password and removal end what was known of devices',
  withService(async service => {
    addKnownUser(service.db, 'second', 'administrator', service.seconds())
    hashCheaply(service)
    const [{ device }, { device: second }] = [await logIn(service), await logIn(service, 'second')]
    await updateUser(service.db, 'admin', { password: 'another password' }, service.seconds())
    removeUser(service.db, 'second', service.seconds())
    hashCheaply(service)
    assert.is(service.db.prepare('select count(*) from login_device').pluck().get(), 0)
    await attack(service, botnet)
    assert.is(await attempt(service, { cookie: device }), 429)
    assert.is(await attempt(service, { login: 'second', cookie: second }), 429)
  }),
)

test(
  'a device has ten failures in 15 minutes of its own: strangers at its address do not use them up',
  withService(async service => {
    const { device } = await logIn(service)
    const address = newAddress()
    const wrong = (cookie: string) => attempt(service, { secret: 'a wrong guess', address, cookie })
    service.pass(60)
    for (let count = 0; count < 10; count += 1) assert.is(await wrong(''), 401)
    assert.is(await attempt(service, { address }), 429, 'the address is refused')
    assert.is(await attempt(service, { address, cookie: device }), 200, 'the device is not')
    const { device: renewed } = await logIn(service, 'admin', { cookie: device })
    for (let count = 0; count < 10; count += 1) assert.is(await wrong(renewed), 401)
    assert.is(await attempt(service, { cookie: renewed }), 429, 'a stolen cookie is worth ten guesses')
    service.pass(900)
    assert.is(await attempt(service, { cookie: renewed }), 200)
  }),
)

test.run()
