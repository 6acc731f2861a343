// Random histories through archives, retention, erasures and backups: every day has the figures of test/model/histories.ts, or none.
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { archiveFolder } from '../../src/archive/retention.ts'
import { createZone } from '../../src/lib/time.ts'
import { umami } from '../model/foreign/umami.ts'
import { expectVisits, histories, now, visitsOfArchive, zones } from '../model/histories.ts'
import { drifted } from '../support/archive-traffic.ts'
import { withFolder } from '../support/folder.ts'
import { daysOf, type Moving, movingInto } from '../support/moving.ts'
import { checkAsync } from '../support/property.ts'

/** More of them with RUNS=10. */
const scale = Number(process.env.RUNS || 1)

const days = ['2026-03-27', '2026-03-28', '2026-03-29', '2026-03-30', '2026-03-31']
const keptDays = 30
const nothing = [0, 0, 0, 0, 0]

type Step =
  | { do: 'put away'; to: string }
  | { do: 'bring back'; order: readonly number[] }
  | { do: 'erase'; day: string }
  | { do: 'back up' }
  | { do: 'restore' }

const day = fc.constantFrom(...days)
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('put away' as const), to: day }),
    fc.record({
      do: fc.constant('bring back' as const),
      order: fc.array(fc.nat(1000), { minLength: 5, maxLength: 5 }),
    }),
    fc.record({ do: fc.constant('erase' as const), day }),
    fc.constantFrom<Step>({ do: 'back up' }, { do: 'restore' }),
  ),
  { minLength: 3, maxLength: 6, size: 'max' },
)

/** Noon of the day on which single visits until a day are to be put away. */
const whenDue = (last: string): string =>
  `${new Date(Date.parse(last) + (keptDays + 1) * 86_400_000).toISOString().slice(0, 11)}12:00:00Z`

const putAway = (moving: Moving): string[] => {
  const folder = archiveFolder(moving.data)
  return existsSync(folder) ? readdirSync(folder).map(name => join(folder, name)) : []
}

/** The day of an archive of one. */
const dayOf = (path: string): string => basename(path).slice(0, 10)

const fine = async (ran: ReturnType<Moving['run']>): Promise<void> => {
  const { status, stdout, stderr } = await ran
  assert.is(status, 0, `${stdout}\n${stderr}`)
}

test('archives bring back what the model has, whatever was put away, erased and restored', () =>
  checkAsync(
    fc.asyncProperty(histories, fc.constantFrom(...zones), steps, (facts, zone, todo) =>
      withFolder(async folder => {
        const foreign = umami({ isSplit: true, hasVisits: true, hasSites: false })
        const said = foreign.says(facts)
        const model = expectVisits(said, { zone, cuts: foreign.cuts, estimates: foreign.estimates })
        const all = model.days
        if (all.length === 0) return
        const moving = movingInto(folder)
        const { files, flags = [] } = foreign.write(facts, zone)
        const paths = Object.entries(files).map(([name, text]) => moving.write(name, text))
        // Rows that no visit comes of make it 1.
        await moving.run(['import', ...paths, ...flags, '--timezone', zone, '--site-url', 'https://example.org'], now)
        await fine(moving.run(['settings', 'set', `retention_days=${keptDays}`, 'retention_mode=archive']))
        const whole = moving.write('whole.ndjson', await moving.export())
        let present = new Set(all)
        let backup: Set<string> | null = null
        const compare = async (of: Moving, what: string): Promise<void> => {
          const found = await daysOf(of, days[0], days.at(-1))
          for (const [index, one] of days.entries()) {
            const expected = present.has(one) ? model.figures(one) : nothing
            // A visit over midnight loses the part of an erased day: which day it began on may change.
            const figures = (row: readonly number[] = []) =>
              present.size === all.length ? row : [row[0], row[2], row[4]]
            assert.equal(figures(found[index]), figures(expected), `${one} after ${what}`)
          }
        }
        const copy = join(folder, 'copy.db')
        await compare(moving, 'the import')
        for (const step of todo) {
          if (step.do === 'put away') {
            await fine(moving.run(['cron', 'rollup', 'archive'], whenDue(step.to)))
            const away = [...present].filter(one => one <= step.to)
            const { visits, alone } = visitsOfArchive(
              await moving.export(),
              all.filter(one => !away.includes(one)),
            )
            assert.equal([visits, alone], [[], []], `single visits until ${step.to}`)
            const files = putAway(moving).map(dayOf)
            assert.ok(away.every(one => files.includes(one)))
          } else if (step.do === 'bring back') {
            const names = putAway(moving)
              .map((path, index) => ({ path, key: step.order[index] ?? 0 }))
              .sort((a, b) => a.key - b.key)
            // Days that have their single visits are refused.
            for (const { path } of names)
              await moving.run(['import', path, '--format', 'archive'], whenDue(days[0] ?? ''))
            present = new Set([...present, ...names.map(({ path }) => dayOf(path))])
          } else if (step.do === 'erase') {
            await fine(moving.run(['forget', '--day', step.day]))
            present = new Set([...present].filter(one => one !== step.day))
          } else if (step.do === 'back up') {
            await fine(moving.run(['backup', copy, '--force']))
            backup = present
          } else if (backup !== null) {
            await fine(moving.run(['restore', copy]))
            present = backup
          }
          await compare(moving, step.do)
        }
        present = new Set(all)
        mkdirSync(join(folder, 'new'))
        for (const of of [moving, movingInto(join(folder, 'new'))]) {
          await fine(of.run(['import', whole, '--format', 'archive', '--replace']))
          await compare(of, 'everything came back')
          const { days: inArchive, ledger, visits, alone, people, misnamed } = visitsOfArchive(await of.export())
          assert.equal(
            [inArchive, ledger, visits, alone, people, misnamed],
            [all, model.ledger, model.visits, model.alone, model.people, 0],
          )
          assert.equal(await drifted(of.data, 0, createZone(zone)), [])
        }
      }),
    ),
    { numRuns: Math.ceil(6 * scale) },
  ))

test.run()
