import { retryAfter } from '../lib/retry-after.ts'
import { FetchFailure } from './failure.ts'

/** Where a file is. */
export type Address = {
  /** May hold a key: never to be shown. */
  url: string
  /** Made of the same without a key: what tells one file from another. */
  name: string
  /** For the header Authorization, at the address's own origin. */
  authorization: string | null
  /** What must not leave that origin. */
  secrets: readonly string[]
}

export type Asking = {
  signal: AbortSignal
  /** Milliseconds in which a server must say something. */
  patience: number
  clock: () => number
}

const mostRedirects = 5
const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status)

const holds = (url: URL, secrets: readonly string[]): boolean =>
  secrets.some(secret => url.href.includes(secret) || url.href.includes(encodeURIComponent(secret)))

/** Where a redirect leads; refused if the way is not as safe as before. */
const targetOf = (answer: Response, from: URL, { url, secrets }: Address): URL => {
  const location = answer.headers.get('location')
  const target = location === null ? null : URL.parse(location, from)
  if (target === null) throw new FetchFailure('later', 'the server sends on to nowhere')
  const isWeb = target.protocol === 'https:' || (target.protocol === 'http:' && from.protocol === 'http:')
  if (!isWeb || target.username !== '' || target.password !== '')
    throw new FetchFailure('later', `the server sends on to ${target.protocol}//${target.host}, which is not followed`)
  if (target.origin !== new URL(url).origin && holds(target, secrets)) {
    throw new FetchFailure(
      'later',
      `the server sends on to ${target.origin} with the license key in the address, which is not followed`,
    )
  }
  return target
}

/**
 * Asks for a file and follows redirects by hand: storage behind a vendor is asked without the credentials, which it
 * would refuse and nobody else may have.
 * @throws FetchFailure for what is neither the file, nor a part of it (206), nor 304, nor 416
 */
export const request = async (
  address: Address,
  headers: Record<string, string>,
  { signal, patience, clock }: Asking,
): Promise<Response> => {
  let url = new URL(address.url)
  const { origin } = url
  let authorization = address.authorization
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(new FetchFailure('later', 'the server does not answer')), patience)
    const answer = await fetch(url, {
      redirect: 'manual',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.any([signal, late.signal]),
      headers: {
        'accept-encoding': 'identity',
        'user-agent': 'Footfall',
        ...headers,
        ...(authorization !== null && { authorization }),
      },
    }).finally(() => clearTimeout(timer))
    if (!isRedirect(answer.status)) return await accepted(answer, url.origin === origin ? address : null, clock)
    await answer.body?.cancel()
    url = targetOf(answer, url, address)
    if (url.origin !== origin) authorization = null
  }
  throw new FetchFailure('later', 'the server sends on and on')
}

/** `asked`: the address whose own origin has answered; null for one that it has sent on to. */
const accepted = async (answer: Response, asked: Address | null, clock: () => number): Promise<Response> => {
  const { status, headers } = answer
  if (status === 200 || status === 206 || status === 304 || status === 416) return answer
  await answer.body?.cancel()
  if (status === 404 || status === 410) throw new FetchFailure('missing', 'the server has no such file')
  // Storage that a vendor sends on to knows no key: there it is a matter of time.
  if ((status === 401 || status === 403) && asked !== null)
    throw new FetchFailure(
      'refused',
      `the server refuses ${asked.secrets.length > 0 ? 'the license key' : 'access'} (${status})`,
    )
  if (status === 429)
    throw new FetchFailure('later', 'the server has been asked too often (429)', retryAfter(headers, clock()))
  throw new FetchFailure('later', `the server answers ${status}`, retryAfter(headers, clock()))
}

/** A small text, such as a checksum. */
export const requestText = async (address: Address, most: number, asking: Asking): Promise<string> => {
  const late = AbortSignal.timeout(asking.patience)
  const answer = await request(address, {}, { ...asking, signal: AbortSignal.any([asking.signal, late]) })
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > most) throw new FetchFailure('broken', 'the file with the checksum is none')
  }
  return text
}
