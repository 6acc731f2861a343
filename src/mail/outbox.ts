import type { Sleep } from '../lib/sleep.ts'
import { MailError } from './error.ts'

type Options = {
  sleep: Sleep
  /** Called with null when a message was sent, else with the error: after the last attempt, or of some addresses. */
  onResult: (error: string | null) => void
  /** Milliseconds before each further attempt. */
  pauses: readonly number[]
}

/** Tries to send messages, several times if need be. */
export type Outbox = {
  /**
   * @param attempt returns null, or what went wrong for some of those who should have the message
   * @throws MailError after the last attempt, or one that is final
   */
  send: (attempt: (signal: AbortSignal) => Promise<string | null>) => Promise<void>
  /** Interrupts what is being sent, and resolves when nothing is. */
  stop: () => Promise<void>
}

export const createOutbox = ({ sleep, onResult, pauses }: Options): Outbox => {
  const stopping = new AbortController()
  const { signal } = stopping
  const sending = new Set<Promise<void>>()

  const tryToSend = async (send: (signal: AbortSignal) => Promise<string | null>): Promise<string | null> => {
    for (let attempt = 0; ; attempt++) {
      const pause = pauses[attempt] ?? null
      signal.throwIfAborted()
      try {
        return await send(signal)
      } catch (error) {
        if (!(error instanceof MailError) || error.isFinal || pause === null) throw error
        await sleep(pause, signal)
      }
    }
  }

  return {
    send: attempt => {
      const sent = tryToSend(attempt).then(onResult, (error: unknown) => {
        if (error instanceof MailError) onResult(error.message)
        throw error
      })
      const settled = sent.catch(() => {}).finally(() => sending.delete(settled))
      sending.add(settled)
      return sent
    },
    stop: async () => {
      stopping.abort(new MailError('Sending was interrupted.', true))
      await Promise.all(sending)
    },
  }
}
