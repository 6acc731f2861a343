// What each part of the tracker costs, as docs/tracker.md says: how much smaller the script is without it.
import tracker from 'browser:tracker'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Plugin } from 'esbuild'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readQuery } from '../../src/collection/ingest/page.ts'
import { siteOptions } from '../../src/config/site-options.ts'
import { trackerText } from '../../src/http/static.ts'

type Bundle = (name: string, plugins: Plugin[]) => Promise<{ text: string }>

/** A file of src/tracker, from which text to before which text a part of it goes, and what takes its place. */
type Cut = [file: string, from: string, to: string, instead?: string]

const parts: [part: string, cuts: Cut[]][] = [
  [
    'automatic events: links, downloads, forms, `not_found`',
    [
      ['tracker.ts', '  if (link) onLink', '}\n'],
      ['tracker.ts', "  const link = find('a,area')", '  if (marked)'],
      ['tracker.ts', '/** Sends which form', '/** No call'],
      ['tracker.ts', "  addEventListener('submit'", '  window.nav'],
      ['tracker.ts', "  if (settings.status === '404')", '\n  addEvent'],
    ],
  ],
  [
    'marked elements',
    [
      ['tracker.ts', "  const marked = find('", '  const link'],
      ['tracker.ts', '  if (marked)', '  if (link)'],
    ],
  ],
  [
    'events and calls of a page: `footfall(…)`, also before the script has loaded',
    [
      [
        'tracker.ts',
        '  try {\n    const [name',
        '}\n\nconst start',
        '  if (call[0] === "optout") optOut()\n  else optIn()\n',
      ],
      ['tracker.ts', '  for (const call of footfall.q', '  if (settings.status'],
    ],
  ],
  [
    'views of pages that scripts change: Navigation API, addresses looked at each second, redirects',
    [
      ['view.ts', '  const before = page\n', '}\n\n/** A page restored', '  if (!settings.views) view(300)\n'],
      ['view.ts', '  onNavigation()\n  if (document.hidden)', '  look()\n  if (++', '  if (document.hidden) return\n'],
      ['tracker.ts', '  window.navigation?.add', "  addEventListener('visibility"],
    ],
  ],
  ['hash routers', [['view.ts', '  const routed = ', '  const { origin', '  const routed = address\n']]],
  [
    'which parameters of an address are sent',
    [
      ['view.ts', "  const query = search.replace('?'", '  return {'],
      ['view.ts', '    page_url: (origin', '    page,\n', '    page_url: (origin + pathname).slice(0, 2048),\n'],
      ['view.ts', '    page,\n', '  }\n', '    page: pathname + search,\n'],
    ],
  ],
  [
    'no title where a visitor searches',
    [
      ['view.ts', '  let title', '  hit = outgoing'],
      ['view.ts', '    get title() {', '    screen_width', '    get title() {\n      return document.title\n    },\n'],
    ],
  ],
  [
    '`data-exclude` and `data-include`',
    [['outbox.ts', '  isListed(settings.include', '\n/** The records that', '  !isSilent()\n']],
  ],
  [
    '`footfall.before`',
    [['outbox.ts', '    const body = footfall.before', '    return body', '    const body = all\n']],
  ],
  ['metadata of a page', [['view.ts', '      resource_type: settings', '    }),\n  })']]],
  [
    'visible seconds and scroll depth',
    [
      ['view.ts', '  tellEngagement(send)\n', '  current = '],
      ['view.ts', '  if (document.hidden) return\n  look()', '}\n\n/** A page that'],
      ['view.ts', '    sendAll()\n    tellEngagement(sendOnce)', '  } else flush', '    sendAll()\n'],
    ],
  ],
  ['pages back from the cache', [['tracker.ts', "  addEventListener('pageshow'", "  addEventListener('click"]]],
  ['prerendered pages', [['tracker.ts', 'if (document.prerendering)', 'start()\n']]],
  ['the opt-out link', [['view.ts', '  readChoice()\n', '  const before']]],
  [
    'opt-out, consent, the id of mode `full`',
    [
      ['visitor.ts', '  consent_granted', '})'],
      ['visitor.ts', '  consent = answer', '}\n\n/** The visitor'],
      ['visitor.ts', '  if (isOut()) delete', '}\n\n/** Only'],
      ['visitor.ts', ' || isOut()\n', '\n/** Turns', '\n'],
      ['visitor.ts', "remember('out')", '\n\nexport const optIn', 'undefined'],
    ],
  ],
  [
    'sending again what could not be sent, in order',
    [
      ['outbox.ts', '    outbox.unshift(record)', '  })\n'],
      ['outbox.ts', '    if (status && status < 500', '  })\n', '    resume()\n'],
      ['tracker.ts', "  addEventListener('online'", '  setInterval'],
    ],
  ],
]

const cutFrom = (text: string, [file, from, to, instead = '']: Cut): string => {
  const begin = text.indexOf(from)
  const end = text.indexOf(to, begin + from.length)
  assert.ok(begin >= 0 && end >= 0, `${file} no longer has: ${begin < 0 ? from : to}`)
  return text.slice(0, begin) + instead + text.slice(end)
}

const sizeOf = (script: string): number =>
  gzipSync(trackerText(script, 'wp-json/analytics/v1', readQuery(siteOptions.keepQuery.default.split(','))), {
    level: 9,
  }).length

const number = (count: number): string => count.toLocaleString('en')

test('docs/tracker.md says what each part costs; UPDATE=1 writes it', async () => {
  const { bundleBrowser } = (await import(`${process.cwd()}/bundle.mjs`)) as { bundleBrowser: Bundle }
  const bundleWithout = async (cuts: readonly Cut[]): Promise<string> => {
    const plugin: Plugin = {
      name: 'cuts',
      setup: builder =>
        builder.onLoad({ filter: /src.tracker.\w+\.ts$/ }, ({ path }) => ({
          contents: cuts.filter(([file]) => file === basename(path)).reduce(cutFrom, readFileSync(path, 'utf8')),
          loader: 'ts',
        })),
    }
    return (await bundleBrowser('tracker', [plugin])).text
  }
  const whole = sizeOf(tracker)
  assert.is(await bundleWithout([]), tracker)
  const rows: [string, number][] = []
  for (const [part, cuts] of parts) rows.push([part, whole - sizeOf(await bundleWithout(cuts))])
  for (const [part, bytes] of rows) assert.ok(bytes > 0, part)
  rows.sort(([, one], [, other]) => other - one)
  const table = ['| part | bytes |', '|---|---|', ...rows.map(([part, bytes]) => `| ${part} | ${number(bytes)} |`)]
  const about = `The script has ${number(whole)} bytes, gzipped, of at most 2,350. So many fewer it would have without each of its parts;`

  const file = 'docs/tracker.md'
  const text = readFileSync(file, 'utf8')
  const [head = '', rest = ''] = text.split('\n## What each part costs\n')
  const [, ...after] = rest.split('\n## ')
  const section = `${about}\nthese do not add up, as parts share words and code, and a page view that is sent once is none of them.\n\n${table.join('\n')}\n`
  const expected = [`${head}\n## What each part costs\n\n${section}`, ...after].join('\n## ')
  if (process.env.UPDATE === '1') writeFileSync(file, expected)
  else assert.fixture(text, expected)
})

test.run()
