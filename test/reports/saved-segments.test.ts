// Saved segments: what they hold, who shows them, and the values that a dialog offers for filters.
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { footfallHere } from '../support/command.ts'
import { withFolder } from '../support/folder.ts'

import { sendRecord } from '../support/records.ts'
import { type Answer, firefox, phone, type Running, withService } from '../support/service.ts'

const range = 'from=2026-03-10&to=2026-03-10'
const json = { 'content-type': 'application/json' }

const send = ({ api }: Running, method: string, path: string, body?: object): Promise<Answer> =>
  api(path, { method, headers: json, ...(body !== undefined && { body: JSON.stringify(body) }) })

const save = (running: Running, name: string, filters: object): Promise<Answer> =>
  send(running, 'POST', '/segments', { name, filters })

/** Three visits: two by phone, of which one from Britain signed up, and a British one at a desk. */
const record = async ({ service, hit, settled }: Running): Promise<void> => {
  const british = { 'x-forwarded-for': '81.2.69.142' }
  await hit({ page_url: '/a', title: 'Alpha' }, { ...british, 'user-agent': phone })
  await sendRecord(`${service.url}/analytics/v1/event`, {
    method: 'POST',
    body: JSON.stringify({ name: 'signup', properties: { plan: 'Pro' } }),
    headers: { 'content-type': 'text/plain', 'user-agent': phone, ...british },
  })
  await hit({ page_url: '/b?utm_source=News' }, { 'x-forwarded-for': '10.0.1.1', 'user-agent': phone })
  await hit({ page_url: '/b' }, { 'x-forwarded-for': '81.2.70.1', 'user-agent': firefox })
  await settled()
}

const sessionsOf = async ({ api }: Running, query: string, headers?: Record<string, string>): Promise<unknown> => {
  const options = headers === undefined ? {} : { as: 'nobody' as const, headers }
  const { status, body } = await api(`/summary?${range}&${query}`, options)
  return status === 200 ? body.data.totals.sessions : (body.data.params ?? status)
}

test('filters are saved by keys and apply by id or name, besides those of the query', () =>
  withService({}, async running => {
    await record(running)
    const { api } = running
    const made = await save(running, 'Mobile UK', { country: 'United Kingdom', device: 'Phone' })
    assert.is(made.status, 201)
    const { id } = made.body
    assert.equal(made.body, {
      id,
      name: 'Mobile UK',
      filters: { country: 'GB', device: 'mobile' },
      created_by: 'admin (test 0)',
      created_at: '2026-03-10T12:00:00Z',
    })
    assert.equal((await api('/segments')).body, [made.body])
    assert.equal((await api(`/segments/${id}`)).body, made.body)
    assert.equal(
      [
        await sessionsOf(running, `segment=${id}`),
        await sessionsOf(running, 'segment=mobile uk'),
        // Both filters of a key must fit.
        await sessionsOf(running, `segment=${id}&device=desktop`),
        await sessionsOf(running, `segment=${id}&device=mobile,tablet&page=/a`),
        await sessionsOf(running, `segment=${id}&country=!GB`),
        await sessionsOf(running, `segment=${id}&event=!signup`),
      ],
      [1, 1, 0, 1, 0, 0],
    )
    const changed = await send(running, 'PUT', `/segments/${id}`, { name: 'Mobile uk', filters: { event: 'signup' } })
    assert.equal([changed.status, changed.body.filters], [200, { event: 'signup' }])
    assert.is(await sessionsOf(running, `segment=${id}&property.plan=pro`), 1)
    assert.equal((await send(running, 'DELETE', `/segments/${id}`)).body, { deleted: true })
    assert.equal(await sessionsOf(running, `segment=${id}`), { segment: `There is no segment ${id}.` })
    for (const method of ['GET', 'DELETE']) assert.is((await send(running, method, `/segments/${id}`)).status, 404)
  }))

test('two filters by event are of two events, of the session', () =>
  withService({}, async running => {
    await record(running)
    await save(running, 'Signed up', { event: 'signup' })
    assert.is(await sessionsOf(running, 'segment=signed up&event=sign*'), 1)
    assert.is(await sessionsOf(running, 'segment=signed up&event=download'), 0)
  }))

test('what cannot be saved is refused by name, and writes nothing', () =>
  withService({}, async running => {
    assert.is((await save(running, 'Taken', { device: 'tv' })).status, 201)
    const refused: [name: string, filters: object, field: string, sentence: RegExp][] = [
      ['taken', { device: 'tv' }, 'name', /There is a segment 'taken' already/],
      ['', { device: 'tv' }, 'name', /1 to 100 characters/],
      ['x', {}, 'filters', /at least one/],
      ['x', { contry: 'DE' }, 'filters', /no filter contry\. Did you mean country\?/],
      ['x', { country: 'Germny' }, 'filters', /Did you mean Germany \(DE\)/],
      ['x', { segment: '1' }, 'filters', /no other segment/],
      ['x', { page: '' }, 'filters', /empty/],
      ['x', { page: ['/a'] }, 'filters', /string/],
    ]
    for (const [name, filters, field, sentence] of refused) {
      const { status, body } = await save(running, name, filters)
      assert.equal([status, Object.keys(body.data.params)], [400, [field]], JSON.stringify(filters))
      assert.match(body.data.params[field], sentence)
    }
    for (let count = 1; count < 50; count++)
      assert.is((await save(running, `Segment ${count}`, { os: 'x' })).status, 201)
    assert.match((await save(running, 'One more', { os: 'x' })).body.data.params.name, /50 segments/)
    assert.is((await running.api('/segments')).body.length, 50)
  }))

test('a share link or an application password shows a segment, which then stays', () =>
  withService({}, async running => {
    await record(running)
    const { id } = (await save(running, 'Phones', { device: 'phone' })).body
    await save(running, 'Other', { device: 'desktop' })
    const link = (await send(running, 'POST', '/share-links', { name: 'For Ada', filters: { segment: 'phones' } })).body
    assert.equal(link.filters, { segment: String(id) })
    const shared = { 'x-footfall-share': link.token }
    assert.equal(
      [
        await sessionsOf(running, '', shared),
        await sessionsOf(running, 'device=desktop', shared),
        await sessionsOf(running, 'country=GB', shared),
        await sessionsOf(running, 'segment=Other', shared),
      ],
      // Of fewer than three visits a link says nothing, and its own segment is the only one.
      [2, 0, 0, { segment: 'A share link does not choose segments.' }],
    )
    const plain = (await send(running, 'POST', '/share-links', { name: 'All' })).body
    assert.match(
      ((await sessionsOf(running, 'segment=Other', { 'x-footfall-share': plain.token })) as { segment: string })
        .segment,
      /does not choose/,
    )
    const inUse = await send(running, 'DELETE', `/segments/${id}`)
    assert.equal([inUse.status, inUse.body.code], [409, 'rest_segment_in_use'])
    assert.match(inUse.body.message, /the share link “For Ada”/)
    assert.is((await send(running, 'DELETE', `/share-links/${link.uuid}`)).status, 200)

    const passwords = '/users/me/application-passwords'
    const wanted = { name: 'agency', scopes: ['reports'], segment_id: id, filters: { country: 'GB' } }
    const made = (await send(running, 'POST', passwords, wanted)).body
    assert.equal([made.filters, made.segment_id], [{ country: 'GB' }, id])
    const authorization = `Basic ${btoa(`admin:${made.password}`)}`
    assert.is(await sessionsOf(running, '', { authorization }), 1)
    assert.is((await running.api('/segments', { as: 'nobody', headers: { authorization } })).status, 403)
    assert.match((await send(running, 'DELETE', `/segments/${id}`)).body.message, /the application password “agency”/)
    for (const limits of [{ segment_id: 99, scopes: ['reports'] }, { segment_id: id }]) {
      const { status } = await send(running, 'POST', passwords, { name: 'x', ...limits })
      assert.is(status, 400)
    }
    assert.is((await send(running, 'DELETE', `${passwords}/${made.uuid}`)).status, 200)
    assert.is((await send(running, 'DELETE', `/segments/${id}`)).status, 200)
  }))

test('the command line takes segments by name, in reports and for links', () =>
  withFolder(async folder => {
    const data = join(folder, 'test.db')
    await withService({ file: data }, async running => {
      await record(running)
      await save(running, 'phones-gb', { device: 'phone', country: 'GB' })
    })
    const run = (...args: string[]) => footfallHere([...args, '--data', data])
    const days = ['--from', '2026-03-10', '--to', '2026-03-10', '--json']
    const pages = await run('report', 'pages?segment=phones-gb', ...days)
    assert.equal(
      JSON.parse(pages.stdout).data.map((row: { page: string }) => row.page),
      ['/a'],
    )
    assert.match((await run('report', 'pages?segment=phones', ...days)).stderr, /There is no segment phones/)
    assert.is((await run('share-link', 'create', 'x', '--filters', 'segment=phones-gb')).status, 0)
    assert.match((await run('share-link', 'list')).stdout, /segment=phones-gb/)
    assert.is((await run('share-link', 'create', 'y', '--filters', 'segment=nothing')).status, 2)
    const offered = await run('report', 'filters/country?search=king', ...days)
    assert.equal(JSON.parse(offered.stdout).data, [{ value: 'GB', label: 'United Kingdom', sessions: 2 }])
  }))

test('the values of a filter are offered by sessions, by label, and within the other filters', () =>
  withService({}, async running => {
    await record(running)
    const valuesOf = async (path: string, headers?: Record<string, string>): Promise<unknown[]> => {
      const options = headers === undefined ? {} : { as: 'nobody' as const, headers }
      const { status, body } = await running.api(`/filters/${path}${path.includes('?') ? '&' : '?'}${range}`, options)
      assert.is(status, 200, path)
      return body.data.map(({ value, label, sessions }: Record<string, unknown>) =>
        value === label ? [value, sessions] : [value, label, sessions],
      )
    }
    const cases: [path: string, rows: unknown[]][] = [
      [
        'device',
        [
          ['mobile', 'Phone', 2],
          ['desktop', 'Desktop', 1],
        ],
      ],
      ['device?search=pho', [['mobile', 'Phone', 2]]],
      ['device?search=handy&lang=de', [['mobile', 'Smartphone', 2]]],
      [
        'device?country=GB',
        [
          ['desktop', 'Desktop', 1],
          ['mobile', 'Phone', 1],
        ],
      ],
      ['country?lang=de', [['GB', 'Vereinigtes Königreich', 2]]],
      ['continent', [['EU', 'Europe', 2]]],
      ['hour', [['12', '12:00', 3]]],
      ['weekday', [['2', 'Tuesday', 3]]],
      [
        'page',
        [
          ['/b', 2],
          ['/a', 1],
        ],
      ],
      ['page?search=alph', [['/a', 1]]],
      ['page?event=signup', [['/a', 1]]],
      ['entry_page?search=B', [['/b', 2]]],
      ['exit_page?device=desktop', [['/b', 1]]],
      [
        'source',
        [
          ['Direct', 2],
          ['News', 1],
        ],
      ],
      ['channel?search=ref', [['Referral', 1]]],
      ['utm_source', [['News', 1]]],
      ['utm_term', []],
      ['event', [['signup', 1]]],
      ['event?device=desktop', []],
      ['browser?search=fire', [['Firefox', 1]]],
      ['property.plan', [['Pro', 1]]],
      ['property.plan?search=x', []],
      ['property.plan?device=desktop', []],
      ['property.nothing', []],
    ]
    for (const [path, rows] of cases) assert.equal(await valuesOf(path), rows, path)
    const { token } = (await send(running, 'POST', '/share-links', { name: 'x', filters: { device: 'desktop' } })).body
    assert.equal(await valuesOf('page', { 'x-footfall-share': token }), [], 'of fewer than three visits')
    assert.equal(await valuesOf('property.plan', { 'x-footfall-share': token }), [])
    for (const key of ['nothing', 'property.', 'segment']) {
      const { status, body } = await running.api(`/filters/${key}?${range}`)
      assert.equal([status, Object.keys(body.data.params)], [400, ['key']], key)
    }
  }))

test('pages on which no visit began or ended are not offered for that', () =>
  withService({}, async ({ api, hit, settled }) => {
    for (const page of ['/first', '/second', '/third']) await hit({ page_url: page })
    await settled()
    for (const [key, pages] of [
      ['entry_page', ['/first']],
      ['exit_page', ['/third']],
      ['page', ['/first', '/second', '/third']],
    ] as const) {
      const { body } = await api(`/filters/${key}?${range}`)
      assert.equal(
        body.data.map(({ value }: { value: string }) => value),
        pages,
        key,
      )
    }
  }))

test.run()
