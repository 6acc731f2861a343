// Random sums of days, written out as other programs write them, lead to what test/model/history-sums.ts says.
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { fathom, ga4, koko, plausible, type SumsFormat, statify, wpStatisticsSums } from '../model/foreign/sums.ts'
import { now, zones } from '../model/histories.ts'
import { expectSums, sumsDays, sumsOfArchive } from '../model/history-sums.ts'
import { withFolder } from '../support/folder.ts'
import { daysOf, movingInto } from '../support/moving.ts'
import { checkAsync } from '../support/property.ts'

/** More of them with RUNS=10. */
const scale = Number(process.env.RUNS || 1)

const formats: Readonly<Record<string, readonly [SumsFormat, ...SumsFormat[]]>> = {
  Plausible: [plausible(false), plausible(true)],
  'Google Analytics 4': [ga4],
  Fathom: [fathom(true), fathom(false)],
  'Koko Analytics': [koko],
  Statify: [statify],
  'WP Statistics without single views': [wpStatisticsSums],
}

const named = (format: SumsFormat) => ({ ...format, [fc.toStringMethod]: () => format.title })

const inOrder = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value)
          .map(([key, member]) => [key, inOrder(member)] as const)
          .sort(([a], [b]) => (a < b ? -1 : 1)),
      )
    : value

for (const [title, of] of Object.entries(formats))
  test(`${title}: every sum is what the model has`, () =>
    checkAsync(
      fc.asyncProperty(sumsDays, fc.constantFrom(...of.map(named)), fc.constantFrom(...zones), (days, format, zone) =>
        withFolder(async folder => {
          const moving = movingInto(folder)
          const { files, said, notImported } = format.write(days, zone)
          const paths = Object.entries(files).map(([name, text]) => moving.write(name, text))
          if (said.length === 0) return
          const { stdout, stderr } = await moving.run(
            ['import', ...paths, '--timezone', zone, '--site-url', 'https://example.org', '--json'],
            now,
          )
          assert.ok(stdout.startsWith('{'), stderr)
          const report = JSON.parse(stdout)
          assert.is(report.format, format.name)
          assert.is(report.days, said.length)
          assert.is(report.refused_rows, format.name === 'statify' ? 1 : 0, stderr)
          assert.is(
            Object.values<number>(report.not_imported).reduce((sum, one) => sum + one, 0),
            notImported,
            'not imported',
          )
          const archive = await moving.export()
          const refused = new Set<string>()
          for (const one of said) {
            const { refused: ofDay, ...expected } = expectSums(one)
            for (const name of ofDay) refused.add(name)
            assert.equal(inOrder(sumsOfArchive(archive, one.day)), inOrder(expected), one.day)
            const { site } = expected
            assert.equal((await daysOf(moving, one.day, one.day))[0], site)
          }
          const visible = ['country', 'device', 'browser', 'os', 'source', 'entry_page', 'exit_page']
          assert.equal(
            Object.keys(report.refused_breakdowns)
              .filter(name => visible.includes(name))
              .sort(),
            [...refused].sort(),
          )
          const [month] = report.months
          assert.equal(month.source, month.here)
        }),
      ),
      { numRuns: Math.ceil(20 * scale) },
    ))

for (const [count, isTaken] of [
  ['999999999999', true],
  ['1000000000000', true],
  ['1000000000001', false],
] as const)
  test(`${count} visitors ${isTaken ? 'are a number' : 'are refused'}`, () =>
    withFolder(async folder => {
      const moving = movingInto(folder)
      const path = moving.write('v.csv', `date,visitors,pageviews,bounces,visits\n2026-03-01,${count},1,0,1\n`)
      assert.is((await moving.take(path)).status, isTaken ? 0 : 1)
      assert.is((await daysOf(moving, '2026-03-01', '2026-03-01'))[0]?.[0], isTaken ? Number(count) : 0)
    }))

test.run()
