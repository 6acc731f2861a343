// How generated visitors arrive at the site.
import sources from '../../data/demo/sources.json'
import type { Happening } from './calendar.ts'
import { createPicker, type Picker, pickOne, type Random } from './random.ts'
import type { Kind } from './site.ts'

/** `stays` and `buys` are factors: how likely these visitors are to continue and to buy, relative to others. */
export type Arrival = {
  referrer: string | null
  query: string
  mobile: boolean
  stays: number
  buys: number
  /** The landing page, or a picker of its kind. */
  lands: string | Picker<Kind>
}

type Source = (typeof sources)[number]

const kindsOf = ({ entry }: Source): Picker<Kind> => {
  const kinds = Object.entries(entry).map(([kind, weight]) => ({ kind: kind as Kind, weight }))
  const pick = createPicker(kinds, ({ weight }) => weight)
  return random => pick(random).kind
}

/** Visitors who return on the same day. */
export const returningVisit: Arrival = { referrer: null, query: '', mobile: false, stays: 1.1, buys: 1.6, lands: '/' }

const fillQuery = (query: string, random: Random): string => query.replace('{letter}', pickOne(random, ['a', 'b', 'c']))

export type Arrivals = {
  /** Picks an arrival with the weights at a point of the year, 0..1. */
  on: (progress: number) => Picker<Arrival>
  from: (happening: Happening) => Arrival
}

export const createArrivals = (): Arrivals => {
  const kinds = new Map(sources.map(source => [source, kindsOf(source)]))
  return {
    on: progress => {
      const pick = createPicker(sources, ({ weight: [first = 0, last = 0] }) => first + (last - first) * progress)
      return random => {
        const source = pick(random)
        const lands = kinds.get(source) ?? '/'
        return {
          referrer: source.referrer ?? null,
          query: fillQuery(source.query ?? '', random),
          mobile: source.mobile === true,
          stays: source.stays,
          buys: source.buys,
          lands,
        }
      }
    },
    from: ({ occasion, campaign }) => ({
      referrer: occasion.referrer ?? null,
      query: (occasion.query ?? '').replace('{month}', campaign),
      mobile: occasion.mobile === true,
      stays: occasion.stays ?? 1,
      buys: occasion.buys ?? 1,
      lands: occasion.page ?? '/',
    }),
  }
}
