// A thread that reads the file, which may take a while if that is large.
import { parentPort, workerData } from 'node:worker_threads'
import { errorText } from '../../lib/errors.ts'
import { measureFile } from '../privacy/file.ts'
import { lowerThreadPriority } from '../../runtime/priority.ts'
import type { Outcome } from '../../runtime/thread.ts'
import { checkIntegrity, inspectFile } from './file.ts'
import type { Question } from './inspector.ts'

lowerThreadPriority('reading')

const answers: Readonly<Record<Question, (path: string, now: number) => unknown>> = {
  integrity: checkIntegrity,
  facts: (path, now) => inspectFile(path, now),
  content: (path, now) => inspectFile(path, now, false),
  privacy: measureFile,
}

const answer = ({ id, question, now }: { id: number; question: Question; now: number }): Outcome => {
  try {
    return { id, result: answers[question](workerData.path, now) }
  } catch (error) {
    return { id, error: errorText(error) }
  }
}

parentPort?.on('message', given => parentPort?.postMessage(answer(given)))
