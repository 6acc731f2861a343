// What goals and funnels look for, as people write it.
import { pageNamed, patternNamed } from '../filters/page-value.ts'
import { gap, readFilterText, type Value } from '../filters/syntax.ts'

export const goalKinds = ['page', 'event', 'scroll', 'seconds'] as const
export type GoalKind = (typeof goalKinds)[number]
export const stepKinds = ['page', 'event'] as const

/** Events must have this value of the property; it can be a comma list. */
export type Property = { key: string; value: string }

/**
 * Pages or event names, as in a filter. `scroll` takes a view of these pages that reached so many percent, `seconds` a
 * visit that spent so long on them.
 */
export type GoalRule = { kind: GoalKind; pattern: string; threshold: number | null; property: Property | null }
export type StepRule = { kind: (typeof stepKinds)[number]; pattern: string; property: Property | null }

const maxAlternatives = 10
const maxLength = { page: 1024, event: 100 }
const maxSeconds = 86_400

const lengthOf = (kind: GoalKind): number => (kind === 'event' ? maxLength.event : maxLength.page)

/** Why a pattern cannot be used; null if it can. */
const patternProblem = (kind: GoalKind, pattern: string): string | null => {
  const name = kind === 'event' ? 'event' : 'page'
  if (pattern.trim() === '') return 'pattern must not be empty.'
  const { included, values } = readFilterText(name, pattern)
  if (!included) return 'pattern must not begin with !.'
  if (values.length > maxAlternatives) return `pattern takes at most ${maxAlternatives} alternatives.`
  if (values.some(({ raw }) => raw === '')) return 'pattern has an empty alternative.'
  if (values.some(({ raw }) => raw.length > lengthOf(kind)))
    return `An alternative of pattern must be at most ${lengthOf(kind).toLocaleString('en')} characters long.`
  if (values.some(({ raw }) => raw.includes('**'))) return 'pattern must not contain **: * stands for any characters.'
  if (name === 'page' && values.some(({ raw }) => !raw.includes('/')))
    return 'A pattern of pages must contain a /, such as /thanks or */checkout.'
  return null
}

/** The field that is wrong, with the reason; null if the rule can be used. */
export const ruleProblem = ({ kind, pattern, threshold, property }: GoalRule): [field: string, why: string] | null => {
  const problem = patternProblem(kind, pattern)
  if (problem !== null) return ['pattern', problem]
  if (property !== null && kind !== 'event') return ['property', 'Only a goal by an event takes a property.']
  if (property !== null && (property.key.trim() === '' || property.value.trim() === ''))
    return ['property', 'property needs a key and a value.']
  const isMeasured = kind === 'scroll' || kind === 'seconds'
  if (!isMeasured) return threshold === null ? null : ['threshold', `A goal by ${kind} takes no threshold.`]
  const max = kind === 'scroll' ? 100 : maxSeconds
  if (threshold === null || !Number.isInteger(threshold) || threshold < 1 || threshold > max)
    return ['threshold', `A goal by ${kind} needs a threshold from 1 to ${max.toLocaleString('en')}.`]
  return null
}

/** A page without a pattern, or a pattern, as it is compared: by the rules for pages of hits. */
const pageOf = ({ raw, text, isPattern }: Value, keepQuery: readonly string[]): string =>
  isPattern
    ? patternNamed(text).split(gap).map(escapePage).join('*')
    : escapePage(pageNamed(raw.replace(/\\([,!*])/g, '$1'), keepQuery))

const escapePage = (page: string): string => page.replace(/[,*]/g, '\\$&')

/** A pattern as it is compared. */
export const normalizePattern = (kind: GoalKind, pattern: string, keepQuery: readonly string[]): string =>
  readFilterText(kind === 'event' ? 'event' : 'page', pattern)
    .values.map(value => (kind === 'event' ? value.raw : pageOf(value, keepQuery)))
    .join(',')

/** Whether two rules are the same. */
export const sameRule = (one: GoalRule, other: GoalRule): boolean =>
  one.kind === other.kind &&
  one.pattern === other.pattern &&
  one.threshold === other.threshold &&
  one.property?.key === other.property?.key &&
  one.property?.value === other.property?.value
