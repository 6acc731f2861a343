import { domainToASCII } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import { noteAction } from '../audit/audit.ts'
import type { Db } from '../database/query.ts'
import { loadState, saveState } from '../database/saved-state.ts'
import { dropControls } from '../lib/controls.ts'
import { regionCode } from '../lib/locale.ts'
import { plainHost } from '../lib/plain-host.ts'

export const ruleFields = ['path', 'host', 'country', 'agent', 'query', 'referrer'] as const
export type RuleField = (typeof ruleFields)[number]

export const maxRules = 100
const maxPattern = 200
const maxName = 220

const entries = {
  field: v.pipe(v.picklist(ruleFields), v.description('What of a request is looked at.')),
  pattern: v.pipe(
    v.string(),
    v.minLength(1),
    v.maxLength(maxPattern),
    v.description('A text, in which `*` stands for any characters.'),
  ),
  action: v.pipe(v.optional(v.literal('refuse'), 'refuse'), v.description('The request is not counted.')),
}
const name = v.pipe(v.string(), v.minLength(1), v.maxLength(maxName))

/** A rule as it is given. */
export const givenRuleSchema = v.strictObject({
  name: v.pipe(v.optional(name), v.description('Stands in the ledger; by default the field and the pattern.')),
  ...entries,
})
export const ruleSchema = v.object({ name, ...entries })

export type GivenRule = v.InferOutput<typeof givenRuleSchema>
/** A rule of the operator: requests that fit its pattern are refused. */
export type RefusalRule = v.InferOutput<typeof ruleSchema>

const stored = v.object({ rules: v.array(ruleSchema) })

/** What is wrong with the rule at an index. */
export type RuleProblem = { index: number; key: 'name' | 'pattern'; message: string }

const withoutScheme = (pattern: string): string => pattern.replace(/^[a-z][a-z-]*:\/\//i, '')

const hostPattern = (text: string): string => {
  const host = plainHost(text)
  // Of an address it would take the host.
  return /[/?#@:]/.test(host) ? host : domainToASCII(host) || host
}

/** A pattern as it is kept, of which only that of a page has capital letters. */
const normal: Readonly<Record<RuleField, (pattern: string) => string>> = {
  path: pattern => pattern,
  host: pattern => hostPattern(withoutScheme(pattern).replace(/\/$/, '')),
  country: pattern => regionCode(pattern) ?? pattern,
  agent: pattern => pattern.toLowerCase(),
  query: pattern => pattern.replace(/^\?/, '').toLowerCase(),
  referrer: pattern => {
    const [host = '', ...path] = withoutScheme(pattern).split('/')
    return [hostPattern(host), ...(path.join('/') === '' ? [] : path)].join('/').toLowerCase()
  },
}

/** Why a pattern is none of its field; null if it is one. */
const patternProblem = (field: RuleField, pattern: string): string | null => {
  if (dropControls(pattern) !== pattern || pattern.includes('\\'))
    return 'A pattern has no control characters and no backslash.'
  if (/^\**$/.test(pattern)) return 'This pattern would refuse everything.'
  if (field === 'path' && !pattern.startsWith('/')) return 'A path begins with /, such as /wp-admin/*.'
  if (field === 'host' && pattern.includes('/')) return 'A host has no path.'
  if (field === 'country' && regionCode(pattern) === null)
    return 'A country is a code of two letters (ISO 3166-1), such as DE.'
  return null
}

const sameAs = (rule: RefusalRule, key: 'name' | 'pattern') => (other: RefusalRule) =>
  other[key] === rule[key] && (key === 'name' || other.field === rule.field)

/** The rules with their names and patterns as they are kept, or what is wrong with the first that cannot be one. */
export const completeRules = (given: readonly GivenRule[]): RefusalRule[] | RuleProblem => {
  const rules: RefusalRule[] = []
  for (const [index, { name: named, field, pattern: text, action }] of given.entries()) {
    const pattern = normal[field](text.trim())
    const problem = patternProblem(field, pattern)
    if (problem !== null) return { index, key: 'pattern', message: problem }
    const rule = { name: dropControls(named ?? '').trim() || `${field} ${pattern}`, field, pattern, action }
    if (rules.some(sameAs(rule, 'pattern')))
      return { index, key: 'pattern', message: `There are two rules for ${field} ${pattern}.` }
    if (rules.some(sameAs(rule, 'name')))
      return { index, key: 'name', message: `There are two rules with the name ${rule.name}.` }
    rules.push(rule)
  }
  if (rules.length > maxRules)
    return { index: maxRules, key: 'pattern', message: `There can be at most ${maxRules} rules.` }
  return rules
}

const none: readonly RefusalRule[] = []
/** The rules of a moment: the same list as long as nothing has changed, since more is made of it. */
export type HeldRules = { list: readonly RefusalRule[] }

export const loadRules = (db: Db): readonly RefusalRule[] => loadState(db, 'rules', stored)?.rules ?? none

export type RuleStore = {
  /** Read with every hit, hence not by a function. */
  held: Readonly<HeldRules>
  /** Replaces the rules, and records who did it. `next` gets those in the file. */
  save: (
    next: (before: readonly RefusalRule[]) => readonly RefusalRule[],
    who: string | null,
    at: number,
  ) => readonly RefusalRule[]
  /** Reads the rules again, which a command may have changed. */
  refresh: () => void
}

const maxNamed = 10
const namesText = (rules: readonly RefusalRule[]): string => {
  const names = rules.slice(0, maxNamed).map(rule => rule.name)
  return rules.length === 0 ? '–' : [...names, ...(rules.length > maxNamed ? ['…'] : [])].join(', ')
}

const isIn = (rules: readonly RefusalRule[]) => (rule: RefusalRule) => rules.some(one => isDeepStrictEqual(one, rule))

export const createRules = (db: Db): RuleStore => {
  const held: HeldRules = { list: loadRules(db) }
  const refresh = (): void => {
    const now = loadRules(db)
    if (!isDeepStrictEqual(now, held.list)) held.list = now
  }
  return {
    held,
    save: (next, who, at) => {
      db.transaction(() => {
        const before = loadRules(db)
        const after = next(before)
        if (isDeepStrictEqual(before, after)) return
        saveState(db, 'rules', { rules: after })
        noteAction(db, { at, who }, 'rules_changed', {
          from: before.length,
          to: after.length,
          added: namesText(after.filter(rule => !isIn(before)(rule))),
          removed: namesText(before.filter(rule => !isIn(after)(rule))),
        })
      }).immediate()
      refresh()
      return held.list
    },
    refresh,
  }
}
