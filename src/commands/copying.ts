import { once } from 'node:events'
import type { Copying, CopyTasks } from '../database/copier.ts'
import { removeOwnDrafts } from '../database/drafts.ts'
import { DatabaseError } from '../database/errors.ts'
import { sqliteAddon } from '../database/native.ts'
import { startWorker } from '../runtime/assets.ts'
import { cleanOnSignal } from '../runtime/signals.ts'

/** An error of a thread is a copy that has lost its class. */
const asThrown = (error: unknown): unknown =>
  error instanceof Error && error.name === 'DatabaseError' ? new DatabaseError(error.message) : error

/**
 * Copies a database in a thread, so that a signal ends the command at once and leaves nothing unfinished.
 * @param folder that of the copy
 */
export const copyInThread = async <Task extends keyof CopyTasks>(
  folder: string,
  work: Copying & { task: Task },
): Promise<ReturnType<CopyTasks[Task]>> => {
  sqliteAddon(folder) // Threads of the executable take the one that is loaded here.
  const worker = startWorker('copier.cjs', { workerData: work })
  try {
    const [result] = await cleanOnSignal(
      () => {
        // Between making a draft and opening it, the thread would make it again.
        void worker.terminate()
        removeOwnDrafts(folder)
      },
      () => once(worker, 'message'),
    )
    return result
  } catch (error) {
    throw asThrown(error)
  }
}
