// Random histories of single visits, written out as other programs write them, lead to what test/model/histories.ts says.
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createZone } from '../../src/lib/time.ts'
import type { VisitsFormat } from '../model/foreign/file.ts'
import { goatcounter } from '../model/foreign/goatcounter.ts'
import { matomo } from '../model/foreign/matomo.ts'
import { simpleAnalytics } from '../model/foreign/simple-analytics.ts'
import { umami } from '../model/foreign/umami.ts'
import { wpStatistics } from '../model/foreign/wp-statistics.ts'
import { expectVisits, type Fact, histories, now, visitsOfArchive, zones } from '../model/histories.ts'
import { drifted } from '../support/archive-traffic.ts'
import { withFolder } from '../support/folder.ts'
import { daysOf, type Moving, movingInto } from '../support/moving.ts'
import { checkAsync } from '../support/property.ts'
import { firefox } from '../support/service.ts'

/** More of them with RUNS=10. */
const scale = Number(process.env.RUNS || 1)

const flag = fc.boolean()
const formats: Readonly<Record<string, fc.Arbitrary<VisitsFormat>>> = {
  Umami: fc.record({ isSplit: flag, hasVisits: flag, hasSites: flag }).map(umami),
  GoatCounter: fc.constantFrom(1 as const, 2 as const).map(goatcounter),
  Matomo: fc.record({ isList: flag, hasVisitors: flag, shift: fc.constantFrom(0, 1, -5) }).map(matomo),
  'Simple Analytics': fc
    .record({ hasIds: flag, isJson: flag, time: fc.constantFrom('added_iso' as const, 'added_unix' as const) })
    .map(simpleAnalytics),
  'WP Statistics': fc.constant(wpStatistics),
}

/** By its title in messages of failures. */
const named = (format: VisitsFormat) => ({ ...format, [fc.toStringMethod]: () => format.title })

const days = ['2026-03-27', '2026-03-28', '2026-03-29', '2026-03-30', '2026-03-31']

const circumstances = fc.record({
  zone: fc.constantFrom(...zones),
  sourceZone: fc.constantFrom(...zones),
  /** A day that has a visit of its own. */
  own: fc.option(fc.constantFrom(...days), { freq: 3 }),
  from: fc.option(fc.constantFrom('2026-03-27', '2026-03-28'), { freq: 4, nil: undefined }),
  to: fc.option(fc.constantFrom('2026-03-29', '2026-03-30'), { freq: 4, nil: undefined }),
  /** Which rows come again, and the order of the rows. */
  again: fc.array(fc.nat(30), { maxLength: 4 }),
  order: fc.option(fc.array(fc.nat(1000), { minLength: 20, maxLength: 20 }), { freq: 2, nil: [] }),
})

const inOrder = (facts: readonly Fact[], order: readonly number[]): Fact[] =>
  facts
    .map((fact, index) => ({ fact, key: order.length === 0 ? index : (order[index % order.length] ?? 0) }))
    .sort((a, b) => a.key - b.key)
    .map(({ fact }) => fact)

/** Records a visit at noon of the database's day. */
const recordOwn = async (moving: Moving, day: string, zone: string): Promise<void> => {
  const noon = createZone(zone).startOf(Number(day.replaceAll('-', ''))) + 43_200
  const line = {
    endpoint: 'hit',
    time: new Date(noon * 1000).toISOString(),
    ip: '203.0.113.7',
    user_agent: firefox,
    body: { page_url: 'https://example.org/own' },
  }
  const path = moving.write('own.ndjson', `${JSON.stringify(line)}\n`)
  const { status, stderr } = await moving.take(path, '--format', 'requests', '--timezone', zone)
  assert.is(status, 0, stderr)
}

const rangesOf = (given: readonly string[]): string[] => {
  const next = (day: string): string => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
  const ranges: [string, string][] = []
  for (const day of given) {
    const last = ranges.at(-1)
    if (last !== undefined && next(last[1]) === day) last[1] = day
    else ranges.push([day, day])
  }
  return ranges.map(([first, last]) => (first === last ? first : `${first} to ${last}`))
}

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((all, one) => all + one, 0)

const inKeys = (value: object): [string, unknown][] => Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))

for (const [title, format] of Object.entries(formats))
  test(`${title}: every row is where the model has it`, () =>
    checkAsync(
      fc.asyncProperty(
        histories,
        format.map(named),
        circumstances,
        (facts, foreign, { zone, sourceZone, own, from, to, again, order }) =>
          withFolder(async folder => {
            const moving = movingInto(folder)
            const repeated = again.flatMap(index => facts[index] ?? [])
            const rows = [...(foreign.isUnordered ? inOrder(facts, order) : facts), ...repeated]
            const said = foreign.says(rows)
            if (said.length === 0) return
            const written = foreign.write(rows, sourceZone)
            const ownDays = own === null ? [] : [own]
            if (own !== null) await recordOwn(moving, own, zone)
            const { cuts, estimates } = foreign
            const model = expectVisits(said, {
              zone,
              cuts,
              estimates,
              own: ownDays,
              rowOf: foreign.rowOf,
              again: written.again,
              from,
              to,
            })
            const paths = Object.entries(written.files).map(([name, text]) => moving.write(name, text))
            const range = [...(from === undefined ? [] : ['--from', from]), ...(to === undefined ? [] : ['--to', to])]
            const { status, stdout, stderr } = await moving.run(
              [
                'import',
                ...paths,
                ...(written.flags ?? []),
                ...range,
                '--timezone',
                zone,
                '--site-url',
                'https://example.org',
                '--json',
              ],
              now,
            )
            assert.ok(stdout.startsWith('{'), stderr)
            const report = JSON.parse(stdout)
            const refused = { ...model.refused }
            for (const [reason, count] of Object.entries(written.refused ?? {}))
              refused[reason] = (refused[reason] ?? 0) + count
            assert.is(status, sum(refused) > 0 || model.days.length === 0 ? 1 : 0)
            assert.equal(
              inKeys(Object.fromEntries(report.refused.map((one: any) => [one.reason, one.rows]))),
              inKeys(refused),
              'refused rows',
            )
            assert.is(report.days, model.days.length, 'days')
            assert.equal(
              inKeys(report.skipped_days),
              inKeys(
                Object.fromEntries(
                  Object.entries(model.skipped).map(([reason, on]) => [reason, rangesOf(on).join(', ')]),
                ),
              ),
              'skipped days',
            )
            assert.equal(inKeys(report.not_counted), inKeys(model.notCounted), 'not counted')
            assert.equal(report.not_imported, written.notImported?.(model.isRefused) ?? {}, 'not imported')
            assert.is(report.repeated_rows, model.repeated, 'repeated rows')
            if (model.days.length === 0) return
            const { days: inArchive, ...archive } = visitsOfArchive(await moving.export(), ownDays)
            assert.equal(inArchive, model.days)
            assert.equal(archive.ledger, model.ledger)
            assert.equal(archive.visits, model.visits)
            assert.equal(archive.alone, model.alone)
            assert.equal(archive.people, model.people)
            assert.is(archive.misnamed, 0)
            for (const day of model.days) assert.equal((await daysOf(moving, day, day))[0], model.figures(day), day)
            for (const { month, source, here } of report.months) {
              assert.equal(source, model.months.source[month], `the source's ${month}`)
              assert.equal(here, model.months.here[month], month)
            }
            assert.equal(await drifted(moving.data, 0, createZone(zone)), [])
          }),
      ),
      { numRuns: Math.ceil(24 * scale) },
    ))

test.run()
