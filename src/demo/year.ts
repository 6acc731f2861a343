import { addDays, daysBetween, eachDay, type Day, type Zone } from '../lib/time.ts'
import { again, createArrivals, type Arrival } from './arrivals.ts'
import { busyness, happenings, momentOf, progressOf, weather } from './calendar.ts'
import { makeNoise } from './noise.ts'
import { firstOrder, priceOf } from './orders.ts'
import { createPeople, type Person } from './people.ts'
import { between, chance, createRandom, seedOf, type Random } from './random.ts'
import { createSite } from './site.ts'
import type { Request } from './recorder.ts'
import { makeVisit, type Purchase, type Stage } from './visit.ts'

export type YearOptions = {
  zone: Zone
  seed: number
  from: Day
  to: Day
  /** Nothing happens from this second on. */
  end: number
  /** Whether the year ends now, so that someone must be there. */
  live: boolean
  /** Visits in all, about. */
  visits: number
  /** Country of the site, null if none. */
  home: string | null
}

export type MadeDay = { day: Day; requests: Request[]; purchases: Purchase[] }

const hour = 3600
const returning = 0.08
/** Those who are there when the year ends now. */
const present = { people: 24, seconds: 25 * 60 }
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-'
const idLength = 21

/** Ids as the tracker makes them. */
const createIds = (random: Random) => (): string => {
  let id = ''
  for (let bits = 0; id.length < idLength; bits >>>= 6) {
    if (id.length % 5 === 0) bits = random() * 2 ** 30
    id += letters.charAt(bits & 63)
  }
  return id
}

/** Day by day what a site gets in a year: the same options give the same. A visit that goes on after midnight stays whole. */
export function* makeYear({ zone, seed, from, to, end, live, visits, home }: YearOptions): Generator<MadeDay> {
  const [site, people, arrivals] = [createSite(to), createPeople(home), createArrivals()]
  const special = happenings(from, to)
  const usual = visits / daysBetween(from, to)
  let order = firstOrder
  let left: Request[] = []

  for (const [index, day] of eachDay(from, to).entries()) {
    const random = createRandom(seedOf(seed, index))
    const progress = progressOf(day, from, to)
    const pages = site.on(day, progress)
    const pickArrival = arrivals.on(progress)
    const stage: Stage = { site, pages, random, nextId: createIds(random), nextOrder: () => order++, priceOf }
    const made: MadeDay = { day, requests: left, purchases: [] }
    const dayEnd = zone.startOf(addDays(day, 1))

    const come = (arrival: Arrival, person: Person, second: number): void => {
      if (second >= end) return
      const visit = makeVisit(stage, person, arrival, second)
      made.requests.push(...visit.requests)
      made.purchases.push(...visit.purchases.filter(purchase => purchase.second < end))
      if (chance(random, returning)) come(again, person, visit.end + between(random, hour, 7 * hour))
    }
    const someone = (arrival: Arrival): void => {
      const person = people.make(random, zone.startOf(day), arrival.mobile)
      come(arrival, person, momentOf(random, day, zone, person.zone))
    }
    const shares = special.get(day) ?? []
    const down = shares.reduce((sum, { share }) => sum + Math.min(0, share), 0)
    const expected = usual * busyness(day, progress) * weather(random) * (1 + down)
    for (let count = 0; count < expected; count++) someone(pickArrival(random))
    for (const happening of shares)
      for (let count = 0; count < expected * happening.share; count++) someone(arrivals.by(happening))
    if (live && day === to) {
      for (let count = 0; count < present.people; count++)
        come(pickArrival(random), people.make(random, end, false), end - between(random, 5, present.seconds))
    }
    const moment = (): number => zone.startOf(day) + between(random, 0, 24 * hour - 1)
    made.requests.push(...makeNoise({ random, people, pages, moment, nextId: stage.nextId }, expected))

    const due = made.requests.filter(({ incoming }) => incoming.at < Math.min(dayEnd, end))
    left = made.requests.filter(({ incoming }) => incoming.at >= dayEnd && incoming.at < end)
    yield { ...made, requests: due.sort((one, other) => one.incoming.at - other.incoming.at) }
  }
}
