// What the mixed load is made of, and what the ledger must say of each request.
import type { Dice } from './dice.ts'
import type { Sent } from './sender.ts'

export type Outcome = 'accepted' | 'repeated' | 'unmatched' | 'invalid' | 'bot'

/** `status`: what it is answered with. */
export type Planned = { sent: Sent; outcome: Outcome; status: number }

const visitors = 5000
const somebody = (dice: Dice): number => dice.below(visitors)

const hit = (dice: Dice): Planned => ({
  outcome: 'accepted',
  status: 204,
  sent: {
    endpoint: 'hit',
    visitor: somebody(dice),
    body: { page_url: `/page/${dice.below(200)}?utm_source=news`, title: 'A page', pvid: dice.id() },
  },
})

const event = (dice: Dice): Planned => ({
  outcome: 'accepted',
  status: 204,
  sent: {
    endpoint: 'event',
    visitor: somebody(dice),
    body: { name: 'signup', event_id: dice.id(), properties: { plan: dice.pick(['free', 'pro']) } },
  },
})

const engagement = (dice: Dice, { visitor, body }: Sent): Planned => ({
  outcome: 'accepted',
  status: 204,
  sent: {
    endpoint: 'engagement',
    visitor,
    body: { pvid: body.pvid, engagement_time: dice.below(600), scroll_depth: dice.below(101) },
  },
})

const lonely = (dice: Dice): Planned => ({
  outcome: 'unmatched',
  status: 204,
  sent: { endpoint: 'engagement', visitor: somebody(dice), body: { pvid: dice.id(), engagement_time: 5 } },
})

const wrong = (dice: Dice): Planned => ({
  outcome: 'invalid',
  status: 400,
  sent: { endpoint: 'hit', visitor: somebody(dice), body: { title: 'without a page' } },
})

const robot = (dice: Dice): Planned => {
  const { sent } = hit(dice)
  return {
    outcome: 'bot',
    status: 204,
    sent: { ...sent, userAgent: 'Googlebot/2.1 (+http://www.google.com/bot.html)' },
  }
}

/** The next request of a connection; `view` is the last one that it had acknowledged. */
export const plan = (dice: Dice, view: Sent | null): Planned => {
  const roll = dice.below(100)
  if (roll < 5) return wrong(dice)
  if (roll < 10) return robot(dice)
  if (roll < 15) return lonely(dice)
  if (roll < 30) return event(dice)
  if (view !== null && roll < 40) return { outcome: 'repeated', status: 204, sent: view }
  if (view !== null && roll < 50) return engagement(dice, view)
  return hit(dice)
}
