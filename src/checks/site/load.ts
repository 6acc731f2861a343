import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { boundedText } from '../../lib/bounded-text.ts'
import { rootCause } from '../../lib/errors.ts'
import { type CheckResult, failed } from '../result.ts'
import { type Sentence, say } from '../sentences.ts'

let isExtended = false

/** A certificate was refused, and the authorities that this machine trusts have not been asked yet. */
const canTrustMore = (code: string): boolean => !isExtended && /CERT|SIGNATURE/.test(code)

/**
 * From now on trusts the authorities of the machine's own store besides Node's, as its browsers do. Reading them takes a
 * fifth of a second, so it waits until a certificate has been refused.
 */
const trustSystemStore = (): void => {
  isExtended = true
  setDefaultCACertificates([...new Set([...getCACertificates('default'), ...getCACertificates('system')])])
}

/** What may be asked: hosts, and ports of these. */
export type Allowed = { hosts: (hostname: string) => boolean; ports: (port: string) => boolean }

/** Time limit and maximum size of a response, and what may be asked (default: anything). */
export type Limits = { milliseconds: number; bytes: number; allowed?: Allowed }

/** The port of an address, also that of its scheme. */
export const portOf = ({ port, protocol }: URL): string => port || (protocol === 'http:' ? '80' : '443')

export const defaultLimits: Limits = { milliseconds: 10_000, bytes: 4 * 2 ** 20 }

/** The results so far and the input of the next stage; null if the check cannot continue. */
export type Stage<Value> = { steps: CheckResult[]; value: Value | null }

export const stop = (id: string, message: Sentence, fix: Sentence): Stage<never> => ({
  steps: [failed(id, message, fix)],
  value: null,
})

/** A response with its address after redirects, and its text; `cut` if that exceeds the limit. */
export type Loaded = { answer: Response; url: string; text: string; cut: boolean }

class ForeignHost extends Error {}
class ForeignPort extends Error {}
class TooManyRedirects extends Error {}

const maxRedirects = 5
const isRedirect = ({ status, headers }: Response): boolean =>
  [301, 302, 303, 307, 308].includes(status) && headers.has('location')

const codeOf = (error: unknown): string => {
  const cause = rootCause(error)
  return 'code' in cause ? String(cause.code) : ''
}

/** A certificate that Node refuses may be one that this machine trusts. */
const fetchTrusting = async (url: URL, init: RequestInit): Promise<Response> => {
  try {
    return await fetch(url, init)
  } catch (error) {
    if (!canTrustMore(codeOf(error))) throw error
    trustSystemStore()
    return fetch(url, init)
  }
}

/** Redirects are followed by hand, since each may lead to a host that may not be asked. */
export const load = async (
  address: string,
  { milliseconds, bytes, allowed }: Limits,
  { redirect = 'follow', ...init }: RequestInit = {},
): Promise<Loaded> => {
  const signal = AbortSignal.timeout(milliseconds)
  let url = new URL(address)
  for (let redirects = 0; ; redirects++) {
    if (!/^https?:$/.test(url.protocol) || allowed?.hosts(url.hostname) === false) throw new ForeignHost(url.host)
    if (allowed?.ports(portOf(url)) === false) throw new ForeignPort(url.host)
    const answer = await fetchTrusting(url, { ...init, redirect: 'manual', signal })
    if (redirect === 'manual' || !isRedirect(answer))
      return { answer, url: url.href, ...(await boundedText(answer, bytes)) }
    await answer.body?.cancel()
    if (redirects === maxRedirects) throw new TooManyRedirects()
    url = new URL(answer.headers.get('location') ?? '', url)
  }
}

/** Why a request failed, and how to fix it. */
export const explain = (error: unknown, { milliseconds }: Limits): { reason: Sentence; fix: Sentence } => {
  if (error instanceof ForeignHost)
    return {
      reason: say('reason_foreign_host', { host: error.message }),
      fix: say('reason_foreign_host_fix', { host: error.message.replace(/:\d+$/, '') }),
    }
  if (error instanceof ForeignPort)
    return { reason: say('reason_foreign_port', { host: error.message }), fix: say('reason_foreign_port_fix') }
  if (error instanceof TooManyRedirects) return { reason: say('reason_redirects'), fix: say('reason_other_fix') }
  const cause = rootCause(error)
  const code = codeOf(error)
  const reason = cause.message !== '' ? cause.message : code === '' ? String(error) : code
  if (error instanceof Error && error.name === 'TimeoutError')
    return {
      reason: say('reason_timeout', { seconds: milliseconds / 1000 }),
      fix: say('reason_timeout_fix'),
    }
  if (/CERT|_TLS_|_SSL_|SIGNATURE/.test(code)) return { reason, fix: say('reason_certificate_fix') }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return {
      reason: say('reason_host_unknown'),
      fix: say('reason_host_unknown_fix'),
    }
  return {
    reason,
    fix: say('reason_other_fix'),
  }
}
