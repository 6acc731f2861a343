// Event values without measure: beyond the limit they count as absent, live and imported, and what older versions stored
// of them in files and archives spoils neither rollups nor reports.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { archiveBefore, archiveFolder } from '../../src/archive/retention.ts'
import { createZone } from '../../src/lib/time.ts'
import { drifted, rows, withDb } from '../support/archive-traffic.ts'
import { footfallHere } from '../support/command.ts'
import { withFolder } from '../support/folder.ts'
import { sendRecord } from '../support/records.ts'
import { firefox, type Running, withService } from '../support/service.ts'

const zone = createZone('UTC')
const range = 'from=2026-02-01&to=2026-03-31'
const later = '2026-03-25T12:00:00Z'

/** The bodies are texts, since JSON has numbers that no double holds. */
const eventBody = (name: string, value: string): string => `{"name":"${name}","value":${value}}`

const send = async ({ service }: Running, body: string): Promise<void> => {
  const { status } = await sendRecord(`${service.url}/analytics/v1/event`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'text/plain', 'user-agent': firefox, 'x-forwarded-for': '203.0.113.7' },
  })
  assert.is(status, 204, body)
}

/** What is kept of a value, and what of it is counted as trimmed. */
const values: readonly [given: string, sum: number, trimmed: 0 | 1][] = [
  ['12.5', 12.5, 0],
  ['1e12', 1e12, 0],
  ['-1e12', -1e12, 0],
  ['1000000000000.001', 0, 1],
  ['-1e13', 0, 1],
  ['9007199254740993', 0, 1],
  ['1e308', 0, 1],
  ['-1e308', 0, 1],
  ['1e999', 0, 1],
  ['-0', 0, 0],
  ['1e-320', 1e-320, 0],
  ['"12"', 0, 1],
]
const trimmed = values.reduce((sum, [, , one]) => sum + one, 0)

const sumsOf = async ({ api }: Running): Promise<Record<string, unknown>> => {
  const { data } = (await api(`/events?${range}&limit=100`)).body
  for (const { name, value_sum: sum } of data) {
    const detail = (await api(`/events/${name}?${range}`)).body.data
    assert.is(detail.value_sum, sum, name)
    const { body } = await api(`/events?${range}&limit=100&device=desktop`)
    if (data.length === body.data.length)
      assert.is(body.data.find((row: any) => row.name === name).value_sum, sum, name)
  }
  return Object.fromEntries(data.map(({ name, value_sum: sum }: any) => [name, sum]))
}

const ledger = "select sum(requests) from ledger where outcome = 'trimmed'"
const wanted = Object.fromEntries(values.map(([, sum], index) => [`e${index}`, sum]))

test('values beyond 10^12 are absent, live and imported, and counted as trimmed', () =>
  withFolder(async folder => {
    const [live, imported] = [join(folder, 'live.db'), join(folder, 'imported.db')]
    await withService({ file: live }, async running => {
      for (const [index, [given]] of values.entries()) await send(running, eventBody(`e${index}`, given))
      await running.settled()
      assert.equal(await sumsOf(running), wanted)
    })
    const lines = values.map(
      ([given], index) =>
        `{"endpoint":"event","time":"2026-03-10T12:00:00Z","ip":"203.0.113.7","user_agent":"${firefox}","body":${eventBody(`e${index}`, given)}}`,
    )
    const recorded = join(folder, 'requests.ndjson')
    writeFileSync(recorded, lines.join('\n'))
    const { status, stderr } = await footfallHere(['import', recorded, '--format', 'requests', '--data', imported])
    assert.is(`${stderr}${status}`, '0')
    await withService({ file: imported, start: later }, async running => assert.equal(await sumsOf(running), wanted))
    for (const file of [live, imported]) assert.equal(await rows(file, ledger), [[trimmed]])
  }))

/** Two events a day of three names for five days, of which one has no value. */
const fill = (file: string): Promise<void> =>
  withService({ file, start: '2026-03-02T12:00:00Z' }, async running => {
    for (let day = 0; day < 5; day += 1) {
      await running.hit({ page_url: '/a' })
      for (const body of ['good', 'huge', 'huge', 'other'].map((name, index) =>
        eventBody(name, `${day + index + 0.5}`),
      ))
        await send(running, body)
      await send(running, '{"name":"bare"}')
      running.clock.now += 86_400_000
    }
    await running.settled()
    running.clock.now = Date.parse(later)
    await running.settled()
  })

/**
 * The file as a version without a limit would have written it: sums of two days overflow, others are of opposite signs,
 * and one is merely large.
 */
const asBefore = (file: string): Promise<void> =>
  withDb(file, db => {
    const idOf = "(select id from label where text = 'huge')"
    const ofDay = (day: number): string =>
      `where name_id = ${idOf} and date(id / 1048576, 'unixepoch') = '2026-03-0${day}'`
    const sum = (day: number, value: string): string =>
      `update event_rollup set value_sum = ${value} where name_id = ${idOf} and period = 2026030${day};`
    db.exec(`
      update event set value = 1e308 ${ofDay(2)}; ${sum(2, '9e999')}
      update event set value = -1e308 ${ofDay(3)}; ${sum(3, '-9e999')}
      update event set value = 1e308 ${ofDay(4)} and value = 3.5; ${sum(4, '1e308')}
      update event set value = 1e15 ${ofDay(5)} and value = 4.5; ${sum(5, '1000000000000005.5')}
      update event_rollup set value_sum = 9e999 where name_id = ${idOf} and period % 100 = 0;
    `)
  })

/** The sums of the allowed values: of the days 4 and 5, one of the two events keeps its value. */
const sums = { good: 12.5, huge: 4.5 + 5.5 + 12, other: 27.5, bare: 0 }

const kept: { file?: Buffer } = {}

/** The file of an older version; filling takes longer than copying. */
const withOldFile = (work: (file: string, folder: string) => Promise<void>) =>
  withFolder(async folder => {
    const file = join(folder, 'old.db')
    if (kept.file === undefined) {
      await fill(file)
      await asBefore(file)
      kept.file = readFileSync(file)
    } else writeFileSync(file, kept.file, { mode: 0o600 })
    await work(file, folder)
  })

const asked = async (file: string): Promise<Record<string, unknown>> => {
  let answer: Record<string, unknown> = {}
  await withService({ file, start: later }, async running => {
    await running.settled()
    answer = await sumsOf(running)
  })
  return answer
}

/** Until it is rebuilt, the file shows sums without those that overflowed, of days or of the whole month. */
const isReadable = (file: string): Promise<void> =>
  withService({ file, start: later }, async ({ api }) => {
    const { data } = (await api(`/events?${range}`)).body
    assert.is(data.length, 4)
    for (const { name, value_sum: sum } of data) {
      assert.type(sum, 'number')
      assert.type((await api(`/events/${name}?${range}`)).body.data.value_sum, 'number')
    }
  })

const inRange = 'select count(*) from event where abs(value) > 1e12'

test('a file that holds such values is read, rebuilt, exported and imported again', () =>
  withOldFile(async (file, folder) => {
    assert.is((await rows(file, 'select 1 from event_rollup where value_sum = 9e999')).length > 1, true)
    await isReadable(file)
    const rebuilt = await footfallHere(['rebuild', '--data', file])
    assert.is(`${rebuilt.stderr}${rebuilt.status}`, '0')
    assert.match(rebuilt.stdout, /The figures of 4 days changed/)
    assert.equal(await asked(file), sums)
    assert.equal(await drifted(file, 0, zone), [])
    const archive = join(folder, 'all.ndjson')
    assert.is((await footfallHere(['export', archive, '--format', 'archive', '--data', file])).status, 0)
    const again = join(folder, 'again.db')
    const { status, stderr, stdout } = await footfallHere(['import', archive, '--format', 'archive', '--data', again])
    assert.is(`${stderr}${status}`, '0')
    assert.not.match(stdout, /left out/)
    assert.equal(await asked(again), sums)
    assert.equal(await rows(again, inRange), [[0]])
    assert.equal(await drifted(again, 0, zone), [])
  }))

test('retention puts the days of such a file away, and they come back', () =>
  withOldFile(async file => {
    await withDb(file, db => archiveBefore(db, zone, 20260320, archiveFolder(file), Date.parse(later) / 1000))
    assert.equal(await rows(file, 'select count(*) from event'), [[0]])
    assert.equal(await asked(file), sums)
    for (const name of readdirSync(archiveFolder(file))) {
      const { status, stderr } = await footfallHere([
        'import',
        join(archiveFolder(file), name),
        '--format',
        'archive',
        '--data',
        file,
      ])
      assert.is(`${stderr}${status}`, '0', name)
    }
    assert.equal(await rows(file, 'select count(*) from event'), [[25]])
    assert.equal(await asked(file), sums)
  }))

type ArchiveLine = Record<string, unknown>

/** An archive of the file as a version without a limit would have written it: overflown sums are null. */
const oldArchive = async (file: string, folder: string): Promise<string> => {
  const archive = join(folder, 'old.ndjson')
  assert.is((await footfallHere(['export', archive, '--format', 'archive', '--data', file])).status, 0)
  const stored = new Map((await rows(file, 'select id, value from event')) as [number, number | null][])
  const finite = (sum: number): number | null => (Number.isFinite(sum) ? sum : null)
  const given = new Map(
    (
      (await rows(
        file,
        'select l.text || r.period, r.value_sum from event_rollup r join label l on l.id = r.name_id where period % 100 > 0',
      )) as [string, number][]
    ).map(([key, sum]) => [key, finite(sum)]),
  )
  const change = (line: ArchiveLine): ArchiveLine => {
    if (line.type === 'event') return { ...line, value: stored.get(Number(line.id)) ?? null }
    if (line.table === 'archive_day') return { ...line, sha256: undefined }
    return line.table === 'event'
      ? { ...line, value_sum: given.get(`${String(line.name)}${String(line.day).replaceAll('-', '')}`) }
      : line
  }
  const [first = '', ...others] = readFileSync(archive, 'utf8').trimEnd().split('\n')
  const changed = others.map(line => JSON.stringify(change(JSON.parse(line))))
  writeFileSync(archive, `${[first, ...changed].join('\n')}\n`)
  assert.match(changed.join('\n'), /"value":1e\+308.*"value_sum":null/s)
  return archive
}

const bring = async (archive: string, file: string): Promise<void> => {
  const { status, stderr, stdout } = await footfallHere(['import', archive, '--format', 'archive', '--data', file])
  assert.is(`${stderr}${status}`, '0')
  assert.match(stdout, /5 {2}days imported/)
  assert.match(stdout, /6 {2}event values left out: beyond ±10\^12/)
}

test('an archive that an older version wrote of such a file is imported, without these values', () =>
  withOldFile(async (file, folder) => {
    const archive = await oldArchive(file, folder)
    const fresh = join(folder, 'fresh.db')
    await bring(archive, fresh)
    assert.equal(await asked(fresh), sums)
    assert.equal(await rows(fresh, inRange), [[0]])
    assert.equal(await drifted(fresh, 0, zone), [])
  }))

/** What retention without archives leaves of it. */
const purge = (file: string): Promise<void> =>
  withDb(file, db => {
    db.exec(`
      delete from event; delete from event_property; delete from view; delete from session; delete from packed_day;
      delete from rolled_period; delete from event_rollup where period % 100 = 0;
      insert into installation values ('raw_from', 20260320);
    `)
  })

test('sums whose visits are gone are added up and exported', () =>
  withOldFile(async (file, folder) => {
    await purge(file)
    assert.equal(await asked(file), { ...sums, huge: 1e15 + 5.5 + 12 })
    assert.ok(Number((await rows(file, 'select count(*) from rolled_period where complete = 1')).flat()[0]) > 0)
    const archive = join(folder, 'sums.ndjson')
    assert.is((await footfallHere(['export', archive, '--format', 'archive', '--data', file])).status, 0)
    assert.not.match(readFileSync(archive, 'utf8'), /"value_sum":(null|\d*e)/)
  }))

test('it comes back into the file whose sums it once had, which an older version stored', () =>
  withOldFile(async (file, folder) => {
    const archive = await oldArchive(file, folder)
    await purge(file)
    await isReadable(file)
    await bring(archive, file)
    assert.equal(await asked(file), sums)
    assert.equal(await drifted(file, 0, zone), [])
  }))

test('days of sums alone count an overflown one as 0', () =>
  withOldFile(async (file, folder) => {
    const archive = await oldArchive(file, folder)
    const lines = readFileSync(archive, 'utf8')
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as ArchiveLine)
    let count = 0
    const texts = lines
      .filter(({ type }) => !['session', 'view', 'event'].includes(String(type)))
      .map(line => {
        const closing = line.table === 'archive_day'
        const changed = closing ? { ...line, lines: count, single_visits: false } : line
        count = closing || line.type === undefined ? 0 : count + 1
        return JSON.stringify(changed)
      })
    writeFileSync(archive, `${texts.join('\n')}\n`)
    const fresh = join(folder, 'fresh.db')
    const { status, stderr, stdout } = await footfallHere(['import', archive, '--format', 'archive', '--data', fresh])
    assert.is(`${stderr}${status}`, '0')
    assert.match(stdout, /3 {2}event values left out/)
    assert.equal(await asked(fresh), { ...sums, huge: 1e15 + 5.5 + 12 })
  }))

test('the sum of many large values is finite and exact', () =>
  withService({}, async running => {
    for (let day = 0; day < 12; day += 1) {
      for (const value of ['1e12', '1e12', '999999999999.5', '-0.25']) await send(running, eventBody('large', value))
      running.clock.now += 86_400_000
      await running.settled()
    }
    assert.equal(await sumsOf(running), { large: 12 * 2_999_999_999_999.25 })
  }))

test.run()
