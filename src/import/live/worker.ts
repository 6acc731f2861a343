// The importing thread: an import or its preview beside collection, on a connection of its own.

import { setTimeout as wait } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { readSources } from '../../config/rule-files.ts'
import { openDatabase } from '../../database/open.ts'
import { ExpectedError, errorText } from '../../lib/errors.ts'
import type { HistoryFormat } from '../../lib/histories.ts'
import type { Day } from '../../lib/time.ts'
import { chooseZone } from '../../rollup/zone.ts'
import { lowerThreadPriority } from '../../runtime/priority.ts'
import type { Outcome } from '../../runtime/thread.ts'
import { formats } from '../history/formats/index.ts'
import { type HistoryRequest, performImport, withPreview } from '../history/perform.ts'
import { presentIn } from '../history/present.ts'
import type { HistoryReport } from '../history/report.ts'
import { besideService, holdImports } from './beside.ts'
import { createControl } from './control.ts'

/** What is to be imported; `format` null for whatever the files are. */
export type ImportTask = {
  files: readonly string[]
  preview: boolean
  format: HistoryFormat | null
  from: Day | null
  to: Day | null
  siteId: string | null
  sourceTimezone: string | null
  overlap: 'skip' | 'refuse'
  site: { allowedHosts: readonly string[]; keepQuery: readonly string[]; sources: string | null }
  /** The current time in seconds. */
  now: number
}

/** `report` is null if it was stopped. */
export type ImportResult = { report: HistoryReport | null } | { problem: string }

const pollInterval = 200

lowerThreadPriority('writing')
const { path, timezone, memory } = workerData
const control = createControl(memory)

const whilePaused = async (): Promise<void> => {
  while (control.isPaused()) await wait(pollInterval)
}

const importBeside = async (request: HistoryRequest): Promise<HistoryReport | null> => {
  const release = holdImports(path)
  const { db } = openDatabase(path, { mustExist: true })
  try {
    // Its commits need no sync of their own: those of hits sync the same log.
    db.pragma('synchronous = normal')
    return await performImport(
      { db, zone: chooseZone(db, timezone), present: presentIn(db), beside: besideService(whilePaused) },
      request,
    )
  } finally {
    db.close()
    release()
  }
}

const work = async ({ preview, format, site, ...options }: ImportTask): Promise<ImportResult> => {
  const { sources, ...ofSite } = site
  try {
    const request: HistoryRequest = {
      ...options,
      path,
      formats: format === null ? formats : formats.filter(({ name }) => name === format),
      site: { ...ofSite, corrections: readSources(sources) },
      progress: control.tell,
      stopped: control.isStopped,
    }
    const report = preview
      ? await withPreview({ path, timezone, now: options.now }, target => performImport(target, request))
      : await importBeside(request)
    return { report: report === null || !preview ? report : { ...report, id: null } }
  } catch (error) {
    if (error instanceof ExpectedError) return { problem: error.message }
    throw error
  }
}

parentPort?.on('message', ({ id, task }: { id: number; task: ImportTask }) => {
  const reply = (outcome: Outcome): void => parentPort?.postMessage(outcome)
  work(task).then(
    result => reply({ id, result }),
    (error: unknown) => reply({ id, error: errorText(error) }),
  )
})
