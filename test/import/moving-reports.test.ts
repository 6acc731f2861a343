// What reports say of days that were imported: what they are, and what they do not know.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withFolder } from '../support/folder.ts'
import { type Body, type Moving, movingInto, rowsOf, samples, sumOf } from '../support/moving.ts'

const within = (name: string, work: (moving: Moving) => Promise<void>): void =>
  void test(name, () => withFolder(folder => work(movingInto(folder))))

const hoursIn = ({ data }: Body): Record<string, unknown>[] => {
  const series: unknown = Array.isArray(data) ? null : data.series
  return Array.isArray(series) ? series : []
}

within('days of sums have no hours, which is said', async moving => {
  await moving.take(join(samples, 'plausible'))
  const alone = await moving.run(['report', 'summary?interval=hour', '--from', '2026-03-01', '--to', '2026-03-03'])
  assert.is(alone.status, 2)
  assert.match(alone.stderr, /hours of these days are not known/)
  const february = readFileSync(join(samples, 'umami/website_event.csv'), 'utf8').replaceAll('2026-03-0', '2026-02-2')
  assert.is((await moving.take(moving.write('february.csv', february))).status, 0)
  const both = await moving.report('summary?interval=hour', '2026-02-20', '2026-03-03')
  assert.equal(both.meta.hours_missing, ['2026-03-01', '2026-03-02', '2026-03-03'])
  assert.is(sumOf(hoursIn(both), 'views'), 41)
  assert.match(JSON.stringify(both.data), /"views":82/)
  const hours = await moving.report('dimensions/hour', '2026-02-20', '2026-03-03')
  assert.equal(hours.meta.hours_missing, ['2026-03-01', '2026-03-02', '2026-03-03'])
  assert.is(sumOf(rowsOf(hours), 'views'), 41)
  assert.is(sumOf(rowsOf(await moving.report('dimensions/weekday', '2026-02-20', '2026-03-03')), 'views'), 82)
  const known = await moving.report('summary?interval=hour', '2026-02-20', '2026-02-28')
  assert.is(known.meta.hours_missing, undefined)
})

within('sums of hours have hours', async moving => {
  await moving.take(join(samples, 'fathom'))
  const hourly = await moving.report('summary?interval=hour')
  assert.is(hourly.meta.hours_missing, undefined)
  assert.is(sumOf(hoursIn(hourly), 'sessions'), 22)
})

within('events of sums were last seen on their day', async moving => {
  await moving.take(join(samples, 'plausible'))
  const events = rowsOf(await moving.report('events'))
  assert.equal(
    events.map(({ name, last_seen: seen }) => [name, seen]),
    [
      ['Signup', '2026-03-03T23:59:59Z'],
      ['404', '2026-03-03T23:59:59Z'],
      ['Outbound Link: Click', '2026-03-02T23:59:59Z'],
    ],
  )
  // The same of an archive that another program has made.
  const archive = (await moving.export())
    .replace(/,"sha256":"\w+"/g, '')
    .replace(/"last_event_id":\d+/g, '"last_event_id":0')
  const other = moving.write('sums.ndjson', archive)
  const data = `${moving.data}.other`
  const { status, stderr } = await moving.run(['import', other, '--format', 'archive', '--data', data])
  assert.equal([status, stderr], [0, ''])
  const { stdout } = await moving.run([
    'report',
    'events',
    '--from',
    '2026-03-01',
    '--to',
    '2026-03-03',
    '--json',
    '--data',
    data,
  ])
  assert.is(JSON.parse(stdout).data[0].last_seen, '2026-03-03T23:59:59Z')
})

within('reports say what was imported, of which kind, and what is not known', async moving => {
  await moving.take(join(samples, 'koko'))
  await moving.take(
    moving.write(
      'f.csv',
      readFileSync(join(samples, 'umami/website_event.csv'), 'utf8').replaceAll('2026-03-0', '2026-02-2'),
    ),
  )
  const { meta } = await moving.report('summary', '2026-02-22', '2026-03-02')
  assert.equal(meta.imported, [
    { from: '2026-02-22', to: '2026-02-23', kind: 'umami', grain: 'visits', lacks: ['times'] },
    {
      from: '2026-03-01',
      to: '2026-03-02',
      kind: 'koko',
      grain: 'sums',
      lacks: ['hours', 'visits', 'bounces', 'times', 'entry_pages', 'places', 'devices'],
    },
  ])
})

test.run()
