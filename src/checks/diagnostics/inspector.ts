import { setTimeout as wait } from 'node:timers/promises'
import type { Measured } from '../privacy/file.ts'
import { createThread, type Thread } from '../../runtime/thread.ts'
import { toSeconds, type Clock } from '../../lib/time.ts'
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
  close: () => Promise<void>
}

const validFor = 10 * 60_000
const patience = 3000

/**
 * Milliseconds for which the thread of short answers is kept: to start one takes longer than these do. What takes as long as
 * the file is large has a thread for each kind, which keeps nothing waiting and ends with its answer.
 */
const rest = 30_000

export const createInspector = (path: string, clock: Clock): Inspector => {
  const open = (idleTimeout: number): Thread => createThread('inspector.cjs', { path }, idleTimeout)
  const [quick, counting, checking] = [open(rest), open(0), open(0)]
  const threads: Readonly<Record<Question, Thread>> = {
    content: quick,
    privacy: quick,
    facts: counting,
    integrity: checking,
  }
  const ask = <Answer>(question: Question): Promise<Answer> =>
    threads[question].request({ question, now: toSeconds(clock()) }) as Promise<Answer>
  let known: { at: number; text: string } | null = null
  let running: Promise<string> | null = null

  /** Only a good answer is kept: what is wrong may have been mended. */
  const check = (): Promise<string> =>
    (running ??= ask<string>('integrity')
      .then(text => {
        known = text === 'ok' ? { at: clock(), text } : null
        return text
      })
      .finally(() => {
        running = null
      }))

  const isFresh = (): boolean => known !== null && Math.abs(clock() - known.at) < validFor
  const integrity = async (): Promise<string> =>
    known !== null && isFresh() ? known.text : Promise.race([check(), wait(patience, 'checking', { ref: false })])

  return {
    facts: () => ask<FileFacts>('facts'),
    content: () => ask<FileFacts>('content'),
    doubt: () => {
      known = null
    },
    privacy: () => ask<Measured>('privacy'),
    integrity,
    lastIntegrity: async () => {
      if (known === null) return integrity()
      const { text } = known
      if (!isFresh()) check().catch(() => {})
      return text
    },
    close: async () => {
      await Promise.all([quick, counting, checking].map(thread => thread.close()))
    },
  }
}
