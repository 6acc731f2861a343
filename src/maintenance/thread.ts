import { createThread } from '../runtime/thread.ts'
import type { TaskMessage, Tasks } from './tasks.ts'

/** The tasks, done by a thread that starts with the first of them. */
export type TaskThread = Tasks & {
  isRunning: () => boolean
  /** Whether it is copying the file, which takes minutes and lets nothing in between. */
  isCopying: () => boolean
  close: () => Promise<void>
}

/** As Omit, for each kind of message by itself. */
type WithoutId = TaskMessage extends infer Kind ? (Kind extends TaskMessage ? Omit<Kind, 'id'> : never) : never

/** Milliseconds without a task after which the thread ends: it takes 20 MiB, and the next task starts it again. */
const idleTimeout = 5 * 60_000

export const createTaskThread = (path: string, timezone: string): TaskThread => {
  let copying = 0
  const thread = createThread('maintenance.cjs', { path, timezone }, idleTimeout)
  /** The thread replies with the result of the task of that name. */
  const send = <Name extends keyof Tasks>(message: WithoutId & { task: Name }): ReturnType<Tasks[Name]> =>
    thread.request(message) as ReturnType<Tasks[Name]>
  return {
    follow: (...values) => send({ task: 'follow', values }),
    judge: (...values) => send({ task: 'judge', values }),
    judgeAll: () => send({ task: 'judgeAll', values: [] }),
    purge: (...values) => send({ task: 'purge', values }),
    archive: (...values) => send({ task: 'archive', values }),
    backup: (...values) => {
      copying += 1
      return send({ task: 'backup', values }).finally(() => {
        copying -= 1
      })
    },
    undoImport: (...values) => send({ task: 'undoImport', values }),
    erase: (...values) => send({ task: 'erase', values }),
    optimize: (...values) => send({ task: 'optimize', values }),
    isRunning: thread.isRunning,
    isCopying: () => copying > 0,
    close: thread.close,
  }
}
