// Archives with a line that is wrong.
import { readFileSync, writeFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { footfallHere } from './command.ts'

/** Imports the archive once with each text replaced: the day is refused with its reason, the others are `checked`. */
export const refuseDay = async (
  archive: string,
  wrong: readonly (readonly [from: string, to: string, says: RegExp])[],
  day: string,
  check: (copy: string) => void,
): Promise<void> => {
  // A line that was changed would be refused for its checksum alone.
  const text = readFileSync(archive, 'utf8').replace(/,"sha256":"\w+"/g, '')
  for (const [index, [from, to, says]] of wrong.entries()) {
    const [file, copy] = [`${archive}.${index}`, `${archive}.${index}.db`]
    assert.ok(text.includes(from), from)
    writeFileSync(file, text.replace(from, to))
    const { status, stdout, stderr } = await footfallHere(['import', file, '--format', 'archive', '--data', copy])
    assert.is(status, 1, from)
    assert.match(stdout + stderr, new RegExp(`${day} was not imported`))
    assert.match(stdout + stderr, says)
    check(copy)
  }
}
