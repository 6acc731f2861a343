import { checkHeader, outcomeHeader } from '../../collection/handler.ts'
import { cdnOf, cdnStep, type Cdn } from './cdn.ts'
import { explain, load, stop, type Limits, type Loaded, type Stage } from './load.ts'
import type { Page } from './page.ts'
import { failed, ok, type CheckResult } from '../result.ts'

const nginxLine = 'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; (nginx), or the equivalent'

/** Set by the WordPress plugin. */
const viaHeader = 'x-footfall-via'
const ways: Readonly<Record<string, string>> = {
  wordpress: 'Hits pass the WordPress plugin, which needs no setup. Two faster ways are in docs/wordpress.md.',
  'must-use':
    'Hits pass the WordPress plugin before other plugins. The web server itself would be faster: see docs/wordpress.md.',
}

/** A hit without a user agent counts as a bot's: it is processed and counted as refused, but not reported. */
const send = (api: string, page: string, limits: Limits, headers: Record<string, string> = {}): Promise<Loaded> =>
  load(`${api}/hit`, limits, {
    method: 'POST',
    body: JSON.stringify({ page_url: page }),
    redirect: 'manual',
    headers: {
      'content-type': 'text/plain',
      'user-agent': '',
      origin: new URL(page).origin,
      [checkHeader]: '1',
      ...headers,
    },
  })

const refused = (url: string, page: string, { answer, text }: Loaded): Stage<never> => {
  const { origin, host, hostname } = new URL(page)
  if (answer.status === 400 && text.includes('invalid_host')) {
    return stop(
      'hit',
      `The service refuses hits of ${host}: it is not one of the site's hosts.`,
      `Start the service with --site-url ${origin}, or add --allowed-hosts ${hostname}.`,
    )
  }
  if (answer.status === 429)
    return stop(
      'hit',
      'The service throttles this address: too many requests.',
      'Try again later; if visitors share one address, raise --throttle-hits.',
    )
  if (answer.status === 503) return stop('hit', 'The service cannot write now.', "See 'footfall diagnostics'.")
  const target = answer.headers.get('location')
  if (answer.status >= 300 && answer.status < 400 && target !== null) {
    return stop(
      'hit',
      `A hit to ${url} is redirected to ${new URL(target, url).href}, which drops its body.`,
      `Use ${new URL(target, url).origin} in the tracking snippet to avoid the redirect.`,
    )
  }
  return stop(
    'hit',
    `A hit to ${url} is answered with ${answer.status} instead of 204.`,
    'POST requests must reach the service with their body: check the rules of the proxy or firewall.',
  )
}

/** The result for the outcome that the service reports of the hit. */
const outcome = (reported: string | null): CheckResult => {
  if (reported === 'bot') return ok('hit', "Hits reach the service. This one counts as a bot's and is not reported.")
  if (reported === 'off')
    return failed(
      'hit',
      'Hits reach the service, but collection is turned off.',
      "Turn it on with 'footfall settings set tracking_enabled=true'.",
    )
  if (reported === null)
    return failed(
      'hit',
      'The response lacks the outcome of the hit: it comes from another program, or a proxy removes a header.',
      'Check the rules of the proxy for the collection routes.',
    )
  return failed(
    'hit',
    `The hit was '${reported}' instead of 'bot': a proxy replaces the user agent, so browsers cannot be ` +
      'reported apart.',
    'Make the proxy pass the User-Agent header unchanged.',
  )
}

const unlistedProxy = (cdn: Cdn | null): CheckResult =>
  failed(
    'address',
    "The service sees the address of a proxy instead of the visitor's: many visitors would count as one.",
    cdn === null
      ? 'Add the networks of all proxies in front of the service to --trust-proxy. See docs/operate.md.'
      : `Add the networks of ${cdn.name} to --trust-proxy, or let the proxy between take the address from ${cdn.visitor}. ` +
          'See docs/operate.md.',
  )

const address = (seen: string | null, forged: string | null, local: boolean, cdn: Cdn | null): CheckResult => {
  if (local) return ok('address', "Whether visitors' addresses are right cannot be checked through a local address.")
  if (seen === 'private') {
    return failed(
      'address',
      'The service sees a private address: that of the proxy, unless this machine is in the same network as ' +
        'the service.',
      "Trust the proxy's network with --trust-proxy, and make it send X-Forwarded-For. Run this command from " +
        'another network to be sure.',
    )
  }
  if (seen === 'forwarded') return unlistedProxy(cdn)
  if (forged === 'private') {
    return failed(
      'address',
      'Visitors can choose the address that the service sees: the proxy passes on their X-Forwarded-For ' +
        'without adding to it.',
      `Add to the proxy: ${nginxLine}.`,
    )
  }
  if (seen === 'unnamed')
    return failed(
      'address',
      "A trusted proxy does not name the visitor's address: all visitors would count as one.",
      `Add to the proxy: ${nginxLine}.`,
    )
  return ok('address', 'The service sees the public address of this machine, and clients cannot forge it.')
}

/** Each response has an id of its own; the same one twice comes from a cache. */
const isFromCache = (first: Response, second: Response): boolean => {
  const id = first.headers.get('x-request-id')
  return id !== null && id === second.headers.get('x-request-id')
}

/** Sends a hit as a page of the site would, and checks its outcome and the client address that the service saw. */
export const sendHit = async (
  api: string,
  page: Page,
  limits: Limits,
  isLocal: (host: string) => Promise<boolean>,
): Promise<CheckResult[]> => {
  const url = `${api}/hit`
  try {
    const first = await send(api, page.url, limits)
    const { headers } = first.answer
    if (first.answer.status !== 204) return refused(url, page.url, first).steps
    if (headers.get('access-control-allow-origin') !== '*') {
      return [
        failed(
          'hit',
          'The response lacks Access-Control-Allow-Origin: browsers report an error.',
          'Make the proxy pass on the headers of the service.',
        ),
      ]
    }
    const hitResult = outcome(headers.get(outcomeHeader))
    if (hitResult.status !== 'ok') return [hitResult]
    const way = ways[headers.get(viaHeader) ?? '']
    const forged = await send(api, page.url, limits, { 'x-forwarded-for': '10.0.0.1' })
    if (isFromCache(first.answer, forged.answer)) {
      return [
        failed(
          'hit',
          'A cache answers hits instead of the service: two of them got the same response.',
          `Exclude ${new URL(api).pathname} from caching.`,
        ),
      ]
    }
    const local = await isLocal(new URL(url).hostname)
    return [
      hitResult,
      ...(way === undefined ? [] : [ok('way', way)]),
      ...cdnStep(page.headers, headers),
      address(headers.get(checkHeader), forged.answer.headers.get(checkHeader), local, cdnOf(headers)),
    ]
  } catch (error) {
    const { reason, fix } = explain(error, limits)
    return [failed('hit', `A hit to ${url} does not arrive: ${reason}.`, fix)]
  }
}
