// A breakdown: which report it shows, what a row is called, and what a click on it filters by.

import { literalValue } from '../../reports/filters/syntax.ts'
import type { App } from '../app/app-context.ts'
import { pageNames } from '../app/hosts.ts'
import type { Kind } from '../app/metrics.ts'
import { orderParams } from '../app/order-filters.ts'
import type { TextKey } from '../app/texts.ts'
import { type FilterKey, filterParams } from '../app/url.ts'

/** A row of a report; the breakdown knows its keys. */
export type Row = Readonly<Record<string, unknown>>
export type Column = { key: string; kind: Kind; label: TextKey; lowerIsBetter?: true }

export type Sign = { kind: 'flag' | 'letter'; key: string }

export type Breakdown = {
  id: string
  panel: string
  label: TextKey
  path: string
  params?: Readonly<Record<string, string>>
  /** Its parameters when only one of its rows is chosen: what that consists of. */
  deeper?: Readonly<Record<string, string>>
  /** Whether its rows are pages, which have a host. */
  ofPages?: true
  /** The keys that identify a row; a filter uses the first. */
  key: string | readonly string[]
  name: (row: Row, app: Pick<App, 't' | 'f'>) => string
  /** A second text, in a fainter colour. */
  note?: (row: Row, app: Pick<App, 't' | 'f'>) => string | null
  /** The sign before the name: the flag of the country, or a letter of the name, in this column. */
  sign?: Sign
  filter?: FilterKey
  /** The first one is that of the short table. */
  columns: readonly [Column, ...Column[]]
  /** Columns that the short table shows as well where it has room, instead of the share. */
  beside?: readonly string[]
  /** Reports about orders take the filters that say where they came from. */
  ofOrders?: true
  /** The highest `limit` of the report, where that is not 200. */
  maxRows?: number
  /** The text shown instead of an empty table. */
  empty: TextKey
}

/** Identifies a row; unknown is the empty string, as in filters. */
export const keyOf = (row: Row, { key }: Breakdown): string =>
  typeof key === 'string' ? String(row[key] ?? '') : key.map(one => String(row[one] ?? '')).join('\n')

/** The value that a click on a row filters by; an asterisk stands for itself. */
export const filterValueOf = (row: Row, { key }: Breakdown): string =>
  literalValue(String(row[typeof key === 'string' ? key : (key[0] ?? '')] ?? ''))

/** Whether every row is the unknown one. */
export const allUnknown = (rows: readonly Row[], { key, empty }: Breakdown): boolean =>
  empty !== 'empty_range' && typeof key === 'string' && rows.every(row => row[key] === null)

/** Parameters of the report besides the range. */
export const paramsOf = (
  { params, deeper, filter, ofOrders, ofPages }: Breakdown,
  app: Pick<App, 'state' | 'language' | 'compare' | 'shared' | 'segments'>,
): Record<string, string> => ({
  ...(app.compare !== undefined && { compare: app.compare }),
  ...params,
  // A goal counts by name.
  ...(app.state.goal === null && app.state.filters.some(({ key, included }) => key === filter && included) && deeper),
  ...(ofPages === true && pageNames(app)),
  ...(ofOrders === true ? orderParams(app) : filterParams(app.state.filters)),
  lang: app.language,
})

export const maxRowsOf = ({ maxRows = 200 }: Breakdown): number => maxRows

export const numberOf = (row: Row | undefined, key: string): number | null =>
  typeof row?.[key] === 'number' ? row[key] : null

export const text = (row: Row, key: string): string | null => (typeof row[key] === 'string' ? row[key] : null)
