import { bySeverity, type CheckResult } from '../result.ts'
import { collectionRules } from './rules/collection.ts'
import { fileRules } from './rules/file.ts'
import { mailRules } from './rules/mail.ts'
import { operationRules } from './rules/operation.ts'
import type { Facts, Problem, Rule } from './rules/rule.ts'

const contentRules = [...collectionRules, ...operationRules, ...mailRules]

/** Every id that a finding may have. */
export const findingIds: readonly string[] = [...fileRules, ...contentRules].map(({ id }) => id)

const resultsOf = (
  { id, status }: Pick<Rule, 'id' | 'status'>,
  problems: Problem | Problem[] | false,
): CheckResult[] => (problems === false ? [] : [problems].flat().map(problem => ({ id, status, ...problem })))

/** All problems, most severe first. */
export const findFindings = (facts: Facts): CheckResult[] => {
  const { content } = facts.file
  return bySeverity([
    ...fileRules.flatMap(rule => resultsOf(rule, rule.find(facts))),
    ...(content === null ? [] : contentRules.flatMap(rule => resultsOf(rule, rule.find(facts, content)))),
  ])
}
