import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseStatements } from '../../src/database/statements.ts'

const folder = join(process.cwd(), 'src/sql')

/** The files of src/sql with statements: the names in each, and the full names, `file.name` for one without a dot. */
export const sqlFiles = globSync('*.sql', { cwd: folder })
  .filter(file => file !== 'schema.sql')
  .sort()
  .map(file => ({
    file,
    statements: [...parseStatements(readFileSync(join(folder, file), 'utf8'))].map(([name, sql]) => ({
      name,
      fullName: name.includes('.') ? name : `${basename(file, '.sql')}.${name}`,
      sql,
    })),
  }))

/** All statements by their full names, in the order of these. */
export const statementTexts: ReadonlyMap<string, string> = new Map(
  sqlFiles
    .flatMap(({ statements }) => statements)
    .map(({ fullName, sql }) => [fullName, sql] as const)
    .sort(),
)

/** A statement of src/sql by its full name, such as `user.find`. */
export const statement = (fullName: string): string => {
  const sql = statementTexts.get(fullName)
  if (sql === undefined) throw new Error(`src/sql has no statement ${fullName}`)
  return sql
}
