import { lookup } from 'node:dns/promises'
import listed from '../../../data/blocked-addresses.txt'
import { checkHeader, outcomeHeader } from '../../collection/handler.ts'
import { isPrivateAddress, parseAddress } from '../../lib/address/list.ts'
import { dataRows } from '../../lib/data-rows.ts'
import { lazy } from '../../lib/lazy.ts'
import { type CheckResult, failed, ok } from '../result.ts'
import { type Sentence, say } from '../sentences.ts'
import { type Cdn, cdnOf, cdnStep } from './cdn.ts'
import { defaultLimits, explain, type Limits, type Loaded, load, type Stage, stop } from './load.ts'
import { blockedRequests, findApi, findTag, type Page } from './page.ts'

// Whether visitors' content blockers stop the tracker, its hits or the pixel by their address.

/** What blocked addresses hold: texts in this order, lower case, with `…` between them; `//` before a host. */
export const blockedForms = lazy<readonly string[]>(() =>
  dataRows(listed).flatMap(([form = '', words = '']) => words.split(' ').map(word => form.replace('{}', word))),
)

const holds = (address: string, form: string): boolean => {
  const [first = '', second = ''] = form.split('…')
  const at = address.indexOf(first)
  return at >= 0 && address.includes(second, at + first.length)
}

/** The first form that an address has. */
export const blockedForm = (url: string): string | undefined => {
  const address = url.toLowerCase()
  return blockedForms().find(form => holds(address, form))
}

type Address = { what: Sentence; url: string; rename: Sentence }

const addressesOf = ({ tag, pixels }: Page, api: string): Address[] => [
  {
    what: say('blocked_tracker'),
    url: tag.src,
    rename: say('blocked_tracker_fix'),
  },
  ...['hit', 'event', 'engagement'].map(
    (kind): Address => ({
      what: say('blocked_request', { kind }),
      url: `${api}/${kind}`,
      rename: say('blocked_request_fix'),
    }),
  ),
  ...pixels.map(
    (url): Address => ({
      what: say('blocked_pixel'),
      url,
      rename: say('blocked_pixel_fix'),
    }),
  ),
]

/** One warning for each form of address that content blockers stop; none of them is a failure. */
export const blockerWarnings = (page: Page, api: string): CheckResult[] => {
  const warned = new Set<string>()
  return addressesOf(page, api).flatMap(({ what, url, rename }) => {
    const form = blockedForm(url)
    if (form === undefined || warned.has(form)) return []
    warned.add(form)
    const { hostname } = new URL(url)
    return [
      {
        id: 'blockers',
        status: 'warning',
        message: say('blockers', { what, url, form: form.replace('//', '') }),
        fix: form.startsWith('//') ? say('blocked_host_fix', { hostname }) : rename,
      },
    ]
  })
}

const nginxLine = say('proxy_line')

/** Set by the WordPress plugin. */
const viaHeader = 'x-footfall-via'
const ways: Readonly<Record<string, Sentence>> = {
  wordpress: say('way_wordpress'),
  'must-use': say('way_must_use'),
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
    return stop('hit', say('hit_host', { host }), say('hit_host_fix', { origin, hostname }))
  }
  if (answer.status === 429) return stop('hit', say('hit_throttled'), say('hit_throttled_fix'))
  if (answer.status === 503) return stop('hit', say('hit_storage'), say('hit_storage_fix'))
  const target = answer.headers.get('location')
  if (answer.status >= 300 && answer.status < 400 && target !== null) {
    return stop(
      'hit',
      say('hit_redirected', { url, target: new URL(target, url).href }),
      say('hit_redirected_fix', { origin: new URL(target, url).origin }),
    )
  }
  return stop('hit', say('hit_status', { url, status: answer.status }), say('hit_status_fix'))
}

/** The result for the outcome that the service reports of the hit. */
const outcome = (reported: string | null): CheckResult => {
  if (reported === 'bot') return ok('hit', say('hit_counted'))
  if (reported === 'off') return failed('hit', say('hit_off'), say('tracking_off_fix'))
  if (reported === null) return failed('hit', say('outcome_missing'), say('outcome_missing_fix'))
  return failed('hit', say('outcome_other', { reported }), say('outcome_other_fix'))
}

const unlistedProxy = (cdn: Cdn | null): CheckResult =>
  failed(
    'address',
    say('proxy_unlisted'),
    cdn === null ? say('proxy_unlisted_fix') : say('cdn_unlisted_fix', { name: cdn.name, visitor: cdn.visitor }),
  )

const address = (seen: string | null, forged: string | null, local: boolean, cdn: Cdn | null): CheckResult => {
  if (local) return ok('address', say('address_local'))
  if (seen === 'private') {
    return failed('address', say('address_private'), say('address_private_fix'))
  }
  if (seen === 'forwarded') return unlistedProxy(cdn)
  if (forged === 'private') {
    return failed('address', say('address_forged'), say('proxy_fix', { line: nginxLine }))
  }
  if (seen === 'unnamed') return failed('address', say('address_unnamed'), say('proxy_fix', { line: nginxLine }))
  return ok('address', say('address_ok'))
}

/** Each response has an id of its own; the same one twice comes from a cache. */
const isFromCache = (first: Response, second: Response): boolean => {
  const id = first.headers.get('x-request-id')
  return id !== null && id === second.headers.get('x-request-id')
}

/** Sends a hit as a page of the site would, and checks its outcome and the client address that the service saw. */
const sendHit = async (
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
      return [failed('hit', say('cors_missing'), say('cors_missing_fix'))]
    }
    const hitResult = outcome(headers.get(outcomeHeader))
    if (hitResult.status !== 'ok') return [hitResult]
    const way = ways[headers.get(viaHeader) ?? '']
    const forged = await send(api, page.url, limits, { 'x-forwarded-for': '10.0.0.1' })
    if (isFromCache(first.answer, forged.answer)) {
      return [failed('hit', say('hits_cached'), say('hits_cached_fix', { path: new URL(api).pathname }))]
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
    return [failed('hit', say('hit_lost', { url, reason }), fix)]
  }
}

type Lookup = (host: string) => Promise<readonly string[]>

const lookUp: Lookup = async host => (await lookup(host, { all: true })).map(({ address }) => address)

const isPrivate = (text: string): boolean => {
  const address = parseAddress(text)
  return address !== null && isPrivateAddress(address)
}

/** Whether a host is reached over a local network: by its name, its address, or the addresses that its name has here. */
export const isLocalHost = async (host: string, addressesOf: Lookup = lookUp): Promise<boolean> => {
  const plain = host.replace(/^\[|\]$/g, '')
  if (parseAddress(plain) !== null) return isPrivate(plain)
  if (/(?:^|\.)localhost$|\.(?:test|local|internal)$/.test(plain)) return true
  const addresses = await addressesOf(plain).catch(() => [])
  return addresses.length > 0 && addresses.every(isPrivate)
}

export type CheckOptions = {
  page: string
  /** Paths under which the tracker is served. */
  trackerPaths: readonly string[]
  /** The tracker's text, with its placeholders. */
  tracker: string
  limits?: Limits
  /** Whether a host is reached over a local network, so that client addresses cannot be checked. */
  isLocal?: (host: string) => Promise<boolean>
}

/** Checks in order: page, snippet, tracker, hit, client address. Stops at the first failure. */
export const checkSite = async ({
  page: address,
  trackerPaths,
  tracker,
  limits = defaultLimits,
  isLocal = isLocalHost,
}: CheckOptions): Promise<CheckResult[]> => {
  const { steps, value: page } = await findTag(address, trackerPaths, limits)
  if (page === null) return steps
  const api = await findApi(page.tag, tracker, limits)
  steps.push(...api.steps)
  if (api.value === null) return steps
  steps.push(...blockerWarnings(page, api.value))
  const blocked = blockedRequests(page, api.value)
  return [...steps, ...(blocked.length > 0 ? blocked : await sendHit(api.value, page, limits, isLocal))]
}
