import { rangesText } from '../archive/ranges.ts'
import { readOptions } from '../config/config.ts'
import type { Db } from '../database/query.ts'
import { importArchive } from '../import/archive/import.ts'
import type { Summary } from '../import/archive/one.ts'
import { createProgress } from '../import/progress.ts'
import { linesOf, maxDocument, type Source } from '../import/source.ts'
import { type Day, toSeconds } from '../lib/time.ts'
import type { Call } from './command.ts'
import { noteCommand } from './database.ts'
import { watchStopSignal } from './stop.ts'

const count = (days: readonly Day[]): string => `${days.length.toLocaleString('en').padStart(12)}  `

const describe = (
  { lines, imported, resumed, present, refused, orders, leftOut }: Summary,
  seconds: number,
): string[] => [
  `${lines.toLocaleString('en').padStart(12)}  lines in ${seconds.toFixed(1)} seconds`,
  `${count(imported)}days imported${imported.length > 0 ? `: ${rangesText(imported)}` : ''}`,
  ...(resumed.length > 0 ? [`${count(resumed)}days imported before the interruption: ${rangesText(resumed)}`] : []),
  ...(present.length > 0 ? [`${count(present)}days already present: ${rangesText(present)}`] : []),
  ...(refused.length > 0 ? [`${count(refused)}days not imported: ${rangesText(refused)}`] : []),
  ...(orders > 0 ? [`${orders.toLocaleString('en').padStart(12)}  orders added or updated`] : []),
  ...(leftOut > 0 ? [`${leftOut.toLocaleString('en').padStart(12)}  event values left out: beyond ±10^12`] : []),
]

/**
 * Runs `import --format archive`.
 * @param timezone the value of --timezone
 * @returns the exit code, 1 if a part was not imported
 */
export const runArchiveImport = async (
  call: Call,
  source: Source,
  db: Db,
  timezone: string | null,
): Promise<number> => {
  const { flags, env, clock, print, warn } = call
  const isStopped = watchStopSignal(warn)
  const started = clock()
  const progress = createProgress(process.stderr, 'Importing', clock)
  let bytes = 0
  const summary = await importArchive(
    linesOf(source, maxDocument, read => {
      bytes += read.length
    }),
    {
      db,
      timezone,
      paidStatuses: readOptions(['orderStatuses'], flags, env).orderStatuses,
      now: toSeconds(started),
      replace: flags.replace === true,
      report: message => {
        progress.clear()
        warn(message)
      },
      progress: lines => progress.show(bytes / Math.max(source.bytes, 1), lines),
      stopped: isStopped,
    },
  )
  progress.clear()
  if (summary.imported.length > 0 || summary.orders > 0) noteCommand(call, db, 'import_done', { format: 'archive' })
  for (const line of describe(summary, (clock() - started) / 1000)) print(line)
  if (summary.present.length > 0)
    warn('Days whose visits are already present were skipped. Add --replace to overwrite them.')
  if (isStopped()) warn('Stopped. Run the same import again to resume.')
  return isStopped() || summary.damaged || summary.present.length + summary.refused.length > 0 ? 1 : 0
}
