import { resolve } from 'node:path'
import { questionTexts } from '../advisor/listing.ts'
import { classify } from '../channel/channel.ts'
import { checkIntegrity } from '../checks/diagnostics/file.ts'
import type { CheckResult } from '../checks/result.ts'
import { runSelfTest } from '../checks/self-test/run.ts'
import { readOptions } from '../config/config.ts'
import { describeGeoip } from '../geoip/open.ts'
import { jobs } from '../jobs/list.ts'
import { chooseZone } from '../rollup/zone.ts'
import { loadSettings } from '../settings/settings.ts'
import type { Command } from './command.ts'
import { withDatabase } from './database.ts'
import { jsonFlag } from './listing.ts'
import { printChecks } from './print-checks.ts'

export const selfTestCommand: Command = {
  name: 'self-test',
  example: 'self-test',
  about:
    'Test the installation end to end: count a visit in a temporary file, purge, back up and restore it, and more. ' +
    'Exit code 1 if a check fails.',
  flags: [jsonFlag],
  run: call =>
    withDatabase(call, async db => {
      const { data, geoipCity } = readOptions(['data', 'geoipCity'], call.flags, call.env)
      const path = resolve(data)
      const { ok, checks } = await runSelfTest({
        path,
        clock: call.clock,
        zone: chooseZone(db, null),
        classify,
        questionTexts,
        jobs,
        geo: describeGeoip(geoipCity, path).geo,
        geoEnabled: loadSettings(db).geoip_enabled,
        integrity: async () => checkIntegrity(path),
      })
      if (call.flags.json === true) call.print(JSON.stringify({ ok, checks }, null, 2))
      else {
        const results = checks.map(({ id, ok: isOk, message }): CheckResult => {
          return { id, status: isOk ? 'ok' : 'critical', message: `${id.padEnd(12)}  ${message}` }
        })
        printChecks(call.print, results)
      }
      return ok ? 0 : 1
    }),
}
