// The two most common kinds of question: a list whose summary names the first row, and a single figure.
import { sameCounts } from './chance.ts'
import type { Figure } from './figures.ts'
import type { EmptyKey, LabelKey, Values } from './language.ts'
import {
  type Column,
  columnUnits,
  type Head,
  type Question,
  type QuestionContext,
  question,
  type Row,
  tableOf,
} from './question.ts'
import type { Source } from './report-runner.ts'
import type { Unit } from './viz.ts'

const defaultRows = 10

type Loaded<Data> = { data: Data; source: Source; currency?: string | null }

type ListOptions<Data, R extends Row> = {
  load: (context: QuestionContext) => Promise<Loaded<Data>>
  /** The rows of the answer, most important first. */
  rows: (data: Data, context: QuestionContext) => readonly R[]
  columns: readonly (Column & keyof R)[]
  maxRows?: number
  /** The values of the summary, besides `rows`, their number. */
  values: (first: R, rows: readonly R[], loaded: Loaded<Data>) => Values
  /** The summary used without rows. */
  empty: EmptyKey
  /** Whether the rows are differences from the range compared with. */
  compares?: boolean
}

/** Defines a question answered by a table of report rows. */
export const list = <Data, R extends Row>(
  head: Head,
  { load, rows: rowsOf, columns, maxRows = defaultRows, values, empty, compares = false }: ListOptions<Data, R>,
): Question =>
  question(head, 'table', async context => {
    const loaded = await load(context)
    const { data, source, currency } = loaded
    const isUnknown = compares && !context.comparable
    const rows = isUnknown ? [] : rowsOf(data, context)
    const [first] = rows
    const hasMoney = columns.some(column => columnUnits[column] === 'currency')
    const viz = {
      ...(hasMoney && currency != null && { currency }),
      ...tableOf(context, rows.slice(0, maxRows), columns),
    }
    return {
      viz,
      source,
      ...(first === undefined
        ? { values: {}, empty: isUnknown ? ('before' as const) : empty }
        : { values: { rows: rows.length, ...values(first, rows, loaded) } }),
    }
  })

export type Tile = {
  value: number | null
  source: Source
  previous?: number | null | undefined
  change?: number | null | undefined
  /** Whether chance explains the change; by default, whether it does for two counts. */
  chance?: boolean | undefined
  label?: string | undefined
  currency?: string | null
  values?: Values
  empty?: EmptyKey | undefined
}

type FigureOptions = {
  unit: Unit
  label: LabelKey
  load: (context: QuestionContext) => Promise<Tile>
}

/** The value as the summary formats it. */
const summaryValue = (unit: Unit, { value, currency = null }: Pick<Tile, 'value' | 'currency'>): Figure | number => {
  if (unit === 'percent') return { percent: value }
  if (unit === 'seconds') return { seconds: value }
  return unit === 'currency' ? { money: value, currency } : (value ?? 0)
}

/** Defines a question answered by one figure. The summary has it as `n` and its change as `trend`. */
export const figure = (head: Head, { unit, label, load }: FigureOptions): Question =>
  question(head, 'kpi_tile', async context => {
    const tile = await load(context)
    const { value, source, previous, change, currency = null, empty } = tile
    const { chance = sameCounts(value ?? 0, previous ?? 0) } = tile
    const before = summaryValue(unit, { value: previous ?? null, currency })
    const viz = {
      value,
      unit,
      label: tile.label ?? context.label(label),
      ...(previous !== undefined && { previous }),
      ...(change !== undefined && { change }),
      ...(unit === 'currency' && currency !== null && { currency }),
    }
    return {
      viz,
      source,
      values: {
        n: summaryValue(unit, tile),
        trend: context.trend({
          current: value,
          previous,
          change,
          chance,
          before: typeof before === 'number' ? undefined : before,
        }),
        ...tile.values,
      },
      empty,
    }
  })

/** Rows sorted by a figure, descending; ties keep the order of the report. */
export const largestFirst = <R>(rows: readonly R[], of: (row: R) => number | null): R[] =>
  [...rows].sort((a, b) => (of(b) ?? -1) - (of(a) ?? -1))

export const sum = <R>(rows: readonly R[], of: (row: R) => number): number =>
  rows.reduce((all, row) => all + of(row), 0)
