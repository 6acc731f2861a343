// The thread that derives rollups and purges raw rows, so that collection waits only while rows are exchanged.
import { parentPort, workerData } from 'node:worker_threads'
import { openDatabase } from '../database/open.ts'
import { createZone } from '../time.ts'
import { createFollower } from './follow.ts'
import type { Order, Report } from './orders.ts'
import { purgeBefore } from './purge.ts'

const { db } = openDatabase(workerData.path, { mustExist: true })
const zone = createZone(workerData.timezone)
const follow = createFollower(db, zone)

const work = async (order: Order): Promise<number> =>
  order.kind === 'refresh' ? follow(order.today, order.changes, order.last) : purgeBefore(db, zone, order.before)

const report = (made: Report): void => parentPort?.postMessage(made)

parentPort?.on('message', (order: Order) => {
  const started = performance.now()
  const took = (): number => performance.now() - started
  work(order).then(
    count => report({ kind: order.kind, milliseconds: took(), count }),
    (error: unknown) => report({ kind: order.kind, milliseconds: took(), error: error instanceof Error ? error.message : String(error) }),
  )
})
