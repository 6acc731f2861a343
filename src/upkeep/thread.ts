import type { Worker } from 'node:worker_threads'
import { startWorker } from '../assets.ts'
import type { Order, Report } from './orders.ts'
import type { Works } from './works.ts'

/** The works, done by a thread of their own that starts with the first. */
export type WorkThread = Works & { isRunning: () => boolean, close: () => Promise<void> }

type Result = Awaited<ReturnType<Works[keyof Works]>>
type Waiting = { resolve: (result: Result) => void, reject: (error: unknown) => void }
/** As Omit, for each kind of order by itself. */
type Unnumbered = Order extends infer Kind ? Kind extends Order ? Omit<Kind, 'id'> : never : never

/** Without anything to do for so long, in milliseconds, the thread ends: it takes 20 MiB, and the next work starts it again. */
const rest = 5 * 60_000

export const createWorkThread = (path: string, timezone: string): WorkThread => {
  const waiting = new Map<number, Waiting>()
  let worker: Worker | null = null
  let nextId = 1

  const leave = (): void => {
    const idle = worker
    worker = null
    void idle?.terminate()
  }
  const leaving = setTimeout(() => { if (waiting.size === 0) leave() }, rest).unref()

  const settle = (id: number, work: (waiting: Waiting) => void): void => {
    const found = waiting.get(id)
    waiting.delete(id)
    leaving.refresh()
    if (found !== undefined) work(found)
  }

  const failAll = (error: unknown): void => {
    worker = null
    for (const id of [...waiting.keys()]) settle(id, ({ reject }) => reject(error))
  }

  const start = (): Worker => {
    const made = startWorker('upkeep.cjs', { workerData: { path, timezone } })
    made.on('message', (report: Report) => settle(report.id, ({ resolve, reject }) => {
      if ('error' in report) reject(new Error(report.error))
      else resolve(report.result)
    }))
    made.on('error', failAll)
    return made
  }

  /** Each work answers with what its own function gives. */
  const order = <Name extends keyof Works>(given: Unnumbered & { work: Name }): ReturnType<Works[Name]> => new Promise((resolve, reject) => {
    const id = nextId++
    waiting.set(id, { resolve, reject })
    worker ??= start()
    worker.postMessage({ ...given, id })
  }) as ReturnType<Works[Name]>

  return {
    follow: (...values) => order({ work: 'follow', values }),
    purge: (...values) => order({ work: 'purge', values }),
    archive: (...values) => order({ work: 'archive', values }),
    backup: (...values) => order({ work: 'backup', values }),
    optimize: (...values) => order({ work: 'optimize', values }),
    isRunning: () => worker !== null,
    close: async () => {
      clearTimeout(leaving)
      await worker?.terminate()
      failAll(new Error('The service is stopping.'))
    },
  }
}
