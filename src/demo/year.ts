import { addDays, type Day, daysBetween, eachDay, type Zone } from '../lib/time.ts'
import { type Arrival, createArrivals, returningVisit } from './arrivals.ts'
import { arrivalTime, busyness, dailyVariation, happenings, progressOf } from './calendar.ts'
import { firstOrder, priceOf } from './orders.ts'
import { createPeople, type People, type Person } from './people.ts'
import { between, chance, createRandom, type Picker, pickOne, type Random, seedOf } from './random.ts'
import type { Request } from './recorder.ts'
import { createSite, foreignHosts, type Kind, type Page, siteUrl } from './site.ts'
import { generateVisit, type Purchase, type VisitContext } from './visit.ts'

// Requests that are refused and counted: bots, staff, copies of the site, invalid requests.

type NoiseOptions = {
  random: Random
  people: People
  pages: (kind: Kind) => Picker<Page>
  randomTime: () => number
  nextId: () => string
}

/** Requests of each kind, as a share of the day's visits. */
const shares = { bot: 0.34, staff: 0.012, foreign: 0.015, broken: 0.004, late: 0.008 }

const generateNoise = ({ random, people, pages, randomTime, nextId }: NoiseOptions, visits: number): Request[] => {
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

export type YearOptions = {
  zone: Zone
  seed: number
  from: Day
  to: Day
  /** Time in seconds at which the data ends. */
  end: number
  /** Whether the year ends now, so that visitors must be active. */
  live: boolean
  /** Approximate total of visits. */
  visits: number
  /** Country of the site, null if none. */
  home: string | null
}

export type GeneratedDay = { day: Day; requests: Request[]; purchases: Purchase[] }

const hour = 3600
const returning = 0.08
/** Active visitors at the end of a live year. */
const active = { people: 24, seconds: 25 * 60 }
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-'
const idLength = 21

/** Ids like those of the tracker. */
const createIds = (random: Random) => (): string => {
  let id = ''
  for (let bits = 0; id.length < idLength; bits >>>= 6) {
    if (id.length % 5 === 0) bits = random() * 2 ** 30
    id += alphabet.charAt(bits & 63)
  }
  return id
}

/**
 * Generates the requests and purchases of a year day by day, deterministic by its options. Requests of a visit that
 * continues after midnight belong to the next day.
 */
export function* generateYear({ zone, seed, from, to, end, live, visits, home }: YearOptions): Generator<GeneratedDay> {
  const [site, people, arrivals] = [createSite(to), createPeople(home), createArrivals()]
  const special = happenings(from, to)
  const usual = visits / daysBetween(from, to)
  let order = firstOrder
  let carriedOver: Request[] = []

  for (const [index, day] of eachDay(from, to).entries()) {
    const random = createRandom(seedOf(seed, index))
    const progress = progressOf(day, from, to)
    const pages = site.on(day, progress)
    const pickArrival = arrivals.on(progress)
    const context: VisitContext = { site, pages, random, nextId: createIds(random), nextOrder: () => order++, priceOf }
    const generated: GeneratedDay = { day, requests: carriedOver, purchases: [] }
    const dayEnd = zone.startOf(addDays(day, 1))

    const addVisit = (arrival: Arrival, person: Person, at: number): void => {
      if (at >= end) return
      const visit = generateVisit(context, person, arrival, at)
      generated.requests.push(...visit.requests)
      generated.purchases.push(...visit.purchases.filter(purchase => purchase.at < end))
      if (chance(random, returning)) addVisit(returningVisit, person, visit.end + between(random, hour, 7 * hour))
    }
    const addVisitor = (arrival: Arrival): void => {
      const person = people.generate(random, zone.startOf(day), arrival.mobile)
      addVisit(arrival, person, arrivalTime(random, day, zone, person.zone))
    }
    const shares = special.get(day) ?? []
    const down = shares.reduce((sum, { share }) => sum + Math.min(0, share), 0)
    const expected = usual * busyness(day, progress) * dailyVariation(random) * (1 + down)
    for (let count = 0; count < expected; count++) addVisitor(pickArrival(random))
    for (const happening of shares)
      for (let count = 0; count < expected * happening.share; count++) addVisitor(arrivals.from(happening))
    if (live && day === to) {
      for (let count = 0; count < active.people; count++)
        addVisit(pickArrival(random), people.generate(random, end, false), end - between(random, 5, active.seconds))
    }
    const randomTime = (): number => zone.startOf(day) + between(random, 0, 24 * hour - 1)
    generated.requests.push(...generateNoise({ random, people, pages, randomTime, nextId: context.nextId }, expected))

    const due = generated.requests.filter(({ incoming }) => incoming.at < Math.min(dayEnd, end))
    carriedOver = generated.requests.filter(({ incoming }) => incoming.at >= dayEnd && incoming.at < end)
    yield { ...generated, requests: due.sort((a, b) => a.incoming.at - b.incoming.at) }
  }
}
