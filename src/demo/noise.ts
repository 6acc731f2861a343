// Requests that are refused and counted: bots, staff, copies of the site, invalid requests.
import type { People } from './people.ts'
import type { Picker } from './random.ts'
import { between, pickOne, type Random } from './random.ts'
import type { Request } from './recorder.ts'
import { foreignHosts, type Kind, type Page, siteUrl } from './site.ts'

type NoiseOptions = {
  random: Random
  people: People
  pages: (kind: Kind) => Picker<Page>
  randomTime: () => number
  nextId: () => string
}

/** Requests of each kind, as a share of the day's visits. */
const shares = { bot: 0.34, staff: 0.012, foreign: 0.015, broken: 0.004, late: 0.008 }

export const generateNoise = (
  { random, people, pages, randomTime, nextId }: NoiseOptions,
  visits: number,
): Request[] => {
  const repeat = (share: number, make: () => Request): Request[] =>
    Array.from({ length: Math.round(visits * share + random()) }, make)
  const hit = (page: string, more: Partial<Request['incoming']>): Request => ({
    incoming: { kind: 'hit', at: randomTime(), address: null, userAgent: '', headers: new Map(), ...more },
    body: { page_url: page, pvid: nextId() },
  })
  const anyPerson = () => people.generate(random, randomTime(), false)
  const person = () => {
    const { address, agent, headers } = anyPerson()
    return { address, userAgent: agent, headers }
  }
  const anyPage = (): string => `${siteUrl}${pages(pickOne(random, ['post', 'product', 'list'] as const))(random).path}`
  return [
    ...repeat(shares.bot, () => hit(anyPage(), { userAgent: people.bot(random) })),
    ...repeat(shares.staff, () => hit(anyPage(), { ...person(), roles: ['administrator'] })),
    ...repeat(shares.foreign, () => hit(`https://${pickOne(random, foreignHosts)}/`, person())),
    ...repeat(shares.broken, () => ({ ...hit('', person()), body: {} })),
    // Sent by a browser that wakes up the next day, when its view is forgotten.
    ...repeat(shares.late, () => ({
      incoming: { ...hit('', person()).incoming, kind: 'engagement' },
      body: { pvid: nextId(), engagement_time: between(random, 5, 90) },
    })),
  ]
}
