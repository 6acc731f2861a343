// One generated visit: the requests that the tracker would send, and the purchases.
import behaviour from '../../data/demo/behaviour.json'
import type { Arrival } from './arrivals.ts'
import type { Person } from './people.ts'
import { between, chance, createPicker, logNormal, type Picker, pickOne, type Random } from './random.ts'
import { createRecorder, type EventFields, type Request } from './recorder.ts'
import { downloads, type Kind, missingPages, outbound, type Page, type Product, type Site, searches } from './site.ts'

type Variation = NonNullable<Product['variations']>[number]
export type CartItem = { product: Product; variation: Variation | null; quantity: number }
export type Purchase = {
  order: number
  at: number
  items: readonly CartItem[]
  person: Person
  arrival: Arrival
  landing: string
}
export type Visit = { requests: Request[]; purchases: Purchase[]; end: number }

/** Shared by the visits of a day. */
export type VisitContext = {
  site: Site
  pages: (kind: Kind) => Picker<Page>
  random: Random
  nextId: () => string
  /** The number of the next order. */
  nextOrder: () => number
  priceOf: (items: readonly CartItem[], person: Person) => { value: number; currency: string }
}

const maxViews = 40
/** Share of visitors who leave a page of a kind: when it is their landing page, and later. */
const leaving = behaviour.leaving as unknown as Readonly<Record<Kind, readonly [first: number, later: number]>>
/** Median seconds on a page of a kind, and median scroll depth in percent. */
const reading = behaviour.reading as unknown as Readonly<Record<Kind, readonly [seconds: number, scroll: number]>>
/** Share of visitors with something in the cart who take the next step. */
const { buying } = behaviour

const nextKind = new Map(
  Object.entries(behaviour.onwards).map(([kind, next]) => {
    const pick = createPicker(Object.entries(next), ([, weight]) => weight)
    return [kind, (random: Random): Kind => pick(random)[0] as Kind]
  }),
)

/** The events of a visitor on a page. */
const eventsOn = (page: Page, random: Random): EventFields[] => {
  const events: EventFields[] = []
  const maybe = (share: number, note: () => EventFields): void => {
    if (chance(random, share)) events.push(note())
  }
  if (page.kind === 'missing') events.push({ name: 'not_found' })
  if (page.kind === 'search') events.push({ name: 'search', properties: { term: pickOne(random, searches) } })
  // Sent when the pictures are opened.
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
  return events
}

const leavingShare = (share: number, stays: number): number => Math.min(0.97, 1 - (1 - share) * stays)

const landingOf = ({ lands }: Arrival, { site, pages, random }: VisitContext): Page => {
  if (chance(random, 0.007)) return pickOne(random, missingPages)
  return typeof lands === 'string' ? site.find(lands) : pages(lands(random))(random)
}

const pickItem = (product: Product, random: Random): CartItem => ({
  product,
  variation: product.variations === undefined ? null : pickOne(random, product.variations),
  quantity: chance(random, 0.16) ? 2 : 1,
})

/** Generates a visit: moves from page to page until the visitor leaves. */
export const generateVisit = (context: VisitContext, person: Person, arrival: Arrival, start: number): Visit => {
  const { random, pages, site } = context
  const recorder = createRecorder(context, person)
  const landing = landingOf(arrival, context)
  const cart: CartItem[] = []
  const purchases: Purchase[] = []
  let [page, now] = [landing, start]

  const recordShopping = (pvid: string, at: number): void => {
    const value = cart.length === 0 ? 0 : context.priceOf(cart, person).value
    if (
      page.kind === 'product' &&
      page.product !== null &&
      chance(random, 0.062 * arrival.buys * (person.mobile ? 0.75 : 1.2))
    ) {
      const item = pickItem(page.product, random)
      cart.push(item)
      recorder.note(pvid, page, at, {
        name: 'add_to_cart',
        value: context.priceOf([item], person).value,
        properties: {
          product: page.product.name,
          ...(item.variation !== null && { variation: item.variation.name }),
          quantity: item.quantity,
        },
      })
    }
    if (page.kind === 'checkout')
      recorder.note(pvid, page, at, { name: 'checkout_start', value, properties: { products: cart.length } })
    if (page.kind === 'thanks') {
      const order = context.nextOrder()
      purchases.push({ order, at, items: [...cart], person, arrival, landing: landing.path })
      const { currency } = context.priceOf(cart, person)
      // Some browsers block the tracker's event; the order exists nevertheless.
      if (chance(random, 0.94))
        recorder.note(pvid, page, at, {
          name: 'purchase',
          value,
          order_id: order,
          properties: { currency, products: cart.length },
        })
      cart.length = 0
    }
  }

  /** Picks the next page; null if the visit ends. */
  const nextPage = (seen: number): Page | null => {
    if (cart.length > 0 && page.kind === 'product' && chance(random, buying.cart)) return site.find('/cart')
    if (cart.length > 0 && page.kind === 'cart' && chance(random, buying.checkout)) return site.find('/checkout')
    if (cart.length > 0 && page.kind === 'checkout' && chance(random, buying.buy))
      return site.find('/checkout/thank-you')
    if (chance(random, leavingShare(leaving[page.kind][seen === 1 ? 0 : 1], arrival.stays))) return null
    return pages(nextKind.get(page.kind)?.(random) ?? 'home')(random)
  }

  for (let seen = 1; seen <= maxViews; seen++) {
    const pvid = recorder.view(page, now, seen === 1 ? arrival.query : '', seen === 1 ? arrival.referrer : null)
    const [median, depth] = reading[page.kind]
    const seconds = Math.round(Math.min(1500, Math.max(2, logNormal(random, median, 0.85))))
    for (const note of eventsOn(page, random)) recorder.note(pvid, page, now + between(random, 1, seconds), note)
    recordShopping(pvid, now + Math.ceil(seconds * 0.8))
    const scroll = Math.round(
      Math.min(100, Math.max(5, depth + 30 * (random() + random() - 1) + Math.min(20, seconds / 10))),
    )
    now += seconds + between(random, 0, 2)
    if (chance(random, 0.86)) recorder.engage(pvid, now, seconds, scroll)
    const next = nextPage(seen)
    if (next === null) break
    page = next
  }
  return { requests: recorder.requests, purchases, end: now }
}
