// The two shapes that most questions have: a list with its first row told, and one figure.
import type { SourcedData, Source } from './report-runner.ts'
import type { EmptyKey, LabelKey, Values } from './language.ts'
import { question, tableOf, type QuestionContext, type Column, type Head, type Question, type Row } from './question.ts'
import type { Unit } from './viz.ts'

const usualRows = 10

type Listed<Data, R extends Row> = {
  ask: (ask: QuestionContext) => Promise<SourcedData<Data>>
  /** The rows of the answer, the most important first. */
  rows: (data: Data, ask: QuestionContext) => readonly R[]
  columns: readonly (Column & keyof R)[]
  most?: number
  /** What the sentence tells of the first row. */
  say: (first: R, rows: readonly R[], ask: QuestionContext) => Values
  empty: EmptyKey
  currency?: true
}

/** A table of a report's rows. */
export const list = <Data, R extends Row>(
  head: Head,
  { ask: from, rows: project, columns, most = usualRows, say, empty, currency }: Listed<Data, R>,
): Question =>
  question(head, 'table', async ask => {
    const said = await from(ask)
    const rows = project(said.data, ask)
    const [first] = rows
    const viz = {
      ...tableOf(ask, rows.slice(0, most), columns),
      ...(currency && said.currency !== null && { currency: said.currency }),
    }
    return {
      viz,
      source: said.source,
      ...(first === undefined ? { values: {}, empty } : { values: say(first, rows, ask) }),
    }
  })

export type Tile = {
  value: number | null
  source: Source
  previous?: number | null | undefined
  change?: number | null | undefined
  label?: string | undefined
  currency?: string | null
  values?: Values
  empty?: EmptyKey | undefined
}

type Figured = {
  unit: Unit
  label: LabelKey
  tile: (ask: QuestionContext) => Promise<Tile>
}

/** One figure; its sentence knows it as `n`, and how it compares as `trend`. */
export const figure = (head: Head, { unit, label, tile: from }: Figured): Question =>
  question(head, 'kpi_tile', async ask => {
    const { value, source, previous, change, label: own, currency = null, values, empty } = await from(ask)
    const viz = {
      value,
      unit,
      label: own ?? ask.label(label),
      ...(previous !== undefined && { previous }),
      ...(change !== undefined && { change }),
      ...(unit === 'currency' && currency !== null && { currency }),
    }
    const told =
      unit === 'percent'
        ? { percent: value }
        : unit === 'seconds'
          ? { seconds: value }
          : unit === 'currency'
            ? { money: value, currency }
            : (value ?? 0)
    return { viz, source, values: { n: told, trend: ask.trend(change), ...values }, empty }
  })

/** Rows with the largest of a figure first; equal ones stay in the order of the report. */
export const most = <R>(rows: readonly R[], of: (row: R) => number | null): R[] =>
  [...rows].sort((a, b) => (of(b) ?? -1) - (of(a) ?? -1))

export const sum = <R>(rows: readonly R[], of: (row: R) => number): number =>
  rows.reduce((all, row) => all + of(row), 0)
