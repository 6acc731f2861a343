// Tokens of the host platform: who they open the reports to, and whose visits they keep out.
import { generateKeyPairSync } from 'node:crypto'
import { SignJWT, importPKCS8 } from 'jose'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withService, type Running } from './service.ts'

const secret = new TextEncoder().encode('a secret that is long enough for it')
const older = new TextEncoder().encode('the secret that was used before this one')
const { privateKey, publicKey } = generateKeyPairSync('ed25519', { publicKeyEncoding: { type: 'spki', format: 'pem' }, privateKeyEncoding: { type: 'pkcs8', format: 'pem' } })
const jwtKeys = { secrets: [secret, older], publicKey }
const now = Date.parse('2026-03-10T12:00:00Z') / 1000

const claims = { sub: '7', name: 'Ada', roles: ['administrator'], capabilities: ['manage_options'], aud: 'footfall', iat: now, exp: now + 600 }
type Claims = Record<string, unknown>

const sign = (changes: Claims = {}, header: Record<string, unknown> = {}, key: Uint8Array = secret): Promise<string> =>
  new SignJWT({ ...claims, ...changes }).setProtectedHeader({ alg: 'HS256', ...header }).sign(key)

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const ask = async ({ api }: Running, token: string): Promise<number> =>
  (await api('/summary?from=2026-03-10&to=2026-03-10', { as: 'nobody', headers: { authorization: `Bearer ${token}` } })).status

test('a token opens the reports to whom the platform vouches for', () => withService({ jwtKeys }, async running => {
  const eddsa = await new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA', typ: 'JWT' }).sign(await importPKCS8(privateKey, 'EdDSA'))
  const cases: [string, string, number][] = [
    ['HS256', await sign(), 200],
    ['the older secret', await sign({}, {}, older), 200],
    ['EdDSA', eddsa, 200],
    ['the role alone', await sign({ capabilities: undefined }), 200],
    ['capabilities given, and manage_options not among them', await sign({ capabilities: ['read'] }), 403],
    ['an editor', await sign({ roles: ['editor'], capabilities: undefined }), 403],
    ['a clock 60 seconds off', await sign({ iat: now + 59, exp: now + 659 }), 200],
    ['expired within the skew', await sign({ iat: now - 650, exp: now - 50 }), 200],
    ['another secret', await sign({}, {}, new TextEncoder().encode('x'.repeat(40))), 401],
    ['expired', await sign({ iat: now - 700, exp: now - 100 }), 401],
    ['from the future', await sign({ iat: now + 100, exp: now + 700 }), 401],
    ['too long a life', await sign({ exp: now + 601 }), 401],
    ['no exp', await sign({ exp: undefined }), 401],
    ['no iat', await sign({ iat: undefined }), 401],
    ['no sub', await sign({ sub: undefined }), 401],
    ['another audience', await sign({ aud: 'elsewhere' }), 401],
    ['several audiences', await sign({ aud: ['footfall', 'elsewhere'] }), 401],
    ['a token for visits', await sign({ aud: 'footfall-visit' }), 401],
    ['an unknown type', await sign({}, { typ: 'at+jwt' }), 401],
    ['alg none', `${base64({ alg: 'none' })}.${base64(claims)}.`, 401],
    ['HS256 with the public key for a secret', await sign({}, {}, new TextEncoder().encode(publicKey)), 401],
    ['no token', 'abc', 401],
  ]
  for (const [name, token, status] of cases) assert.is(await ask(running, token), status, name)
}))

test('without keys the scheme is off', () => withService({}, async running => {
  assert.is(await ask(running, await sign()), 401)
}))

test('a role by token keeps a visit out', () => withService({ jwtKeys }, async ({ hit, api, settled }) => {
  const visit = await sign({ aud: 'footfall-visit', roles: ['administrator'] })
  const reader = await sign({ aud: 'footfall-visit', roles: ['subscriber'] })
  assert.is((await hit({ page_url: '/', token: visit })).status, 204)
  assert.is((await hit({ page_url: '/' }, { authorization: `Bearer ${await sign()}` })).status, 204)
  await hit({ page_url: '/counted', token: reader })
  await hit({ page_url: '/counted', token: await sign() })
  await settled()
  const { body } = await api('/pages?from=2026-03-10&to=2026-03-10')
  assert.equal(body.data.map((row: { page: string, views: number }) => [row.page, row.views]), [['/counted', 2]])
}))

test('a short secret and a broken key stop the start', async () => {
  for (const keys of [{ secrets: [new Uint8Array(31)], publicKey: null }, { secrets: [], publicKey: 'no key' }]) {
    const failure = await withService({ jwtKeys: keys }, async () => {}).catch((error: Error) => error.message)
    assert.match(String(failure), /FOOTFALL_JWT_(SECRET|PUBLIC_KEY)/)
  }
})

test.run()
