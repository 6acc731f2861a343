// The thread that derives rollups and purges raw rows, so that collection waits only while rows are exchanged.
import { parentPort, workerData } from 'node:worker_threads'
import { errorText } from '../lib/errors.ts'
import { openDatabase } from '../database/open.ts'
import { lowerThreadPriority } from '../runtime/priority.ts'
import type { Outcome } from '../runtime/thread.ts'
import { createZone } from '../lib/time.ts'
import type { Order } from './messages.ts'
import { createTasks, type Tasks } from './tasks.ts'

/** KiB of the file and of the temporary tables that are kept at hand, each; what is more is in the system's cache. */
const pagesAtHand = 3072

lowerThreadPriority('writing')
const { db } = openDatabase(workerData.path, { mustExist: true })
for (const schema of ['main', 'temp']) db.pragma(`${schema}.cache_size = -${pagesAtHand}`)
const works = createTasks(db, createZone(workerData.timezone))

const work = (order: Order): ReturnType<Tasks[keyof Tasks]> => {
  switch (order.work) {
    case 'follow':
      return works.follow(...order.values)
    case 'purge':
      return works.purge(...order.values)
    case 'archive':
      return works.archive(...order.values)
    case 'backup':
      return works.backup(...order.values)
    case 'optimize':
      return works.optimize(...order.values)
  }
}

const report = (made: Outcome): void => parentPort?.postMessage(made)

parentPort?.on('message', (order: Order) => {
  work(order).then(
    result => report({ id: order.id, result }),
    (error: unknown) => report({ id: order.id, error: errorText(error) }),
  )
})
