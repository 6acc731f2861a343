// Every format in every form that files take on their way: encodings, separators, line ends, more columns, rows twice.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { withFolder } from '../support/folder.ts'
import { daysOf, movingInto, samples } from '../support/moving.ts'

/** Samples, and whether a row that comes twice is refused: sums would add up twice, single visits are known by it. */
const formats: Readonly<Record<string, 'refused' | 'once'>> = {
  plausible: 'refused',
  ga4: 'refused',
  umami: 'once',
  'umami-postgres': 'once',
  goatcounter: 'once',
  koko: 'refused',
  matomo: 'once',
  fathom: 'refused',
  'simple-analytics': 'once',
  'wp-statistics': 'once',
  statify: 'refused',
}

type Files = readonly (readonly [name: string, text: string])[]

/** The tables of a sample as text; the same in a second packing is left out. */
const filesOf = (sample: string): Files => {
  const folder = join(samples, sample)
  return readdirSync(folder)
    .filter(name => /\.(?:csv|ndjson)$/.test(name) && name !== 'pages-total.csv')
    .map(name => [name, readFileSync(join(folder, name), 'utf8')])
}

/** Changes the rows of CSV, and leaves the lines before the table alone. */
const withRows = (text: string, separator: string, change: (rows: string[][]) => string[][]): string => {
  const [, preamble = '', table = ''] = /^((?:#[^\n]*\n|\s*\n)*)(.*)$/s.exec(text) ?? []
  const rows: string[][] = parse(table, { relax_column_count: true, skip_empty_lines: true })
  const quoted = (cell: string): string => (/[",;\t\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
  return `${preamble}${change(rows)
    .map(row => row.map(quoted).join(separator))
    .join('\n')}\n`
}

const isJson = (text: string): boolean => /^\s*[[{]/.test(text)

/** A column that no format has, with what is hard to read. */
const withColumn = (text: string): string =>
  isJson(text)
    ? text.replace(/^\{(?!"table")/gm, '{"unheard of": "a\\nb, \\"c\\"; d", ')
    : withRows(text, ',', rows =>
        rows.map((row, index) => [...row, index === 0 ? 'Unheard of' : 'first line\nsecond, "line"; third\tline']),
      )

type Form = { name: string; change: (text: string) => string | Buffer }

const forms: readonly Form[] = [
  { name: 'a byte order mark', change: text => `\uFEFF${text}` },
  { name: 'UTF-16', change: text => Buffer.from(`\uFEFF${text}`, 'utf16le') },
  { name: 'UTF-16 of the other order', change: text => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16() },
  { name: 'carriage returns', change: text => text.replaceAll('\n', '\r\n') },
  { name: 'empty lines at the end', change: text => `${text}\n\n` },
  { name: 'gzip', change: text => gzipSync(text) },
  { name: 'semicolons', change: text => (isJson(text) ? text : withRows(text, ';', rows => rows)) },
  { name: 'tabs', change: text => (isJson(text) ? text : withRows(text, '\t', rows => rows)) },
  { name: 'an unknown column with line breaks', change: withColumn },
]

const write = (folder: string, files: Files, change: Form['change']): string => {
  const into = join(folder, 'export')
  mkdirSync(into)
  for (const [name, text] of files) writeFileSync(join(into, name), change(text))
  return into
}

type Result = { status: number; stdout: string; stderr: string; days: number[][] }

/** Imports files into a database of their own. */
const take = async (files: Files, change: Form['change'] = text => text): Promise<Result> => {
  const results: Result[] = []
  await withFolder(async folder => {
    const moving = movingInto(folder)
    const result = await moving.take(write(folder, files, change))
    results.push({ ...result, days: await daysOf(moving) })
  })
  const [result] = results
  if (result === undefined) throw new Error('nothing was imported')
  return result
}

/** Every row, or every document, a second time. */
const twice = (text: string): string =>
  isJson(text)
    ? text.replace(/^(?:\{(?!"table")|\[).*\n?/gm, line => `${line.trimEnd()}\n${line}`)
    : withRows(text, ',', ([header = [], ...rows]) => [header, ...rows, ...rows])

for (const [sample, repeats] of Object.entries(formats)) {
  test(`${sample}: a file is the same in any form`, async () => {
    const files = filesOf(sample)
    assert.ok(files.length > 0 && statSync(join(samples, sample)).isDirectory())
    const plain = await take(files)
    assert.is(plain.status, 0, plain.stderr)
    assert.ok(plain.days.every(([, , views = 0]) => views > 0))
    // A column of GA4 that is not known may be a dimension, which divides the rows of a day.
    for (const { name, change } of forms.filter(form => sample !== 'ga4' || form.change !== withColumn)) {
      const { status, stderr, days } = await take(files, change)
      assert.equal([status, stderr], [0, ''], name)
      assert.equal(days, plain.days, name)
    }
  })

  test(`${sample}: rows that come twice are ${repeats === 'once' ? 'counted once' : 'refused'}`, async () => {
    const files = filesOf(sample)
    const plain = await take(files)
    const { status, stdout, stderr, days } = await take(files, twice)
    assert.equal(days, plain.days)
    if (repeats === 'once') assert.match(stdout, /Repeated +[\d,]+ rows, counted once/)
    else assert.match(stderr, /the same .* came before in/)
    assert.is(status, repeats === 'once' ? 0 : 1)
  })

  test(`${sample}: an empty file among the others is passed over, and alone nothing comes in`, async () => {
    const files = filesOf(sample)
    const beside = await take([...files, ['empty.csv', '']])
    assert.is(beside.status, 0, beside.stderr)
    assert.match(beside.stdout, /Empty +empty\.csv/)
    const headers = await take(files, text => (isJson(text) ? '\n' : withRows(text, ',', ([header = []]) => [header])))
    assert.is(headers.status, 1)
    assert.match(headers.stderr, /There is no day to import|is empty/)
    assert.equal(
      headers.days.map(([, , views]) => views),
      [0, 0, 0],
    )
  })
}

test.run()
