// The result of a check, and its representations in the API.
import { english } from '../lib/texts.ts'
import { type Sentence, wordsOf } from './sentences.ts'

export type Status = 'ok' | 'info' | 'warning' | 'critical'

/**
 * The result of one check. `label`: the property that should hold, if `message` only explains; `fix`: the next step;
 * `evidence`: the measured values; `duration`: in milliseconds.
 */
export type CheckResult = {
  id: string
  status: Status
  message: Sentence
  label?: Sentence
  fix?: Sentence
  evidence?: string
  duration?: number
}

/** Most severe first. */
const severities: readonly Status[] = ['critical', 'warning', 'info', 'ok']

/** The most severe results first; equally severe ones keep their order. */
export const bySeverity = (results: readonly CheckResult[]): CheckResult[] =>
  [...results].sort((one, other) => severities.indexOf(one.status) - severities.indexOf(other.status))

/** The most severe status; 'ok' without results. */
export const worstOf = (results: readonly CheckResult[]): Status => bySeverity(results)[0]?.status ?? 'ok'

export type Finding = { id: string; severity: Exclude<Status, 'ok'>; message: string; hint: string }

/** Problems, for GET /diagnostics. */
export const asFindings = (results: readonly CheckResult[], language = english): Finding[] =>
  bySeverity(results).flatMap(({ id, status, message, fix = '' }) =>
    status === 'ok'
      ? []
      : [{ id, severity: status, message: wordsOf(message, language), hint: wordsOf(fix, language) }],
  )

export type SelfTest = { ok: boolean; checks: { id: string; ok: boolean; message: string; duration_ms: number }[] }

const isOk = ({ status }: CheckResult): boolean => status === 'ok'

/** For POST /self-test. */
export const asSelfTest = (results: readonly CheckResult[], language = english): SelfTest => ({
  ok: results.every(isOk),
  checks: results.map(result => ({
    id: result.id,
    ok: isOk(result),
    message: wordsOf(result.message, language),
    duration_ms: result.duration ?? 0,
  })),
})

export type AuditStatus = 'pass' | 'warning' | 'fail'
export type AuditCheck = { id: string; status: AuditStatus; label: string; detail: string; evidence: string }
export type Audit = { score: number; checks: AuditCheck[] }

const auditStatuses: Readonly<Record<Status, AuditStatus>> = {
  ok: 'pass',
  info: 'pass',
  warning: 'warning',
  critical: 'fail',
}
const points: Readonly<Record<AuditStatus, number>> = { pass: 1, warning: 0.5, fail: 0 }

/** For GET /privacy-audit. The score is the percentage of passed checks; a warning counts half. */
export const asAudit = (results: readonly CheckResult[], language = english): Audit => {
  const checks = results.map(({ id, status, label = '', message, evidence = '' }) => ({
    id,
    status: auditStatuses[status],
    label: wordsOf(label, language),
    detail: wordsOf(message, language),
    evidence,
  }))
  return {
    score: Math.round((100 * checks.reduce((sum, { status }) => sum + points[status], 0)) / checks.length),
    checks,
  }
}

export type SiteCheck = {
  ok: boolean
  next: string | null
  steps: { id: string; ok: boolean; message: string; fix?: string }[]
}

/** Shorthands for checks that either pass or fail. */
export const ok = (id: string, message: Sentence): CheckResult => ({ id, status: 'ok', message })
export const failed = (id: string, message: Sentence, fix: Sentence): CheckResult => ({
  id,
  status: 'critical',
  message,
  fix,
})

/**
 * For `footfall check --json` and POST /check. `next`: the fix of the first failure, else of the first warning; null
 * without problems. Warnings do not fail the check.
 */
export const asSiteCheck = (results: readonly CheckResult[], language = english): SiteCheck => {
  const steps = results.map(({ fix, ...result }) => ({
    id: result.id,
    ok: isOk(result),
    message: wordsOf(result.message, language),
    ...(fix !== undefined && { fix: wordsOf(fix, language) }),
  }))
  const next = bySeverity(results).find(result => !isOk(result))?.fix
  return { ok: worstOf(results) !== 'critical', next: next === undefined ? null : wordsOf(next, language), steps }
}
