// One row a source and channel, with its domains below: whatever was recorded, it is the sum of the rows of domains.
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { runCommand } from '../support/command.ts'
import { checkAsync } from '../support/property.ts'
import { phone, type Running, withService } from '../support/service.ts'

type Row = Record<string, any>

const get = async ({ api }: Running, path: string): Promise<{ data: Row[]; meta: Row; total: number }> => {
  const { status, body, headers } = await api(path)
  assert.is(status, 200, `${path} ${JSON.stringify(body)}`)
  return { ...body, total: Number(headers.get('x-wp-total')) }
}

const visit = ({ hit }: Running, number: number, referrer: string | undefined, byPhone = false) =>
  hit(
    { page_url: '/', ...(referrer !== undefined && { referrer }) },
    { 'x-forwarded-for': `10.${number}.0.1`, ...(byPhone && { 'user-agent': phone }) },
  )

const google = ['https://www.google.com/', 'https://www.google.de/', 'https://www.google.co.uk/']

test('Google stands once, with its domains below, in the API, on the command line and in its CSV', () =>
  withService({ start: '2026-03-09T08:00:00Z' }, async running => {
    const referrers = [
      ...google,
      google[1],
      google[1],
      google[0],
      undefined,
      undefined,
      undefined,
      'https://news.example/',
    ]
    for (const [number, referrer] of referrers.entries()) await visit(running, number, referrer)
    await running.settled()
    const { data, total } = await get(running, '/sources?group_by=source')
    assert.equal(
      data.map(({ source, channel, domain, sessions, share }) => [source, channel, domain, sessions, share]),
      [
        ['Google', 'Organic Search', null, 6, 0.6],
        ['Direct', 'Direct', null, 3, 0.3],
        ['news.example', 'Referral', 'news.example', 1, 0.1],
      ],
    )
    assert.is(total, 3)
    assert.equal(
      data[0]?.domains.map(({ domain, sessions, share }: Row) => [domain, sessions, share]),
      [
        ['google.de', 3, 0.3],
        ['google.com', 2, 0.2],
        ['google.co.uk', 1, 0.1],
      ],
    )
    assert.equal((await get(running, '/sources?group_by=source&limit=1&offset=1')).data, [data[1]])
    const flat = (await get(running, '/sources')).data
    assert.is(flat.length, 5, 'without it, a row for each domain')
    assert.equal((await get(running, '/sources?group_by=domain')).data, flat)
    assert.equal((await get(running, '/sources?group_by=source&source=Google')).data[0]?.domains.length, 3)
    const { status, body } = await running.api('/sources?group_by=name')
    assert.equal([status, Object.keys(body.data.params)], [400, ['group_by']])

    const at = '2026-03-09T09:00:00Z'
    const report = async (name: string) =>
      (await runCommand(['report', name, '--csv', '--data', running.file], at)).stdout.split('\n')
    assert.equal(await report('sources'), [
      'channel,source,domain,visitors,sessions,views,bounces,share',
      'Organic Search,Google,,6,6,6,6,0.6',
      'Direct,Direct,,3,3,3,3,0.3',
      'Referral,news.example,news.example,1,1,1,1,0.1',
    ])
    assert.is((await report('sources?group_by=domain')).length, 6)
    assert.is((await report('sources?limit=2')).length, 3)
    const digest = await runCommand(
      ['digest', '--period', 'day', '--to', '2026-03-09', '--lang', 'en', '--data', running.file],
      at,
    )
    assert.is(digest.stdout.match(/^ *Google/gm)?.length, 1, digest.stdout)
  }))

const sums = ['visitors', 'sessions', 'views', 'bounces'] as const
const add = (rows: readonly Row[]): Row =>
  Object.fromEntries(sums.map(name => [name, rows.reduce((sum, row) => sum + row[name], 0)]))
const nameOf = ({ channel, source }: Row): string => `${channel} ${source}`

const day = 86_400_000

test('rows by name are the sums of those of their domains, filtered, compared and in pages', () =>
  checkAsync(
    fc.asyncProperty(
      fc.array(
        fc.record({
          referrer: fc.constantFrom(...google, 'https://m.facebook.com/', 'https://l.facebook.com/', undefined),
          again: fc.boolean(),
          byPhone: fc.boolean(),
          ago: fc.integer({ min: 0, max: 3 }),
        }),
        { minLength: 1, maxLength: 20 },
      ),
      async recorded =>
        withService({ start: '2026-03-06T08:00:00Z' }, async running => {
          const start = running.clock.now
          for (const [number, { referrer, again, byPhone, ago }] of recorded
            .toSorted((one, other) => other.ago - one.ago)
            .entries()) {
            running.clock.now = start + (3 - ago) * day + number * 1000
            // A visitor who returns by another domain has another visit.
            await visit(running, again ? Math.floor(number / 2) : number, referrer, byPhone)
          }
          await running.settled()
          for (const query of ['from=2026-03-08&to=2026-03-09', 'from=2026-03-08&to=2026-03-08&device=phone']) {
            const [named, flat] = await Promise.all([
              get(running, `/sources?limit=100&compare=previous&group_by=source&${query}`),
              get(running, `/sources?limit=100&compare=previous&${query}`),
            ])
            const byName = Map.groupBy(flat.data, nameOf)
            assert.equal(named.data.map(nameOf).sort(), [...byName.keys()].sort())
            assert.is(named.total, byName.size)
            for (const row of named.data) {
              const domains = byName.get(nameOf(row)) ?? []
              assert.equal(add([row]), add(domains))
              assert.equal(add(row.domains), add(domains))
              assert.equal(
                row.domains.map(({ domain }: Row) => domain),
                domains.map(({ domain }) => domain),
              )
              // Of what came by other domains before, a flat list has no row.
              assert.ok(row.previous >= domains.reduce((sum, { previous }) => sum + previous, 0))
              assert.ok(row.visitors <= row.sessions || query.includes('device'))
            }
            const previous = (list: typeof flat): number =>
              list.data.reduce((sum, row) => sum + row.previous, 0) + list.meta.previous_unlisted
            assert.is(previous(named), previous(flat))
            const sessions = named.data.map(row => row.sessions)
            assert.equal(
              sessions,
              sessions.toSorted((a, b) => b - a),
            )
          }
        }),
    ),
    { numRuns: 10 },
  ))

test.run()
