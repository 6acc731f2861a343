// The text of a filter: a comma list, `!` before it, `*` in values, and a backslash before what is meant literally.
import type { FilterKey } from '../filter-keys.ts'

/** `raw` is the value as written, `text` without its backslashes. */
export type Value = { raw: string; text: string; isPattern: boolean }
export type FilterText = { included: boolean; values: readonly Value[] }

/** Separates the literal parts of a pattern: no stored text holds control characters. */
export const gap = '\u001f'

const withPatterns: readonly string[] = [
  'host',
  'page',
  'entry_page',
  'exit_page',
  'source',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'event',
] satisfies FilterKey[]

export const takesPatterns = (name: string): boolean => withPatterns.includes(name)

const literal = (raw: string): string => raw.replace(/\\([,!*])/g, '$1')

/** `/blog*` → `/blog` and a gap. */
const patternOf = (raw: string): string =>
  raw
    .split(/(?<!\\)\*+/)
    .map(part => literal(part).replaceAll(gap, ''))
    .join(gap)

/** `!a,b\,c` → not 'a' and not 'b,c'. */
export const readFilterText = (name: string, text: string): FilterText => {
  const given = text.trim()
  const included = !given.startsWith('!')
  const values = given
    .slice(included ? 0 : 1)
    .split(/(?<!\\),/)
    .map(part => {
      const raw = part.trim()
      const isPattern = takesPatterns(name) && /(?<!\\)\*/.test(raw)
      return { raw, text: isPattern ? patternOf(raw) : literal(raw), isPattern }
    })
  return { included, values }
}

/** Writes a value so that it is read as this text. */
export const writeValue = (text: string): string => text.replace(/[,]|^!/g, '\\$&')

export const writeFilterText = ({ included, values }: FilterText): string =>
  `${included ? '' : '!'}${values.map(({ raw }) => raw).join(',')}`
