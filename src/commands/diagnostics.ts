import { resolve } from 'node:path'
import { checkIntegrity, type FileFacts, inspectFile } from '../checks/diagnostics/file.ts'
import { describe, shownConfig } from '../checks/diagnostics/report.ts'
import type { Diagnostics } from '../checks/diagnostics/schema.ts'
import { parseConfig, readOptions } from '../config/config.ts'
import { attempt } from '../database/errors.ts'
import { isHeld } from '../database/lock.ts'
import { refuseOther } from '../database/migrate.ts'
import { checkReadable, openReadOnly } from '../database/open.ts'
import { sqliteVersion } from '../database/probe.ts'
import { readGeoipStatus } from '../geoip/status.ts'
import { sizeOf } from '../lib/size.ts'
import { english } from '../lib/texts.ts'
import { toSeconds } from '../lib/time.ts'
import type { Call, Command } from './command.ts'
import { columns, jsonFlag } from './listing.ts'
import { printChecks } from './print-checks.ts'

const jobLines = ({ cron: { jobs } }: Diagnostics): string[] =>
  jobs.length === 0
    ? []
    : [
        '',
        ...columns(
          jobs.map(job => ({
            job: job.name,
            last_run: job.last_run,
            took_ms: job.last_duration_ms === null ? null : String(job.last_duration_ms),
            next_run: job.next_run,
            state:
              job.last_error !== null
                ? `failed: ${job.last_error}`
                : job.stale
                  ? 'late'
                  : job.last_run === null
                    ? 'has not run yet'
                    : 'ok',
          })),
          ['job', 'last_run', 'took_ms', 'next_run', 'state'],
        ),
      ]

const geoipLine = ({ geoip: { enabled, source, build_date: built } }: Diagnostics): string =>
  enabled === false
    ? 'Places are turned off.'
    : `Places: ${source === 'none' ? 'none' : `${source.replace('_', ' ')} database of ${built ?? 'an unknown date'}`}.`

const mailLines = ({ mail: { configured, last_sent_at: sent } }: Diagnostics): string[] =>
  configured || sent !== null ? [`Last message: ${sent === null ? 'none was sent yet' : `sent at ${sent}`}.`] : []

const summaryLines = (report: Diagnostics): string[] => {
  const { database, collection, version, environment } = report
  return [
    `Footfall ${version}, ${database.path} (${sizeOf(database.size_bytes)}, schema ` +
      `${database.schema_version ?? 'unknown'}, integrity: ${database.integrity})`,
    environment.uptime_seconds === null
      ? 'No service is running on this file.'
      : `The service has been running for ${environment.uptime_seconds} seconds.`,
    `Last visit: ${collection.last_hit_at ?? 'none'}. In the last 24 hours: ${collection.received_24h} requests, ` +
      `${collection.accepted_24h} counted, ${collection.repeated_24h} repeated` +
      `${Object.entries(collection.refused_24h)
        .map(([reason, count]) => `, ${count} ${reason}`)
        .join('')}.`,
    `Write-ahead log: ${sizeOf(database.wal_bytes)}. Free disk space: ${sizeOf(environment.disk_free_bytes)}.`,
    geoipLine(report),
    ...mailLines(report),
    ...jobLines(report),
    '',
    report.findings.length === 0 ? 'No problems found.' : `Status: ${report.status}.`,
  ]
}

/** Uses the configuration stored by a running service, otherwise the options of this command. */
export const diagnoseFile = (
  { flags, env, clock }: Pick<Call, 'flags' | 'env' | 'clock'>,
  file: FileFacts,
  language = english,
): Diagnostics => {
  const now = toSeconds(clock())
  const service = file.content?.service ?? null
  const running = service !== null && isHeld(file.path)
  const own = parseConfig(flags, env)
  const config = running ? service.config : shownConfig(own, env)
  const cityFile = typeof config.geoip_city === 'string' ? config.geoip_city : null
  const anyHost = config.site_url === null && Array.isArray(config.allowed_hosts) && config.allowed_hosts.length === 0
  const places = readGeoipStatus(cityFile, file.path, file.content?.places ?? null, file.content?.settings ?? null)
  const facts = {
    now,
    file,
    integrity: checkIntegrity(file.path),
    storage: null,
    inPlace: true,
    places,
    running,
    clients: file.content?.clients ?? null,
    anyHost: running ? anyHost : null,
  }
  const about = {
    sqlite: sqliteVersion(),
    timezone: running ? service.timezone : (own.timezone ?? file.content?.service?.timezone ?? 'UTC'),
    uptimeSeconds: running ? Math.max(0, now - service.startedAt) : null,
    memoryBytes: null,
    queueDepth: null,
    config,
  }
  return describe(facts, about, language)
}

/** A database of another program has no state to show. What cannot be read is shown as a finding. */
const refuseOthers = (path: string): void => {
  attempt(() => {
    const db = openReadOnly(path)
    try {
      refuseOther(db, path)
    } finally {
      db.close()
    }
  })
}

export const diagnostics: Command = {
  name: 'diagnostics',
  example: 'diagnostics --json',
  about:
    'Show the state of the installation and possible problems, whether or not the service is running. Exit code 1 ' +
    'for a critical finding.',
  flags: [jsonFlag],
  run: call => {
    const path = resolve(readOptions(['data'], call.flags, call.env).data)
    checkReadable(path)
    refuseOthers(path)
    const report = diagnoseFile(call, inspectFile(path, toSeconds(call.clock())))
    if (call.flags.json === true) call.print(JSON.stringify(report, null, 2))
    else {
      for (const line of summaryLines(report)) call.print(line)
      const results = report.findings.map(({ severity, hint, ...rest }) => ({ ...rest, status: severity, fix: hint }))
      printChecks(call.print, results, { ok: 'OK', info: 'INFO', warning: 'WARNING', critical: 'CRITICAL' })
    }
    return report.status === 'critical' ? 1 : 0
  },
}
