// The checksums of a release, as `sha256sum -c` reads them.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const sha256 = path => createHash('sha256').update(readFileSync(path)).digest('hex')

/** Writes SHA256SUMS of all files of a folder, and returns its lines. */
export const writeChecksums = folder => {
  const names = readdirSync(folder).filter(name => name !== 'SHA256SUMS')
  const lines = names.sort().map(name => `${sha256(join(folder, name))}  ${name}\n`)
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''))
  return lines
}
