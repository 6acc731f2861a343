import trackerScript from 'browser:tracker'
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { version } from '../../package.json'
import { inspectFile } from '../checks/diagnostics/file.ts'
import { runAudit } from '../checks/privacy/checks.ts'
import { measureFile } from '../checks/privacy/file.ts'
import { auditPage } from '../checks/privacy/page.ts'
import { asAudit, type CheckResult } from '../checks/result.ts'
import { readOptions } from '../config/config.ts'
import { isHeld } from '../database/lock.ts'
import { checkReadable } from '../database/open.ts'
import { ExpectedError } from '../lib/errors.ts'
import { timeText, toSeconds } from '../lib/time.ts'
import type { Call, Command } from './command.ts'
import { jsonFlag } from './listing.ts'
import { printChecks } from './print-checks.ts'

/** Audits a file; the service may be running. */
export const auditFile = ({
  flags,
  env,
  clock,
}: Pick<Call, 'flags' | 'env' | 'clock'>): { results: CheckResult[]; siteUrl: string | null } => {
  const options = readOptions(['data', 'siteUrl'], flags, env)
  const path = resolve(options.data)
  checkReadable(path)
  const now = toSeconds(clock())
  const { content, error } = inspectFile(path, now)
  if (content === null) throw new ExpectedError(`${path} cannot be read (${error}). See 'footfall diagnostics'.`)
  const { service, watched } = content
  const storedUrl = service?.config.site_url
  const siteUrl = options.siteUrl ?? (typeof storedUrl === 'string' ? storedUrl : null)
  // What a stopped service recorded may be out of date.
  const log = service !== null && isHeld(path) ? watched : null
  const failedLogins = log?.failedLogins ?? null
  const facts = { now, measured: measureFile(path, now), content, tracker: trackerScript, siteUrl, log, failedLogins }
  return { results: runAudit({ ...facts, cookies: null }), siteUrl }
}

export const privacyAudit: Command = {
  name: 'privacy-audit',
  example: 'privacy-audit --html audit.html',
  about: 'Check what the installation stores about visitors. Exit code 1 if a check fails.',
  flags: [jsonFlag, { flag: '--html <FILE>', about: 'Write the result to FILE as an HTML page.' }],
  run: call => {
    const { flags, clock, print } = call
    const { siteUrl, results } = auditFile(call)
    const audit = asAudit(results)
    if (typeof flags.html === 'string') {
      const page = auditPage(audit, { at: timeText(toSeconds(clock())), siteUrl, version })
      writeFileSync(flags.html, page, { mode: 0o600 })
    }
    if (flags.json === true) print(JSON.stringify(audit, null, 2))
    else {
      printChecks(print, results, { ok: 'PASS', info: 'PASS', warning: 'WARNING', critical: 'FAIL' })
      print(`\nScore: ${audit.score} of 100.`)
    }
    return audit.checks.some(({ status }) => status === 'fail') ? 1 : 0
  },
}
