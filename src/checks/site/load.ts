import { rootCause } from '../../lib/errors.ts'
import { failed, type CheckResult } from '../result.ts'

/** Time limit and maximum size of a response. */
export type Limits = { milliseconds: number; bytes: number }

export const defaultLimits: Limits = { milliseconds: 10_000, bytes: 4 * 2 ** 20 }

/** The results so far and the input of the next stage; null if the check cannot continue. */
export type Stage<Value> = { steps: CheckResult[]; value: Value | null }

export const stop = (id: string, message: string, fix: string): Stage<never> => ({
  steps: [failed(id, message, fix)],
  value: null,
})

/** A response with its text; `cut` if that exceeds the limit. */
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

/** Why a request failed, and how to fix it. */
export const explain = (error: unknown, { milliseconds }: Limits): { reason: string; fix: string } => {
  const cause = rootCause(error)
  const code = 'code' in cause ? String(cause.code) : ''
  const reason = cause.message !== '' ? cause.message : code === '' ? String(error) : code
  if (error instanceof Error && error.name === 'TimeoutError')
    return {
      reason: `no response within ${milliseconds / 1000} seconds`,
      fix: 'Check whether the server is overloaded or a firewall drops the request.',
    }
  if (/CERT|_TLS_|_SSL_|SIGNATURE/.test(code))
    return { reason, fix: 'Give the server a certificate that browsers trust, issued for this host name.' }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return {
      reason: 'the host name is not known',
      fix: 'Check the spelling of the address, and that its host name has a DNS record.',
    }
  return {
    reason,
    fix: 'Check that the service is running, that the address belongs to it, and that this machine can reach it.',
  }
}
