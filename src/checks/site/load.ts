import { rootCause } from '../../lib/errors.ts'

/** How long the other side may take with an answer, and how much of it is read. */
export type Patience = { milliseconds: number; bytes: number }

export const usualPatience: Patience = { milliseconds: 10_000, bytes: 4 * 2 ** 20 }

/** An answer with its text, unpacked; `cut` where that is longer than anyone reads. */
export type Loaded = { answer: Response; text: string; cut: boolean }

const readText = async ({ body }: Response, most: number): Promise<{ text: string; cut: boolean }> => {
  const parts: Uint8Array[] = []
  let size = 0
  // Leaving the loop lets the connection go.
  for await (const part of body ?? []) {
    parts.push(part)
    size += part.length
    if (size > most) break
  }
  return { text: Buffer.concat(parts).toString('utf8', 0, most), cut: size > most }
}

export const load = async (url: string, { milliseconds, bytes }: Patience, init: RequestInit = {}): Promise<Loaded> => {
  const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(milliseconds) })
  return { answer, ...(await readText(answer, bytes)) }
}

/** Why nothing came, and what to do about it. */
export const explain = (error: unknown, { milliseconds }: Patience): { reason: string; fix: string } => {
  const cause = rootCause(error)
  const code = 'code' in cause ? String(cause.code) : ''
  const reason = cause.message !== '' ? cause.message : code === '' ? String(error) : code
  if (error instanceof Error && error.name === 'TimeoutError')
    return {
      reason: `no answer within ${milliseconds / 1000} seconds`,
      fix: 'See whether the server is overloaded, or a firewall swallows the request.',
    }
  if (/CERT|_TLS_|_SSL_|SIGNATURE/.test(code))
    return { reason, fix: 'Give the server a certificate that browsers trust, with this very name in it.' }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return {
      reason: 'the name is not known',
      fix: 'Check how the address is written, and that its name is in the DNS.',
    }
  return { reason, fix: 'Check that the service runs, that the address leads to it, and that this machine reaches it.' }
}
