// Recordings come in by the command line and lead to the same reports as the live requests.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openReadOnly } from '../../src/database/open.ts'
import { footfallHere } from '../support/command.ts'
import { withFolder } from '../support/folder.ts'
import { footfall, sources } from '../support/program.ts'
import { sendRecord } from '../support/records.ts'
import { saltsOf } from '../support/salts.ts'
import { firefox, phone, type Running, withService } from '../support/service.ts'
import { until } from '../support/wait.ts'

type Recorded = {
  endpoint: string
  time: string
  ip: string
  user_agent: string
  headers?: Record<string, string>
  body: Record<string, unknown>
}

const start = Date.parse('2026-03-28T21:00:00Z')

/** Two days of some visitors over the change of clocks in Berlin, in the order of their times. */
const recording = (count: number, step = 600): Recorded[] =>
  Array.from({ length: count }, (_, index) => {
    const visitor = (index * 7) % 11
    const common = {
      time: new Date(start + index * step * 1000).toISOString().replace('.000Z', 'Z'),
      ip: `203.0.${visitor}.7`,
      user_agent: visitor % 2 === 0 ? firefox : phone,
    }
    const pvid = (of: number): string => `recorded-view-${String(of).padStart(7, '0')}`
    if (index % 5 === 3)
      return {
        endpoint: 'engagement',
        ...common,
        ip: `203.0.${((index - 1) * 7) % 11}.7`,
        user_agent: (((index - 1) * 7) % 11) % 2 === 0 ? firefox : phone,
        body: { pvid: pvid(index - 1), engagement_time: 20 + (index % 9), scroll_depth: index % 100 },
      }
    if (index % 5 === 4)
      return {
        endpoint: 'event',
        ...common,
        body: {
          name: 'signup',
          event_id: `recorded-event-${index}`,
          properties: { plan: index % 2 === 0 ? 'pro' : 'free' },
        },
      }
    const headers = index % 13 === 0 ? { DNT: '1' } : {}
    return {
      endpoint: 'hit',
      ...common,
      headers,
      body: {
        page_url: `https://shop.example/p/${index % 6}?utm_source=news${index % 3}`,
        title: `Page ${index % 6}`,
        referrer: 'https://www.google.de/',
        pvid: pvid(index),
      },
    }
  })

const toText = (lines: readonly object[]): string => lines.map(line => `${JSON.stringify(line)}\n`).join('')

const range = 'from=2026-03-27&to=2026-04-10'
const paths = [
  `/summary?${range}`,
  `/pages?${range}`,
  `/sources?${range}`,
  `/dimensions/country?${range}`,
  `/dimensions/browser?${range}`,
  `/utm?${range}`,
  `/events?${range}`,
  `/events/signup?${range}`,
]

const reports = async ({ api }: Running): Promise<unknown[]> => {
  const answers = []
  for (const path of paths) answers.push((await api(path)).body.data)
  return answers
}

const flags = { timezone: 'Europe/Berlin' }
const importFile = (file: string, data: string, ...more: string[]) =>
  footfallHere(['import', file, '--format', 'requests', '--data', data, '--timezone', 'Europe/Berlin', ...more])

const rows = (data: string, sql: string): unknown[] => {
  const db = openReadOnly(data)
  try {
    return db.prepare(sql).raw().all()
  } finally {
    db.close()
  }
}

/** A number of how far the import is; 0 while there is no file yet. */
const progressOf = (data: string, column: 'lines' | 'finished'): number => {
  try {
    return Number((rows(data, `select ifnull(max(${column}), 0) from import_progress`)[0] as number[])[0])
  } catch {
    return 0
  }
}

/** How many lines of a recording the file holds. */
const linesDone = (data: string): number => progressOf(data, 'lines')

/** Waits until more lines than that are committed, or the import has ended. */
const untilBeyond = async (child: ChildProcess, data: string, lines: number): Promise<void> => {
  while (child.exitCode === null && linesDone(data) <= lines) await wait(5)
}

/**
 * Begins on a new file, again if the import was finished before it was interrupted: on a busy machine it may run while
 * the test does not.
 */
const interrupted = (data: string, work: () => Promise<void>): Promise<void> =>
  until(async () => {
    for (const end of ['', '-wal', '-shm', '-lock']) rmSync(`${data}${end}`, { force: true })
    await work()
  })

/** Without what was refused while the file was locked, and sent again. */
const ledger = "select outcome, sum(requests) from ledger where outcome <> 'storage' group by outcome order by outcome"

test('imported and live traffic lead to the same reports and the same ledger', () =>
  withFolder(async folder => {
    const lines = recording(250)
    const live = join(folder, 'live.db')
    const imported = join(folder, 'imported.db')
    const file = join(folder, 'requests.ndjson.gz')
    writeFileSync(file, gzipSync(toText(lines)))
    const { status, stdout, stderr } = await importFile(file, imported)
    assert.is(stderr, '')
    assert.is(status, 0)
    assert.match(stdout, /250 {2}lines/)

    const seen: unknown[][] = []
    await withService({ file: live, start: '2026-03-28T21:00:00Z', flags }, async running => {
      for (const { endpoint, time, ip, user_agent, headers = {}, body } of lines) {
        running.clock.now = Date.parse(time)
        await sendRecord(`${running.service.url}/analytics/v1/${endpoint}`, {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { 'content-type': 'text/plain', 'user-agent': user_agent, 'x-forwarded-for': ip, ...headers },
        })
      }
      await running.settled()
      await running.settled()
      seen.push(await reports(running))
    })
    await withService({ file: imported, start: '2026-04-10T12:00:00Z', flags }, async running => {
      seen.push(await reports(running))
    })
    assert.equal(seen[1], seen[0])
    assert.equal(rows(imported, ledger), rows(live, ledger))
    assert.equal(saltsOf(imported), [])
  }))

test('killed in the middle and started again, it counts nothing twice and loses nothing', () =>
  withFolder(async folder => {
    const file = join(folder, 'requests.ndjson')
    const count = 60_000
    writeFileSync(file, toText(recording(count, 8)))
    const whole = join(folder, 'whole.db')
    const first = await importFile(file, whole)
    assert.is(first.status, 0, first.stderr)
    const killed = join(folder, 'killed.db')
    const [program, ...words] = sources.command
    await interrupted(killed, async () => {
      for (const after of [0, 30, 60]) {
        const before = linesDone(killed)
        const child = spawn(
          program,
          [...words, 'import', file, '--format', 'requests', '--data', killed, '--timezone', 'Europe/Berlin'],
          { stdio: 'ignore' },
        )
        const closed = once(child, 'close')
        await untilBeyond(child, killed, before)
        await wait(after)
        child.kill('SIGKILL')
        await closed
      }
      const done = linesDone(killed)
      assert.ok(done > 0 && done < count, 'it was finished before it was killed')
    })
    const { status, stdout } = await importFile(file, killed)
    assert.is(status, 0)
    assert.match(stdout, /Resuming after line/)
    for (const sql of [
      ledger,
      'select count(*), sum(seconds) from view',
      'select count(*), sum(views) from session',
      'select * from site_day order by day',
      'select count(*) from event',
    ]) {
      assert.equal(rows(killed, sql), rows(whole, sql), sql)
    }
    assert.match((await importFile(file, killed)).stdout, /has already been imported; there is nothing to do/)
    assert.equal(rows(killed, ledger), rows(whole, ledger))
  }))

test('a stop commits what is done, and says how to resume', () =>
  withFolder(async folder => {
    const file = join(folder, 'requests.ndjson')
    writeFileSync(file, toText(recording(100_000, 10)))
    const [program, ...words] = sources.command
    const data = join(folder, 'test.db')
    await interrupted(data, async () => {
      const child = spawn(program, [...words, 'import', file, '--format', 'requests', '--data', data], {
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      let stderr = ''
      child.stderr.on('data', chunk => {
        stderr += chunk
      })
      const closed = once(child, 'close')
      await untilBeyond(child, data, 0)
      child.kill('SIGINT')
      const [code] = await closed
      assert.is(code, 1)
      assert.match(stderr, /Run the same import again to resume/)
    })
  }))

test('a stop while days are derived leaves the others to the next look', () =>
  withFolder(async folder => {
    const [file, stopped, whole] = ['recording.ndjson', 'stopped.db', 'whole.db'].map(name => join(folder, name)) as [
      string,
      string,
      string,
    ]
    const lines = recording(2000, 8640)
    writeFileSync(file, toText(lines))
    await importFile(file, whole)
    const [program, ...words] = sources.command
    await interrupted(stopped, async () => {
      const child = spawn(
        program,
        [...words, 'import', file, '--format', 'requests', '--data', stopped, '--timezone', 'Europe/Berlin'],
        { stdio: 'ignore' },
      )
      const ended = once(child, 'exit')
      // All lines are committed before the import is noted as finished, and its days are derived.
      while (child.exitCode === null && progressOf(stopped, 'finished') === 0) await wait(5)
      child.kill('SIGTERM')
      assert.equal(await ended, [1, null])
      const left = rows(stopped, 'select count(*) from dirty_day')
      assert.ok(Number(left.flat()[0]) > 0, 'all days were derived before the stop')
    })
    assert.match((await importFile(file, stopped)).stdout, /has already been imported/)
    assert.is((await footfallHere(['cron', 'rollup', '--data', stopped])).status, 0)
    for (const sql of [
      'select * from site_day order by day',
      'select * from page_rollup order by period, page_id',
      'select day from dirty_day',
    ])
      assert.equal(rows(stopped, sql), rows(whole, sql), sql)
  }))

test('a recording out of order is refused as a whole, unless it is to be sorted', () =>
  withFolder(async folder => {
    const file = join(folder, 'requests.ndjson')
    const lines = recording(20)
    writeFileSync(file, toText([...lines.slice(10), ...lines.slice(0, 10)]))
    const data = join(folder, 'test.db')
    const refused = await importFile(file, data)
    assert.is(refused.status, 1)
    assert.match(refused.stderr, /Line 11 is earlier than a line before it\..*--sort.*Nothing was imported/)
    assert.equal(rows(data, 'select count(*) from view'), [[0]])
    assert.is((await importFile(file, data, '--sort')).status, 0)
    const sorted = join(folder, 'sorted.db')
    writeFileSync(file, toText(lines))
    await importFile(file, sorted)
    assert.equal(rows(data, 'select * from site_day'), rows(sorted, 'select * from site_day'))
  }))

test('later activity in the database is a reason to ask', () =>
  withFolder(async folder => {
    const data = join(folder, 'test.db')
    const later = join(folder, 'later.ndjson')
    const earlier = join(folder, 'earlier.ndjson')
    writeFileSync(later, toText(recording(20).slice(15)))
    writeFileSync(earlier, toText(recording(20).slice(0, 10)))
    await importFile(later, data)
    const refused = await importFile(earlier, data)
    assert.is(refused.status, 1)
    assert.match(refused.stderr, /after the first line .*--merge/)
    assert.is((await importFile(earlier, data, '--merge')).status, 0)
  }))

test('lines that cannot be read are named and passed over', () =>
  withFolder(async folder => {
    const file = join(folder, 'requests.ndjson')
    const [first, second] = recording(2)
    const bad = [
      'no json',
      '[1]',
      '{"endpoint":"page","time":"2026-03-28T21:05:00Z","body":{}}',
      '{"endpoint":"hit","time":"yesterday","body":{}}',
      '{"endpoint":"hit","time":"2026-03-28T21:05:00Z","ip":"300.1.1.1","body":{}}',
      '{"endpoint":"hit","time":"2026-03-28T21:05:00Z","body":7}',
    ]
    writeFileSync(
      file,
      [JSON.stringify(first), ...bad, '', JSON.stringify({ ...second, body: JSON.stringify(second?.body) })].join('\n'),
    )
    const data = join(folder, 'test.db')
    const { status, stdout, stderr } = await importFile(file, data)
    assert.is(status, 1)
    assert.equal(
      [...stderr.matchAll(/^Line (\d+): /gm)].map(match => Number(match[1])),
      [2, 3, 4, 5, 6, 7],
    )
    assert.match(stdout, /6 {2}invalid/)
  }))

test('lines with the same reason are named three times, then counted, and a mistaken format is named', () =>
  withFolder(async folder => {
    const file = join(folder, 'mixed-up.log')
    const take = async (format: string, text: string) => {
      writeFileSync(file, text)
      return (await footfallHere(['import', file, '--format', format, '--data', join(folder, 'test.db')])).stderr
    }
    const json = '{"level":"info","ts":1646861401.5,"msg":"handled request","status":200}\n'
    assert.match(
      await take('access-log', json.repeat(4000)),
      /^None of the first 20 lines can be read: they look like JSON/,
    )
    const combined = '203.0.113.9 - - [10/Mar/2026:12:00:00 +0000] "GET / HTTP/1.1" 200 9 "-" "Mozilla/5.0"\n'
    const wrong = 'not a line of the combined format.'
    assert.is(
      await take('access-log', `${combined}${json.repeat(4000)}`),
      `${[2, 3, 4].map(line => `Line ${line}: ${wrong}\n`).join('')}3,997 more: ${wrong}\n`,
    )
    assert.is(await take('requests', combined), 'Line 1: this looks like an access log: use --format access-log.\n')
  }))

test('the standard input is taken as well', () =>
  withFolder(folder => {
    const data = join(folder, 'test.db')
    const { status } = footfall(['import', '-', '--format', 'requests', '--data', data], {
      input: toText(recording(50)),
    })
    assert.is(status, 0)
    assert.equal(rows(data, 'select count(*) > 20 from view'), [[1]])
  }))

test('an access log brings its page views', () =>
  withFolder(async folder => {
    const data = join(folder, 'test.db')
    const { status, stdout, stderr } = await footfallHere([
      'import',
      join(process.cwd(), 'test/fixtures/import/access.log'),
      '--format',
      'access-log',
      '--data',
      data,
      '--site-url',
      'https://shop.example',
    ])
    assert.match(stderr, /Line 14: not a line of the combined format/)
    assert.is(status, 1)
    assert.match(stdout, /skipped \(no page view\)/)
    assert.equal(
      rows(data, 'select path, count(*) from view join page on page.id = page_id group by path order by path'),
      [
        ['/', 2],
        ['/?p=12', 1],
        ['/blog/hello', 2],
        ['/index.php', 1],
      ],
    )
    assert.equal(
      rows(data, "select channel, source from session join origin on origin.id = origin_id where channel <> 'Direct'"),
      [['Organic Search', 'news']],
    )
    assert.equal(rows(data, 'select source from campaign'), [['news']])
    assert.equal(rows(data, "select requests from ledger where outcome = 'bot'"), [[1]])
  }))

test('a log and the same log packed with gzip are one import', () =>
  withFolder(async folder => {
    const data = join(folder, 'test.db')
    const log = readFileSync('test/fixtures/import/access.log')
    const packed = join(folder, 'access.log.gz')
    writeFileSync(packed, gzipSync(log))
    const args = (file: string) => ['import', file, '--format', 'access-log', '--data', data]
    assert.match((await footfallHere(args(packed))).stdout, /skipped \(no page view\)/)
    const views = rows(data, 'select count(*) from view')
    for (const { status, stdout } of [
      await footfallHere(args('test/fixtures/import/access.log')),
      footfall(args('-'), { input: log }),
      footfall(args('-'), { input: gzipSync(log, { level: 1 }) }),
    ])
      assert.equal([status, /already been imported/.test(stdout)], [0, true], stdout)
    assert.equal(rows(data, 'select count(*) from view'), views)
  }))

test('of a log that overlaps earlier ones, only the new lines count', () =>
  withFolder(async folder => {
    const data = join(folder, 'test.db')
    const line = (second: number, page: string): string =>
      `198.51.100.${second % 7} - - [02/Mar/2026:10:${String(Math.floor(second / 60)).padStart(2, '0')}:` +
      `${String(second % 60).padStart(2, '0')} +0000] "GET ${page} HTTP/1.1" 200 9 "-" "${firefox}"`
    const lines = Array.from({ length: 40 }, (_, second) => line(second * 9, `/p${second}`))
    // The last second of the first log has two equal lines and another; the next log has one more of them.
    const [equal, other] = [line(360, '/x'), line(360, '/y')]
    const later = [line(360, '/z'), line(361, '/last')]
    const take = (texts: readonly string[], ...flags: string[]) => {
      const file = join(folder, 'some.log')
      writeFileSync(file, `${texts.join('\n')}\n`)
      return footfallHere(['import', file, '--format', 'access-log', '--data', data, ...flags])
    }
    const views = (): unknown => rows(data, 'select count(*) from view')
    assert.is((await take([...lines, equal, equal, other])).status, 0)
    assert.equal(views(), [[43]])
    const grown = await take([...lines.slice(20), equal, equal, other, ...later])
    assert.is(grown.status, 0, grown.stderr)
    assert.match(grown.stdout, /23 {2}imported before/)
    assert.equal(views(), [[45]])
    // Both are one span now, so that a copy of all has nothing new.
    const copy = await take([...lines, equal, equal, other, ...later])
    assert.match(copy.stdout, /45 {2}imported before/)
    assert.equal([copy.status, views()], [0, [[45]]])
    assert.match((await take([...lines, equal, equal, other, ...later])).stdout, /already been imported/)
    assert.is((await take([...lines, equal, equal, other, ...later], '--again')).status, 0)
    assert.equal(views(), [[90]])
    // A log of days before is new.
    const earlier = await take([line(1, '/early').replace('02/Mar', '01/Mar')], '--merge')
    assert.equal([earlier.status, views()], [0, [[91]]])
  }))

test('what cannot be meant is refused', () =>
  withFolder(async folder => {
    const cases: [string[], number, RegExp][] = [
      [['import', 'nowhere.ndjson', '--format', 'requests'], 1, /nowhere.ndjson cannot be read/],
      [
        ['import', 'x', '--format', 'orders'],
        2,
        /takes one of auto, plausible, .*, requests, access-log, archive and woocommerce-orders/,
      ],
      [['import', 'nowhere.csv'], 1, /nowhere.csv cannot be read/],
      [['import', '--format', 'requests'], 2, /Name the file/],
      [['import'], 2, /Name the file/],
    ]
    for (const [args, code, sentence] of cases) {
      const { status, stderr } = await footfallHere([...args, '--data', join(folder, 'test.db')])
      assert.is(status, code, args.join(' '))
      assert.match(stderr, sentence)
    }
  }))

test('the addresses of a recording are not in the file', () =>
  withFolder(async folder => {
    const file = join(folder, 'requests.ndjson')
    const data = join(folder, 'test.db')
    writeFileSync(file, toText(recording(100)))
    await importFile(file, data)
    const bytes = readFileSync(data)
    assert.not(bytes.includes('203.0.'))
    assert.not(bytes.includes('Mozilla'))
    assert.ok(bytes.includes('/p/1'))
  }))

test.run()
