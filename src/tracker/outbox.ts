// Records on their way to the service: one at a time and in order, so that an event never overtakes its view.
// What fails waits in memory and goes again with its age; pvid and event_id keep it from counting twice.
import { api } from './script.ts'
import { identity, isSilent } from './visitor.ts'

export type Outgoing = {
  kind: 'hit' | 'event' | 'engagement'
  /** When it happened, in milliseconds. */
  at: number
  body: Record<string, unknown>
}

let outbox: Outgoing[] = []
/** How many things hold the next record back: one on its way, a script that still runs, a title to come. */
let holds = 0
let failures = 0
let timer = 0

export const outgoing = (kind: Outgoing['kind'], body: Outgoing['body']): Outgoing => ({ kind, at: Date.now(), body })

const age = (record: Outgoing): number => Math.round((Date.now() - record.at) / 1000)

/** The records that may still go, at most 50 and none of more than an hour; drops the others. */
const due = (): Outgoing[] => (outbox = isSilent() ? [] : outbox.filter(record => age(record) <= 3600).slice(-50))

/**
 * A text is posted as text/plain, for which no browser asks the other host first; `keepalive` lets it outlive its page
 * as a beacon does, but with an answer. No answer at all has the status 0.
 */
const post = (record: Outgoing): Promise<Response> =>
  fetch(`${api}/${record.kind}`, {
    method: 'POST',
    body: JSON.stringify({ ...record.body, ...identity(), age: age(record) }),
    keepalive: true,
  }).catch(Response.error)

/** Sends what waits, up to the first failure; then pauses for as long as the service asks, or longer each time. */
export const flush = async (): Promise<void> => {
  const record = holds ? undefined : due().shift()
  if (!record) return
  holds++
  const { status, headers } = await post(record)
  holds--
  if (status && status < 500 && status !== 429) {
    failures = 0
    return flush()
  }
  outbox.unshift(record)
  clearTimeout(timer)
  timer = setTimeout(flush, 1000 * Math.min(Number(headers.get('Retry-After')) || 5 * 2 ** failures++, 600))
}

/** With a network again, pauses begin anew: a try under way may still fail by the lack of one. */
export const resume = (): void => {
  failures = 0
  flush()
}

/** Sends a record when the running script has ended, so that a consent given in the same breath counts, or later. */
export const send = (record: Outgoing, delay?: number): void => {
  if (!outbox.includes(record)) outbox.push(record)
  holds++
  setTimeout(() => {
    holds--
    flush()
  }, delay)
}

/** Sends a record now or never: figures that later ones will replace need no second try. */
export const sendOnce = (record: Outgoing): void => {
  if (!isSilent()) post(record)
}

/** Sends at once all that waits, from a page that may not come back; if it does, all goes again and is known by its id. */
export const sendAll = (): void => due().forEach(post)
