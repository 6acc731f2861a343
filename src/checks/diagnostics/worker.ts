// A worker thread that inspects the data file, which can take long.
import { parentPort, workerData } from 'node:worker_threads'
import { errorText } from '../../lib/errors.ts'
import { lowerThreadPriority } from '../../runtime/priority.ts'
import type { Outcome } from '../../runtime/thread.ts'
import { measureFile } from '../privacy/file.ts'
import { checkIntegrity, inspectFile } from './file.ts'
import type { InspectionKind } from './inspector.ts'

lowerThreadPriority('reading')

const inspections: Readonly<Record<InspectionKind, (path: string, now: number) => unknown>> = {
  integrity: checkIntegrity,
  facts: (path, now) => inspectFile(path, now),
  content: (path, now) => inspectFile(path, now, false),
  privacy: measureFile,
}

const inspect = ({ id, kind, now }: { id: number; kind: InspectionKind; now: number }): Outcome => {
  try {
    return { id, result: inspections[kind](workerData.path, now) }
  } catch (error) {
    return { id, error: errorText(error) }
  }
}

parentPort?.on('message', request => parentPort?.postMessage(inspect(request)))
