import { setTimeout as wait } from 'node:timers/promises'
import type { Measured } from '../privacy/file.ts'
import { createThread, type Thread } from '../../runtime/thread.ts'
import { toSeconds, type Clock } from '../../lib/time.ts'
import type { FileFacts } from './file.ts'

export type Question = 'facts' | 'content' | 'integrity' | 'privacy'

/** Reads the file of a running service in threads. */
export type Inspector = {
  facts: () => Promise<FileFacts>
  /** The same without counting the rows of its tables. */
  content: () => Promise<FileFacts>
  /** 'ok', the first problem, or 'checking' where that takes longer than a caller should wait. */
  integrity: () => Promise<string>
  /** The same for frequent callers: gives the last good answer while it is checked again. */
  lastIntegrity: () => Promise<string>
  /** Forgets the last good answer: the file may have been damaged since. */
  forgetIntegrity: () => void
  /** What the file and its folder hold about visitors. */
  privacy: () => Promise<Measured>
  close: () => Promise<void>
}

const validFor = 10 * 60_000
/** Milliseconds to wait for an integrity check. */
const integrityTimeout = 3000

/**
 * Milliseconds for which the thread of short answers is kept, as starting one takes longer than they do. Answers that read
 * the whole file have a thread for each kind, which ends with its answer.
 */
const idleTimeout = 30_000

export const createInspector = (path: string, clock: Clock): Inspector => {
  const open = (timeout: number): Thread => createThread('inspector.cjs', { path }, timeout)
  const [quick, counting, checking] = [open(idleTimeout), open(0), open(0)]
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

  /** Only a good answer is kept: a problem may have been fixed. */
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
    known !== null && isFresh()
      ? known.text
      : Promise.race([check(), wait(integrityTimeout, 'checking', { ref: false })])

  return {
    facts: () => ask<FileFacts>('facts'),
    content: () => ask<FileFacts>('content'),
    forgetIntegrity: () => {
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
