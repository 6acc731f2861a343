// Annotations: by hand over HTTP and by the command line, automatic ones, and who sees which.
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { scanFile } from '../../src/checks/privacy/scan.ts'
import { openDatabase } from '../../src/database/open.ts'
import { footfallHere } from '../support/command.ts'
import { withFolder } from '../support/folder.ts'

import { type Answer, type Running, withService } from '../support/service.ts'

const json = { 'content-type': 'application/json' }
const day = 86_400_000
const march = 'from=2026-03-01&to=2026-03-31'

const send = ({ api }: Running, method: string, path: string, body?: object, headers = {}): Promise<Answer> =>
  api(path, { method, headers: { ...json, ...headers }, ...(body !== undefined && { body: JSON.stringify(body) }) })
const add = (running: Running, body: object): Promise<Answer> => send(running, 'POST', '/annotations', body)
const listed = async ({ api }: Running, query = march, options = {}): Promise<any[]> => {
  const { status, body } = await api(`/annotations?${query}`, options)
  assert.is(status, 200, JSON.stringify(body))
  return body.data
}
const textsOf = (rows: readonly { text: string }[]): string[] => rows.map(({ text }) => text)
const passwordOf = async (running: Running, limits: object): Promise<Record<string, string>> => {
  const made = await send(running, 'POST', '/users/me/application-passwords', limits)
  assert.is(made.status, 201, JSON.stringify(made.body))
  return { authorization: `Basic ${btoa(`admin:${made.body.password}`)}` }
}

test('an annotation is of a day or of a moment, is changed and removed', () =>
  withService({ flags: { timezone: 'Europe/Berlin' } }, async running => {
    const made = await add(running, {
      text: 'New theme',
      at: '2026-03-05',
      kind: 'deploy',
      link: 'https://e.org/1?a=b',
    })
    assert.is(made.status, 201)
    assert.equal(made.body, {
      id: 1,
      day: '2026-03-05',
      at: '2026-03-05',
      until: null,
      text: 'New theme',
      kind: 'deploy',
      link: 'https://e.org/1?a=b',
      by: 'admin (test 0)',
      created_at: '2026-03-10T12:00:00Z',
      automatic: false,
    })
    // Half past midnight in Berlin.
    const moment = await add(running, { text: 'Böse 👩‍💻', at: '2026-03-05T23:30:00+00:00' })
    assert.equal([moment.body.day, moment.body.at, moment.body.kind], ['2026-03-06', '2026-03-05T23:30:00Z', 'note'])
    const now = await add(running, { text: 'Now' })
    assert.equal([now.body.day, now.body.at], ['2026-03-10', '2026-03-10T12:00:00Z'])

    assert.equal(textsOf(await listed(running)), ['New theme', 'Böse 👩‍💻', 'Now'])
    assert.equal(textsOf(await listed(running, 'from=2026-03-05&to=2026-03-05')), ['New theme'])
    assert.equal(textsOf(await listed(running, 'from=2026-03-06&to=2026-03-06')), ['Böse 👩‍💻'])
    assert.equal(await listed(running, 'from=9999-12-01&to=9999-12-31'), [])

    const changed = await send(running, 'PUT', '/annotations/1', { text: 'Old theme', kind: 'note' })
    assert.equal(changed.body, { ...made.body, text: 'Old theme', kind: 'note', link: null })
    const moved = await send(running, 'PUT', '/annotations/1', { text: 'Old theme', at: '2026-03-07T10:00:00Z' })
    assert.equal([moved.body.day, moved.body.at], ['2026-03-07', '2026-03-07T10:00:00Z'])
    assert.equal((await send(running, 'DELETE', '/annotations/1')).body, { deleted: true })
    for (const method of ['PUT', 'DELETE']) {
      const { status, body } = await send(running, method, '/annotations/1', { text: 'x' })
      assert.equal([status, body.code], [404, 'rest_annotation_not_found'])
    }
    assert.is((await add(running, { text: 'Next' })).body.id, 4)
  }))

test('a whole day keeps its date when the time zone changes, a moment its time', () =>
  withFolder(async folder => {
    const file = join(folder, 'test.db')
    const rows = async (timezone: string) => {
      let found: unknown
      await withService({ file, flags: { timezone } }, async running => {
        if (timezone === 'UTC')
          for (const at of ['2026-03-05', '2026-03-05T23:30:00Z']) await add(running, { text: 'x', at })
        found = (await listed(running, `${march}&automatic=0`)).map(one => [one.day, one.at])
      })
      return found
    }
    assert.equal(await rows('UTC'), [
      ['2026-03-05', '2026-03-05'],
      ['2026-03-05', '2026-03-05T23:30:00Z'],
    ])
    assert.equal(await rows('Pacific/Auckland'), [
      ['2026-03-05', '2026-03-05'],
      ['2026-03-06', '2026-03-05T23:30:00Z'],
    ])
  }))

test('what cannot be an annotation is refused by name, and writes nothing', () =>
  withService({}, async running => {
    const refused: [body: object, field: string][] = [
      [{}, 'text'],
      [{ text: '' }, 'text'],
      [{ text: '   ' }, 'text'],
      [{ text: ' x' }, 'text'],
      [{ text: 'a\nb' }, 'text'],
      [{ text: 'a\u0000b' }, 'text'],
      [{ text: 'a\u202eb' }, 'text'],
      [{ text: '\ud800' }, 'text'],
      [{ text: 'x'.repeat(201) }, 'text'],
      [{ text: 3 }, 'text'],
      [{ text: 'x', kind: 'party' }, 'kind'],
      [{ text: 'x', link: 'http://example.org' }, 'link'],
      [{ text: 'x', link: 'javascript:alert(1)' }, 'link'],
      [{ text: 'x', link: 'https://user:pw@example.org' }, 'link'],
      [{ text: 'x', link: `https://example.org/${'x'.repeat(2048)}` }, 'link'],
      [{ text: 'x', at: '2026-02-30' }, 'at'],
      [{ text: 'x', at: '2026-02-30T12:00:00Z' }, 'at'],
      [{ text: 'x', at: '2026-03-10T12:00' }, 'at'],
      [{ text: 'x', at: '2026-03-10T25:00:00Z' }, 'at'],
      [{ text: 'x', at: '1969-12-31' }, 'at'],
      [{ text: 'x', at: 'yesterday' }, 'at'],
      [{ text: 'x', at: '2027-03-12' }, 'at'],
      [{ text: 'x', at: '2027-03-12T00:00:00Z' }, 'at'],
    ]
    for (const [body, field] of refused) {
      const answer = await add(running, body)
      const { params } = answer.body.data
      const names = Array.isArray(params) ? params : Object.keys(params)
      assert.equal([answer.status, names], [400, [field]], JSON.stringify(body))
    }
    assert.equal(await listed(running, 'from=2020-01-01&to=2029-12-31'), [])
    for (const body of [
      { text: 'x'.repeat(200) },
      { text: '👩‍💻' },
      { text: 'x', at: '2027-03-11' },
      { text: 'x', at: '1970-01-01' },
    ])
      assert.is((await add(running, body)).status, 201, JSON.stringify(body))
  }))

test('5,000 are kept, no more', () =>
  withFolder(async folder => {
    const file = join(folder, 'test.db')
    const { db } = openDatabase(file)
    const insert = db.prepare(
      "insert into annotation (at, whole_day, text, kind, created_at) values (20260301, 1, ?, 'note', 0)",
    )
    for (let n = 0; n < 4999; n++) insert.run(`note ${n}`)
    db.close()
    await withService({ file }, async running => {
      assert.is((await add(running, { text: 'The last' })).status, 201)
      const { status, body } = await add(running, { text: 'One more' })
      assert.equal([status, Object.keys(body.data.params)], [400, ['text']])
      assert.is((await listed(running)).length, 5000)
    })
  }))

test('readers read them, a password for annotations writes them, and a link shows them only if it says so', () =>
  withService({}, async running => {
    await send(running, 'PUT', '/settings', { respect_dnt: false })
    assert.is((await add(running, { text: 'Internal' })).status, 201)
    const writer = await passwordOf(running, { name: 'ci', scopes: ['annotations'] })
    const written = await running.api('/annotations', {
      method: 'POST',
      as: 'nobody',
      headers: { ...json, ...writer },
      body: JSON.stringify({ text: 'Deployed' }),
    })
    assert.equal([written.status, written.body.by], [201, 'admin (ci)'])
    const refused = await running.api('/annotations', { as: 'nobody', headers: writer })
    assert.equal([refused.status, refused.body.data.scope], [403, 'reports'])
    const reader = await passwordOf(running, { name: 'reader', scopes: ['reports'] })
    assert.equal(textsOf(await listed(running, march, { as: 'nobody', headers: reader })), [
      'Internal',
      'Deployed',
      'A setting changed: respect_dnt',
    ])
    const held = await passwordOf(running, { name: 'held', scopes: ['reports'], filters: { device: 'mobile' } })
    assert.is((await running.api(`/annotations?${march}`, { as: 'nobody', headers: held })).status, 403)

    const link = async (body: object): Promise<Answer> => {
      const made = (await send(running, 'POST', '/share-links', { name: 'x', ...body })).body
      const opened = await send(running, 'POST', '/share-links/open', { token: made.token })
      assert.equal(
        [made.annotations, opened.body.annotations],
        [body, body].map(one => 'annotations' in one),
      )
      return running.api(`/annotations?${march}`, { as: 'nobody', headers: { 'x-footfall-share': made.token } })
    }
    assert.is((await link({})).status, 403)
    for (const filters of [{}, { device: 'mobile' }]) {
      const { status, body } = await link({ annotations: true, filters })
      assert.equal(
        [status, body.data.map(({ text, by }: { text: string; by: unknown }) => [text, by])],
        [
          200,
          [
            ['Internal', null],
            ['Deployed', null],
          ],
        ],
      )
    }
  }))

test('settings and versions note themselves, without values', () =>
  withService({}, async running => {
    const key = '1:a-secret-license-key'
    await send(running, 'PUT', '/settings', {
      excluded_ips: ['198.51.100.7'],
      geoip_license_key: key,
      retention_days: 90,
    })
    await running.restart(() => {
      const { db } = openDatabase(running.file)
      db.prepare("update installation set value = json_object('version', '0.0.1') where name = 'version'").run()
      db.close()
    })
    await running.restart()
    const rows = await listed(running)
    assert.equal(
      rows.map(({ kind, id, at, automatic }) => [kind, id, at, automatic]),
      [...['setting', 'setting', 'setting'], 'version'].map(kind => [kind, null, '2026-03-10T12:00:00Z', true]),
    )
    assert.match(rows[3].text, /^Footfall 0\.0\.1 → \d/)
    assert.not.match(JSON.stringify(rows), /198\.51|secret|90/)
    assert.match(textsOf(await listed(running, `${march}&lang=de`)).join(), /Einstellung geändert: retention_days/)
    assert.equal((await listed(running, `${march}&automatic=0`)).length, 0)
  }))

/** A view in each of these hours of a day, counted from `start`. */
const visit = async ({ clock, hit }: Running, at: number, hours: readonly number[]): Promise<void> => {
  for (const hour of hours) {
    clock.now = at + hour * 3_600_000
    assert.is((await hit({ page_url: '/' }, { 'x-forwarded-for': `203.0.113.${hour}` })).status, 204)
  }
}
const office = [8, 12, 17, 21]

test('the hours in which the tracker is silent are noted while they last and afterwards', () =>
  withService({ start: '2026-02-01T00:00:00Z' }, async running => {
    const start = running.clock.now
    const dayAt = (number: number): number => start + number * day
    // Nights are quiet from 22:00 to 8:00: ten hours are usual, forty are not. The last hit of day 29 is at 10:00.
    for (let number = 0; number < 30; number++) await visit(running, dayAt(number), number === 29 ? [8, 9, 10] : office)
    const silent = async () =>
      (await listed(running, 'from=2026-02-01&to=2026-03-31&automatic=1'))
        .filter(({ kind }) => kind === 'silent')
        .map(({ day: date, at, until }) => [date, at, until])
    const at = (hours: number): void => {
      running.clock.now = dayAt(29) + hours * 3_600_000
    }
    at(11 + 39.5)
    await running.settled()
    assert.equal(await silent(), [])
    at(11 + 40)
    assert.equal(await silent(), [['2026-03-02', '2026-03-02T11:00:00Z', null]])
    await visit(running, dayAt(29), [11 + 45])
    at(11 + 46)
    await running.settled()
    assert.equal(await silent(), [['2026-03-02', '2026-03-02T11:00:00Z', '2026-03-04T08:00:00Z']])
    assert.equal((await listed(running, 'from=2026-03-04&to=2026-03-04')).length, 1)
    assert.equal((await listed(running, 'from=2026-03-05&to=2026-03-05')).length, 0)
  }))

test('days without visits, imports, time zones and the first day with visits are noted', () =>
  withFolder(async folder => {
    const file = join(folder, 'test.db')
    await withService({ file, start: '2026-03-01T00:00:00Z' }, async running => {
      const start = running.clock.now
      const many = Array.from({ length: 40 }, (_, index) => index / 2)
      for (const number of [0, 1, 4, 5]) await visit(running, start + number * day, many)
      await running.settled()
      assert.equal(
        (await listed(running)).map(({ kind, day: date, until }) => [kind, date, until]),
        [['no_visits', '2026-03-03', '2026-03-04']],
      )
    })
    const { db } = openDatabase(file)
    const imported = { spans: [{ kind: 'access-log', first_day: 20260220, last_day: 20260302 }] }
    const save = db.prepare('insert or replace into installation (name, value) values (?, ?)')
    save.run('imports', JSON.stringify(imported))
    save.run('raw_from', 20260302)
    db.close()
    await withService({ file, start: '2026-03-07T00:00:00Z', flags: { timezone: 'Europe/Berlin' } }, async running => {
      await running.settled()
      const found = (await listed(running)).map(({ kind, at, until }) => `${kind} ${at} ${until}`)
      for (const one of ['imported 2026-02-20 2026-03-02', 'retention 2026-03-02 null', 'timezone 2026-03-02 null'])
        assert.ok(found.includes(one), `${one} in ${found.join(', ')}`)
    })
  }))

test('the command line adds, lists and removes', () =>
  withFolder(async folder => {
    const data = join(folder, 'test.db')
    openDatabase(data).db.close()
    const run = (...args: string[]) => footfallHere(['annotate', ...args, '--data', data])
    assert.equal(
      (await run('New theme', '--day', '2026-03-05', '--kind', 'deploy')).stdout.trim(),
      'Annotation 1 was added at 2026-03-05.',
    )
    assert.match(
      (await run('Now', '--link', 'https://example.org/7')).stdout,
      /^Annotation 2 was added at 20\d\d-.*Z\.$/m,
    )
    assert.is((await run('add', 'list', '--time', '2026-03-05T10:00:00+01:00')).status, 0)
    const rows = JSON.parse((await run('list', '--json', '--from', '2026-03-05', '--to', '2026-03-05')).stdout)
    assert.equal(rows, [
      { id: '1', at: '2026-03-05', kind: 'deploy', text: 'New theme', link: null, by: 'cli' },
      { id: '3', at: '2026-03-05T09:00:00Z', kind: 'note', text: 'list', link: null, by: 'cli' },
    ])
    const report = await footfallHere([
      'report',
      'annotations',
      '--from',
      '2026-03-05',
      '--to',
      '2026-03-05',
      '--csv',
      '--data',
      data,
    ])
    assert.match(report.stdout, /New theme/)
    assert.is((await run('remove', '3')).status, 0)
    for (const [args, status, sentence] of [
      [['remove', '3'], 1, /no annotation 3/],
      [['remove', 'x'], 1, /no annotation x/],
      [['x', '--day', '2026-02-30'], 2, /--day takes a date/],
      [['x', '--day', '2026-03-05', '--time', '2026-03-05T10:00:00Z'], 2, /cannot be combined/],
      [['x', '--time', '10:00'], 2, /--time takes/],
      [['x', '--kind', 'party'], 2, /--kind takes note, deploy/],
      [['x', '--link', 'http://example.org'], 2, /https/],
      [['x', '--day', '2099-01-01'], 2, /a year from now/],
      [['a\nb'], 2, /line breaks/],
      [[''], 2, /empty/],
    ] as const) {
      const { status: code, stderr } = await run(...args)
      assert.equal(code, status, args.join(' '))
      assert.match(stderr, sentence)
    }
    assert.match((await run('list')).stdout, /New theme[\s\S]*Now/)
    const { db } = openDatabase(data)
    assert.equal(db.prepare("select count(*) from audit where action like 'annotation%'").pluck().get(), 4)
    db.close()
  }))

test('an address in a text is the operator’s own: the privacy audit does not mind', () =>
  withService({}, async running => {
    await add(running, { text: 'Deployed 1.2.3.4', link: 'https://198.51.100.7/' })
    const { db } = openDatabase(running.file)
    const traces = scanFile(db)
    db.close()
    assert.equal([traces.addresses, traces.userAgents], [[], []])
  }))

test.run()
