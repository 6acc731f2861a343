// Archives of random traffic come back as they were; damaged ones change nothing or are found out.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { archiveText } from '../../src/archive/day.ts'
import { headerOf } from '../../src/archive/header.ts'
import { archiveBefore, archiveFolder } from '../../src/archive/retention.ts'
import { openDatabase } from '../../src/database/open.ts'
import type { Db } from '../../src/database/query.ts'
import { importArchive } from '../../src/import/archive/import.ts'
import { addDays, createZone, dayText, type Zone } from '../../src/lib/time.ts'
import { rawDays, rawFrom } from '../../src/rollup/raw-from.ts'
import { rebuildDay, rebuildDirtyDays } from '../../src/rollup/rebuild.ts'
import { daysWithData } from '../../src/rollup/whole.ts'
import { saveZone } from '../../src/rollup/zone.ts'
import { createPipeline } from '../model/pipeline.ts'
import type { Mode } from '../model/rules.ts'
import { addressOf, agentOf, modes, type Step, steps } from '../model/traffic.ts'
import { withFolder } from '../support/folder.ts'
import { checkAsync } from '../support/property.ts'
import { statement } from '../support/statements.ts'

const now = Date.parse('2026-06-01T00:00:00Z') / 1000

const textOf = (db: Db, zone: Zone): string => {
  db.exec('begin')
  const days = daysWithData(db, 0, 99991231)
  const text = [
    ...archiveText(db, zone, days, headerOf(db, zone, days, now), { sessions: 0, views: 0, events: 0 }),
  ].join('')
  db.exec('commit')
  return text
}

async function* linesOf(text: string): AsyncGenerator<string> {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  yield* lines
}

/** More of them with RUNS=10. */
const scale = Number(process.env.RUNS || 1)

let files = 0

/** How these tests import an archive. */
const quiet = {
  timezone: null,
  paidStatuses: [],
  now,
  replace: false,
  report: () => {},
  progress: () => {},
  stopped: () => false,
}

/** A new file in which an archive was imported. */
const bring = async (
  folder: string,
  text: string,
  look: (
    db: Db,
    summary: Awaited<ReturnType<typeof importArchive>> & { reports: readonly string[] },
  ) => void | Promise<void>,
): Promise<void> => {
  const reports: string[] = []
  const { db } = openDatabase(join(folder, `${(files += 1)}.db`))
  db.pragma('synchronous = off')
  try {
    const report = (sentence: string): void => {
      reports.push(sentence)
    }
    await look(db, { ...(await importArchive(linesOf(text), { ...quiet, db, report })), reports })
  } finally {
    db.close()
  }
}

/** Lines with numbers as the installation gave them that they come from, and without what is the archive's own. */
const plain = (text: string): unknown[] =>
  text
    .split('\n')
    .slice(1)
    .filter(line => line !== '')
    .map(line =>
      JSON.parse(line, (key, value) =>
        ['id', 'visitor', 'session', 'rekeyed_visitor'].includes(key) && Number(value) < 2 ** 45 && value !== null
          ? value % 2 ** 40
          : key === 'sha256'
            ? undefined
            : value,
      ),
    )

const sumsOf = (text: string, day: string): string[] =>
  text.split('\n').filter(line => line.startsWith(`{"type":"rollup","day":"${day}"`) && !line.includes('"archive_day"'))

/** Evenings before days of 23 and 25 hours, one that begins late, and one far from Greenwich. */
const places = [
  { name: 'Europe/Berlin', start: '2026-03-28T21:00:00Z' },
  { name: 'America/New_York', start: '2026-11-01T02:00:00Z' },
  { name: 'America/Havana', start: '2026-03-08T02:00:00Z' },
  { name: 'Pacific/Kiritimati', start: '2026-05-01T08:00:00Z' },
] as const
const berlin = places[0]
type Place = (typeof places)[number]

/** Sends traffic through the real pipeline; returns the file, and the archive of it. */
const play = (
  folder: string,
  traffic: readonly Step[],
  { name, start }: Place,
  mode: Mode,
): { text: string; path: string; zone: Zone; end: number } => {
  const zone = createZone(name)
  const pipeline = createPipeline({ folder, zone: name, start: Date.parse(start) / 1000 })
  pipeline.set({ consent_mode: mode })
  saveZone(pipeline.db, name)
  traffic.forEach((step, index) => {
    switch (step.do) {
      case 'wait':
        pipeline.clock.now += step.seconds
        break
      case 'midnight':
        pipeline.clock.now = Math.max(
          pipeline.clock.now,
          zone.startOf(zone.dayOf(pipeline.clock.now + 43_200)) + step.offset,
        )
        break
      case 'send': {
        const { kind, visitor, age, page, id, name: event, engagedSeconds, scroll, consent, visitorId } = step.send
        void pipeline.send({
          kind,
          address: addressOf(visitor, index),
          userAgent: agentOf(visitor),
          body: {
            ...(kind === 'event'
              ? {
                  name: event,
                  event_id: id,
                  value: index / 7,
                  properties: { page, ['__proto__']: 'own', n: index % 3 },
                }
              : { pvid: id }),
            ...(kind === 'hit'
              ? {
                  page_url: `${page}?utm_source=${event}`,
                  title: `Title ${index % 3}`,
                  referrer: 'https://www.google.de/',
                }
              : {}),
            engagement_time: engagedSeconds,
            scroll_depth: scroll,
            age: age === 0 ? undefined : age,
            consent_granted: consent,
            visitor_id: visitorId,
          },
        })
        break
      }
      default:
        pipeline.jobs()
    }
    pipeline.flush()
  })
  const end = pipeline.clock.now
  rebuildDirtyDays(pipeline.db, zone)
  const text = textOf(pipeline.db, zone)
  pipeline.close()
  return { text, path: pipeline.path, zone, end }
}

const anyTraffic = [steps({ withAge: true }), fc.constantFrom(...places), fc.constantFrom(...modes)] as const

test('what is imported is exported again as it was', async () => {
  await checkAsync(
    fc.asyncProperty(...anyTraffic, (traffic, place, mode) =>
      withFolder(async folder => {
        const { text, zone } = play(folder, traffic, place, mode)
        await bring(folder, text, async (db, { refused, damaged }) => {
          assert.equal([refused, damaged], [[], false])
          const again = textOf(db, zone)
          assert.equal(plain(again), plain(text))
          await bring(folder, again, third => assert.equal(plain(textOf(third, zone)), plain(text)))
        })
      }),
    ),
    { numRuns: 20 * scale },
  )
})

test('days that were put away come back in any order as they were', async () => {
  await checkAsync(
    fc.asyncProperty(
      ...anyTraffic,
      fc.integer({ min: 0, max: 3 }),
      fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
      (traffic, place, mode, left, order) =>
        withFolder(async folder => {
          const { text, path, zone, end } = play(folder, traffic, place, mode)
          const { db } = openDatabase(path)
          try {
            const next = db.prepare(statement('session.next-id')).pluck().get()
            await archiveBefore(db, zone, addDays(zone.dayOf(end), 1 - left), archiveFolder(path), now)
            const sums = (given: string): string[] =>
              given
                .split('\n')
                .filter(line => line.startsWith('{"type":"rollup"') && !line.includes('"archive_day"'))
                // Texts go with the single visits.
                .filter(line => !/"table":"(event_property|title)"/.test(line))
            assert.equal(sums(textOf(db, zone)), sums(text))
            assert.is(db.prepare(statement('session.next-id')).pluck().get(), next)
            const names = existsSync(archiveFolder(path))
              ? readdirSync(archiveFolder(path))
                  .map(name => ({ name, key: order.next().value }))
                  .sort((a, b) => a.key - b.key)
              : []
            if (names.length === 0) return
            for (const { name } of names) {
              const day = gunzipSync(readFileSync(join(archiveFolder(path), name))).toString()
              const { refused, damaged, imported } = await importArchive(linesOf(day), { ...quiet, db })
              assert.equal([refused, damaged, imported.length], [[], false, 1], name)
            }
            assert.is(rawFrom(db), 0)
            assert.equal(plain(textOf(db, zone)), plain(text))
            assert.equal(
              rawDays(db, zone).filter(day => rebuildDay(db, zone, day)),
              [],
            )
          } finally {
            db.close()
          }
        }),
    ),
    { numRuns: 20 * scale },
  )
})

type Damage = { at: number; how: 'flip' | 'cut' | 'drop' | 'twice' | 'digit'; bit: number }

const damages = fc.record({
  at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  bit: fc.integer({ min: 0, max: 7 }),
  how: fc.constantFrom<Damage['how']>('flip', 'cut', 'drop', 'twice', 'digit', 'digit'),
})

const digits = (text: string): number[] => [...text.matchAll(/\d/g)].map(({ index }) => index)

const damage = (text: string, { at, how, bit }: Damage): string => {
  const position = Math.floor(at * text.length)
  const lines = text.split('\n')
  const line = Math.floor(at * (lines.length - 1))
  switch (how) {
    case 'flip': {
      const bytes = Buffer.from(text)
      const place = Math.floor(at * bytes.length)
      bytes.writeUInt8(bytes.readUInt8(place) ^ (1 << bit), place)
      return bytes.toString()
    }
    case 'cut':
      return text.slice(0, position)
    case 'drop':
      return lines.filter((_, index) => index !== line).join('\n')
    case 'twice':
      return lines.flatMap((one, index) => (index === line ? [one, one] : [one])).join('\n')
    case 'digit': {
      const places = digits(text)
      const place = places[Math.floor(at * places.length)] ?? 0
      return `${text.slice(0, place)}${bit}${text.slice(place + 1)}`
    }
  }
}

const fixed: Step[] = Array.from({ length: 60 }, (_, index): Step[] => [
  {
    do: 'send',
    send: {
      kind: (['hit', 'hit', 'event', 'engagement'] as const)[index % 4] ?? 'hit',
      visitor: index % 3,
      age: 0,
      page: ['/', '/a', '/b'][index % 3] ?? '/',
      id: `an-id-that-is-long-${index - (index % 4)}`,
      name: 'signup',
      engagedSeconds: 20,
      scroll: 50,
      consent: null,
      refusal: null,
      visitorId: null,
      who: '',
    },
  },
  { do: 'wait', seconds: index % 10 === 9 ? 20_000 : 700 },
]).flat()

/** Days imported from a damaged archive have unchanged rollups, and every omission is reported. */
const holdDamage = (text: string, harm: Damage, folder: string): Promise<void> => {
  const harmed = damage(text, harm)
  return bring(folder, harmed, (db, { imported, refused, damaged }) => {
    const again = textOf(db, createZone(berlin.name))
    for (const day of imported) assert.equal(sumsOf(again, dayText(day)), sumsOf(text, dayText(day)), dayText(day))
    const days = daysWithData(db, 0, 99991231).map(dayText)
    const lost = [...text.matchAll(/"day":"([\d-]+)","table":"archive_day"/g)]
      .map(match => match[1] ?? '')
      .filter(day => !days.includes(day))
    if (lost.length > 0) assert.ok(refused.length > 0 || damaged, `nothing was said of ${lost.join()}`)
    assert.equal(
      db.prepare('select count(*) from view where session_id not in (select id from session)').pluck().get(),
      0,
    )
  }).catch((error: Error) => {
    // The first line itself.
    if (error.name !== 'ExpectedError') throw error
  })
}

test('a damaged archive leads to the same sums, or the day is refused', () =>
  withFolder(async folder => {
    const text = play(folder, fixed, berlin, 'cookieless').text
    assert.ok(text.match(/"archive_day"/g)?.length ?? 0 >= 3)
    await checkAsync(
      fc.asyncProperty(damages, harm => holdDamage(text, harm, folder)),
      { numRuns: 60 * scale },
    )
  }))

test('so it is where the hash of the lines is missing: the single visits must add up to the sums', () =>
  withFolder(async folder => {
    const text = play(folder, fixed, berlin, 'cookieless').text.replace(/,"sha256":"[0-9a-f]+"/g, '')
    await checkAsync(
      fc.asyncProperty(damages, harm => holdDamage(text, harm, folder)),
      { numRuns: 60 * scale },
    )
  }))

/** An archive without hashes, of which one day was changed by hand, and counted as if nothing had happened. */
const withoutHash = (text: string, change: (lines: Record<string, unknown>[]) => Record<string, unknown>[]): string => {
  const [first = '', ...rest] = text.split('\n').filter(line => line !== '')
  const day = String(JSON.parse(rest[0] ?? '').day)
  const lines = rest.map(line => JSON.parse(line)).map(({ sha256: _, ...line }) => line)
  const changed = change(lines.filter(line => line.day === day))
  const closing = changed.at(-1) ?? {}
  closing.lines = changed.length - 1
  const others = lines.filter(line => line.day !== day)
  return `${[first, ...[...changed, ...others].map(line => JSON.stringify(line))].join('\n')}\n`
}

test('a day without a hash whose visits do not add up to its sums is refused, and the others come in', () =>
  withFolder(async folder => {
    const { text } = play(folder, fixed, berlin, 'cookieless')
    const isView = (line: Record<string, unknown>): boolean => line.type === 'view'
    const isSum = (line: Record<string, unknown>): boolean => line.type === 'rollup' && line.table === 'site'
    const cases: Record<string, (lines: Record<string, unknown>[]) => Record<string, unknown>[]> = {
      'as it was': lines => lines,
      'a view is missing': lines => lines.filter(line => line !== lines.findLast(isView)),
      'a sum is another one': lines =>
        lines.map(line => (isSum(line) ? { ...line, views: Number(line.views) + 1 } : line)),
      'a sum is missing': lines => lines.filter(line => !isSum(line)),
    }
    for (const [name, change] of Object.entries(cases)) {
      const days = new Set([...text.matchAll(/"day":"([\d-]+)"/g)].map(match => match[1]))
      await bring(folder, withoutHash(text, change), (db, { refused, imported, reports }) => {
        const isWhole = name === 'as it was'
        assert.is(refused.length, isWhole ? 0 : 1, name)
        assert.is(imported.length, days.size - refused.length, name)
        if (isWhole) return
        assert.match(reports.join(), /its single visits do not add up to its sums/)
        assert.is(db.prepare('select count(*) from site_day where day = ?').pluck().get(refused[0]), 0, name)
      })
    }
  }))

test('a stopped import of an archive is not marked as finished, and goes on where it was', () =>
  withFolder(async folder => {
    const { text } = play(folder, fixed, berlin, 'cookieless')
    const { db } = openDatabase(join(folder, 'stopped.db'))
    const take = (isEnough: (lines: number) => boolean) => {
      let lines = 0
      const counted = async function* () {
        for await (const line of linesOf(text)) {
          lines += 1
          yield line
        }
      }
      return importArchive(counted(), { ...quiet, db, stopped: () => isEnough(lines) })
    }
    try {
      const firstDayEnds = text.slice(0, text.indexOf('"archive_day"')).split('\n').length
      const stopped = await take(lines => lines > firstDayEnds)
      assert.is(stopped.imported.length, 1)
      assert.equal(db.prepare('select finished from import_progress').pluck().all(), [0])
      const { resumed, imported, present } = await take(() => false)
      assert.equal([resumed, present], [stopped.imported, []])
      assert.ok(imported.length > 0)
      // Once it has been finished, the days are simply there.
      assert.equal((await take(() => false)).present, [...resumed, ...imported])
    } finally {
      db.close()
    }
  }))

test('with the hash, any change of a day is found out', () =>
  withFolder(async folder => {
    const text = play(folder, fixed, berlin, 'cookieless').text
    await checkAsync(
      fc.asyncProperty(
        damages.filter(({ how }) => how === 'flip' || how === 'digit'),
        async harm => {
          const harmed = damage(text, harm)
          if (harmed === text) return
          await bring(folder, harmed, (_, { refused, damaged }) => assert.ok(refused.length > 0 || damaged)).catch(
            (error: Error) => {
              if (error.name !== 'ExpectedError') throw error
            },
          )
        },
      ),
      { numRuns: 60 * scale },
    )
  }))

test.run()
