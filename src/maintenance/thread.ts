import { createThread } from '../runtime/thread.ts'
import type { Order } from './messages.ts'
import type { Tasks } from './tasks.ts'

/** The works, done by a thread of their own that starts with the first. */
export type WorkThread = Tasks & { isRunning: () => boolean; close: () => Promise<void> }

/** As Omit, for each kind of order by itself. */
type Unnumbered = Order extends infer Kind ? (Kind extends Order ? Omit<Kind, 'id'> : never) : never

/** Without anything to do for so long, in milliseconds, the thread ends: it takes 20 MiB, and the next work starts it again. */
const rest = 5 * 60_000

export const createWorkThread = (path: string, timezone: string): WorkThread => {
  const thread = createThread('maintenance.cjs', { path, timezone }, rest)
  /** Each work answers with what its own function gives. */
  const order = <Name extends keyof Tasks>(given: Unnumbered & { work: Name }): ReturnType<Tasks[Name]> =>
    thread.order(given) as ReturnType<Tasks[Name]>
  return {
    follow: (...values) => order({ work: 'follow', values }),
    purge: (...values) => order({ work: 'purge', values }),
    archive: (...values) => order({ work: 'archive', values }),
    backup: (...values) => order({ work: 'backup', values }),
    optimize: (...values) => order({ work: 'optimize', values }),
    isRunning: thread.isRunning,
    close: thread.close,
  }
}
