// A day's rollups as lines of an archive, with texts in place of ids. The statements are generated from the table list.
import * as v from 'valibot'
import { none, type Query, query } from '../database/query.ts'
import { dateColumn, figuresOf, type TableShape } from '../rollup/statements.ts'
import { rollupTables } from '../rollup/tables.ts'
import { figure } from './lines.ts'

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** The table that an id refers to, and the texts that replace it in a line. */
const references: Readonly<Record<string, { table: string; texts: Readonly<Record<string, string>> }>> = {
  page_id: { table: 'page', texts: { host: '(select name from host where id = r.host_id)', path: 'r.path' } },
  title_id: { table: 'label', texts: { title: 'r.text' } },
  name_id: { table: 'label', texts: { name: 'r.text' } },
  key_id: { table: 'label', texts: { key: 'r.text' } },
  value_id: { table: 'label', texts: { value: 'r.text' } },
  origin_id: {
    table: 'origin',
    texts: { channel: 'r.channel', source: 'r.source', domain: "ifnull(r.domain, '')" },
  },
}

/** Lists a rollup's rows of a day from its temporary table, and adds rows from lines. */
export type RollupRows = {
  /** Its name in a line. */
  table: string
  list: Query
  add: Query
  /** Columns whose id is replaced by texts. */
  ids: readonly string[]
  line: v.StrictObjectSchema<v.ObjectEntries, undefined>
}

const columnsOf = (shape: TableShape): string => [...shape.key, ...figuresOf(shape)].join(', ')

const addStatement = (shape: TableShape): string => {
  const { name, key } = shape
  const values = [...key, ...figuresOf(shape)].map(column => `@${column === dateColumn(shape) ? 'period' : column}`)
  return `insert into new_${name} (${columnsOf(shape)})\nvalues (${values.join(', ')})`
}

/** Lists the temporary table with texts instead of ids, ordered by its keys. */
const listStatement = (shape: TableShape, keys: readonly string[], texts: readonly string[]): string => {
  const columns = keys.map(column => ({ column, alias: column.replace(/_id$/, '_row'), ...references[column] }))
  const selected = columns.flatMap(({ column, alias, texts: named }) =>
    named === undefined
      ? [`n.${column}`]
      : Object.entries(named).map(([text, value]) => `${value.replace('r.', `${alias}.`)} as ${text}`),
  )
  const joins = columns.flatMap(({ column, alias, table }) =>
    table === undefined ? [] : [`\njoin ${table} ${alias} on ${alias}.id = n.${column}`],
  )
  return `select ${[...selected, ...figuresOf(shape).map(figure => `n.${figure}`)].join(', ')}
from new_${shape.name} n${joins.join('')}${texts.length === 0 ? '' : `\norder by ${texts.join(', ')}`}`
}

const rowsOfTable = (shape: TableShape): RollupRows => {
  const table = shape.name.replace(/_(day|rollup)$/, '')
  const keys = shape.key.filter(column => column !== dateColumn(shape))
  const texts = keys.flatMap(column => Object.keys(references[column]?.texts ?? { [column]: '' }))
  const ids = keys.filter(column => Object.hasOwn(references, column))
  const figures = Object.fromEntries([
    ...shape.sums.map(name => [name, name === 'value_sum' ? v.number() : figure] as const),
    ...(shape.maxima ?? []).map(name => [name, count] as const),
  ])
  const schemaOf = (key: string) => (key === 'hour' ? count : v.string())
  const row = { ...Object.fromEntries(texts.map(text => [text, schemaOf(text)])), ...figures }
  const stored = Object.fromEntries(keys.map(key => [key, ids.includes(key) ? count : schemaOf(key)]))
  const name = (kind: string) => ({ name: `archive.rollup-${table.replaceAll('_', '-')}.${kind}` })
  return {
    table,
    ids,
    list: query(listStatement(shape, keys, texts), none, v.object(row), name('list')),
    add: query(addStatement(shape), v.object({ period: v.number(), ...stored, ...figures }), none, name('add')),
    line: v.strictObject({
      type: v.literal('rollup'),
      day: v.string(),
      table: v.literal(table),
      ...row,
      // Infinite in older versions, which JSON writes as null.
      ...(shape.sums.includes('value_sum') && { value_sum: v.nullable(v.number()) }),
    }),
  }
}

export const rollupRows: readonly RollupRows[] = rollupTables.map(rowsOfTable)
