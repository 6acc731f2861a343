// Writes one table into a file of Parquet, a row group at a time.
import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { type Day, daysBetween } from '../../lib/time.ts'
import { ownerOnly, readBack } from '../file.ts'
import type { Column, Table } from './columns.ts'
import type { Row } from './rows.ts'

/** As the file says of itself who wrote it. */
const writtenBy = 'Footfall'

/** Rows in memory at a time. */
const groupSize = 25_000

type Schema = ConstructorParameters<typeof ParquetWriter>[0]['schema']
type Element = Schema[number]

const elements: Readonly<Record<Column['type'], Omit<Element, 'name'>>> = {
  integer: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  json: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  time: { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' } },
  day: { type: 'INT32', converted_type: 'DATE' },
  boolean: { type: 'BOOLEAN' },
}

const schemaOf = ({ columns }: Table): Schema => [
  { name: 'footfall', num_children: columns.length },
  ...columns.map(
    ({ name, type, nullable }): Element => ({
      name,
      ...elements[type],
      repetition_type: nullable ? 'OPTIONAL' : 'REQUIRED',
    }),
  ),
]

const firstDay = 19700101

const encoders: Readonly<Record<Column['type'], (value: unknown, day: Day) => unknown>> = {
  integer: value => BigInt(Number(value)),
  number: Number,
  text: String,
  json: String,
  time: value => BigInt(Number(value) * 1000),
  day: (_, day) => daysBetween(firstDay, day) - 1,
  boolean: Boolean,
}

const encode = (rows: readonly Row[], { name, type }: Column, day: Day): unknown[] => {
  const encoded = encoders[type]
  if (type === 'day') return new Array(rows.length).fill(encoded(null, day))
  return rows.map(row => {
    const value = row[name]
    return value === null || value === undefined ? null : encoded(value, day)
  })
}

function* groupsOf(rows: Iterable<Row>): Generator<Row[]> {
  let group: Row[] = []
  for (const row of rows) {
    group.push(row)
    if (group.length < groupSize) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}

/** Numbers of rows and times mostly grow from row to row: their differences take a third off a file. */
const isAscending = ({ name, type }: Column): boolean => type === 'time' || (type === 'integer' && name.endsWith('_id'))

type Sink = ConstructorParameters<typeof ParquetWriter>[0]['writer']

/** The same rows make the same bytes. @returns the number of rows */
const encodeTable = async (writer: Sink, table: Table, day: Day, rows: Iterable<Row>): Promise<number> => {
  const parquet = new ParquetWriter({ writer, schema: schemaOf(table), createdBy: writtenBy })
  let count = 0
  for (const group of groupsOf(rows)) {
    count += group.length
    const columnData = table.columns.map(column => ({
      name: column.name,
      data: encode(group, column, day),
      ...(isAscending(column) && { encoding: 'DELTA_BINARY_PACKED' as const }),
    }))
    await parquet.write({ columnData, rowGroupSize: groupSize })
  }
  await parquet.finish()
  return count
}

/** What `writeTable` would write, for tables that are small. */
export const tableBytes = async (table: Table, day: Day, rows: Iterable<Row>): Promise<Uint8Array> => {
  const bytes = new ByteWriter()
  await encodeTable(bytes, table, day, rows)
  return bytes.getBytes()
}

/**
 * Writes a new file, syncs it and reads it back.
 * @returns the number of rows
 */
export const writeTable = async (path: string, table: Table, day: Day, rows: Iterable<Row>): Promise<number> => {
  const handle = await open(path, 'wx', ownerOnly)
  const hash = createHash('sha256')
  const bytes = new ByteWriter()
  const flush = async (): Promise<void> => {
    const written = bytes.getBytes()
    hash.update(written)
    await handle.writeFile(written)
    bytes.index = 0
  }
  let count: number
  try {
    count = await encodeTable(Object.assign(bytes, { flush, finish: flush }), table, day, rows)
    await handle.sync()
  } finally {
    await handle.close()
  }
  if ((await readBack(path, false)) !== hash.digest('hex'))
    throw new Error(`${path} cannot be read back as it was written`)
  return count
}

/** Bytes at the end of a file in which its writer's name is. */
const tail = 4096

/** Whether a file is one that `writeTable` has written: it ends as Parquet does, after the name of its writer. */
export const isOurs = async (path: string): Promise<boolean> => {
  const handle = await open(path)
  try {
    const { size } = await handle.stat()
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(tail), position: Math.max(0, size - tail) })
    const end = buffer.subarray(0, bytesRead)
    return end.subarray(-4).toString() === 'PAR1' && end.includes(writtenBy)
  } finally {
    await handle.close()
  }
}
