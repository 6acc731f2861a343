// A client that sends new values with every request: the daily limits hold.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { limits } from '../../src/collection/store/cardinality-limit.ts'
import { openReadOnly } from '../../src/database/open.ts'
import { withFolder } from '../support/folder.ts'
import { footfall } from '../support/program.ts'
import { withService } from '../support/service.ts'

const many = 10_500
const more = 2000

const agents = ['Windows NT 10.0; Win64; x64', 'X11; Linux x86_64', 'Macintosh; Intel Mac OS X 10_15_7']

const hitNumber = (at: number): [Record<string, unknown>, Record<string, string>] => [
  {
    page_url: `https://site.example/p${at}?utm_source=s${at}&utm_medium=m${at}&utm_campaign=c${at}&utm_term=t${at}&utm_content=n${at}`,
    title: `Title ${at}`,
    referrer: `https://r${at}.example/`,
    screen_width: 300 + at,
    screen_height: 300 + (at % 97),
    language: `de-x-${at.toString(36).padStart(4, '0')}`,
    resource_type: `type ${at}`,
    author: `Author ${at}`,
  },
  {
    'user-agent': `Mozilla/5.0 (${agents[at % 3]}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${at % 3000}.0.0.0 Safari/537.36`,
  },
]

const eventNumber = (at: number): Record<string, unknown> => ({
  name: `event${at % 400}`,
  properties: Object.fromEntries(Array.from({ length: 10 }, (_, key) => [`k${at * 10 + key}`, `v${at}-${key}`])),
})

/** As recorded requests, which go through the same gates and the same pipeline as those of the port. */
const lines = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) => {
    const at = from + index
    const [body, headers] = hitNumber(at)
    const common = {
      time: new Date(Date.parse('2026-03-10T08:00:00Z') + at * 500).toISOString(),
      ip: '203.0.113.7',
      user_agent: headers['user-agent'],
    }
    return [
      { endpoint: 'hit', ...common, body },
      ...(at % 6 === 0 ? [{ endpoint: 'event', ...common, body: eventNumber(at / 6) }] : []),
      ...(at % 40 === 0 ? [{ endpoint: 'hit', ...common, body: { page_url: `https://foreign${at}.example/` } }] : []),
    ]
      .map(line => `${JSON.stringify(line)}\n`)
      .join('')
  }).join('')

const flood = (file: string, from: number, to: number): void => {
  const { status, stderr } = footfall(
    ['import', '-', '--format', 'requests', '--data', file, '--allowed-hosts', 'site.example'],
    { input: lines(from, to) },
  )
  assert.is(status, 0, stderr)
}

/** Rows of the tables that hold what visitors have written. */
const sizes = (file: string): Record<string, number> => {
  const db = openReadOnly(file)
  const count = (sql: string): number => (db.prepare(sql).get() as { rows: number }).rows
  const found = {
    pages: count('select count(*) as rows from page'),
    domains: count('select count(distinct domain) as rows from origin'),
    origins: count('select count(*) as rows from origin'),
    sources: count("select count(*) as rows from utm_value where name = 'source'"),
    contents: count("select count(*) as rows from utm_value where name = 'content'"),
    campaigns: count('select count(*) as rows from campaign'),
    clients: count('select count(*) as rows from client'),
    names: count('select count(*) as rows from event_name'),
    mostKeys: count('select max(number) as rows from (select count(*) as number from event_key group by name_id)'),
    mostValues: count(
      'select max(number) as rows from (select count(*) as number from event_value group by name_id, key_id)',
    ),
    foreign: count('select count(*) as rows from foreign_host_day'),
    labels: count('select count(*) as rows from label'),
  }
  db.close()
  return found
}

const most: Readonly<Record<string, number>> = {
  pages: limits.page.site + 1,
  domains: limits.referrer.site + 1,
  origins: limits.origin.site + 1,
  sources: limits.utm_source.site,
  contents: limits.utm_content.site,
  campaigns: limits.utm_set.site + 1,
  clients: limits.client.site + 3,
  names: limits.event.site,
  mostKeys: 50,
  mostValues: 500,
  foreign: 100 + 1,
  // Titles, languages, eight classes of screens, and what events are made of.
  labels: limits.title.site + limits.language.site + 8 + limits.event.site * (1 + 50 + 50 * 500),
}

test('new values of one day: each table stops growing at its limit, and sums stay exact', () =>
  withFolder(async folder => {
    const file = join(folder, 'flood.db')
    flood(file, 0, many)
    const full = sizes(file)
    for (const [what, rows] of Object.entries(full))
      assert.ok(rows <= (most[what] ?? 0), `${what}: ${rows} of ${most[what]}`)
    const filled = ['pages', 'domains', 'sources', 'contents', 'names', 'foreign']
    for (const what of filled)
      assert.ok((full[what] ?? 0) >= (most[what] ?? 0) - 1, `${what} is not full: ${full[what]}`)

    const before = statSync(file).size
    flood(file, many, many + more)
    const later = sizes(file)
    for (const what of filled) assert.is(later[what], full[what], what)
    const grown = (statSync(file).size - before) / more
    assert.ok(grown < 1000, `${grown} bytes a record`)

    await withService(
      { file, start: '2026-03-10T20:00:00Z', flags: { allowedHosts: 'site.example' } },
      async ({ api, hit, settled }) => {
        for (let at = 0; at < 10; at++) assert.is((await hit(...hitNumber(many + more + at))).status, 204)
        await settled()
        assert.is((await api('/summary?from=2026-03-10&to=2026-03-10')).body.data.totals.views, many + more + 10)
        const pages = (await api('/pages?from=2026-03-10&to=2026-03-10&limit=1')).body.data
        assert.equal(
          pages.map(({ page, views }: { page: string; views: number }) => ({ page, views })),
          [{ page: '(other)', views: many + more + 10 - limits.page.site }],
        )
      },
    )
  }))

test.run()
