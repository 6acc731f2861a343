// A real DuckDB, which reads Parquet as an analyst's would.
import { DuckDBInstance } from '@duckdb/node-api'

export type Found = Record<string, unknown>

/** Whole numbers of 64 and more bits as numbers; dates and times as DuckDB writes them. */
const plain = (value: unknown): unknown =>
  typeof value === 'bigint' ? Number(value) : typeof value === 'object' && value !== null ? String(value) : value

/** Runs statements one after the other in a new database, and returns the rows of each. */
export const duckdb = async (...statements: readonly string[]): Promise<Found[][]> => {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  try {
    const answers: Found[][] = []
    for (const statement of ["set timezone = 'UTC'", ...statements]) {
      const rows = await (await connection.runAndReadAll(statement)).getRowObjects()
      answers.push(
        rows.map(row => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)]))),
      )
    }
    return answers.slice(1)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}
