import type { Content } from '../diagnostics/file.ts'
import type { Status } from '../result.ts'
import type { Sentence } from '../sentences.ts'
import type { FileMeasurements } from './file.ts'

/**
 * Inputs of the audit. `cookies`: names set by the public routes; `log`: personal data in the last lines. Null if this
 * process cannot see them.
 */
export type AuditFacts = {
  now: number
  measured: FileMeasurements
  content: Content
  tracker: string
  siteUrl: string | null
  cookies: string[] | null
  log: { lines: number; addresses: number; userAgents: number } | null
  failedLogins: number | null
}

/** The verdict of a check: the status if there is a problem, the explanation for either case, and the evidence. */
export type Verdict = {
  problem: Exclude<Status, 'ok' | 'info'> | false
  wrong: Sentence
  right: Sentence
  evidence: string
}
export type Check = readonly [id: string, label: Sentence, judge: (facts: AuditFacts) => Verdict]

export const critical = (isWrong: boolean): 'critical' | false => isWrong && 'critical'
export const warning = (isWrong: boolean): 'warning' | false => isWrong && 'warning'
export const names = (list: readonly string[]): string => (list.length === 0 ? 'none' : list.join(', '))
