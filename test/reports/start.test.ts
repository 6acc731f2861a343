// What a session and an opened link say before any report is asked for, and answers in few bytes.
import { get } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { password } from '../support/known-users.ts'
import { type Running, withService } from '../support/service.ts'

const json = { 'content-type': 'application/json' }
const send = async ({ api }: Running, path: string, body: object): Promise<any> =>
  (await api(path, { method: 'POST', body: JSON.stringify(body), headers: json })).body

const today = { today: '2026-03-11', timezone: 'Europe/Berlin', week_start: 1, generated_at: '2026-03-10T23:30:00Z' }

test('a session says the first day with a view, and what day it is at the site', () =>
  withService({ flags: { timezone: 'Europe/Berlin' } }, async running => {
    const startOf = async (): Promise<unknown> => (await running.api('/session')).body.start
    const open = async (filters: object): Promise<unknown> => {
      const { token } = await send(running, '/share-links', { name: 'A link', filters })
      return (await send(running, '/share-links/open', { token })).start
    }
    running.clock.now = Date.parse('2026-03-10T23:30:00Z')
    assert.equal(await startOf(), { ...today, first_day: null })
    running.clock.now = Date.parse('2026-03-08T12:00:00Z')
    await running.hit({ page_url: '/a' })
    running.clock.now = Date.parse('2026-03-10T23:30:00Z')
    await running.hit({ page_url: '/b' })
    await running.settled()
    assert.equal(await startOf(), { ...today, first_day: '2026-03-08' })
    assert.equal(await open({}), { ...today, first_day: '2026-03-08' })
    assert.equal(await open({ device: 'mobile' }), { ...today, first_day: null }, 'it may be a day of other visits')
    assert.is((await running.api('/session', { as: 'reader' })).body.start, null)

    const logIn = async (login: string, more: object): Promise<unknown> => {
      await send(running, '/users', { login, role: 'viewer', password, ...more })
      return (await send(running, '/session', { login, password })).start
    }
    assert.equal(await logIn('vera', {}), { ...today, first_day: '2026-03-08' })
    assert.equal(await logIn('hedda', { filters: { device: 'mobile' } }), { ...today, first_day: null })
  }))

type Sent = { encoding: string | undefined; bytes: Buffer; length: string | undefined }

const ask = ({ service, administrator }: Running, path: string, headers: Record<string, string>): Promise<Sent> =>
  new Promise((resolve, reject) => {
    const address = `${service.url}/analytics/v1${path}`
    get(address, { headers: { authorization: administrator, ...headers } }, answer => {
      const chunks: Buffer[] = []
      answer.on('data', chunk => chunks.push(chunk))
      answer.on('end', () =>
        resolve({
          encoding: answer.headers['content-encoding'],
          bytes: Buffer.concat(chunks),
          length: answer.headers['content-length'],
        }),
      )
    }).on('error', reject)
  })

test('an answer is gzipped for clients that take it, if it is long, and not for the plugin, which signs it', () =>
  withService({}, async running => {
    const long = '/summary?from=2026-02-10&to=2026-03-10'
    const plain = await ask(running, long, {})
    assert.is(plain.encoding, undefined)
    const told = ({ meta, ...body }: any): unknown => ({ ...body, meta: { ...meta, generated_at: null } })
    const whole = told(JSON.parse(plain.bytes.toString()))
    for (const accepted of ['gzip', 'deflate, gzip;q=0.5, br', 'x, gzip']) {
      const zipped = await ask(running, long, { 'accept-encoding': accepted })
      assert.is(zipped.encoding, 'gzip', accepted)
      assert.is(Number(zipped.length), zipped.bytes.length)
      assert.ok(zipped.bytes.length * 3 < plain.bytes.length)
      assert.equal(told(JSON.parse(gunzipSync(zipped.bytes).toString())), whole)
    }
    const unzipped: [string, Record<string, string>][] = [
      [long, { 'accept-encoding': 'gzip;q=0, br' }],
      [long, { 'accept-encoding': 'gzip', 'x-footfall-request': 'a'.repeat(32) }],
      ['/session', { 'accept-encoding': 'gzip' }],
      [`${long}&metric=none`, { 'accept-encoding': 'identity' }],
    ]
    for (const [path, headers] of unzipped) {
      const { encoding, bytes } = await ask(running, path, headers)
      assert.is(encoding, undefined, JSON.stringify([path, headers]))
      assert.type(JSON.parse(bytes.toString()), 'object')
    }
  }))

test.run()
