// The requests of the mixed load, and how the ledger must count each of them.
import type { RandomSource } from './random.ts'
import type { CollectionRequest } from './sender.ts'

export type Outcome = 'accepted' | 'repeated' | 'unmatched' | 'invalid' | 'bot'

/** `status`: the expected status of the response. */
export type Planned = { sent: CollectionRequest; outcome: Outcome; status: number }

const visitors = 5000
const anyVisitor = (random: RandomSource): number => random.below(visitors)

const hit = (random: RandomSource): Planned => ({
  outcome: 'accepted',
  status: 204,
  sent: {
    endpoint: 'hit',
    visitor: anyVisitor(random),
    body: { page_url: `/page/${random.below(200)}?utm_source=news`, title: 'A page', pvid: random.id() },
  },
})

const event = (random: RandomSource): Planned => ({
  outcome: 'accepted',
  status: 204,
  sent: {
    endpoint: 'event',
    visitor: anyVisitor(random),
    body: { name: 'signup', event_id: random.id(), properties: { plan: random.pick(['free', 'pro']) } },
  },
})

const engagement = (random: RandomSource, { visitor, body }: CollectionRequest): Planned => ({
  outcome: 'accepted',
  status: 204,
  sent: {
    endpoint: 'engagement',
    visitor,
    body: { pvid: body.pvid, engagement_time: random.below(600), scroll_depth: random.below(101) },
  },
})

const engagementWithoutView = (random: RandomSource): Planned => ({
  outcome: 'unmatched',
  status: 204,
  sent: { endpoint: 'engagement', visitor: anyVisitor(random), body: { pvid: random.id(), engagement_time: 5 } },
})

const invalidHit = (random: RandomSource): Planned => ({
  outcome: 'invalid',
  status: 400,
  sent: { endpoint: 'hit', visitor: anyVisitor(random), body: { title: 'without a page' } },
})

const botHit = (random: RandomSource): Planned => {
  const { sent } = hit(random)
  return {
    outcome: 'bot',
    status: 204,
    sent: { ...sent, userAgent: 'Googlebot/2.1 (+http://www.google.com/bot.html)' },
  }
}

/** The next request of a connection; `view` is its last acknowledged one. */
export const plan = (random: RandomSource, view: CollectionRequest | null): Planned => {
  const roll = random.below(100)
  if (roll < 5) return invalidHit(random)
  if (roll < 10) return botHit(random)
  if (roll < 15) return engagementWithoutView(random)
  if (roll < 30) return event(random)
  if (view !== null && roll < 40) return { outcome: 'repeated', status: 204, sent: view }
  if (view !== null && roll < 50) return engagement(random, view)
  return hit(random)
}
