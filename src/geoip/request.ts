import { boundedText } from '../lib/bounded-text.ts'
import { retryAfter } from '../lib/retry-after.ts'
import { FetchFailure } from './failure.ts'

/** The URL of a file, with credentials. */
export type Address = {
  /** May contain a key: never show it. */
  url: string
  /** A hash of the URL without the key: identifies the file. */
  name: string
  /** The Authorization header, for the URL's own origin. */
  authorization: string | null
  /** Must not be sent to another origin. */
  secrets: readonly string[]
}

export type RequestOptions = {
  signal: AbortSignal
  /** Milliseconds that a server may take to send something. */
  timeout: number
  clock: () => number
}

const maxRedirects = 5
const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status)

const containsSecret = (url: URL, secrets: readonly string[]): boolean =>
  secrets.some(secret => url.href.includes(secret) || url.href.includes(encodeURIComponent(secret)))

/** The target of a redirect. Throws if it is less secure than the request. */
const targetOf = (answer: Response, from: URL, { url, secrets }: Address): URL => {
  const location = answer.headers.get('location')
  const target = location === null ? null : URL.parse(location, from)
  if (target === null) throw new FetchFailure('later', 'the server redirects without a target')
  const isWeb = target.protocol === 'https:' || (target.protocol === 'http:' && from.protocol === 'http:')
  if (!isWeb || target.username !== '' || target.password !== '')
    throw new FetchFailure('later', `the server redirects to ${target.protocol}//${target.host}, which is not followed`)
  if (target.origin !== new URL(url).origin && containsSecret(target, secrets)) {
    throw new FetchFailure(
      'later',
      `the server redirects to ${target.origin} with the license key in the URL, which is not followed`,
    )
  }
  return target
}

/**
 * Requests a file and follows redirects without sending credentials to another origin: a vendor's storage would reject
 * them, and no one else may have them.
 * @throws FetchFailure unless the status is 200, 206, 304 or 416
 */
export const request = async (
  address: Address,
  headers: Record<string, string>,
  { signal, timeout, clock }: RequestOptions,
): Promise<Response> => {
  let url = new URL(address.url)
  const { origin } = url
  let authorization = address.authorization
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(new FetchFailure('later', 'the server does not answer')), timeout)
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
  throw new FetchFailure('later', 'the server redirects too often')
}

/** @param address null after a redirect to another origin */
const accepted = async (answer: Response, address: Address | null, clock: () => number): Promise<Response> => {
  const { status, headers } = answer
  if (status === 200 || status === 206 || status === 304 || status === 416) return answer
  await answer.body?.cancel()
  if (status === 404 || status === 410) throw new FetchFailure('missing', 'the server has no such file')
  // The storage of a vendor does not check the key: there the failure is temporary.
  if ((status === 401 || status === 403) && address !== null)
    throw new FetchFailure(
      'refused',
      `the server rejected ${address.secrets.length > 0 ? 'the license key' : 'the request'} (${status})`,
    )
  if (status === 429)
    throw new FetchFailure('later', 'the server has received too many requests (429)', retryAfter(headers, clock()))
  throw new FetchFailure('later', `the server answered ${status}`, retryAfter(headers, clock()))
}

/** Requests a small text, such as a checksum. */
export const requestText = async (
  address: Address,
  maxBytes: number,
  requestOptions: RequestOptions,
): Promise<string> => {
  const late = AbortSignal.timeout(requestOptions.timeout)
  const answer = await request(
    address,
    {},
    { ...requestOptions, signal: AbortSignal.any([requestOptions.signal, late]) },
  )
  const { text, cut } = await boundedText(answer, maxBytes)
  if (cut) throw new FetchFailure('broken', 'the checksum file is too large')
  return text
}
