import { version } from '../../../package.json'
import {
  type Config,
  type Environment,
  fieldOf,
  type OptionName,
  optionNames,
  options,
  secretNames,
  variableOf,
} from '../../config/config.ts'
import { english } from '../../lib/texts.ts'
import { timeText } from '../../lib/time.ts'
import type { MailState } from '../../mail/state.ts'
import { shown } from '../../settings/settings.ts'
import { asFindings, bySeverity, type CheckResult, worstOf } from '../result.ts'
import type { Content } from './file.ts'
import { collectionRules } from './rules/collection.ts'
import { fileRules } from './rules/file.ts'
import { mailRules } from './rules/mail.ts'
import { operationRules } from './rules/operation.ts'
import type { Facts, Problem, Rule } from './rules/rule.ts'
import type { Diagnostics } from './schema.ts'

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

/** Facts about the reporting process. */
export type ProcessFacts = {
  sqlite: string
  timezone: string
  /** Null outside the service's process. */
  uptimeSeconds: number | null
  memoryBytes: number | null
  queueDepth: number | null
  config: Record<string, unknown>
}

/** A command may contain a password, the URL of a chat is one. */
const hiddenNames: readonly OptionName[] = ['mailCommand', 'alertCommand', 'webhook']

/** The effective options for JSON; of secrets, commands and webhooks only whether they are set. */
export const shownConfig = (config: Config, env: Environment): Record<string, unknown> => ({
  ...Object.fromEntries(
    optionNames
      .filter(name => options[name] !== undefined)
      .map(name => [fieldOf(name), hiddenNames.includes(name) && config[name] !== null ? 'present' : config[name]]),
  ),
  ...Object.fromEntries(
    secretNames.map(name => [fieldOf(name), (env[variableOf(name)] ?? '') === '' ? 'absent' : 'present']),
  ),
})

const timeOrNull = (time: number | null): string | null => (time === null ? null : timeText(time))

const collectionOf = (content: Content | null, queueDepth: number | null): Diagnostics['collection'] => {
  const { received = 0, accepted = 0, repeated = 0, trimmed: _, ...refused } = content?.outcomes ?? {}
  return {
    last_hit_at: timeOrNull(content?.newestView ?? null),
    received_24h: received,
    accepted_24h: accepted,
    repeated_24h: repeated,
    refused_24h: refused,
    queue_depth: queueDepth,
  }
}

const jobsOf = (content: Content | null): Diagnostics['cron']['jobs'] =>
  (content?.jobs ?? []).map(job => ({
    name: job.name,
    schedule: job.schedule,
    last_run: timeOrNull(job.lastRun),
    last_duration_ms: job.lastDurationMs,
    last_error: job.lastError,
    next_run: timeOrNull(job.nextRun),
    stale: job.stale,
  }))

const shopOf = (content: Content | null, config: Record<string, unknown>): Diagnostics['shop'] => {
  const set = (config.woocommerce_url ?? null) !== null || config.woocommerce_webhook_secret === 'present'
  return {
    configured: set || (content?.shop.orders ?? 0) > 0,
    orders_stored: content?.shop.orders ?? null,
    last_webhook_at: timeOrNull(content?.shop.lastReceivedAt ?? null),
    webhooks_rejected: content?.shop.rejected ?? null,
    backfill: content?.shop.backfill ?? null,
    last_error: content?.shop.backfillError ?? null,
  }
}

/** Whether messages can be sent by these options. */
const isMailReady = ({ mail_to, mail_command, smtp_url }: Record<string, unknown>): boolean =>
  Array.isArray(mail_to) && mail_to.length > 0 && (mail_command === 'present' || smtp_url === 'present')

/** How messages were sent last in one way. */
const lastMessageOf = (configured: boolean, state: MailState | undefined): Diagnostics['mail'] => ({
  configured,
  last_sent_at: timeOrNull(state?.sentAt ?? null),
  last_error: state?.error ?? null,
  failed_at: timeOrNull(state?.failedAt ?? null),
})

const statusOf = (findings: readonly CheckResult[]): Diagnostics['status'] => {
  const status = worstOf(findings)
  return status === 'info' ? 'ok' : status
}

/** The output of `GET /diagnostics` and of the command. */
export const describe = (
  facts: Facts,
  { sqlite, timezone, uptimeSeconds, memoryBytes, queueDepth, config }: ProcessFacts,
  language = english,
): Diagnostics => {
  const { now, file, integrity, places } = facts
  const { content } = file
  const findings = findFindings(facts)
  return {
    generated_at: timeText(now),
    version,
    status: statusOf(findings),
    findings: asFindings(findings, language),
    database: {
      path: file.path,
      size_bytes: file.bytes,
      wal_bytes: file.walBytes,
      schema_version: file.schema,
      integrity: file.error ?? integrity,
      tables: content?.tables ?? [],
    },
    geoip: {
      enabled: content?.settings.geoip_enabled ?? null,
      source: places.source,
      database_present: places.source !== 'none',
      build_date: timeOrNull(places.builtAt)?.slice(0, 10) ?? null,
      license_key_present: content === null ? null : content.settings.geoip_license_key !== '',
      last_update: timeOrNull(places.updatedAt),
      last_error: places.trouble?.message ?? places.error,
      next_attempt: timeOrNull(places.trouble?.retryAt ?? null),
      attribution: places.attribution,
    },
    cron: { jobs: jobsOf(content) },
    collection: collectionOf(content, queueDepth),
    shop: shopOf(content, config),
    mail: lastMessageOf(isMailReady(config), content?.mail),
    webhook: lastMessageOf(config.webhook === 'present', content?.webhook),
    environment: {
      node: process.version,
      platform: process.platform,
      arch: process.arch,
      sqlite,
      timezone,
      uptime_seconds: uptimeSeconds,
      memory_bytes: memoryBytes,
      disk_free_bytes: file.disk.free,
      config,
    },
    privacy: content === null ? null : shown(content.settings),
    demo: content?.demo ?? null,
  }
}
