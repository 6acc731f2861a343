// README.md of an export's folder: whose it is, and what its columns are.
import { demoSentence, readDemoMark } from '../../database/demo-mark.ts'
import type { Db } from '../../database/query.ts'
import type { Zone } from '../../lib/time.ts'
import { installationOf } from '../header.ts'
import { type Column, type Table, tables } from './columns.ts'

/** The version of the tables; it changes when a column changes its meaning or goes. */
const formatVersion = 1

const mark = (installation: string): string => `<!-- footfall_parquet ${formatVersion}, database ${installation} -->`

/** What a README.md says: the database that its folder belongs to, null if it is not one of this format. */
export const databaseOf = (text: string): string | null => new RegExp(mark('([0-9a-f]{32})')).exec(text)?.[1] ?? null

const typeNames: Readonly<Record<Column['type'], string>> = {
  integer: 'INT64',
  number: 'DOUBLE',
  text: 'text (UTF-8)',
  json: 'text (JSON)',
  time: 'TIMESTAMP in UTC, milliseconds',
  day: 'DATE',
  boolean: 'BOOLEAN',
}

const section = ({ name, about, columns }: Table): string[] => [
  `## ${name}.parquet`,
  '',
  about,
  '',
  '| column | type | null | |',
  '|---|---|---|---|',
  ...columns.map(
    column =>
      `| \`${column.name}\` | ${typeNames[column.type]} | ${column.nullable ? 'yes' : 'no'} | ${column.about} |`,
  ),
  '',
]

/** The text for a database's folder; it says nothing that changes from one export to the next. */
export const readmeOf = (db: Db, { name }: Zone): string => {
  const demo = readDemoMark(db)
  return [
    '# Footfall export in Parquet',
    '',
    mark(installationOf(db)),
    '',
    ...(demo === null ? [] : [demoSentence(demo), '']),
    `Each folder \`day=YYYY-MM-DD\` is a day of the site, in the time zone ${name}. Times are UTC. What is unknown is null.`,
    "A range's visitors, as reports count them, are those of its days, added up.",
    '',
    'Footfall writes these files once the day is over, and then leaves them alone, except `orders.parquet`, which follows the',
    'shop: it is written again when an order of the day has changed. `footfall export --again` writes days anew.',
    '',
    ...tables.flatMap(section),
  ].join('\n')
}
