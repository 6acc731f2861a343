// The thread that derives rollups, so that collection waits only while a day's rows are exchanged.
import { parentPort, workerData } from 'node:worker_threads'
import { openDatabase } from '../database/open.ts'
import { createZone } from '../time.ts'
import { rebuildDirtyDays } from './rebuild.ts'

const { db } = openDatabase(workerData.path, { mustExist: true })
const zone = createZone(workerData.timezone)

parentPort?.on('message', () => {
  const started = performance.now()
  try {
    rebuildDirtyDays(db, zone)
    parentPort?.postMessage({ milliseconds: performance.now() - started })
  } catch (error) {
    parentPort?.postMessage({ milliseconds: performance.now() - started, error: error instanceof Error ? error.message : String(error) })
  }
})
