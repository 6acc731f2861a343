import type { Content } from '../diagnostics/file.ts'
import type { Status } from '../result.ts'
import type { Measured } from './file.ts'

/** `cookies`: names that the public routes set; `log`: what the last lines contain; null where that cannot be seen from here. */
export type AuditFacts = {
  now: number
  measured: Measured
  content: Content
  tracker: string
  siteUrl: string | null
  cookies: string[] | null
  log: { lines: number; addresses: number; userAgents: number } | null
  failedLogins: number | null
}

/** What was found: the status where it is not as it should be, both explanations, and what was measured. */
export type Verdict = {
  problem: Exclude<Status, 'ok' | 'info'> | false
  wrong: string
  right: string
  evidence: string
}
export type Check = readonly [id: string, label: string, judge: (facts: AuditFacts) => Verdict]

export const critical = (isWrong: boolean): 'critical' | false => isWrong && 'critical'
export const warning = (isWrong: boolean): 'warning' | false => isWrong && 'warning'
export const names = (list: readonly string[]): string => (list.length === 0 ? 'none' : list.join(', '))
