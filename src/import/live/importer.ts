// The import that a running service does: one at a time, on a thread of its own, which ends with it.
import { readDemoMark } from '../../database/demo-mark.ts'
import type { Db } from '../../database/query.ts'
import { ApiError } from '../../http/errors.ts'
import { createThread, type Thread } from '../../runtime/thread.ts'
import type { HistoryReport } from '../history/report.ts'
import { createControl, createMemory, type ImportCommand, type Progress } from './control.ts'
import type { Uploads } from './uploads.ts'
import type { ImportResult, ImportTask } from './worker.ts'

/** `done` also of a preview. */
export type JobState = 'running' | 'paused' | 'done' | 'stopped' | 'failed'

type Job = {
  preview: boolean
  state: JobState
  /** Why it failed, as a sentence. */
  problem: string | null
  /** What was imported, or would be. */
  report: HistoryReport | null
}

export type ImportJob = Job & Progress

export type ImportRequest = Omit<ImportTask, 'files' | 'site' | 'now'> & { uploads: readonly string[] }

export type Importer = {
  /** The newest one; null before the first since the start. */
  current: () => ImportJob | null
  /** @throws ApiError if another one is running, or a file is not there as a whole */
  start: (request: ImportRequest, onDone: (report: HistoryReport) => void) => ImportJob
  /** For the running one; another has ended meanwhile, and stays as it is. */
  command: (name: ImportCommand) => void
  close: () => Promise<void>
}

type Options = {
  db: Db
  path: string
  timezone: string
  site: ImportTask['site']
  uploads: Uploads
  /** The current time in seconds. */
  now: () => number
  /** Called every second of an import: days wait to be recalculated. */
  follow: () => void
  onError: (error: unknown) => void
}

const followInterval = 1000
/** Milliseconds after which the thread ends. */
const idleTimeout = 1000

const busy = (): ApiError =>
  new ApiError(409, 'rest_import_busy', 'An import is running. Wait until it is done, or stop it.')

export const createImporter = ({ db, path, timezone, site, uploads, now, follow, onError }: Options): Importer => {
  let thread: Thread | null = null
  let control = createControl(createMemory())
  let job: Job | null = null
  let isClosed = false

  const current = (): ImportJob | null => (job === null ? null : { ...job, ...control.progress() })
  const isRunning = (): boolean => job?.state === 'running' || job?.state === 'paused'

  const finish = (ended: Job, result: ImportResult): void => {
    if ('problem' in result) Object.assign(ended, { state: 'failed', problem: result.problem })
    else if (result.report === null) ended.state = 'stopped'
    else Object.assign(ended, { state: 'done', report: result.report })
  }

  /** Runs the task to its end; never rejects. */
  const run = async (task: ImportTask): Promise<ImportResult> => {
    const memory = createMemory()
    control = createControl(memory)
    const own = createThread('importer.cjs', { path, timezone, memory }, idleTimeout)
    thread = own
    const timer = task.preview ? undefined : setInterval(follow, followInterval)
    try {
      return (await own.request({ task })) as ImportResult
    } catch (error) {
      if (isClosed) return { report: null }
      onError(error)
      return { problem: 'The import ended unexpectedly. The log says why.' }
    } finally {
      clearInterval(timer)
      follow()
      await own.close()
    }
  }

  return {
    current,
    start: ({ uploads: ids, ...request }, onDone) => {
      if (isRunning()) throw busy()
      if (!request.preview && readDemoMark(db) !== null)
        throw new ApiError(409, 'rest_import_demo', 'This service shows demo data. Import into a new file.')
      const files = uploads.pathsOf(ids)
      const started: Job = { preview: request.preview, state: 'running', problem: null, report: null }
      job = started
      void run({ ...request, files, site, now: now() })
        .then(result => {
          try {
            if (request.preview || !('report' in result) || result.report === null) return
            for (const { id } of uploads.list()) if (ids.includes(id)) uploads.remove(id)
            onDone(result.report)
          } finally {
            finish(started, result)
          }
        })
        .catch(onError)
      return { ...started, ...control.progress() }
    },
    command: name => {
      if (job === null || !isRunning()) return
      control.command(name)
      if (name !== 'stop') job.state = name === 'pause' ? 'paused' : 'running'
    },
    close: async () => {
      isClosed = true
      await thread?.close()
    },
  }
}
