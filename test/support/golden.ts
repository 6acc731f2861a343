import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as assert from 'uvu/assert'

/** A file of test/golden, for a table that a test reads as well. */
export const readGolden = (name: string): string => readFileSync(join(process.cwd(), 'test/golden', name), 'utf8')

/** Compares with a file of test/golden; `UPDATE=1 npm test` rewrites it. */
export const holdGolden = (name: string, actual: string): void => {
  const path = join(process.cwd(), 'test/golden', name)
  if (process.env.UPDATE === '1') {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, actual)
  }
  assert.ok(existsSync(path), `test/golden/${name} is missing: run UPDATE=1 npm test`)
  assert.fixture(actual, readFileSync(path, 'utf8'))
}
