// Tokens of the host platform: who they open the reports to, and whose visits they keep out.
import { createHmac, generateKeyPairSync } from 'node:crypto'
import { importPKCS8, type JWK, SignJWT } from 'jose'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Running, withService } from '../support/service.ts'

const secret = new TextEncoder().encode('a secret that is long enough for it')
const older = new TextEncoder().encode('the secret that was used before this one')
const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const jwtKeys = { secrets: [secret, older], publicKey }
const now = Date.parse('2026-03-10T12:00:00Z') / 1000

const claims = {
  sub: '7',
  name: 'Ada',
  roles: ['administrator'],
  capabilities: ['manage_options'],
  aud: 'footfall',
  iat: now,
  exp: now + 600,
}
type Claims = Record<string, unknown>

const sign = (changes: Claims = {}, header: Record<string, unknown> = {}, key: Uint8Array = secret): Promise<string> =>
  new SignJWT({ ...claims, ...changes }).setProtectedHeader({ alg: 'HS256', ...header }).sign(key)

/** Three bytes are four characters; those of the header are counted apart. */
const ofLength = async (length: number): Promise<string> => {
  for (const padding of ['', 'a', 'aa', 'aaa'])
    for (let letters = 2800; letters < 3000; letters += 1) {
      const token = await sign({ name: 'a'.repeat(letters) }, { padding })
      if (token.length === length) return token
    }
  throw new Error(`no token has ${length} characters`)
}

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** With this header, and a signature by the right secret over it. */
const tampered = (header: object): string => {
  const text = `${base64(header)}.${base64(claims)}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

const changed = (token: string): string => token.replace(/\.[^.]+\./, `.${base64({ ...claims, sub: '1' })}.`)

const strangers = generateKeyPairSync('ed25519')
const stranger = { key: strangers.privateKey, jwk: strangers.publicKey.export({ format: 'jwk' }) as JWK }

const ask = async ({ api }: Running, token: string): Promise<number> =>
  (await api('/summary?from=2026-03-10&to=2026-03-10', { as: 'nobody', headers: { authorization: `Bearer ${token}` } }))
    .status

test('a token opens the reports to whom the platform vouches for', () =>
  withService({ jwtKeys }, async running => {
    const eddsa = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT' })
      .sign(await importPKCS8(privateKey, 'EdDSA'))
    const cases: [string, string, number][] = [
      ['HS256', await sign(), 200],
      ['the older secret', await sign({}, {}, older), 200],
      ['EdDSA', eddsa, 200],
      ['the role alone', await sign({ capabilities: undefined }), 200],
      ['capabilities given, and manage_options not among them', await sign({ capabilities: ['read'] }), 403],
      ['an editor', await sign({ roles: ['editor'], capabilities: undefined }), 403],
      ['a clock 60 seconds off', await sign({ iat: now + 60, exp: now + 660 }), 200],
      ['a clock 61 seconds off', await sign({ iat: now + 61, exp: now + 661 }), 401],
      ['expired within the skew', await sign({ iat: now - 659, exp: now - 59 }), 200],
      ['expired as long ago as that', await sign({ iat: now - 660, exp: now - 60 }), 401],
      ['a life of a second', await sign({ iat: now, exp: now + 1 }), 200],
      ['a life of none', await sign({ iat: now, exp: now }), 401],
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
      ['a number for the user, as PHP writes it', await sign({ sub: 7 }), 200],
      ['no user at all', await sign({ sub: 0 }), 401],
      ['a fraction of a user', await sign({ sub: 7.5 }), 401],
      ['an empty sub', await sign({ sub: '' }), 401],
      ['the role second', await sign({ roles: ['editor', 'administrator'], capabilities: undefined }), 200],
      ['no roles', await sign({ roles: undefined, capabilities: undefined }), 403],
      ['no capability', await sign({ capabilities: [] }), 403],
      ['capabilities that are no list', await sign({ capabilities: 'manage_options' }), 403],
      ['the capability without a role', await sign({ roles: [] }), 200],
      ['type JWT in small letters', await sign({}, { typ: 'jwt' }), 200],
      ['a critical extension', tampered({ alg: 'HS256', crit: ['exp'], exp: now }), 401],
      ['a critical extension that libraries know', tampered({ alg: 'HS256', crit: ['b64'], b64: false }), 401],
      ['HS384', await sign({}, { alg: 'HS384' }), 401],
      ['HS512', await sign({}, { alg: 'HS512' }), 401],
      ['EdDSA in the header of HS256', tampered({ alg: 'EdDSA' }), 401],
      ['NONE in other letters', `${base64({ alg: 'nOnE' })}.${base64(claims)}.`, 401],
      [
        'another key in the header',
        await new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA', jwk: stranger.jwk }).sign(stranger.key),
        401,
      ],
      ['a key of a stranger', await new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA' }).sign(stranger.key), 401],
      ['claims that were changed', changed(await sign()), 401],
      ['a signature cut short', (await sign()).slice(0, -2), 401],
      ['no signature', (await sign()).replace(/[^.]+$/, ''), 401],
      ['not valid before some time', await sign({ nbf: now + 300 }), 401],
      ['an end before its beginning', await sign({ iat: now + 30, exp: now + 20 }), 401],
      ['times as text', await sign({ exp: String(now + 600) }), 401],
      ['a token of 4,095 characters', await ofLength(4095), 200],
      ['a token of 4,096 characters', await ofLength(4096), 200],
      ['a token of 4,097 characters', await ofLength(4097), 401],
      ['no audience', await sign({ aud: undefined }), 401],
    ]
    for (const [name, token, status] of cases) assert.is(await ask(running, token), status, name)
  }))

test('each scheme works with its own key only', async () => {
  const eddsa = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'EdDSA' })
    .sign(await importPKCS8(privateKey, 'EdDSA'))
  await withService({ jwtKeys: { secrets: [], publicKey } }, async running => {
    assert.is(await ask(running, eddsa), 200)
    assert.is(await ask(running, await sign()), 401)
    // The key is public: if it were taken for a secret, anyone could sign anything.
    for (const text of [publicKey, publicKey.trim(), publicKey.replace(/-----[^-]+-----|\n/g, '')]) {
      assert.is(await ask(running, await sign({}, {}, new TextEncoder().encode(text))), 401)
    }
  })
  await withService({ jwtKeys: { secrets: [secret], publicKey: null } }, async running => {
    assert.is(await ask(running, await sign()), 200)
    assert.is(await ask(running, eddsa), 401)
    assert.is(await ask(running, await sign({}, {}, older)), 401, 'after the rotation')
  })
})

test('with a valid token a nonce is ignored, with a wrong one it is not', () =>
  withService({ jwtKeys }, async ({ api }) => {
    const status = async (token: string): Promise<number> =>
      (
        await api('/settings', {
          as: 'nobody',
          headers: { authorization: `Bearer ${token}`, 'x-wp-nonce': 'deadbeef00' },
        })
      ).status
    assert.equal([await status(await sign()), await status(await sign({ aud: 'elsewhere' }))], [200, 403])
  }))

test('a token for visits makes nobody known on any other route', () =>
  withService({ jwtKeys }, async ({ api }) => {
    const headers = { authorization: `Bearer ${await sign({ aud: 'footfall-visit' })}` }
    for (const path of ['/settings', '/users/me', '/advisor/preferences', '/session', '/metrics']) {
      assert.is((await api(path, { as: 'nobody', headers })).status, 401, path)
    }
  }))

test('without keys the scheme is off', () =>
  withService({}, async running => {
    assert.is(await ask(running, await sign()), 401)
  }))

test('a role by token keeps a visit out', () =>
  withService({ jwtKeys }, async ({ hit, api, settled }) => {
    const visit = await sign({ aud: 'footfall-visit', roles: ['administrator'] })
    const reader = await sign({ aud: 'footfall-visit', roles: ['subscriber'] })
    assert.is((await hit({ page_url: '/', token: visit })).status, 204)
    assert.is((await hit({ page_url: '/' }, { authorization: `Bearer ${await sign()}` })).status, 204)
    await hit({ page_url: '/counted', token: reader })
    await hit({ page_url: '/counted', token: await sign() })
    await settled()
    const { body } = await api('/pages?from=2026-03-10&to=2026-03-10')
    assert.equal(
      body.data.map((row: { page: string; views: number }) => [row.page, row.views]),
      [['/counted', 2]],
    )
  }))

test('a token for visits lives for a day, as pages are open for long', () =>
  withService({ jwtKeys }, async ({ hit, api, settled }) => {
    const visit = (exp: number): Promise<string> =>
      sign({ aud: 'footfall-visit', roles: ['administrator'], iat: now - 3600, exp })
    await hit({ page_url: '/within', token: await visit(now - 3600 + 86_400) })
    await hit({ page_url: '/beyond', token: await visit(now - 3600 + 86_401) })
    await settled()
    const { body } = await api('/pages?from=2026-03-10&to=2026-03-10')
    assert.equal(
      body.data.map((row: { page: string }) => row.page),
      ['/beyond'],
    )
  }))

test('the locale in a token decides the language of answers', () =>
  withService({ jwtKeys }, async ({ api, hit, settled }) => {
    await hit({ page_url: '/' }, { 'accept-language': 'en' })
    await settled()
    const cases: [unknown, string, string][] = [
      ['de_DE', 'de-DE', 'Englisch'],
      ['de_DE_formal', 'de-DE', 'Englisch'],
      ['fr', 'fr', 'anglais'],
      ['es-MX', 'es-MX', 'inglés'],
      ['%', 'en', 'English'],
      [7, 'en', 'English'],
      [undefined, 'en', 'English'],
    ]
    for (const [locale, tag, name] of cases) {
      const headers = { authorization: `Bearer ${await sign({ locale })}`, 'accept-language': 'it' }
      assert.is((await api('/session', { as: 'nobody', headers })).body.locale, tag)
      const { body } = await api('/dimensions/language?from=2026-03-10&to=2026-03-10', { as: 'nobody', headers })
      assert.is(body.data[0].name, name, String(locale))
    }
  }))

test('a secret of 32 bytes is long enough', () =>
  withService({ jwtKeys: { secrets: [new Uint8Array(32)], publicKey: null } }, async running =>
    assert.is(await ask(running, await sign({}, {}, new Uint8Array(32))), 200),
  ))

test('a short secret and a broken key stop the start', async () => {
  for (const keys of [
    { secrets: [new Uint8Array(31)], publicKey: null },
    { secrets: [], publicKey: 'no key' },
  ]) {
    const failure = await withService({ jwtKeys: keys }, async () => {}).catch((error: Error) => error.message)
    assert.match(String(failure), /FOOTFALL_JWT_(SECRET|PUBLIC_KEY)/)
  }
})

test.run()
