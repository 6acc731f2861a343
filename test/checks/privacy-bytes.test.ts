// After known traffic, the bytes of everything on disk and of the log are searched for what must never be kept.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { hashOf, toBytes } from '../../src/collection/enrich/salts.ts'
import { copyDatabase } from '../../src/database/copy.ts'
import { openDatabase, openReadOnly } from '../../src/database/open.ts'
import { schema } from '../../src/database/schema.ts'
import { createPipeline } from '../model/pipeline.ts'
import { withFolder } from '../support/folder.ts'
import { sendRecord } from '../support/records.ts'
import { hasSalt, lastingSalt, saltsOf } from '../support/salts.ts'
import { withService } from '../support/service.ts'
import { until } from '../support/wait.ts'

const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0 Distinct/7741.9'
const other =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1 Zq/55'
const token = '9f8e7d6c5b4a39281706f5e4d3c2b1a0'

const v4 = (address: string): Buffer => Buffer.from(address.split('.').map(Number))
const reversed = (bytes: Buffer): Buffer => Buffer.from([...bytes].reverse())

/** An address in every notation that a program might write; four raw bytes are few, so the addresses are odd ones. */
const notations = (address: string): Buffer[] => {
  const bytes = v4(address)
  const number = bytes.readUInt32BE()
  const hex = bytes.toString('hex')
  const texts = [
    address,
    String(number),
    String(bytes.readInt32BE()),
    hex,
    hex.toUpperCase(),
    `::ffff:${hex.slice(0, 4)}:${hex.slice(4)}`,
    bytes.toString('base64'),
  ]
  return [...texts.map(text => Buffer.from(text)), bytes, reversed(bytes)]
}

const v6 = {
  groups: ['2001', '0db8', 'f3a7', '91c4', '5e6b', 'd80f', '2b9a', 'c7e1'],
  short: '2001:db8:f3a7:91c4:5e6b:d80f:2b9a:c7e1',
}
const notationsOfV6 = (): Buffer[] => {
  const bytes = Buffer.from(v6.groups.join(''), 'hex')
  const texts = [
    v6.short,
    v6.groups.join(':'),
    v6.groups.join(':').toUpperCase(),
    v6.groups.join(''),
    v6.groups.join('').toUpperCase(),
    bytes.toString('base64'),
    v6.groups.slice(4).join(':'),
    v6.groups.slice(4).join(''),
  ]
  return [...texts.map(text => Buffer.from(text)), bytes, bytes.subarray(8), bytes.subarray(0, 8)]
}

const inUtf16 = (text: string): Buffer[] => [Buffer.from(text), Buffer.from(text, 'utf16le')]

const secrets: readonly [string, Buffer[]][] = [
  ['an IPv4 address', notations('203.191.167.213')],
  ['a mapped IPv4 address', notations('198.181.149.227')],
  ['an IPv6 address', notationsOfV6()],
  ['a user agent', [agent, other, 'Distinct/7741', 'Zq/55', 'KHTML, like Gecko'].flatMap(inUtf16)],
  ['an e-mail address', ['jane.roe', 'roe@private', 'jane.roe%40'].flatMap(inUtf16)],
  ['a token', [token, token.toUpperCase()].flatMap(inUtf16)],
  ['path or query of a referrer', ['secret-path', 'secretquery', 'user:pass'].flatMap(inUtf16)],
  ['a click id', ['CLICKVALUE99'].flatMap(inUtf16)],
  ['a query that is not kept', ['sessionid', 'S3SSION'].flatMap(inUtf16)],
]

const found = (bytes: Buffer, name: string, more: readonly [string, Buffer[]][] = []): string[] =>
  [...secrets, ...more]
    .filter(([, needles]) => needles.some(needle => bytes.includes(needle)))
    .map(([what]) => `${what} in ${name}`)

const files = (folder: string): [string, Buffer][] =>
  readdirSync(folder).map(name => [name, readFileSync(join(folder, name))])

const hits = [
  {
    page_url: `https://shop.example/known-page/?sessionid=S3SSION&gclid=CLICKVALUE99&utm_source=jane.roe@private.example`,
    title: 'Mail jane.roe@private.example',
    referrer: 'https://user:pass@ref.example/secret-path?secretquery=1#x',
  },
  {
    page_url: `/reset/${token}/jane.roe%40private.example`,
    title: `${'x'.repeat(285)} jane.roe@private.example`,
    author: 'jane.roe@private.example',
    referrer: 'https://203.191.167.213/secret-path',
  },
]
const events = [
  {
    name: 'signup',
    properties: { email: 'jane.roe@private.example', 'jane.roe@private.example': 'x' },
    page_url: `/reset/${token}`,
  },
  { name: 'jane.roe@private.example' },
  { name: 'purchase', order_id: 'jane.roe@private.example' },
]
const addresses = ['203.191.167.213', '::ffff:198.181.149.227', v6.short]

test('the search finds what is there, so that it can fail', () => {
  for (const [what, needles] of secrets)
    for (const needle of needles)
      assert.equal(found(Buffer.concat([Buffer.from('abc'), needle]), 'x').includes(`${what} in x`), true)
})

test('service: database, log of the database, lock and log lines', () =>
  withService(
    { start: '2026-03-10T23:40:00Z', flags: { logLevel: 'debug' } },
    async ({ hit, clock, file, logs, service, restart, administrator, settled }) => {
      const { db } = openDatabase(file)
      const salts = new Map<number, string>()
      const remember = (): void => {
        for (const { day, salt } of saltsOf(file)) salts.set(day, salt)
      }
      const traffic = async (): Promise<void> => {
        for (const [index, address] of addresses.entries()) {
          const headers = { 'x-forwarded-for': address, 'user-agent': index === 1 ? other : agent }
          for (const body of hits) assert.is((await hit(body, headers)).status, 204)
          for (const body of events) {
            const { status } = await sendRecord(`${service.url}/analytics/v1/event`, {
              method: 'POST',
              body: JSON.stringify(body),
              headers: { 'content-type': 'text/plain', ...headers },
            })
            assert.is(status, 204)
          }
          // Refusals are kept as numbers only.
          await hit('{"page_url":', headers)
          await hit(hits[0] ?? {}, { ...headers, dnt: '1' })
          await hit({ page_url: '/', title: 'x'.repeat(9000) }, headers)
        }
      }
      const folder = join(file, '..')
      const password = Buffer.from(administrator.replace('Basic ', ''), 'base64').toString().split(':')[1] ?? ''
      const always: [string, Buffer[]][] = [
        ['an app password', [password, password.replaceAll(' ', '')].map(text => Buffer.from(text))],
      ]
      const search = (more: [string, Buffer[]][] = []): string[] => [
        ...files(folder).flatMap(([name, bytes]) => found(bytes, name, [...always, ...more])),
        ...found(Buffer.from(logs.join('')), 'the log', [...always, ...more]),
      ]

      await traffic()
      remember()
      assert.is(salts.size, 1)
      const everywhere = (): Buffer => Buffer.concat(files(folder).map(([, bytes]) => bytes))
      assert.ok(everywhere().includes('/known-page'), 'the page must be found')
      assert.ok(
        [...salts.values()].every(salt => hasSalt(everywhere(), salt)),
        'the salt must be found while it lives',
      )
      assert.equal(search(), [])

      clock.now = Date.parse('2026-03-11T00:10:00Z')
      await traffic()
      remember()
      assert.is(salts.size, 2)
      clock.now = Date.parse('2026-03-11T00:31:00Z')
      await traffic()
      await settled()
      // The job runs every 10 seconds of the real clock; a start does the same at once.
      db.close()
      await restart()
      const old = Buffer.from(salts.get(20260310) ?? '', 'hex')
      assert.is(old.length, 16)
      const dead: [string, Buffer[]][] = [
        [
          'an old salt',
          [
            old,
            Buffer.from(old.toString('hex')),
            Buffer.from(old.toString('hex').toUpperCase()),
            Buffer.from(old.toString('base64')),
          ],
        ],
      ]
      assert.equal(search(dead), [])
      assert.ok(hasSalt(everywhere(), salts.get(20260311) ?? 'none'), 'the new salt must be found')
    },
  ))

test('an old salt is gone from every file at once, while the service runs', () =>
  withFolder(async folder => {
    const pipeline = createPipeline({ folder, start: Date.parse('2026-03-10T23:50:00Z') / 1000 })
    const send = (): void => {
      void pipeline.send({ kind: 'hit', address: '203.0.113.7', userAgent: agent, body: { page_url: '/known-page' } })
      pipeline.flush()
    }
    const bytes = (): Buffer => Buffer.concat(files(folder).map(([, bytes]) => bytes))
    send()
    const [{ salt } = { salt: '' }] = saltsOf(pipeline.path)
    const hashes: Buffer[] = pipeline.rows('select hash from visitor').map(({ hash }) => hash)
    pipeline.clock.now += 20 * 60
    send()
    assert.ok(hasSalt(bytes(), salt))
    pipeline.clock.now += 20 * 60
    pipeline.jobs()
    assert.not(hasSalt(bytes(), salt))
    assert.not(
      hashes.some(hash => bytes().includes(hash)),
      'a hash under the old salt',
    )
    pipeline.close()
  }))

test('an old salt is gone as soon as a long report lets go of the log', () =>
  withFolder(async folder => {
    const pipeline = createPipeline({ folder, start: Date.parse('2026-03-10T23:50:00Z') / 1000 })
    void pipeline.send({ kind: 'hit', address: '203.0.113.7', userAgent: agent, body: { page_url: '/known-page' } })
    pipeline.flush()
    const [{ salt } = { salt: '' }] = saltsOf(pipeline.path)
    const report = openReadOnly(pipeline.path)
    report.exec('begin')
    report.prepare('select count(*) from view').get()
    pipeline.db.pragma('busy_timeout = 50')
    pipeline.clock.now += 40 * 60
    pipeline.jobs()
    report.exec('commit')
    report.close()
    pipeline.clock.now += 10
    pipeline.jobs()
    const holders = files(folder)
      .filter(([, bytes]) => hasSalt(bytes, salt))
      .map(([name]) => name)
    pipeline.close()
    assert.equal(holders, [])
  }))

test('a backup and the copy before a migration hold no salt, of a day or lasting', () =>
  withFolder(async folder => {
    const pipeline = createPipeline({ folder, start: Date.parse('2026-03-10T12:00:00Z') / 1000 })
    pipeline.set({ consent_mode: 'full' })
    void pipeline.send({
      kind: 'hit',
      address: '203.191.167.213',
      userAgent: agent,
      body: { ...hits[0], consent_granted: true, visitor_id: 'browser-number-0001' },
    })
    pipeline.flush()
    const salts = saltsOf(pipeline.path).map(({ salt }) => salt)
    assert.is(salts.length, 2)
    pipeline.close()
    const backup = join(folder, 'backup.db')
    copyDatabase(pipeline.path, backup)
    const { db, copy } = openDatabase(pipeline.path, {
      schema: { ...schema, migrations: [...schema.migrations, 'create table later (id integer primary key) strict'] },
    })
    db.close()
    for (const bytes of [backup, copy ?? ''].map(path => readFileSync(path))) {
      assert.ok(bytes.includes('/known-page'))
      for (const salt of salts) assert.not(hasSalt(bytes, salt))
    }
    for (const [name, content] of files(folder)) assert.equal(found(content, name), [])
  }))

test('the lasting salt, and what was known by it, is gone when the mode is left', () =>
  withService({}, async ({ api, hit, file }) => {
    const set = async (mode: string): Promise<void> => {
      const { db } = openDatabase(file)
      db.prepare(
        "insert into setting values ('consent_mode', ?) on conflict (name) do update set value = excluded.value",
      ).run(JSON.stringify(mode))
      db.close()
      await until(async () => assert.is((await api('/settings')).body.consent_mode, mode))
    }
    await set('full')
    await hit({ page_url: '/known-page', consent_granted: true, visitor_id: 'browser-number-0001' })
    const value = lastingSalt(file) ?? ''
    assert.is(value.length, 32)
    await set('cookieless')
    const holding = (): string[] =>
      files(join(file, '..'))
        .filter(([, bytes]) => hasSalt(bytes, value))
        .map(([name]) => name)
    // A thread that reads at that moment puts the truncation off to the next second.
    await until(() => assert.equal(holding(), []))
  }))

test('to be forgotten: the bytes of the visit are gone', () =>
  withFolder(async folder => {
    const pipeline = createPipeline({ folder, start: Date.parse('2026-03-10T12:00:00Z') / 1000 })
    pipeline.set({ consent_mode: 'full' })
    void pipeline.send({
      kind: 'hit',
      address: '203.0.113.7',
      userAgent: agent,
      body: {
        page_url: '/known-page',
        pvid: 'pvid-to-be-forgotten-1',
        consent_granted: true,
        visitor_id: 'browser-number-0001',
      },
    })
    pipeline.flush()
    const bytes = (): Buffer => Buffer.concat(files(folder).map(([, bytes]) => bytes))
    assert.ok(bytes().includes(toBytes(hashOf('pvid-to-be-forgotten-1'))))
    assert.not(bytes().includes('pvid-to-be-forgotten-1'))
    assert.not(bytes().includes('browser-number-0001'))
    pipeline.collector.forget('browser-number-0001')
    assert.not(bytes().includes(toBytes(hashOf('pvid-to-be-forgotten-1'))))
    pipeline.close()
  }))

test.run()
