// The files in which an operator says what Footfall's own lists do not know.
import { readFileSync } from 'node:fs'
import { type Corrections, noCorrections, parseCorrections } from '../channel/corrections.ts'
import { errorText } from '../lib/errors.ts'
import { type PagePattern, parsePagePatterns } from '../lib/page-patterns.ts'
import { UsageError } from './config.ts'

const readRules =
  <Rules>(flag: string, none: Rules, parse: (text: string) => Rules | string) =>
  (path: string | null): Rules => {
    if (path === null) return none
    let text = ''
    try {
      text = readFileSync(path, 'utf8')
    } catch (error) {
      throw new UsageError(`The file of ${flag} cannot be read: ${errorText(error)}`)
    }
    const rules = parse(text)
    if (typeof rules === 'string') throw new UsageError(`${path}, ${rules}`)
    return rules
  }

/**
 * Reads the file of --sources.
 * @throws UsageError naming the line that is wrong
 */
export const readSources = readRules<Corrections>('--sources', noCorrections, parseCorrections)

/**
 * Reads the file of --page-patterns.
 * @throws UsageError naming the line that is wrong
 */
export const readPagePatterns = readRules<readonly PagePattern[]>('--page-patterns', [], parsePagePatterns)
