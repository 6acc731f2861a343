// The context of the advisor without a service.
import { resolve } from 'node:path'
import type { AdvisorContext } from '../advisor/site.ts'
import { inspectFile } from '../checks/diagnostics/file.ts'
import type { Diagnostics } from '../checks/diagnostics/schema.ts'
import { type Audit, asAudit } from '../checks/result.ts'
import { type Config, siteHosts } from '../config/config.ts'
import { withFileOptions } from '../config/file-options.ts'
import type { Db } from '../database/query.ts'
import type { Language } from '../lib/texts.ts'
import { toSeconds } from '../lib/time.ts'
import { chooseZone } from '../rollup/zone.ts'
import { loadFileOptions } from '../settings/file-options.ts'
import { loadSettings } from '../settings/settings.ts'
import type { Call } from './command.ts'
import { diagnoseFile } from './diagnostics.ts'
import { auditFile } from './privacy-audit.ts'
import { reportContext } from './reports.ts'

/** The options that the advisor's answers depend on. */
export const advisorOptions = ['data', 'plan', 'homeCountry', 'siteUrl', 'allowedHosts'] as const

type LocalAdvisor = AdvisorContext & {
  privacyAudit: (language: Language) => Promise<Audit>
  diagnose: (language: Language) => Promise<Diagnostics>
}

/** @param onError called with the id of the question for every unexpected error */
export const advisorContext = (
  call: Pick<Call, 'flags' | 'env' | 'clock'>,
  db: Db,
  options: Pick<Config, (typeof advisorOptions)[number]>,
  onError: (id: string, error: unknown) => void,
): LocalAdvisor => {
  const settings = loadSettings(db)
  const { data, plan, homeCountry, ...site } = withFileOptions(options, loadFileOptions(db))
  return {
    ...reportContext(db, chooseZone(db, null), call.clock),
    settings: { current: () => settings },
    advisor: {
      plan,
      homeCountry,
      siteHosts: siteHosts(site),
      hasCities: () => false,
      onError,
      now: () => performance.now(),
    },
    privacyAudit: async language => asAudit(auditFile(call).results, language),
    diagnose: async language => diagnoseFile(call, inspectFile(resolve(data), toSeconds(call.clock())), language),
  }
}
