import { readFileSync } from 'node:fs'
import { type Corrections, noCorrections, parseCorrections } from '../channel/corrections.ts'
import { errorText } from '../lib/errors.ts'
import { UsageError } from './config.ts'

/**
 * Reads the file of --sources.
 * @throws UsageError naming the line that is wrong
 */
export const readSources = (path: string | null): Corrections => {
  if (path === null) return noCorrections
  let text = ''
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`The file of --sources cannot be read: ${errorText(error)}`)
  }
  const corrections = parseCorrections(text)
  if (typeof corrections === 'string') throw new UsageError(`${path}, ${corrections}`)
  return corrections
}
