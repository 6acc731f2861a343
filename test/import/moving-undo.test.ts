// Previews write nothing, imports leave days alone that have data, and what they brought goes as a whole.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withFolder } from '../support/folder.ts'
import { daysOf, type Moving, movingInto, rowsOf, samples } from '../support/moving.ts'
import { checkAsync } from '../support/property.ts'

/** Visits of its own on 1 and 4 March, recorded by the pipeline. */
const recordOwn = async (moving: Moving, days: readonly string[] = ['2026-03-01', '2026-03-04']): Promise<void> => {
  const lines = days.flatMap(day =>
    ['/', '/own', '/blog'].map((page, index) =>
      JSON.stringify({
        endpoint: 'hit',
        time: `${day}T10:0${index}:00Z`,
        ip: '203.0.113.9',
        user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:148.0) Gecko/20100101 Firefox/148.0',
        body: { page_url: `https://example.org${page}`, title: `Title of ${page}` },
      }),
    ),
  )
  const path = moving.write('own.ndjson', `${lines.join('\n')}\n`)
  const { status, stderr } = await moving.take(path, '--format', 'requests')
  assert.equal([status, stderr], [0, ''])
}

/** Without the lines that name the file's origins, and those that sum these up. */
const linesOf = (archive: string): string[] =>
  archive.split('\n').filter(line => !/"footfall_archive"|"archive_day"/.test(line))

const histories = [
  ...['plausible', 'umami', 'goatcounter/export.csv', 'koko', 'matomo/live-visits.json', 'fathom', 'ga4', 'statify'],
  ...['simple-analytics', 'wp-statistics'],
]

for (const sample of histories)
  test(`an import of ${sample} is undone without a trace`, () =>
    withFolder(async folder => {
      const moving = movingInto(folder)
      await recordOwn(moving, ['2026-03-04'])
      const before = await moving.export()
      assert.is((await moving.take(join(samples, sample))).status, 0)
      assert.is.not(await moving.export(), before)
      assert.match((await moving.run(['import', '--undo', '1', '--dry-run'])).stdout, /^Would remove 3 days/)
      const undone = await moving.run(['import', '--undo', '1'])
      assert.equal([undone.status, undone.stderr], [0, ''])
      assert.is(await moving.export(), before)
      // Recalculating changes nothing, and the same content may come again.
      assert.match((await moving.run(['rebuild'])).stdout, /no|0 /i)
      const again = await moving.take(join(samples, sample))
      assert.is(again.status, 0, again.stderr)
      const list = JSON.parse((await moving.run(['import', '--list', '--json'])).stdout)
      assert.equal(
        list.map(({ id, state }: { id: string; state: string }) => [id, state]),
        [
          ['2', 'done'],
          ['1', 'undone'],
        ],
      )
    }))

test('days that have data stay as they are, and can be a reason to refuse', () =>
  withFolder(async folder => {
    const moving = movingInto(folder)
    await recordOwn(moving)
    const refused = await moving.take(join(samples, 'umami'), '--overlap', 'refuse')
    assert.equal(
      [refused.status, refused.stderr],
      [1, 'These days have data already: 2026-03-01. Nothing was imported.'],
    )
    assert.equal(await daysOf(moving, '2026-03-02', '2026-03-03'), [
      [0, 0, 0, 0, 0],
      [0, 0, 0, 0, 0],
    ])
    const { status, stdout } = await moving.take(join(samples, 'umami'))
    assert.is(status, 0)
    assert.match(stdout, /Left out +2026-03-01: have data already/)
    assert.equal(await daysOf(moving, '2026-03-01', '2026-03-04'), [
      [1, 1, 3, 0, 0],
      [8, 9, 13, 1, 443],
      [6, 6, 12, 2, 133],
      [1, 1, 3, 0, 0],
    ])
  }))

test('sums after single visits of its own are left out, as they would end the filters of earlier days', () =>
  withFolder(async folder => {
    const moving = movingInto(folder)
    await recordOwn(moving, ['2026-03-02'])
    const { status, stdout } = await moving.take(join(samples, 'plausible'))
    assert.is(status, 0)
    assert.match(stdout, /Left out +2026-03-02: have data already/)
    assert.match(stdout, /Left out +2026-03-03: come after the first day with single visits/)
    const filtered = await moving.report('summary?page=/own', '2026-03-02', '2026-03-02')
    assert.match(JSON.stringify(filtered.data), /"views":1/)
  }))

test('older sums come in after newer visits, and newer visits after older sums', () =>
  withFolder(async folder => {
    const moving = movingInto(folder)
    const tomorrow = readFileSync(join(samples, 'umami/website_event.csv'), 'utf8').replaceAll('2026-03-0', '2026-02-0')
    const february = moving.write('february.csv', tomorrow)
    assert.is((await moving.take(join(samples, 'plausible'))).status, 0)
    assert.is((await moving.take(february)).status, 0)
    assert.equal(
      (await daysOf(moving, '2026-02-01', '2026-02-03')).map(([, visits]) => visits),
      [7, 9, 6],
    )
    const before = await moving.export()
    assert.is((await moving.run(['import', '--undo', '1'])).status, 0)
    assert.is((await moving.take(join(samples, 'plausible'))).status, 0)
    assert.equal(linesOf(await moving.export()), linesOf(before))
    assert.equal(
      (await daysOf(moving)).map(([, visits]) => visits),
      [7, 9, 6],
    )
  }))

test('a preview says what the import does, and writes nothing', () =>
  withFolder(async folder => {
    const moving = movingInto(folder)
    await recordOwn(moving, ['2026-03-01'])
    const before = readFileSync(moving.data)
    const { mtimeMs } = statSync(moving.data)
    const preview = await moving.take(join(samples, 'umami'), '--dry-run', '--json')
    assert.is(preview.status, 0, preview.stderr)
    assert.equal(readFileSync(moving.data), before)
    assert.is(statSync(moving.data).mtimeMs, mtimeMs)
    const imported = await moving.take(join(samples, 'umami'), '--json')
    assert.equal({ ...JSON.parse(preview.stdout) }, { ...JSON.parse(imported.stdout), id: null })
    const { months, skipped_days: skipped } = JSON.parse(preview.stdout)
    assert.equal(skipped, { own_data: '2026-03-01' })
    assert.equal(months, [
      {
        month: '2026-03',
        source: { visitors: 13, visits: 15, views: 25 },
        here: { visitors: 14, visits: 15, views: 25 },
        reasons: ['a visitor of several days is one on each of them'],
      },
    ])
  }))

test('the same content is not imported twice, however it is packed', () =>
  withFolder(async folder => {
    const moving = movingInto(folder)
    assert.is((await moving.take(join(samples, 'plausible'))).status, 0)
    const again = await moving.take(join(samples, 'plausible/example_org_20260304.zip'))
    assert.is(again.status, 1)
    assert.match(again.stderr, /already imported as 1/)
  }))

test('ranges, and wrong flags', () =>
  withFolder(async folder => {
    const moving = movingInto(folder)
    const { status } = await moving.take(join(samples, 'umami'), '--from', '2026-03-02', '--to', '2026-03-02')
    assert.is(status, 0)
    assert.equal(
      (await daysOf(moving)).map(([, visits]) => visits),
      [0, 9, 0],
    )
    for (const flags of [
      ['--from', '2026-02-30'],
      ['--overlap', 'replace'],
      ['--source-timezone', 'Mars/Olympus'],
      ['--format', 'burst'],
      ['--undo', 'x'],
    ])
      assert.is((await moving.take(join(samples, 'umami'), ...flags)).status, 2, flags.join(' '))
    assert.match((await moving.run(['import', '--undo', '7'])).stderr, /There is no import 7/)
    const zone = await moving.take(join(samples, 'koko'), '--source-timezone', 'Asia/Tokyo')
    assert.is(zone.status, 1)
    assert.match(zone.stderr, /days in Asia\/Tokyo/)
  }))

/** Days of sums with more, equal and less than their totals. */
const plausibleDay = fc.record({
  visits: fc.integer({ min: 0, max: 60 }),
  views: fc.integer({ min: 0, max: 200 }),
  countries: fc.array(fc.tuple(fc.constantFrom('DE', 'FR', 'US', 'ZZ', 'IT'), fc.integer({ min: 0, max: 30 })), {
    maxLength: 6,
  }),
  sources: fc.array(
    fc.tuple(fc.constantFrom('Google', '', 'example.net', 'Hacker News'), fc.integer({ min: 0, max: 30 })),
    { maxLength: 5 },
  ),
})

test('breakdowns add up, whatever the source says', () =>
  checkAsync(
    fc.asyncProperty(fc.array(plausibleDay, { minLength: 1, maxLength: 4 }), days =>
      withFolder(async folder => {
        const moving = movingInto(folder)
        const date = (index: number): string => `2026-03-0${index + 1}`
        const table = (name: string, header: string, rows: string[]): string =>
          moving.write(name, `${[header, ...rows].join('\n')}\n`)
        const paths = [
          table(
            'v.csv',
            'date,visitors,pageviews,bounces,visits,visit_duration',
            days.map((day, index) => `${date(index)},${day.visits},${day.views},0,${day.visits},0`),
          ),
          table(
            'c.csv',
            'date,country,region,city,visitors,visits',
            days.flatMap((day, index) =>
              [...new Map(day.countries)].map(([country, visits]) => `${date(index)},${country},,,${visits},${visits}`),
            ),
          ),
          table(
            's.csv',
            'date,source,visitors,visits',
            days.flatMap((day, index) =>
              [...new Map(day.sources)].map(([source, visits]) => `${date(index)},${source},${visits},${visits}`),
            ),
          ),
        ]
        await moving.take(paths)
        const totals = await daysOf(moving, '2026-03-01', '2026-03-04')
        for (const [index, [, visits = 0]] of totals.entries()) {
          assert.is(visits, days[index]?.visits ?? 0)
          for (const report of [
            'dimensions/country',
            'dimensions/continent',
            'dimensions/channel',
            'dimensions/region',
            'sources',
            'pages/entry',
          ]) {
            const rows = rowsOf(await moving.report(report, date(index), date(index)))
            assert.is(
              rows.reduce((sum, { sessions }) => sum + Number(sessions), 0),
              visits,
              `${report} of ${date(index)}`,
            )
          }
        }
      }),
    ),
    { numRuns: 12 },
  ))

test.run()
