import { setTimeout as wait } from 'node:timers/promises'
import { type Clock, toSeconds } from '../../lib/time.ts'
import { createThread, type Thread } from '../../runtime/thread.ts'
import type { FileMeasurements } from '../privacy/file.ts'
import type { FileFacts } from './file.ts'

export type InspectionKind = 'facts' | 'content' | 'integrity' | 'privacy'

/** Reads the file of a running service in worker threads. */
export type Inspector = {
  facts: () => Promise<FileFacts>
  /** The same without the row counts of the tables. */
  content: () => Promise<FileFacts>
  /** 'ok', the first problem, or 'checking' if the check takes longer than a caller should wait. */
  integrity: () => Promise<string>
  /** The same for frequent callers: returns the last good result while the check runs again. */
  lastIntegrity: () => Promise<string>
  /** Discards the last good result: the file may have been damaged since. */
  forgetIntegrity: () => void
  /** Personal data of visitors in the file and its folder. */
  privacy: () => Promise<FileMeasurements>
  close: () => Promise<void>
}

/** Milliseconds for which a good result of an integrity check is reused. */
const maxIntegrityAge = 10 * 60_000
/** Milliseconds to wait for an integrity check. */
const integrityTimeout = 3000

/**
 * Milliseconds before the thread for short requests ends: starting one takes longer than a request. Requests that read
 * the whole file have one thread per kind, which ends after each.
 */
const idleTimeout = 30_000

export const createInspector = (path: string, clock: Clock): Inspector => {
  const open = (timeout: number): Thread => createThread('inspector.cjs', { path }, timeout)
  const [quick, counting, checking] = [open(idleTimeout), open(0), open(0)]
  const threads: Readonly<Record<InspectionKind, Thread>> = {
    content: quick,
    privacy: quick,
    facts: counting,
    integrity: checking,
  }
  const inspect = <Result>(kind: InspectionKind): Promise<Result> =>
    threads[kind].request({ kind, now: toSeconds(clock()) }) as Promise<Result>
  let lastGood: { at: number; text: string } | null = null
  let running: Promise<string> | null = null

  /** Only a good result is kept: a problem may have been fixed. */
  const check = (): Promise<string> =>
    (running ??= inspect<string>('integrity')
      .then(text => {
        lastGood = text === 'ok' ? { at: clock(), text } : null
        return text
      })
      .finally(() => {
        running = null
      }))

  const isFresh = (): boolean => lastGood !== null && Math.abs(clock() - lastGood.at) < maxIntegrityAge
  const integrity = async (): Promise<string> =>
    lastGood !== null && isFresh()
      ? lastGood.text
      : Promise.race([check(), wait(integrityTimeout, 'checking', { ref: false })])

  return {
    facts: () => inspect<FileFacts>('facts'),
    content: () => inspect<FileFacts>('content'),
    forgetIntegrity: () => {
      lastGood = null
    },
    privacy: () => inspect<FileMeasurements>('privacy'),
    integrity,
    lastIntegrity: async () => {
      if (lastGood === null) return integrity()
      const { text } = lastGood
      if (!isFresh()) check().catch(() => {})
      return text
    },
    close: async () => {
      await Promise.all([quick, counting, checking].map(thread => thread.close()))
    },
  }
}
