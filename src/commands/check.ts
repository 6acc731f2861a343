import trackerScript from 'browser:tracker'
import { asSiteCheck } from '../checks/result.ts'
import { checkSite } from '../checks/site/run.ts'
import { readOptions, UsageError } from '../config/config.ts'
import { trackerPaths } from '../http/static.ts'
import type { Command } from './command.ts'
import { jsonFlag } from './listing.ts'
import { printChecks } from './print-checks.ts'

export const check: Command = {
  name: 'check',
  example: 'check https://www.example.org/',
  arguments: ['<URL>'],
  about:
    'Check a page of the site: that it has the tracking snippet, that a hit arrives, and that the visitor address ' +
    'is correct. Exit code 1 if a check fails.',
  flags: [jsonFlag],
  run: async ({ args: [page = ''], flags, env, print }) => {
    if (!URL.canParse(page) || !/^https?:/.test(page))
      throw new UsageError(`check takes the URL of a page, such as https://example.org/, not '${page}'.`)
    const { trackerPath } = readOptions(['trackerPath'], flags, env)
    const results = await checkSite({
      page,
      trackerPaths: trackerPaths(trackerPath),
      tracker: trackerScript,
    })
    const siteCheck = asSiteCheck(results)
    if (flags.json === true) print(JSON.stringify(siteCheck, null, 2))
    else {
      printChecks(
        print,
        results.map(({ fix: _, ...result }) => result),
      )
      if (siteCheck.next !== null) print(`\nNext: ${siteCheck.next}`)
    }
    return siteCheck.ok ? 0 : 1
  },
}
