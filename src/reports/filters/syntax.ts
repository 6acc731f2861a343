// The text of a filter: a comma list, `!` before it, `*` in values, and a backslash before what is meant literally.
import { gap } from '../../lib/fits.ts'
import { takesPatterns } from './table.ts'

export { gap }

/** `raw` is the value as it was written in the list, `text` without its backslashes. */
export type Value = { raw: string; text: string; isPattern: boolean }
export type FilterText = { included: boolean; values: readonly Value[] }

const literal = (raw: string): string => raw.replace(/\\([,!*])/g, '$1')

/** `/blog*` → `/blog` and a gap. */
const patternOf = (raw: string): string =>
  raw
    .split(/(?<!\\)\*+/)
    .map(part => literal(part).replaceAll(gap, ''))
    .join(gap)

export const readValue = (name: string, raw: string): Value => {
  const isPattern = takesPatterns(name) && /(?<!\\)\*/.test(raw)
  return { raw, text: isPattern ? patternOf(raw) : literal(raw), isPattern }
}

/** `a, b\,c` → `a` and `b\,c`. */
const splitList = (list: string): string[] => list.split(/(?<!\\),/).map(part => part.trim())

/** `!a,b\,c` → not 'a' and not 'b,c'. */
export const readFilterText = (name: string, text: string): FilterText => {
  const given = text.trim()
  const included = !given.startsWith('!')
  return { included, values: splitList(given.slice(included ? 0 : 1)).map(raw => readValue(name, raw)) }
}

/** A value by itself, of which only `*` and `\*` have a meaning: `b\,c` → `b,c`. */
export const valueAlone = (raw: string): string => raw.replace(/\\([,!])/g, '$1')

/** The values of a list that has no `!` before it, each by itself. */
export const readList = (list: string): string[] => splitList(list).map(valueAlone)

/** The value that stands for just this text. */
export const literalValue = (text: string): string => text.replaceAll('*', '\\*')

/** Writes a value by itself so that it is read from a list as it is. The space keeps a last backslash from the comma. */
export const writeValue = (value: string): string => value.replace(/,|^!|(?<=\\)!/g, '\\$&').replace(/\\$/, '\\ ')

export const writeFilterText = (included: boolean, values: readonly string[]): string =>
  `${included ? '' : '!'}${values.map(writeValue).join(',')}`
