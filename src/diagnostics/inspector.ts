import { setTimeout as wait } from 'node:timers/promises'
import { startWorker } from '../assets.ts'
import { toSeconds, type Clock } from '../time.ts'
import type { Measured } from '../privacy/file.ts'
import type { FileFacts } from './file.ts'

export type Question = 'facts' | 'content' | 'integrity' | 'privacy'

/** Questions to the file of a running service, answered in threads of their own. */
export type Inspector = {
  facts: () => Promise<FileFacts>
  /** The same without counting the rows of its tables. */
  content: () => Promise<FileFacts>
  /** 'ok', the first problem, or 'checking' where that takes longer than a caller should wait. */
  integrity: () => Promise<string>
  /** The same for who asks often: what was found good stays so while it is looked at anew. */
  lastIntegrity: () => Promise<string>
  /** What was found good may have been damaged since: it is looked at anew. */
  doubt: () => void
  /** What the file and its folder hold about visitors. */
  privacy: () => Promise<Measured>
}

const validFor = 10 * 60_000
const patience = 3000

const ask = <Answer>(question: Question, path: string, now: number): Promise<Answer> => new Promise((resolve, reject) => {
  const worker = startWorker('inspector.cjs', { workerData: { question, path, now } })
  worker.once('message', resolve)
  worker.once('error', reject)
  worker.once('exit', code => reject(new Error(`the thread that reads the file ended with ${code}`)))
})

export const createInspector = (path: string, clock: Clock): Inspector => {
  let known: { at: number, text: string } | null = null
  let running: Promise<string> | null = null

  /** Only a good answer is kept: what is wrong may have been mended. */
  const check = (): Promise<string> => running ??= ask<string>('integrity', path, 0)
    .then(text => {
      known = text === 'ok' ? { at: clock(), text } : null
      return text
    })
    .finally(() => { running = null })

  const now = (): number => toSeconds(clock())

  const isFresh = (): boolean => known !== null && Math.abs(clock() - known.at) < validFor
  const integrity = async (): Promise<string> =>
    known !== null && isFresh() ? known.text : Promise.race([check(), wait(patience, 'checking', { ref: false })])

  return {
    facts: () => ask<FileFacts>('facts', path, now()),
    content: () => ask<FileFacts>('content', path, now()),
    doubt: () => { known = null },
    privacy: () => ask<Measured>('privacy', path, now()),
    integrity,
    lastIntegrity: async () => {
      if (known === null) return integrity()
      const { text } = known
      if (!isFresh()) check().catch(() => {})
      return text
    },
  }
}
