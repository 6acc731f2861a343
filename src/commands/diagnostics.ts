import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { readOptions, parseConfig } from '../config.ts'
import { describePlaces } from '../collection/open-places.ts'
import { checkPath } from '../database/open.ts'
import { sqliteVersion } from '../database/version.ts'
import { checkIntegrity, inspectFile, type FileFacts } from '../diagnostics/file.ts'
import { describe, shownConfig } from '../diagnostics/report.ts'
import type { Diagnostics } from '../diagnostics/schema.ts'
import { isRunning } from '../running.ts'
import { toSeconds } from '../time.ts'
import type { Call, Command } from './command.ts'
import { jsonFlag } from './listing.ts'

const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`

const linesOf = ({ status, findings, database, collection, version, environment }: Diagnostics): string[] => [
  `Footfall ${version}, ${database.path} (${mebibytes(database.size_bytes)}, schema ${database.schema_version ?? 'unknown'}, integrity: ${database.integrity})`,
  environment.uptime_seconds === null ? 'No service is running on this file.' : `The service has been running for ${environment.uptime_seconds} seconds.`,
  `Last visit: ${collection.last_hit_at ?? 'none'}. Of the last 24 hours: ${collection.received_24h} requests, ${collection.accepted_24h} counted, ${collection.repeated_24h} repeated`
  + `${Object.entries(collection.refused_24h).map(([reason, count]) => `, ${count} ${reason}`).join('')}.`,
  '',
  findings.length === 0 ? 'Nothing is wrong.' : `Status: ${status}.`,
  ...findings.flatMap(({ severity, message, hint }) => ['', `${severity.toUpperCase()}  ${message}`, `  ${hint}`]),
]

/** Beside a running service: what that noted about itself. Else what would be with the options given here. */
export const diagnoseFile = ({ flags, env, clock }: Call, file: FileFacts): Diagnostics => {
  const now = toSeconds(clock())
  const service = file.content?.service ?? null
  const running = service !== null && existsSync(`${file.path}-lock`) && isRunning(service.pid)
  const own = parseConfig(flags, env)
  const config = running ? service.config : shownConfig(own, env)
  const cityFile = typeof config.geoip_city === 'string' ? config.geoip_city : null
  const anyHost = config.site_url === null && Array.isArray(config.allowed_hosts) && config.allowed_hosts.length === 0
  const { facts: found } = describePlaces(cityFile, file.path)
  const places = { ...found, error: found.error ?? file.content?.placesError ?? null }
  const facts = { now, file, integrity: checkIntegrity(file.path), storage: null, inPlace: true, places, running, clients: file.content?.clients ?? null, anyHost: running ? anyHost : null }
  return describe(facts, {
    sqlite: sqliteVersion(), timezone: running ? service.timezone : own.timezone ?? file.content?.service?.timezone ?? 'UTC',
    uptimeSeconds: running ? Math.max(0, now - service.startedAt) : null, memoryBytes: null, queueDepth: null, config,
  })
}

export const diagnostics: Command = {
  name: 'diagnostics',
  about: 'Tell the state of the installation and what may be wrong, while the service runs, is stopped, or cannot start. Exit code 1 for a critical finding.',
  flags: [jsonFlag],
  run: call => {
    const path = resolve(readOptions(['data'], call.flags, call.env).data)
    checkPath(path, true)
    const found = diagnoseFile(call, inspectFile(path, toSeconds(call.clock())))
    if (call.flags.json === true) call.print(JSON.stringify(found, null, 2))
    else for (const line of linesOf(found)) call.print(line)
    return found.status === 'critical' ? 1 : 0
  },
}
