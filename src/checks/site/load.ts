import { rootCause } from '../../lib/errors.ts'
import { failed, type CheckResult } from '../result.ts'

/** How long an answer may take, and how much of it is read. */
export type Limits = { milliseconds: number; bytes: number }

export const usualLimits: Limits = { milliseconds: 10_000, bytes: 4 * 2 ** 20 }

/** The results so far, and what the next stage needs; null where the check cannot go on. */
export type Stage<Value> = { steps: CheckResult[]; value: Value | null }

export const stop = (id: string, message: string, fix: string): Stage<never> => ({
  steps: [failed(id, message, fix)],
  value: null,
})

/** An answer with its decoded text; `cut` where that is longer than the limit. */
export type Loaded = { answer: Response; text: string; cut: boolean }

const readText = async ({ body }: Response, maxBytes: number): Promise<{ text: string; cut: boolean }> => {
  const parts: Uint8Array[] = []
  let size = 0
  // Leaving the loop closes the connection.
  for await (const part of body ?? []) {
    parts.push(part)
    size += part.length
    if (size > maxBytes) break
  }
  return { text: Buffer.concat(parts).toString('utf8', 0, maxBytes), cut: size > maxBytes }
}

export const load = async (url: string, { milliseconds, bytes }: Limits, init: RequestInit = {}): Promise<Loaded> => {
  const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(milliseconds) })
  return { answer, ...(await readText(answer, bytes)) }
}

/** Why there is no answer, and what to do about it. */
export const explain = (error: unknown, { milliseconds }: Limits): { reason: string; fix: string } => {
  const cause = rootCause(error)
  const code = 'code' in cause ? String(cause.code) : ''
  const reason = cause.message !== '' ? cause.message : code === '' ? String(error) : code
  if (error instanceof Error && error.name === 'TimeoutError')
    return {
      reason: `no answer within ${milliseconds / 1000} seconds`,
      fix: 'Check whether the server is overloaded, or a firewall drops the request.',
    }
  if (/CERT|_TLS_|_SSL_|SIGNATURE/.test(code))
    return { reason, fix: 'Give the server a certificate that browsers trust, issued for this host name.' }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return {
      reason: 'the host name is not known',
      fix: 'Check the spelling of the address, and that its host name is in the DNS.',
    }
  return {
    reason,
    fix: 'Check that the service runs, that the address leads to it, and that this machine can reach it.',
  }
}
