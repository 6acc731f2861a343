import trackerScript from 'browser:tracker'
import { readOptions } from '../config/config.ts'
import { UsageError } from '../config/errors.ts'
import { checkSite } from '../checks/site/run.ts'
import type { Command } from './command.ts'
import { jsonFlag } from './listing.ts'

export const check: Command = {
  name: 'check',
  arguments: ['<URL>'],
  about:
    "Go the way of a visit: is the tracker's line on the page, does a hit arrive, is the visitor's address right. Exit code 1 with what to do.",
  flags: [jsonFlag],
  run: async ({ args: [page = ''], flags, env, print }) => {
    if (!URL.canParse(page) || !/^https?:/.test(page))
      throw new UsageError(`check takes the address of a page, such as https://example.org/, not '${page}'.`)
    const { trackerPath } = readOptions(['trackerPath'], flags, env)
    const found = await checkSite({
      page,
      trackerPaths: [...new Set([trackerPath, '/tracker.js'])],
      tracker: trackerScript,
    })
    if (flags.json === true) print(JSON.stringify(found, null, 2))
    else {
      for (const { ok, message } of found.steps) print(`${ok ? 'ok    ' : 'FAILED'}  ${message}`)
      if (found.next !== null) print(`\nNext: ${found.next}`)
    }
    return found.ok ? 0 : 1
  },
}
