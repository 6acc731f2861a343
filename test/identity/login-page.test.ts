// The login page and the one-time link (api.md §2).
import { createHash } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createLoginLink } from '../../src/identity/login-links.ts'
import { type Running, startIdentity } from '../support/identity-service.ts'

const form = { 'content-type': 'application/x-www-form-urlencoded' }

const withService =
  (work: (service: Running) => Promise<void>, options: { root?: string } = {}) =>
  async (): Promise<void> => {
    const service = await startIdentity(options)
    try {
      await work(service)
      assert.equal(service.bugs, [])
    } finally {
      await service.stop()
    }
  }

test(
  'without a token: a form that loads nothing from elsewhere',
  withService(async ({ send }) => {
    const { status, text, headers } = await send({ path: '/login' })
    assert.is(status, 200)
    assert.match(text, /<title>Log in · Footfall<\/title>/)
    assert.match(text, /data-session="wp-json\/analytics\/v1\/session"/)
    assert.not.match(text, /(src|href)="(https?:)?\/\//)
    assert.not.match(text, /\{\{|<!-- content/)
    assert.is(headers['cache-control'], 'no-store')
    assert.is(headers['referrer-policy'], 'no-referrer')
    assert.match(String(headers['content-type']), /^text\/html/)
  }),
)

test(
  'its policy allows its own style and script and nothing else',
  withService(async ({ send }) => {
    const { text, headers } = await send({ path: '/login' })
    const policy = String(headers['content-security-policy'])
    for (const tag of ['style', 'script']) {
      const [, inside = ''] = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(text) ?? []
      assert.ok(policy.includes(`${tag}-src 'sha256-${createHash('sha256').update(inside).digest('base64')}'`))
    }
    assert.match(policy, /default-src 'none'.*form-action 'self'; base-uri 'none'; frame-ancestors 'none'/)
    assert.not.match(policy, /unsafe/)
    assert.not.match(text, / on\w+=| style=/)
  }),
)

test(
  'asking for a link, as previewers do, does not use it up; the button does, once',
  withService(async ({ db, seconds, send }) => {
    const token = createLoginLink(db, 1, seconds())
    for (const method of ['GET', 'HEAD', 'GET']) {
      const { status, text, headers } = await send({ method, path: `/login?token=${token}` })
      assert.is(status, 200)
      assert.is(headers['set-cookie'], undefined)
      assert.is(text.includes(`value="${token}"`), method === 'GET')
    }
    const press = () => send({ method: 'POST', path: '/login', headers: form, body: `token=${token}` })
    const { status, headers } = await press()
    assert.is(status, 303)
    assert.is(headers.location, './')
    const [cookie = ''] = headers['set-cookie'] ?? []
    assert.match(cookie, /^footfall_session=[\w-]{43}; Path=\/; .*HttpOnly; SameSite=Lax$/)
    assert.is(
      (await send({ path: '/wp-json/analytics/v1/session', headers: { cookie: cookie.split(';', 1).join('') } }))
        .status,
      200,
    )
    const again = await press()
    assert.is(again.status, 403)
    assert.is(again.headers['set-cookie'], undefined)
    assert.match(again.text, /footfall user password LOGIN/)
    assert.is((await send({ path: `/login?token=${token}` })).status, 403)
  }),
)

test(
  'two who press at once: one gets in',
  withService(async ({ db, seconds, send }) => {
    const token = createLoginLink(db, 1, seconds())
    const answers = await Promise.all(
      [1, 2].map(() => send({ method: 'POST', path: '/login', headers: form, body: `token=${token}` })),
    )
    assert.equal(answers.map(({ status }) => status).sort(), [303, 403])
  }),
)

test(
  'a link is stale after an hour',
  withService(async ({ db, seconds, pass, send }) => {
    const token = createLoginLink(db, 1, seconds())
    pass(3600)
    assert.is((await send({ path: `/login?token=${token}` })).status, 403)
    assert.is((await send({ method: 'POST', path: '/login', headers: form, body: `token=${token}` })).status, 403)
  }),
)

test(
  'below a root path, and on https',
  withService(
    async ({ db, seconds, send }) => {
      const token = createLoginLink(db, 1, seconds())
      assert.match((await send({ path: '/stats/login' })).text, /data-session="wp-json\/analytics\/v1\/session"/)
      const { headers } = await send({
        method: 'POST',
        path: '/stats/login',
        headers: { ...form, 'x-forwarded-proto': 'https' },
        body: `token=${token}`,
      })
      assert.match(String(headers['set-cookie']), /^__Host-footfall=.*; Path=\/; .*Secure$/)
    },
    { root: '/stats' },
  ),
)

const odd: readonly [
  string,
  number,
  { method?: string; path?: string; headers?: Record<string, string>; body?: string },
][] = [
  ['a token nobody made', 403, { path: '/login?token=AAAAAAAAAAAAAAAAAAAAAA' }],
  ['an empty token', 403, { path: '/login?token=' }],
  ['a token that is markup', 403, { path: '/login?token=%22%3E%3Cscript%3Ealert(1)%3C/script%3E' }],
  ['a token nobody made, pressed', 403, { method: 'POST', headers: form, body: 'token=AAAAAAAAAAAAAAAAAAAAAA' }],
  [
    'the form without its script',
    400,
    { method: 'POST', headers: form, body: 'login=admin&password=correct+horse+battery' },
  ],
  ['a list of tokens', 400, { method: 'POST', headers: form, body: 'token[]=a' }],
  ['no body', 400, { method: 'POST', headers: form }],
  ['broken JSON', 400, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' }],
  ['a body over 8 KiB', 413, { method: 'POST', headers: form, body: `token=${'a'.repeat(9000)}` }],
  ['another method', 405, { method: 'PUT', headers: form, body: 'token=a' }],
]

test(
  'all else is refused on a page of the same policy, without a cookie',
  withService(async ({ send }) => {
    for (const [what, status, sent] of odd) {
      const answer = await send({ path: '/login', ...sent })
      assert.is(answer.status, status, what)
      assert.is(answer.headers['set-cookie'], undefined, what)
      assert.match(String(answer.headers['content-security-policy']), /default-src 'none'/, what)
      assert.not.match(answer.text, /alert\(1\)/, what)
    }
  }),
)

test(
  'a file that cannot be written: 503, and the link still works afterwards',
  withService(async ({ db, seconds, send }) => {
    const token = createLoginLink(db, 1, seconds())
    const press = () => send({ method: 'POST', path: '/login', headers: form, body: `token=${token}` })
    db.pragma('query_only = on')
    const { status, headers } = await press()
    assert.is(status, 503)
    assert.ok(headers['retry-after'])
    db.pragma('query_only = off')
    assert.is((await press()).status, 303)
  }),
)

test.run()
