import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { version } from '../../package.json'
import trackerScript from 'browser:tracker'
import { readOptions } from '../config/config.ts'
import { isHeld } from '../database/lock.ts'
import { checkPath } from '../database/open.ts'
import { inspectFile } from '../checks/diagnostics/file.ts'
import { judge } from '../checks/privacy/checks.ts'
import { measureFile } from '../checks/privacy/file.ts'
import type { Audit } from '../checks/privacy/live.ts'
import { auditPage } from '../checks/privacy/page.ts'
import { timeText, toSeconds } from '../lib/time.ts'
import { CommandError, type Call, type Command } from './command.ts'
import { jsonFlag } from './listing.ts'

/** The audit of a file, beside the service or without it. */
export const auditFile = ({
  flags,
  env,
  clock,
}: Pick<Call, 'flags' | 'env' | 'clock'>): Audit & { siteUrl: string | null } => {
  const { data, siteUrl } = readOptions(['data', 'siteUrl'], flags, env)
  const path = resolve(data)
  checkPath(path, true)
  const now = toSeconds(clock())
  const { content, error } = inspectFile(path, now)
  if (content === null) throw new CommandError(`${path} cannot be read (${error}). 'footfall diagnostics' tells more.`)
  const noted = content.service?.config.site_url
  const { service, watched } = content
  // What a service that has ended has seen says nothing of today.
  const running = service !== null && isHeld(path) ? watched : null
  const site = siteUrl ?? (typeof noted === 'string' ? noted : null)
  const found = judge({
    now,
    measured: measureFile(path, now),
    content,
    tracker: trackerScript,
    siteUrl: site,
    cookies: null,
    log: running,
    failedLogins: running?.failedLogins ?? null,
  })
  return { ...found, siteUrl: site }
}

export const privacyAudit: Command = {
  name: 'privacy-audit',
  about: 'Measure what the installation keeps about visitors. Exit code 1 if a check fails.',
  flags: [jsonFlag, { flag: '--html <FILE>', about: 'Write the result as a page to FILE.' }],
  run: call => {
    const { flags, clock, print } = call
    const { siteUrl, ...found } = auditFile(call)
    if (typeof flags.html === 'string')
      writeFileSync(flags.html, auditPage(found, { at: timeText(toSeconds(clock())), siteUrl, version }), {
        mode: 0o600,
      })
    if (flags.json === true) print(JSON.stringify(found, null, 2))
    else {
      for (const { status, label, detail, evidence } of found.checks)
        print(`${status.toUpperCase().padEnd(8)} ${label}\n         ${detail} (${evidence})`)
      print(`\nScore: ${found.score} of 100.`)
    }
    return found.checks.some(({ status }) => status === 'fail') ? 1 : 0
  },
}
