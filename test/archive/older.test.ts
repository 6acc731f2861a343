// Archives of format 2, whose visits had a time zone, a whole screen, a language with its region and finer versions.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { drifted, fill, reports, rows } from '../support/archive-traffic.ts'
import { footfallHere } from '../support/command.ts'
import { withFolder } from '../support/folder.ts'

/** Two values of format 2 that are one today, by dimension and value; a value without two is the same in both. */
const finer = (dimension: string, value: string): readonly [string, string] => {
  if (dimension === 'screen' && value !== '') {
    const width = Number.parseInt(value, 10) + 1
    return [`${width}x800`, `${width + 1}x900`]
  }
  if (dimension === 'language')
    return (
      ({ de: ['de-CH', 'de-AT'], fr: ['fr-CA', 'fr'], 'zh-Hant': ['zh-TW', 'zh-HK'] } as const)[value] ?? [value, value]
    )
  return dimension.endsWith('_version')
    ? [value.replace(/ (\d+)$/, ' $1.0'), value.replace(/ (\d+)$/, ' $1.7')]
    : [value, value]
}

type Line = Record<string, any>

/** The lines of a day in format 2. Sums are split in two, and both count every visitor. */
const olderLines = (line: Line): Line[] => {
  if (line.type === 'session') {
    const which = line.id % 2
    const of = (dimension: string, value: string | null) => value && finer(dimension, value)[which]
    const version = (name: string, text: string | null) => text && of(`${name}_version`, ` ${text}`)?.slice(1)
    return [
      {
        ...line,
        screen: of('screen', line.screen),
        language: of('language', line.language),
        browser_version: version('browser', line.browser_version),
        os_version: version('os', line.os_version),
        timezone: 'Europe/Zurich',
      },
    ]
  }
  if (line.table !== 'dimension') return [line]
  const [one, other] = finer(line.dimension, line.value)
  const zone = line.dimension === 'device' ? [{ ...line, dimension: 'timezone', value: 'Europe/Zurich' }] : []
  if (one === other) return [line, ...zone]
  const half = (figure: number): number => Math.floor(figure / 2)
  const [sessions, views, bounces] = [half(line.sessions), half(line.views), half(line.bounces)]
  return [
    { ...line, value: one, sessions, views, bounces },
    {
      ...line,
      value: other,
      sessions: line.sessions - sessions,
      views: line.views - views,
      bounces: line.bounces - bounces,
    },
  ]
}

/** An archive in format 2; of the days in `sums` without single visits. */
const olderArchive = (text: string, sums: readonly string[]): string => {
  const [first = '', ...others] = text.trimEnd().split('\n')
  const header = first.replace('"footfall_archive":3', '"footfall_archive":2')
  const out = [header]
  let day: string[] = []
  for (const line of others.map(one => JSON.parse(one) as Line)) {
    const isSums = sums.includes(line.day)
    if (line.table !== 'archive_day') {
      if (isSums && ['session', 'view', 'event'].includes(line.type)) continue
      day.push(...olderLines(line).map(one => JSON.stringify(one)))
      continue
    }
    const sha256 = createHash('sha256')
      .update([header, ...day].map(one => `${one}\n`).join(''))
      .digest('hex')
    const closing = { ...line, lines: day.length, sha256, single_visits: line.single_visits && !isSums }
    out.push(...day, JSON.stringify(closing))
    day = []
  }
  return `${out.join('\n')}\n`
}

/** Reports without visitors by a dimension: of sums nobody knows whether two values were those of one visitor. */
const withoutVisitors = (answers: Record<string, unknown>): unknown =>
  JSON.parse(
    JSON.stringify(answers, (key, value: unknown) =>
      /^(?:visitors|properties|titles?)$/.test(key) ? undefined : value,
    ),
  )

test('an archive of format 2 comes back as what is kept today: single visits exactly, sums added up', () =>
  withFolder(async folder => {
    const [file, archive, older] = [join(folder, 'test.db'), join(folder, 'new.ndjson'), join(folder, 'older.ndjson')]
    await fill(file)
    const before = await reports(file)
    assert.is((await footfallHere(['export', archive, '--format', 'archive', '--data', file])).status, 0)
    const text = readFileSync(archive, 'utf8')
    assert.match(text, /"language":"zh-Hant"/)
    assert.match(text, /"screen":"1024-1279"|"screen":"768-1023"/)
    assert.not.match(text, /zone":"(?!Europe\/Berlin)/)

    const back = async (name: string, content: string): Promise<string> => {
      writeFileSync(older, content)
      const data = join(folder, name)
      const { status, stderr } = await footfallHere(['import', older, '--format', 'archive', '--data', data])
      assert.is(`${stderr}${status}`, '0')
      return data
    }
    const whole = await back('whole.db', olderArchive(text, []))
    assert.equal(await reports(whole), before)
    assert.equal(await drifted(whole), [])
    assert.equal(
      await rows(
        whole,
        "select text from label where text glob '*x[89]00' or text glob 'Europe/*' or text glob 'de-*'",
      ),
      [],
    )

    const days = ['2026-03-27', '2026-03-28']
    const part = await back('part.db', olderArchive(text, days))
    assert.equal(withoutVisitors(await reports(part)), withoutVisitors(before))
  }))

test.run()
