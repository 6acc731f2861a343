// How often alerts are false: over the demo year, and over a made-up one in which nothing happens but chance. docs/alerts.md has the
// figures; `npm run drill -- --only alarms` calibrates with more such years.
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { AlertKind } from '../../src/alerts/kinds.ts'
import { happenings } from '../../src/demo/calendar.ts'
import { addDays, type Day, dayText } from '../../src/lib/time.ts'
import { footfallHere } from '../support/command.ts'
import { withFolder } from '../support/folder.ts'

import { alarmsIn, checkYear, first, last, maxAlarms, zoneName } from './years.ts'

const shape = 'quiet weekends: 40 visits, 3 on weekends'

test(`${shape}: at most one false alarm a month`, () => checkYear(shape, 1))

test('the demo year: its outage is reported, and at most one alarm a month is false', () =>
  withFolder(async folder => {
    const data = join(folder, 'demo.db')
    const made = await footfallHere(['demo', '--data', data, '--to', dayText(last), '--timezone', zoneName])
    assert.is(made.status, 0, made.stderr)
    const known = happenings(first, last)
    const counts = new Map<AlertKind, Day[]>()
    await alarmsIn(data, [], (kind, day) => counts.set(kind, [...(counts.get(kind) ?? []), day]))
    /** Whether something of the year explains it, on the day or the one before. */
    const isTrue = (day: Day): boolean => known.has(day) || known.has(addDays(day, -1))
    const outage = [...known].find(([, all]) => all.some(({ share }) => share < -0.5))?.[0]
    const isWrong = ([kind, days]: [AlertKind, Day[]]): number =>
      (kind === 'goal' ? days : days.filter(day => !isTrue(day))).length
    const wrong = [...counts].map(isWrong).reduce((sum, count) => sum + count, 0)
    console.log(`the demo year: ${wrong} false of ${JSON.stringify(Object.fromEntries(counts))}`)
    assert.ok(outage !== undefined && counts.get('drop')?.includes(addDays(outage, 1)))
    assert.is(counts.get('silent'), undefined)
    assert.ok(wrong <= maxAlarms, `${wrong} in a year`)
  }))

test.run()
