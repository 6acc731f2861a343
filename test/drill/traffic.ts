import type { Account } from './account.ts'
import type { Dice } from './dice.ts'
import { createSender, type Sent } from './sender.ts'

const visitors = 600
const pages = 40
const eventNames = ['signup', 'download', 'add_to_cart', 'purchase', 'share'] as const
/** Records dated back by up to this, in seconds: within the pause that ends a visit. */
const oldest = 240

/** Others come after a while, so that nobody pauses for longer than a visit goes on. */
const epoch = 10 * 60_000
const started = Date.now()

/** A few visitors come again and again, many once. */
const visitor = (dice: Dice): number =>
  visitors * Math.floor((Date.now() - started) / epoch) + (dice.chance(0.5) ? dice.below(40) : dice.below(visitors))

const known = ({ views }: Account, dice: Dice): { pvid: string; visitor: number } | null => {
  const keys = [...views.keys()].slice(-500)
  const pvid = keys[dice.below(keys.length)]
  const view = pvid === undefined ? undefined : views.get(pvid)
  return pvid === undefined || view === undefined ? null : { pvid, visitor: view.visitor }
}

const hit = (dice: Dice): Sent => {
  const page = dice.below(pages)
  const age = dice.chance(0.05) ? { age: dice.below(oldest) } : {}
  return {
    endpoint: 'hit',
    visitor: visitor(dice),
    body: {
      page_url: `/page/${page}`,
      title: `Page ${page}`,
      pvid: dice.id(),
      referrer: 'https://www.google.com/',
      ...age,
    },
  }
}

/** The next request of a connection: mostly a view, else something about one that is there, or one that was sent before. */
const next = (account: Account, before: readonly Sent[], dice: Dice): Sent => {
  const roll = dice.below(100)
  const repeated = before[dice.below(before.length)]
  if (roll < 10 && repeated !== undefined) return repeated
  const view = roll < 45 ? known(account, dice) : null
  if (view === null) return hit(dice)
  if (roll < 28)
    return {
      endpoint: 'engagement',
      visitor: view.visitor,
      body: { pvid: view.pvid, engagement_time: dice.below(600), scroll_depth: dice.below(101) },
    }
  return {
    endpoint: 'event',
    visitor: view.visitor,
    body: { name: dice.pick(eventNames), event_id: dice.id(), properties: { plan: dice.pick(['free', 'pro']) } },
  }
}

/** `others`: answers that should not have come. */
export type Traffic = { answered: number; others: number[] }

/** Random requests over some connections without a pause, until the service is gone or it is over. */
export const sendTraffic = async (
  url: string,
  account: Account,
  dice: Dice,
  options: {
    connections: number
    over: () => boolean
    answered: (count: number) => void
  },
): Promise<Traffic> => {
  const { send, close } = createSender(url, options.connections)
  const before: Sent[] = []
  const others: number[] = []
  let answered = 0
  const work = async (): Promise<void> => {
    while (!options.over()) {
      const sent = next(account, before, dice)
      const status = await send(sent)
      if (status === 204) {
        account.acknowledge(sent)
        before.push(sent)
        options.answered((answered += 1))
      } else if (status === 0) {
        account.doubtful.push(sent)
        return
      } else others.push(status)
    }
  }
  await Promise.all(Array.from({ length: options.connections }, work))
  close()
  return { answered, others }
}

/** Sends again, one after the other, what got no answer: now each must get its 204. */
export const settleDoubts = async (url: string, account: Account): Promise<number[]> => {
  const { send, close } = createSender(url, 1)
  const others: number[] = []
  for (const sent of account.doubtful.splice(0)) {
    const status = await send(sent)
    if (status === 204) account.acknowledge(sent)
    else others.push(status)
  }
  close()
  return others
}
