// Users, application passwords, login links and the first start, on a real file.
import { readFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Db } from '../../src/database/query.ts'
import { unlimited } from '../../src/identity/app-password-limits.ts'
import { createAppPassword, listAppPasswords, revokeAppPassword } from '../../src/identity/app-passwords.ts'
import { firstAdministrator } from '../../src/identity/first-administrator.ts'
import { identityKey } from '../../src/identity/key.ts'
import { consumeLoginLink, createLoginLink, isLoginLink } from '../../src/identity/login-links.ts'
import { findSession, startSession } from '../../src/identity/login-sessions.ts'
import { hashPassword, verifyPassword } from '../../src/identity/password-hash.ts'
import {
  createUser,
  findUser,
  generatePassword,
  IdentityError,
  listUsers,
  removeUser,
  updateUser,
} from '../../src/identity/users.ts'
import { openTestFile, password } from '../support/identity-service.ts'

const now = 1_790_000_000
const nowhere = { network: null, browser: null, os: null }
const admin = { login: 'admin', role: 'administrator', locale: 'en', password }

const withFile = (work: (db: Db, path: string) => Promise<void> | void) => async (): Promise<void> => {
  const { db, path, close } = openTestFile()
  try {
    await work(db, path)
  } finally {
    close()
  }
}

const failure = async (work: () => unknown): Promise<unknown> => {
  try {
    await work()
    return undefined
  } catch (error) {
    return error
  }
}

const refuses = async (work: () => unknown, sentence: RegExp): Promise<void> => {
  const error = await failure(work)
  assert.instance(error, IdentityError)
  assert.match(error instanceof Error ? error.message : '', sentence)
}

test(
  'a user is found by the login in any case, and listed',
  withFile(async db => {
    const added = await createUser(db, admin, now)
    assert.equal(added, {
      id: 1,
      login: 'admin',
      role: 'administrator',
      locale: 'en',
      startPage: 'overview',
      createdAt: now,
      filters: null,
    })
    assert.equal(findUser(db, 'ADMIN'), added)
    assert.is(findUser(db, 'nobody'), undefined)
    assert.equal(listUsers(db), [added])
  }),
)

const bad: readonly [string, Partial<typeof admin>, RegExp][] = [
  ['a login that is taken, in another case', { login: 'Admin' }, /login 'Admin' is already in use/],
  ['no login', { login: '' }, /is not a valid login/],
  ['a login of 61 characters', { login: 'a'.repeat(61) }, /is not a valid login/],
  ['a login with a colon, which Basic cannot carry', { login: 'a:b' }, /is not a valid login/],
  ['a login with a space at its end', { login: 'a ' }, /is not a valid login/],
  ['a login with other letters', { login: 'jürgen' }, /is not a valid login/],
  [
    'a role in upper case',
    { login: 'x', role: 'Administrator' },
    /'Administrator' is not a role\. Did you mean administrator\?/,
  ],
  ['no role', { login: 'x', role: '' }, /'' is not a role\. The roles are administrator, viewer, editor, /],
  ['an invalid locale', { login: 'x', locale: 'English, please' }, /is not a valid locale/],
  ['a password of 7 characters', { login: 'x', password: '1234567' }, /too short: use at least 8/],
  ['one of the most common passwords', { login: 'x', password: 'password1' }, /too easy to guess/],
  ['one of them in another case', { login: 'x', password: 'QwErTyUiOp' }, /too easy to guess/],
  ['one of them in full-width letters', { login: 'x', password: 'ｐａｓｓｗｏｒｄ' }, /too easy to guess/],
  ['a password that is the login, in another case', { login: 'grandmother', password: 'Grandmother' }, /nor the login/],
  ['a password of 1025 characters', { login: 'x', password: 'a'.repeat(1025) }, /too long/],
]
for (const [what, change, sentence] of bad) {
  test(
    `no user is made of ${what}`,
    withFile(async db => {
      await createUser(db, admin, now)
      await refuses(() => createUser(db, { ...admin, ...change }, now), sentence)
      assert.is(listUsers(db).length, 1)
    }),
  )
}

test(
  'two that take one login at once: one gets it, the other a sentence',
  withFile(async db => {
    const results = await Promise.allSettled([createUser(db, admin, now), createUser(db, admin, now)])
    assert.equal(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    const [lost] = results.flatMap(result => (result.status === 'rejected' ? [result.reason] : []))
    assert.instance(lost, IdentityError)
  }),
)

test(
  'the last administrator cannot be removed, others can, with all that is theirs',
  withFile(async db => {
    const { id } = await createUser(db, admin, now)
    await createUser(db, { ...admin, login: 'reader', role: 'subscriber' }, now)
    await refuses(() => removeUser(db, 'admin', now), /last administrator/)
    await createUser(db, { ...admin, login: 'second' }, now)
    const { uuid } = createAppPassword(db, { login: 'admin', name: 'a' }, now)
    const token = createLoginLink(db, id, now)
    assert.ok(removeUser(db, 'ADMIN', now))
    assert.not(removeUser(db, 'admin', now))
    assert.not(revokeAppPassword(db, uuid, now))
    assert.is(consumeLoginLink(db, token, now), null)
    const again = await createUser(db, admin, now)
    assert.not.equal(again.id, id, 'a number is never given again')
  }),
)

test(
  'another password ends sessions and links of this user, but no application passwords',
  withFile(async db => {
    const { id } = await createUser(db, admin, now)
    const { id: other } = await createUser(db, { ...admin, login: 'other' }, now)
    const key = identityKey(db)
    const open = (userId: number) => startSession(db, key, { userId, passwordHash: null, ...nowhere }, null, now) ?? ''
    const [mine, theirs] = [open(id), open(other)]
    const link = createLoginLink(db, id, now)
    createAppPassword(db, { login: 'admin', name: 'a' }, now)
    assert.ok(await updateUser(db, 'Admin', { password: 'another password' }, now))
    assert.is(findSession(db, key, mine, now), null)
    assert.is(findSession(db, key, theirs, now)?.login, 'other')
    assert.not(isLoginLink(db, link, now))
    assert.is(listAppPasswords(db).length, 1)
    assert.not(await updateUser(db, 'nobody', { password: 'another password' }, now))
    await refuses(() => updateUser(db, 'admin', { password: 'short' }, now), /too short/)
    await refuses(() => updateUser(db, 'admin', { password: 'SunShine' }, now), /too easy to guess/)
    await createUser(db, { ...admin, login: 'grandmother' }, now)
    await refuses(() => updateUser(db, 'Grandmother', { password: 'grandmother' }, now), /too easy to guess/)
  }),
)

test(
  'beyond that, no rule: eight characters of one kind that are neither common nor the login',
  withFile(async db => {
    for (const [index, password] of ['haystack', '20261120', 'footfall', 'admin123'].entries())
      await createUser(db, { ...admin, login: `user${index}`, password }, now)
    assert.is(listUsers(db).length, 4)
  }),
)

test(
  'a session does not open with a password that was changed while it was checked',
  withFile(async db => {
    const { id } = await createUser(db, admin, now)
    assert.is(startSession(db, identityKey(db), { userId: id, passwordHash: 'of before', ...nowhere }, null, now), null)
  }),
)

test('generated passwords have 24 letters and digits and never repeat', () => {
  const made = Array.from({ length: 500 }, generatePassword)
  assert.ok(made.every(text => /^[A-Za-z0-9]{24}$/.test(text)))
  assert.is(new Set(made).size, 500)
  assert.is(new Set(made.join('')).size, 62)
})

test('account passwords: scrypt with its parameters in the text, another salt each time', async () => {
  const [one, two] = [await hashPassword(password), await hashPassword(password)]
  assert.match(one, /^\$scrypt\$ln=15,r=8,p=3\$/)
  assert.not.equal(one, two)
  assert.ok(await verifyPassword(password, one))
  assert.not(await verifyPassword(`${password} `, one))
  assert.not(await verifyPassword(password, null))
  assert.ok(
    await verifyPassword('u\u0308ber-lang', await hashPassword('über-lang')),
    'letters however a keyboard writes them',
  )
})

test(
  'application passwords: shown once in groups of four, listed, revoked',
  withFile(async (db, path) => {
    await createUser(db, admin, now)
    await createUser(db, { ...admin, login: 'reader', role: 'subscriber' }, now)
    const { uuid, password: shown } = createAppPassword(db, { login: 'ADMIN', name: 'Backup' }, now)
    createAppPassword(db, { login: 'reader', name: 'backup' }, now)
    assert.match(shown, /^([A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}$/)
    assert.equal(listAppPasswords(db, 'admin'), [
      {
        uuid,
        login: 'admin',
        name: 'Backup',
        ...unlimited,
        createdAt: now,
        lastUsedAt: null,
        lastAddress: null,
      },
    ])
    assert.is(listAppPasswords(db).length, 2)
    await refuses(
      () => createAppPassword(db, { login: 'admin', name: 'BACKUP' }, now),
      /already has an application password/,
    )
    await refuses(() => createAppPassword(db, { login: 'nobody', name: 'x' }, now), /no user 'nobody'/)
    await refuses(() => createAppPassword(db, { login: 'admin', name: 'a\nb' }, now), /no line breaks/)
    await refuses(() => createAppPassword(db, { login: 'admin', name: '' }, now), /1 to 100 characters/)
    await refuses(() => listAppPasswords(db, 'nobody'), /no user 'nobody'/)
    const kept = readFileSync(path, 'latin1') + readFileSync(`${path}-wal`, 'latin1')
    for (const secret of [shown, shown.replaceAll(' ', ''), password]) assert.not(kept.includes(secret))
    assert.ok(revokeAppPassword(db, uuid.toUpperCase(), now))
    assert.not(revokeAppPassword(db, uuid, now))
  }),
)

test(
  'a login link works once, within an hour, and only its hash is kept',
  withFile(async (db, path) => {
    const { id } = await createUser(db, admin, now)
    const [one, two] = [createLoginLink(db, id, now), createLoginLink(db, id, now)]
    assert.match(one, /^[\w-]{22}$/)
    assert.not((readFileSync(path, 'latin1') + readFileSync(`${path}-wal`, 'latin1')).includes(one))
    assert.ok(isLoginLink(db, one, now + 3599))
    assert.is(consumeLoginLink(db, one, now + 3599), id)
    assert.is(consumeLoginLink(db, one, now + 3599), null)
    assert.is(consumeLoginLink(db, two, now + 3600), null)
    assert.is(consumeLoginLink(db, '', now), null)
  }),
)

test(
  'the first start makes one administrator, later ones none',
  withFile(async db => {
    const first = await firstAdministrator(db, undefined, now)
    assert.is(first?.login, 'admin')
    assert.match(first?.password ?? '', /^[A-Za-z0-9]{24}$/)
    assert.is(consumeLoginLink(db, first?.linkToken ?? '', now), findUser(db, 'admin')?.id)
    assert.is(await firstAdministrator(db, undefined, now), null)
  }),
)

test(
  'a password from the environment is taken, not shown, and refused when it is short or common',
  withFile(async db => {
    await refuses(() => firstAdministrator(db, 'short', now), /FOOTFALL_ADMIN_PASSWORD is too short/)
    await refuses(() => firstAdministrator(db, 'password', now), /FOOTFALL_ADMIN_PASSWORD is too easy to guess/)
    const first = await firstAdministrator(db, password, now)
    assert.is(first?.password, null)
    assert.is(findUser(db, 'admin')?.role, 'administrator')
  }),
)

test(
  'the key of an installation stays the same, and differs between two',
  withFile(db => {
    const other = openTestFile()
    assert.equal(identityKey(db), identityKey(db))
    assert.is(identityKey(db).length, 32)
    assert.not.equal(identityKey(db), identityKey(other.db))
    other.close()
  }),
)

test.run()
