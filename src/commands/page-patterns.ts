import * as v from 'valibot'
import { readPagePatterns } from '../config/rule-files.ts'
import { all, query } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { patternFor, usePagePatterns } from '../lib/page-patterns.ts'
import sqlText from '../sql/page-patterns.sql'
import type { Command } from './command.ts'
import { withReading } from './database.ts'
import { jsonFlag, printRows } from './listing.ts'

const sql = statements(sqlText)
const pathQuery = query(sql('paths'), v.object({}), v.object({ path: v.string() }))

const examples = 3

type Fallen = { pages: string[]; become: Set<string> }

/** Of paths without their query: what each pattern makes one page of. */
const fallenTogether = (paths: Iterable<string>): Map<string, Fallen> => {
  const byLine = new Map<string, Fallen>()
  for (const path of paths) {
    const found = patternFor(path)
    if (found === null) continue
    const fallen = byLine.get(found.line) ?? { pages: [], become: new Set() }
    byLine.set(found.line, fallen)
    fallen.pages.push(path)
    fallen.become.add(found.page)
  }
  return byLine
}

const listed = (texts: readonly string[]): string =>
  texts.slice(0, examples).join(', ') + (texts.length > examples ? ', …' : '')

export const pagePatterns: Command = {
  name: 'page-patterns',
  example: 'page-patterns patterns.txt --data footfall.db',
  arguments: ['[FILE]'],
  about:
    'Show which of the pages counted so far would be one page, by the lines of a file for --page-patterns and by the ' +
    'built-in ones. Changes nothing.',
  flags: [jsonFlag],
  run: call =>
    withReading(call, db => {
      usePagePatterns(readPagePatterns(call.args[0] ?? null))
      const rows = [...fallenTogether(all(db, pathQuery, {}).map(({ path }) => path.replace(/\?.*/, '')))].map(
        ([pattern, { pages, become }]) => ({
          pattern,
          pages: String(pages.length),
          become: listed([...become]),
          such_as: listed(pages),
        }),
      )
      printRows(call, rows, 'No page that was counted fits a pattern.')
      return 0
    }),
}
