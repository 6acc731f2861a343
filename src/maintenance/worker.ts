// The maintenance thread: updates rollups, deletes and archives raw rows, makes backups; collection goes on meanwhile.
import { parentPort, workerData } from 'node:worker_threads'
import { openDatabase } from '../database/open.ts'
import { errorText } from '../lib/errors.ts'
import { createZone } from '../lib/time.ts'
import { lowerThreadPriority } from '../runtime/priority.ts'
import type { Outcome } from '../runtime/thread.ts'
import { createTasks, type TaskMessage, type Tasks } from './tasks.ts'

/** KiB of page cache for the file and for the temporary tables, each; the system caches the rest. */
const cacheKiB = 3072

lowerThreadPriority('writing')
const { db } = openDatabase(workerData.path, { mustExist: true })
for (const schema of ['main', 'temp']) db.pragma(`${schema}.cache_size = -${cacheKiB}`)
const tasks = createTasks(db, createZone(workerData.timezone))

const run = (message: TaskMessage): ReturnType<Tasks[keyof Tasks]> => {
  switch (message.task) {
    case 'follow':
      return tasks.follow(...message.values)
    case 'judge':
      return tasks.judge(...message.values)
    case 'judgeAll':
      return tasks.judgeAll()
    case 'purge':
      return tasks.purge(...message.values)
    case 'archive':
      return tasks.archive(...message.values)
    case 'backup':
      return tasks.backup(...message.values)
    case 'undoImport':
      return tasks.undoImport(...message.values)
    case 'erase':
      return tasks.erase(...message.values)
    case 'optimize':
      return tasks.optimize(...message.values)
  }
}

const reply = (outcome: Outcome): void => parentPort?.postMessage(outcome)

parentPort?.on('message', (message: TaskMessage) => {
  run(message).then(
    result => reply({ id: message.id, result }),
    (error: unknown) => reply({ id: message.id, error: errorText(error) }),
  )
})
