// A thread for one question to the file, which may take a while where that is large.
import { parentPort, workerData } from 'node:worker_threads'
import { measureFile } from '../privacy/file.ts'
import { checkIntegrity, inspectFile } from './file.ts'
import type { Question } from './inspector.ts'

const answers: Readonly<Record<Question, (path: string, now: number) => unknown>> = {
  integrity: checkIntegrity,
  facts: (path, now) => inspectFile(path, now),
  content: (path, now) => inspectFile(path, now, false),
  privacy: measureFile,
}

const question: Question = workerData.question
parentPort?.postMessage(answers[question](workerData.path, workerData.now))
