// The queue of records to send: one at a time and in order, so that an event never overtakes its view.
// Failed records stay in memory and are sent again with their age; pvid and event_id keep them from counting twice.
import { api, settings } from './script.ts'
import { identity, isSilent } from './visitor.ts'

export type Outgoing = {
  kind: 'hit' | 'event' | 'engagement'
  /** When it happened, in milliseconds. */
  at: number
  body: Record<string, unknown>
}

/** Records that have not been sent. */
export let outbox: Outgoing[] = []
/** How many reasons delay the next record: a request under way, a running script, a title to come. */
let holds = 0
let failures = 0
let timer = 0

export const outgoing = (kind: Outgoing['kind'], body: Outgoing['body']): Outgoing => ({ kind, at: Date.now(), body })

const age = (record: Outgoing): number => ((Date.now() - record.at) / 1000) | 0

/** Whether a list of paths such as `/about,/admin/*` has that of an address; the page's own before the first view. */
const isListed = (list: string, address: unknown): boolean => {
  const { pathname } = new URL(address as string, location.href)
  return list.split(/, */).some(path => path === pathname || path === `${pathname.slice(0, path.length - 1)}*`)
}

/** Whether visitor and page let a record be sent. */
export const isAllowed = ({ body: { page_url } }: Outgoing): boolean =>
  isListed(settings.include ?? '*', page_url) && !isListed(settings.exclude ?? '', page_url) && !isSilent()

/** The records that may still be sent, at most 50 and none older than an hour; drops the others. */
const due = (): Outgoing[] => (outbox = outbox.filter(record => isAllowed(record) && age(record) <= 3600).slice(-50))

/**
 * A string is posted as text/plain, which needs no CORS preflight; `keepalive` lets the request outlive its page,
 * as a beacon does, but with a response. The status is 200 if the page keeps it back, 0 without a response.
 */
const post = async (record: Outgoing): Promise<Response> => {
  try {
    const all = { ...record.body, ...identity(), age: age(record) }
    const body = footfall.before ? footfall.before(all) : all
    return body
      ? await fetch(`${api}/${record.kind}`, { method: 'POST', body: JSON.stringify(body), keepalive: true })
      : new Response()
  } catch {
    return Response.error()
  }
}

/** Sends the queue up to the first failure; then waits as long as Retry-After says, or longer each time. */
export const flush = (): void => {
  const record = !holds && due().shift()
  if (!record) return
  holds++
  post(record).then(({ status, headers }) => {
    holds--
    if (status && status < 500 && status !== 429) return resume()
    outbox.unshift(record)
    clearTimeout(timer)
    timer = setTimeout(flush, 1000 * Math.min(+(headers.get('Retry-After') as string) || 5 * 2 ** failures++, 600))
  })
}

/** Sends the queue with the backoff reset: after a success, and back online, as a request under way may still fail. */
export const resume = (): void => {
  failures = 0
  flush()
}

/** Sends a record after the running script, so that consent given in the same script counts, or after a delay. */
export const send = (record: Outgoing, delay?: number): void => {
  if (!outbox.includes(record)) outbox.push(record)
  holds++
  setTimeout(() => {
    holds--
    flush()
  }, delay)
}

/** Sends a record without retrying: later figures will replace it. */
export const sendOnce = (record: Outgoing): void => {
  if (isAllowed(record)) post(record)
}

/** Sends the whole queue at once from a page that may not return; if it does, duplicates are detected by their ids. */
export const sendAll = (): void => due().forEach(post)
