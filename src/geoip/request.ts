import { retryAfter } from '../lib/retry-after.ts'
import { FetchFailure } from './failure.ts'

/** Where a file is. */
export type Address = {
  /** May hold a key: never show it. */
  url: string
  /** A hash of the URL without the key: tells one file from another. */
  name: string
  /** The Authorization header, for the URL's own origin. */
  authorization: string | null
  /** What must not be sent to another origin. */
  secrets: readonly string[]
}

export type RequestOptions = {
  signal: AbortSignal
  /** Milliseconds in which a server must send something. */
  timeout: number
  clock: () => number
}

const maxRedirects = 5
const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status)

const holds = (url: URL, secrets: readonly string[]): boolean =>
  secrets.some(secret => url.href.includes(secret) || url.href.includes(encodeURIComponent(secret)))

/** Where a redirect leads; refused if it is less secure than the request. */
const targetOf = (answer: Response, from: URL, { url, secrets }: Address): URL => {
  const location = answer.headers.get('location')
  const target = location === null ? null : URL.parse(location, from)
  if (target === null) throw new FetchFailure('later', 'the server redirects without a target')
  const isWeb = target.protocol === 'https:' || (target.protocol === 'http:' && from.protocol === 'http:')
  if (!isWeb || target.username !== '' || target.password !== '')
    throw new FetchFailure('later', `the server redirects to ${target.protocol}//${target.host}, which is not followed`)
  if (target.origin !== new URL(url).origin && holds(target, secrets)) {
    throw new FetchFailure(
      'later',
      `the server redirects to ${target.origin} with the license key in the address, which is not followed`,
    )
  }
  return target
}

/**
 * Requests a file and follows redirects itself: another origin gets no credentials, which a vendor's storage would refuse
 * and nobody else may have.
 * @throws FetchFailure for what is neither the file, nor a part of it (206), nor 304, nor 416
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

/** `asked`: the address if its own origin has answered; null after a redirect to another one. */
const accepted = async (answer: Response, asked: Address | null, clock: () => number): Promise<Response> => {
  const { status, headers } = answer
  if (status === 200 || status === 206 || status === 304 || status === 416) return answer
  await answer.body?.cancel()
  if (status === 404 || status === 410) throw new FetchFailure('missing', 'the server has no such file')
  // A vendor's storage knows no key: there the failure is temporary.
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
export const requestText = async (
  address: Address,
  maxLength: number,
  requestOptions: RequestOptions,
): Promise<string> => {
  const late = AbortSignal.timeout(requestOptions.timeout)
  const answer = await request(
    address,
    {},
    { ...requestOptions, signal: AbortSignal.any([requestOptions.signal, late]) },
  )
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > maxLength) throw new FetchFailure('broken', 'the file with the checksum is none')
  }
  return text
}
