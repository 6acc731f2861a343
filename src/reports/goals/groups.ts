// By what the sessions of a goal can be grouped.
import * as v from 'valibot'
import { iterate, query, type Db } from '../../database/query.ts'
import type { Grouping } from '../../goals/count-groups.ts'
import { statements } from '../../database/statements.ts'
import sqlText from '../../sql/goals-groups.sql'

const sql = statements(sqlText)

/** The column of packed sessions that each kind of group is read from. */
const columns = {
  channel: 'origin',
  source: 'origin',
  utm_source: 'campaign',
  utm_medium: 'campaign',
  utm_campaign: 'campaign',
  utm: 'campaign',
  page: 'page',
  entry_page: 'entry_page',
  exit_page: 'exit_page',
  host: 'entry_page',
  continent: 'place',
  country: 'place',
  region: 'place',
  city: 'place',
  language: 'language',
  device: 'client',
  browser: 'client',
  os: 'client',
  screen: 'screen',
} as const satisfies Readonly<Record<string, Grouping['column']>>

export type GroupKind = keyof typeof columns

export const groupKinds = Object.keys(columns) as GroupKind[]

const groupsQuery = query(
  sql('segment.goal-group.list'),
  v.object({ kind: v.string() }),
  v.object({ id: v.number(), value: v.string(), within: v.string() }),
)

/** Separates a value from what it is within: no stored text holds control characters. */
const gap = '\u001f'

const textOf = (value: string, within: string): string => `${value}${gap}${within}`

/** The value of a key and the country or channel that it is within; null where unknown. */
export const readGroup = (key: string): { key: string | null; within: string | null } => {
  const [value = '', within = ''] = key.split(gap)
  return { key: value || null, within: within || null }
}

export const groupingOf = (db: Db, kind: GroupKind): Grouping => {
  const keys = new Map<number, string>()
  for (const { id, value, within } of iterate(db, groupsQuery, { kind })) keys.set(id, textOf(value, within))
  const unknown = textOf('', '')
  return { column: columns[kind], keyOf: value => keys.get(value) ?? unknown }
}
