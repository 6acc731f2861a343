// What comes to a site besides its visitors, and is refused and counted: bots, its own people, copies of it, broken requests.
import type { People } from './people.ts'
import { between, pickOne, type Random } from './random.ts'
import { foreignHosts, siteUrl, type Kind, type Page } from './site.ts'
import type { Picker } from './random.ts'
import type { Request } from './recorder.ts'

type Scene = {
  random: Random
  people: People
  pages: (kind: Kind) => Picker<Page>
  moment: () => number
  nextId: () => string
}

/** Of the day's visits, how many requests of each sort. */
const shares = { bot: 0.34, staff: 0.012, foreign: 0.015, broken: 0.004, late: 0.008 }

export const makeNoise = ({ random, people, pages, moment, nextId }: Scene, visits: number): Request[] => {
  const many = (share: number, make: () => Request): Request[] =>
    Array.from({ length: Math.round(visits * share + random()) }, make)
  const hit = (page: string, more: Partial<Request['incoming']>): Request => ({
    incoming: { kind: 'hit', at: moment(), address: null, userAgent: '', headers: new Map(), ...more },
    body: { page_url: page, pvid: nextId() },
  })
  const usual = () => people.make(random, moment(), false)
  const person = () => {
    const { address, agent, headers } = usual()
    return { address, userAgent: agent, headers }
  }
  const some = (): string => `${siteUrl}${pages(pickOne(random, ['post', 'product', 'list'] as const))(random).path}`
  return [
    ...many(shares.bot, () => hit(some(), { userAgent: people.bot(random) })),
    ...many(shares.staff, () => hit(some(), { ...person(), roles: ['administrator'] })),
    ...many(shares.foreign, () => hit(`https://${pickOne(random, foreignHosts)}/`, person())),
    ...many(shares.broken, () => ({ ...hit('', person()), body: {} })),
    // What a browser sends when it wakes up the next day: nobody knows its view any more.
    ...many(shares.late, () => ({
      incoming: { ...hit('', person()).incoming, kind: 'engagement' },
      body: { pvid: nextId(), engagement_time: between(random, 5, 90) },
    })),
  ]
}
