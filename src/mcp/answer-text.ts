// An answer as text for a language model: a sentence, figures, and at most 25 rows.
import * as v from 'valibot'
import { answerRows } from '../commands/answer-rows.ts'
import { columns, type Row } from '../commands/listing.ts'
import { isPlain, listsOf, type Plain } from '../commands/report-tables.ts'
import { notesOf, toRow } from '../commands/report-text.ts'
import { vizSchema } from '../endpoints/advisor.ts'

export const maxRows = 25

/** A table of the first rows, with its name. `left` counts the rows that are not shown. */
const tableText = (name: string, rows: readonly Row[], room: number): { lines: string[]; left: number } => {
  const shown = rows.slice(0, room)
  const [first] = shown
  const lines =
    first === undefined ? [] : ['', ...(name === '' ? [] : [`${name}:`]), ...columns(shown, Object.keys(first))]
  return { lines, left: rows.length - shown.length }
}

/** Tables that share the 25 rows. */
const tablesText = (tables: readonly (readonly [name: string, rows: readonly Row[]])[]) => {
  let room = maxRows
  let left = 0
  const lines = tables.flatMap(([name, rows]) => {
    const table = tableText(name, rows, room)
    room -= rows.length - table.left
    left += table.left
    return table.lines
  })
  return { lines, left }
}

const inStructure = (left: number): string[] =>
  left === 0
    ? []
    : ['', `truncated: ${left} more ${left === 1 ? 'row is' : 'rows are'} in structuredContent, but not in this text.`]

const rangeOf = (meta: unknown): string => {
  if (!isPlain(meta) || typeof meta.from !== 'string') return ''
  const days = meta.from === meta.to ? meta.from : `${meta.from} to ${String(meta.to)}`
  return `, ${days} (${String(meta.timezone)})`
}

const demoNote = (meta: unknown): string[] =>
  isPlain(meta) && meta.demo !== undefined ? ['These figures are generated demo data.'] : []

/** @param next how to get the rows that the answer does not hold, if there are any */
export const reportText = (summary: string, { data, meta }: Plain, next: string | null): string => {
  const figures = isPlain(data) ? Object.entries(toRow(data)) : []
  const { lines, left } = tablesText(listsOf(data).map(([name, rows]) => [name, rows.map(toRow)]))
  const notes = notesOf(meta)
  return [
    `${summary}${rangeOf(meta)}.`,
    ...demoNote(meta),
    ...(figures.length === 0 ? [] : ['', ...figures.map(([key, value]) => `${key}: ${value ?? '-'}`)]),
    ...lines,
    ...(lines.length === 0 && figures.length === 0 ? ['', 'No data in this range.'] : []),
    ...(notes.length === 0 ? [] : ['', ...notes]),
    ...inStructure(left),
    ...(next === null ? [] : ['', `truncated: ${next}`]),
  ].join('\n')
}

/** What somebody noted in the days of a report. */
export const notesText = (notes: readonly unknown[]): string =>
  notes.length === 0
    ? ''
    : [
        '',
        '',
        `Noted in these days:`,
        ...notes.filter(isPlain).map(({ at, kind, text }) => `- ${String(at)} (${String(kind)}): ${String(text)}`),
      ].join('\n')

const rowsOf = (viz: unknown): Row[] => {
  const { success, output } = v.safeParse(vizSchema, viz)
  return success ? answerRows(output) : []
}

/** The sentences of answers of the advisor, and the rows behind them. */
export const answersText = (answers: readonly unknown[], notes: readonly string[]): string => {
  let room = maxRows
  let left = 0
  const lines = answers.filter(isPlain).flatMap(({ id, question, summary, hint, viz }) => {
    const rows = rowsOf(viz)
    const table = tableText('', rows, room)
    room -= rows.length - table.left
    left += table.left
    return [
      `${question == null ? '' : `${String(question)} (${String(id)})\n`}${String(summary)}`,
      ...(typeof hint === 'string' ? [hint] : []),
      ...table.lines,
      '',
    ]
  })
  return [...lines, ...notes, ...inStructure(left)].join('\n').trim()
}

/** The statements of a report, and what each did. */
export const explainText = (summary: string, { meta }: Plain): string => {
  const traces = isPlain(meta) && Array.isArray(meta.explain) ? meta.explain.filter(isPlain) : []
  return [
    `${summary}${rangeOf(meta)}: ${traces.length} statements.`,
    ...traces.flatMap(({ sql, params, plan, rows, milliseconds }) => [
      '',
      `${String(rows)} rows in ${String(milliseconds)} ms, with ${JSON.stringify(params)}`,
      String(sql).trim(),
      ...(Array.isArray(plan) ? plan.map(step => `-- ${String(step)}`) : []),
    ]),
  ].join('\n')
}

/** The state of the installation, and its problems. */
export const diagnosticsText = ({ status, version, collection, findings }: Plain): string => {
  const figures = isPlain(collection) ? Object.entries(toRow(collection)) : []
  const found = Array.isArray(findings) ? findings.filter(isPlain) : []
  return [
    `Footfall ${String(version)}, status: ${String(status)}.`,
    '',
    ...figures.map(([key, value]) => `${key}: ${value ?? '-'}`),
    '',
    ...(found.length === 0 ? ['No problems found.'] : []),
    ...found.map(({ severity, message, hint }) => `${String(severity)}: ${String(message)} ${String(hint)}`),
  ].join('\n')
}
