// Each sample of another program's history ends in the same days, and its breakdowns add up.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as v from 'valibot'
import { withFolder } from '../support/folder.ts'
import { daysOf, type Moving, movingInto, rowsOf, samples, sumOf } from '../support/moving.ts'

const count = v.number()
const expected = v.parse(
  v.object({
    days: v.record(
      v.string(),
      v.object({ visitors: count, visits: count, bounces: count, visit_duration: count, views_of_this_day: count }),
    ),
    pages: v.record(v.string(), count),
    countries: v.record(v.string(), count),
  }),
  JSON.parse(readFileSync(join(samples, 'expected.json'), 'utf8').replace(/"(?:views|events)": \d+,\s*/g, '')),
)
const days = Object.values(expected.days)

/** Single visits: the visitor after midnight is one of that day, too. */
const visits = days.map(day => [day.visitors, day.visits, day.views_of_this_day, day.bounces, day.visit_duration])
const withMidnight = visits.map((day, index) => (index === 2 ? [Number(day[0]) + 1, ...day.slice(1)] : day))

type Case = {
  sample: string
  format: string
  days: number[][]
  countries?: boolean
  pages?: boolean
}

const cases: readonly Case[] = [
  {
    sample: 'plausible',
    format: 'plausible',
    // The time on its pages.
    days: visits.map((day, index) => [...day.slice(0, 4), [580, 770, 434][index] ?? 0]),
    countries: true,
  },
  {
    sample: 'plausible/example_org_20260304.zip',
    format: 'plausible',
    days: visits.map((day, index) => [...day.slice(0, 4), [580, 770, 434][index] ?? 0]),
    countries: true,
  },
  { sample: 'plausible-old', format: 'plausible', days: visits, pages: false },
  { sample: 'ga4', format: 'ga4', days: visits.map(day => [...day.slice(0, 4), 0]) },
  { sample: 'umami', format: 'umami', days: withMidnight, countries: true },
  { sample: 'umami/umami-export.zip', format: 'umami', days: withMidnight, countries: true },
  { sample: 'umami-postgres', format: 'umami', days: withMidnight, countries: true },
  { sample: 'goatcounter/export.csv', format: 'goatcounter', days: withMidnight, countries: true },
  {
    sample: 'goatcounter/goatcounter-export-example-20260304T080000Z-0.csv.gz',
    format: 'goatcounter',
    days: withMidnight,
    countries: true,
  },
  // No visits are known, so they are the visitors.
  {
    sample: 'koko',
    format: 'koko',
    days: visits.map(([visitors = 0, , views = 0]) => [visitors, visitors, views, 0, 0]),
  },
  {
    sample: 'matomo/live-visits.json',
    format: 'matomo',
    days: withMidnight.map((day, index) => [...day.slice(0, 4), [580, 770, 434][index] ?? 0]),
    countries: true,
  },
  {
    sample: 'matomo',
    format: 'matomo',
    days: withMidnight.map((day, index) => [...day.slice(0, 4), [580, 770, 434][index] ?? 0]),
    countries: true,
  },
  // Views of the visit across midnight are those of its hour; visitors are the sum of hours.
  {
    sample: 'fathom',
    format: 'fathom',
    days: [
      [7, 7, 16, 1, 494],
      [9, 9, 14, 1, 443],
      [6, 6, 11, 2, 133],
    ],
    pages: false,
  },
  // A visitor is one of a visit: two visits of a day are two.
  {
    sample: 'simple-analytics',
    format: 'simple-analytics',
    days: withMidnight.map((day, index) => [
      Number(day[0]) + (index === 0 ? 0 : 1),
      ...day.slice(1, 4),
      [580, 770, 434][index] ?? 0,
    ]),
    countries: true,
  },
  // Events are not known, so that their visits are bounces.
  {
    sample: 'wp-statistics',
    format: 'wp-statistics',
    days: [
      [7, 7, 16, 2, 485],
      [8, 9, 13, 4, 434],
      [6, 6, 12, 3, 124],
    ],
    countries: true,
  },
  { sample: 'statify', format: 'statify', days: visits.map(([, , views = 0]) => [views, views, views, 0, 0]) },
]

const dimensions = [
  'country',
  'region',
  'city',
  'continent',
  'device',
  'browser',
  'browser_version',
  'os',
  'os_version',
]

/** Visits of each dimension and of sources, and views of pages, are those of the site. */
const checkSums = async (moving: Moving, name: string): Promise<void> => {
  const [, sessions = [], views = []] = (await daysOf(moving)).reduce<number[][]>(
    (columns, day) => day.map((figure, index) => [...(columns[index] ?? []), figure]),
    [],
  )
  const total = (figures: readonly number[]): number => figures.reduce((sum, figure) => sum + figure, 0)
  for (const type of [...dimensions, 'language', 'screen', 'channel', 'host'])
    assert.is(
      sumOf(rowsOf(await moving.report(`dimensions/${type}?limit=100`)), 'sessions'),
      total(sessions),
      `${name} ${type}`,
    )
  assert.is(sumOf(rowsOf(await moving.report('sources?limit=100')), 'sessions'), total(sessions), `${name} sources`)
  const pages = rowsOf(await moving.report('pages?limit=100'))
  for (const report of ['pages/entry', 'pages/exit'])
    assert.is(
      sumOf(rowsOf(await moving.report(`${report}?limit=100`)), 'sessions'),
      total(sessions),
      `${name} ${report}`,
    )
  // Fathom's pages have one view more than its hours: the one after midnight.
  assert.is(sumOf(pages, 'views'), total(views) + (name === 'fathom' ? 1 : 0), `${name} views`)
}

for (const { sample, format, days: wanted, countries, pages } of cases)
  test(`${sample} comes in by its contents alone`, () =>
    withFolder(async folder => {
      const moving = movingInto(folder)
      const { status, stdout, stderr } = await moving.take(join(samples, sample))
      assert.equal([status, stderr], [0, ''], stdout)
      assert.equal(await daysOf(moving), wanted)
      const { meta } = await moving.report('summary')
      assert.ok(JSON.stringify(meta).includes(`"kind":"${format}"`), JSON.stringify(meta.imported))
      if (pages !== false) {
        const views = rowsOf(await moving.report('pages?limit=100')).map(({ page, views: ofPage }) => [
          String(page),
          ofPage,
        ])
        assert.equal(Object.fromEntries(views), expected.pages)
      }
      if (countries === true) {
        const rows = rowsOf(await moving.report('dimensions/country'))
        const sessions = rows.map(({ key, sessions: ofCountry }) => [key ?? '(unknown)', ofCountry])
        assert.equal(Object.fromEntries(sessions), expected.countries)
      }
      await checkSums(moving, format)
    }))

test.run()
