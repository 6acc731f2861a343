import type { AckLog } from './ack-log.ts'
import type { RandomSource } from './random.ts'
import { type CollectionRequest, createSender } from './sender.ts'

const visitors = 600
const pages = 40
const eventNames = ['signup', 'download', 'add_to_cart', 'purchase', 'share'] as const
/** Maximum age of a backdated record in seconds, shorter than the inactivity that ends a visit. */
const maxAge = 240

/** Visitors change after this many milliseconds, so that none pauses for longer than a visit may. */
const epoch = 10 * 60_000
const started = Date.now()

/** A few visitors send many requests, many send one. */
const visitor = (random: RandomSource): number =>
  visitors * Math.floor((Date.now() - started) / epoch) +
  (random.chance(0.5) ? random.below(40) : random.below(visitors))

const pickView = ({ views }: AckLog, random: RandomSource): { pvid: string; visitor: number } | null => {
  const keys = [...views.keys()].slice(-500)
  const pvid = keys[random.below(keys.length)]
  const view = pvid === undefined ? undefined : views.get(pvid)
  return pvid === undefined || view === undefined ? null : { pvid, visitor: view.visitor }
}

const hit = (random: RandomSource): CollectionRequest => {
  const page = random.below(pages)
  const age = random.chance(0.05) ? { age: random.below(maxAge) } : {}
  return {
    endpoint: 'hit',
    visitor: visitor(random),
    body: {
      page_url: `/page/${page}`,
      title: `Page ${page}`,
      pvid: random.id(),
      referrer: 'https://www.google.com/',
      ...age,
    },
  }
}

/** The next request of a connection: mostly a view, else an event or engagement of an existing one, or a repeat. */
const next = (acks: AckLog, before: readonly CollectionRequest[], random: RandomSource): CollectionRequest => {
  const roll = random.below(100)
  const repeated = before[random.below(before.length)]
  if (roll < 10 && repeated !== undefined) return repeated
  const view = roll < 45 ? pickView(acks, random) : null
  if (view === null) return hit(random)
  if (roll < 28)
    return {
      endpoint: 'engagement',
      visitor: view.visitor,
      body: { pvid: view.pvid, engagement_time: random.below(600), scroll_depth: random.below(101) },
    }
  return {
    endpoint: 'event',
    visitor: view.visitor,
    body: { name: random.pick(eventNames), event_id: random.id(), properties: { plan: random.pick(['free', 'pro']) } },
  }
}

/** `unexpected`: statuses other than 204. */
export type Traffic = { answered: number; unexpected: number[] }

/** Sends random requests over some connections without a pause, until the service is gone or `over` returns true. */
export const sendTraffic = async (
  url: string,
  acks: AckLog,
  random: RandomSource,
  options: {
    connections: number
    over: () => boolean
    onAnswer: (count: number) => void
  },
): Promise<Traffic> => {
  const { send, close } = createSender(url, options.connections)
  const before: CollectionRequest[] = []
  const unexpected: number[] = []
  let answered = 0
  const work = async (): Promise<void> => {
    while (!options.over()) {
      const sent = next(acks, before, random)
      const status = await send(sent)
      if (status === 204) {
        acks.acknowledge(sent)
        before.push(sent)
        options.onAnswer((answered += 1))
      } else if (status === 0) {
        acks.unanswered.push(sent)
        return
      } else unexpected.push(status)
    }
  }
  await Promise.all(Array.from({ length: options.connections }, work))
  close()
  return { answered, unexpected }
}

/** Sends unanswered requests again, one after the other: now each must get a 204. */
export const resendUnanswered = async (url: string, acks: AckLog): Promise<number[]> => {
  const { send, close } = createSender(url, 1)
  const unexpected: number[] = []
  for (const sent of acks.unanswered.splice(0)) {
    const status = await send(sent)
    if (status === 204) acks.acknowledge(sent)
    else unexpected.push(status)
  }
  close()
  return unexpected
}
