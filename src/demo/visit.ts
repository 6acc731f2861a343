// One made-up visit: the requests that a browser with the tracker would send, and what is bought.
import type { Body } from '../collection/ingest/fields/common.ts'
import type { Incoming, Kind as RequestKind } from '../collection/record.ts'
import { dayText } from '../lib/time.ts'
import type { Arrival } from './arrivals.ts'
import type { Person } from './people.ts'
import { around, between, chance, createPicker, pickOne, type Picker, type Random } from './random.ts'
import {
  downloads,
  missingPages,
  outbound,
  searches,
  siteUrl,
  type Kind,
  type Page,
  type Product,
  type Site,
} from './site.ts'

export type Request = { incoming: Incoming; body: Body }
type Variation = NonNullable<Product['variations']>[number]
export type Chosen = { product: Product; variation: Variation | null; quantity: number }
export type Purchase = {
  order: number
  second: number
  chosen: readonly Chosen[]
  person: Person
  arrival: Arrival
  landing: string
}
export type Visit = { requests: Request[]; purchases: Purchase[]; end: number }

/** What a visit is made with. */
export type Stage = {
  site: Site
  pages: (kind: Kind) => Picker<Page>
  random: Random
  nextId: () => string
  /** The number of the next order. */
  nextOrder: () => number
  priceOf: (chosen: readonly Chosen[], person: Person) => { value: number; currency: string }
}

const longestVisit = 40
/** Of those who land on a page, and of those who see a further one, the share that leaves. */
const leaving: Readonly<Record<Kind, readonly [first: number, later: number]>> = {
  home: [0.4, 0.34],
  list: [0.36, 0.28],
  page: [0.54, 0.44],
  post: [0.7, 0.56],
  product: [0.52, 0.42],
  search: [0.3, 0.3],
  cart: [0.45, 0.4],
  checkout: [0.55, 0.5],
  thanks: [0.9, 0.9],
  missing: [0.74, 0.62],
}
/** Seconds for which half of the visitors look at a page, and how far they scroll. */
const reading: Readonly<Record<Kind, readonly [seconds: number, scroll: number]>> = {
  home: [14, 45],
  list: [18, 55],
  page: [24, 60],
  post: [58, 62],
  product: [26, 58],
  search: [9, 40],
  cart: [16, 70],
  checkout: [48, 80],
  thanks: [12, 50],
  missing: [5, 90],
}
const onwards: Readonly<Record<Kind, Partial<Record<Kind, number>>>> = {
  home: { list: 48, product: 24, post: 14, page: 14 },
  list: { product: 66, list: 18, post: 6, home: 4, search: 6 },
  page: { home: 28, list: 32, product: 22, page: 18 },
  post: { post: 44, product: 24, list: 18, home: 10, page: 4 },
  product: { product: 42, list: 30, post: 10, home: 8, page: 10 },
  search: { product: 72, list: 28 },
  cart: { list: 50, product: 50 },
  checkout: { cart: 70, page: 30 },
  thanks: { home: 60, post: 40 },
  missing: { home: 60, search: 20, list: 20 },
}
const nextKind = new Map(
  Object.entries(onwards).map(([kind, next]) => {
    const pick = createPicker(Object.entries(next), ([, weight]) => weight)
    return [kind, (random: Random): Kind => pick(random)[0] as Kind]
  }),
)
/** Of those with something in the basket, the share that goes on to buy. */
const buying = { cart: 0.72, checkout: 0.6, buy: 0.62 }

const addressOf = (page: Page, query: string): string => `${siteUrl}${page.path}${query === '' ? '' : `?${query}`}`

const contentOf = ({ kind, resource, author, published }: Page): Body => ({
  resource_type: resource.type,
  resource_id: resource.id,
  ...(author !== null && { author }),
  ...(published !== null && { published_at: `${dayText(published)}T07:00:00Z` }),
  ...(kind === 'missing' && { status: 404 }),
})

type Note = { name: string; properties?: Body; value?: number; order_id?: number }

/** What a visitor does on a page besides reading, by what it is. */
const doings = (page: Page, random: Random): Note[] => {
  const notes: Note[] = []
  const maybe = (share: number, note: () => Note): void => {
    if (chance(random, share)) notes.push(note())
  }
  if (page.kind === 'missing') notes.push({ name: 'not_found' })
  if (page.kind === 'search') notes.push({ name: 'search', properties: { term: pickOne(random, searches) } })
  // Told when the pictures are looked at.
  if (page.kind === 'product')
    maybe(0.7, () => ({ name: 'product_view', properties: { product: page.product?.name ?? '' } }))
  if (page.path === '/contact') maybe(0.2, () => ({ name: 'form_submit', properties: { form: 'contact' } }))
  if (page.path === '/workshops') maybe(0.09, () => ({ name: 'form_submit', properties: { form: 'workshop' } }))
  if (page.path === '/workshops' || page.path === '/blog/a-day-at-the-wheel')
    maybe(0.24, () => ({
      name: 'video_play',
      properties: { video: 'at the wheel', percent: 25 * between(random, 1, 4) },
    }))
  if (page.kind === 'post') {
    maybe(0.045, () => ({ name: 'outbound_link', properties: { url: pickOne(random, outbound) } }))
    maybe(0.02, () => ({ name: 'file_download', properties: { file: pickOne(random, downloads) } }))
    maybe(0.008, () => ({
      name: 'share',
      properties: { network: pickOne(random, ['copy', 'mail', 'pinterest', 'whatsapp']) },
    }))
  }
  maybe(0.011, () => ({
    name: 'newsletter_signup',
    properties: { place: pickOne(random, ['footer', 'footer', 'end of post', 'basket']) },
  }))
  return notes
}

/** Sends what happens on the pages of one visit. */
const createTape = ({ nextId, random }: Stage, person: Person) => {
  const requests: Request[] = []
  const add = (kind: RequestKind, second: number, body: Body): void => {
    requests.push({
      incoming: { kind, second, address: person.address, userAgent: person.agent, headers: person.headers },
      body,
    })
  }
  const view = (page: Page, second: number, query: string, referrer: string | null): string => {
    const pvid = nextId()
    add('hit', second, {
      page_url: addressOf(page, query),
      title: page.title,
      pvid,
      screen_width: person.screen[0],
      screen_height: person.screen[1],
      language: person.language,
      timezone: person.zone.name,
      ...(referrer !== null && { referrer }),
      ...contentOf(page),
    })
    // A browser that gets no answer sends it once more.
    if (chance(random, 0.004)) add('hit', second + 5, requests.at(-1)?.body ?? {})
    return pvid
  }
  return {
    requests,
    view,
    note: (pvid: string, page: Page, second: number, note: Note): void =>
      add('event', second, { ...note, pvid, event_id: nextId(), page_url: `${siteUrl}${page.path}` }),
    engage: (pvid: string, second: number, seconds: number, scroll: number): void =>
      add('engagement', second, { pvid, engagement_time: seconds, scroll_depth: scroll }),
  }
}

const stayOr = (share: number, stays: number): number => Math.min(0.97, 1 - (1 - share) * stays)

const landingOf = ({ lands }: Arrival, { site, pages, random }: Stage): Page => {
  if (chance(random, 0.007)) return pickOne(random, missingPages)
  return typeof lands === 'string' ? site.find(lands) : pages(lands(random))(random)
}

const chooseOf = (product: Product, random: Random): Chosen => ({
  product,
  variation: product.variations === undefined ? null : pickOne(random, product.variations),
  quantity: chance(random, 0.16) ? 2 : 1,
})

/** Walks through the site from page to page until it is left. */
export const makeVisit = (stage: Stage, person: Person, arrival: Arrival, start: number): Visit => {
  const { random, pages, site } = stage
  const tape = createTape(stage, person)
  const landing = landingOf(arrival, stage)
  const basket: Chosen[] = []
  const purchases: Purchase[] = []
  let [page, second] = [landing, start]

  const noteShopping = (pvid: string, at: number): void => {
    const value = basket.length === 0 ? 0 : stage.priceOf(basket, person).value
    if (
      page.kind === 'product' &&
      page.product !== null &&
      chance(random, 0.062 * arrival.buys * (person.mobile ? 0.75 : 1.2))
    ) {
      const chosen = chooseOf(page.product, random)
      basket.push(chosen)
      tape.note(pvid, page, at, {
        name: 'add_to_cart',
        value: stage.priceOf([chosen], person).value,
        properties: {
          product: page.product.name,
          ...(chosen.variation !== null && { variation: chosen.variation.name }),
          quantity: chosen.quantity,
        },
      })
    }
    if (page.kind === 'checkout')
      tape.note(pvid, page, at, { name: 'checkout_start', value, properties: { products: basket.length } })
    if (page.kind === 'thanks') {
      const order = stage.nextOrder()
      purchases.push({ order, second: at, chosen: [...basket], person, arrival, landing: landing.path })
      const { currency } = stage.priceOf(basket, person)
      // Some browsers keep the tracker from saying so: the shop knows all the same.
      if (chance(random, 0.94))
        tape.note(pvid, page, at, {
          name: 'purchase',
          value,
          order_id: order,
          properties: { currency, products: basket.length },
        })
      basket.length = 0
    }
  }

  /** The page after this one; null where the visit ends. */
  const onward = (seen: number): Page | null => {
    if (basket.length > 0 && page.kind === 'product' && chance(random, buying.cart)) return site.find('/cart')
    if (basket.length > 0 && page.kind === 'cart' && chance(random, buying.checkout)) return site.find('/checkout')
    if (basket.length > 0 && page.kind === 'checkout' && chance(random, buying.buy))
      return site.find('/checkout/thank-you')
    if (chance(random, stayOr(leaving[page.kind][seen === 1 ? 0 : 1], arrival.stays))) return null
    return pages(nextKind.get(page.kind)?.(random) ?? 'home')(random)
  }

  for (let seen = 1; seen <= longestVisit; seen++) {
    const pvid = tape.view(page, second, seen === 1 ? arrival.query : '', seen === 1 ? arrival.referrer : null)
    const [median, depth] = reading[page.kind]
    const seconds = Math.round(Math.min(1500, Math.max(2, around(random, median, 0.85))))
    for (const note of doings(page, random)) tape.note(pvid, page, second + between(random, 1, seconds), note)
    noteShopping(pvid, second + Math.ceil(seconds * 0.8))
    const scroll = Math.round(
      Math.min(100, Math.max(5, depth + 30 * (random() + random() - 1) + Math.min(20, seconds / 10))),
    )
    second += seconds + between(random, 0, 2)
    if (chance(random, 0.86)) tape.engage(pvid, second, seconds, scroll)
    const next = onward(seen)
    if (next === null) break
    page = next
  }
  return { requests: tape.requests, purchases, end: second }
}
