// Random shops, and what their reports must say: summed up independently, in BigInt, from the documents alone.
import fc from 'fast-check'
import type { Document } from './shop.ts'
import { meta } from './shop.ts'

export const digits: Readonly<Record<string, number>> = { EUR: 2, JPY: 0, JOD: 3 }
const firstDay = Date.UTC(2026, 1, 20)

const ways = [
  { values: {}, channel: 'Direct', utm: null, landing: null },
  {
    values: { source_type: 'typein', session_entry: 'https://shop.example.com/' },
    channel: 'Direct',
    utm: null,
    landing: '/',
  },
  {
    values: {
      source_type: 'organic',
      referrer: 'https://www.google.com/',
      utm_source: 'google',
      session_entry: 'https://shop.example.com/a/',
    },
    channel: 'Organic Search',
    utm: null,
    landing: '/a',
  },
  {
    values: { source_type: 'utm', utm_source: 'news', utm_medium: 'email', session_entry: '/b' },
    channel: 'Email',
    utm: 'news|email|null',
    landing: '/b',
  },
  {
    values: { source_type: 'utm', utm_source: 'google', utm_medium: 'cpc', utm_campaign: 'x', utm_term: 't' },
    channel: 'Paid Search',
    utm: 'google|cpc|x',
    landing: null,
  },
  {
    values: { source_type: 'utm', utm_source: 'google', utm_medium: 'cpc', utm_campaign: 'x' },
    channel: 'Paid Search',
    utm: 'google|cpc|x',
    landing: null,
  },
] as const

type Item = { product: number; variation: number; quantity: number; total: number }
type RefundFact = {
  id: number
  amount: number
  at: number
  lines: Item[]
  tax: number
  shipping: number
  whole: boolean[]
}
type Version = {
  status: string
  total: number
  tax: number
  shipping: number
  paid: number | null
  items: Item[]
  coupons: { code: string; discount: number }[]
  way: number
  refunds: number
}
export type Life = {
  id: number
  currency: string
  created: number
  refunds: RefundFact[]
  versions: Version[]
  dropsLast: boolean
}

const item = fc.record({
  product: fc.integer({ min: 1, max: 3 }),
  variation: fc.constantFrom(0, 11, 12),
  quantity: fc.constantFrom(0, 1, 2, 0.5, 1.25),
  total: fc.integer({ min: 0, max: 9999 }),
})
const time = fc.integer({ min: 0, max: 50 * 86_400 }).map(seconds => firstDay + seconds * 1000)
const amount = fc.integer({ min: 0, max: 99_999 })
const refund = fc.record({
  amount,
  at: time,
  lines: fc.array(item, { maxLength: 2 }),
  tax: fc.integer({ min: 0, max: 500 }),
  shipping: fc.integer({ min: 0, max: 500 }),
  whole: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
})
const version = fc.record({
  status: fc.constantFrom('completed', 'completed', 'processing', 'refunded', 'refunded', 'cancelled', 'pending'),
  total: amount,
  tax: fc.integer({ min: 0, max: 2000 }),
  shipping: fc.integer({ min: 0, max: 900 }),
  paid: fc.option(time),
  items: fc.array(item, { maxLength: 3 }),
  way: fc.nat(ways.length - 1),
  refunds: fc.nat(3),
  coupons: fc.uniqueArray(
    fc.record({ code: fc.constantFrom('a', 'A', 'b', 'Ship'), discount: fc.integer({ min: 0, max: 300 }) }),
    { maxLength: 2, selector: ({ code }) => code.toLowerCase() },
  ),
})

const life = fc.record({
  currency: fc.constantFrom('EUR', 'EUR', 'JPY', 'JOD', 'USDT'),
  created: time,
  dropsLast: fc.boolean(),
  refunds: fc.array(refund, { maxLength: 3 }),
  versions: fc.array(version, { minLength: 1, maxLength: 4 }),
})

type Drawn = Omit<Life, 'id' | 'refunds'> & { refunds: Omit<RefundFact, 'id'>[] }

const numbered = (found: readonly Drawn[]): Life[] =>
  found.map(
    (one, index): Life => ({
      ...one,
      id: index + 1,
      refunds: one.refunds.map((refund, at) => ({ ...refund, id: (index + 1) * 10 + at })),
      // A shop's refunds only grow in number, but for one that is taken back in the end.
      versions: one.versions.map((version, at, all) => ({
        ...version,
        refunds: Math.max(...all.slice(0, at + 1).map(({ refunds }) => refunds)),
      })),
    }),
  )

export const lives = fc.array(life, { minLength: 1, maxLength: 6 }).map(numbered)

/** More than a page of a shop's list holds: every order is whole in it, and has one version or two. */
export const manyLives = fc.array(life, { minLength: 101, maxLength: 130, size: 'max' }).map(found =>
  numbered(
    found.map(one => ({
      ...one,
      versions: one.versions.slice(0, 2),
      refunds: one.refunds.map(refund => ({ ...refund, whole: [true, true] })),
    })),
  ),
)

const moment = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 19)
const modified = ({ created }: Life, at: number): number => created + (at + 1) * 20 * 3600_000

const decimal = (units: number, places: number): string => {
  const text = String(Math.abs(units)).padStart(places + 1, '0')
  return `${units < 0 ? '-' : ''}${places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`}`
}

const itemDocument =
  (places: number, sign: 1 | -1) =>
  ({ product, variation, quantity, total }: Item): Document => ({
    product_id: product,
    variation_id: variation,
    quantity: sign * quantity,
    total: decimal(sign * total, places),
    total_tax: '0',
    name: `v${variation}`,
    parent_name: `p${product}`,
  })

const refundsOf = ({ refunds, versions, dropsLast }: Life, at: number): RefundFact[] => {
  const count = versions[at]?.refunds ?? 0
  return refunds.slice(0, dropsLast && at === versions.length - 1 ? Math.max(0, count - 1) : count)
}

const isWhole = ({ whole }: RefundFact, at: number): boolean => whole[at] === true
const hasLines = ({ lines, tax, shipping }: RefundFact): boolean => lines.length > 0 || tax + shipping > 0

const refundDocument = (fact: RefundFact, at: number, places: number): Document =>
  isWhole(fact, at)
    ? {
        id: fact.id,
        amount: decimal(fact.amount, places),
        date_created_gmt: moment(fact.at),
        line_items: fact.lines.map(itemDocument(places, -1)),
        shipping_lines:
          fact.tax + fact.shipping > 0
            ? [{ total: decimal(-fact.shipping, places), total_tax: decimal(-fact.tax, places) }]
            : [],
        fee_lines: [],
      }
    : { id: fact.id, reason: '', total: decimal(-fact.amount, places) }

/** The document of one version of an order. */
export const documentOf = (life: Life, at: number): Document => {
  const version = life.versions[at]
  if (version === undefined) throw new Error('no such version')
  const places = digits[life.currency] ?? 2
  return {
    id: life.id,
    currency: life.currency,
    status: version.status,
    date_created_gmt: moment(life.created),
    date_modified_gmt: moment(modified(life, at)),
    date_paid_gmt: version.paid === null ? null : moment(version.paid),
    total: decimal(version.total, places),
    total_tax: decimal(version.tax, places),
    shipping_total: decimal(version.shipping, places),
    line_items: version.items.map(itemDocument(places, 1)),
    coupon_lines: version.coupons.map(({ code, discount }) => ({ code, discount: decimal(discount, places) })),
    refunds: refundsOf(life, at).map(fact => refundDocument(fact, at, places)),
    meta_data: meta(ways[version.way]?.values ?? {}),
  }
}

/** All documents of all orders, some twice, in any order of arrival. */
export const arrivals = (found: readonly Life[]): fc.Arbitrary<Document[]> => {
  const all = found.flatMap(life => life.versions.map((_, at) => documentOf(life, at)))
  return fc
    .tuple(
      fc.shuffledSubarray(all, { minLength: all.length }),
      fc.shuffledSubarray(all, { maxLength: Math.min(3, all.length) }),
    )
    .map(parts => parts.flat())
}

const rounded = (top: bigint, bottom: bigint): bigint => (2n * top + bottom) / (2n * bottom)

type Bag = Map<string, bigint>
const put = (bag: Bag, key: string, value: bigint): void => {
  bag.set(key, (bag.get(key) ?? 0n) + value)
}
const big = (value: number): bigint => BigInt(Math.round(value))
const dayOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10)

/** Rounded half away from zero. */
const nearest = (top: bigint, bottom: bigint): bigint => {
  const [size, by] = [top < 0n ? -top : top, bottom < 0n ? -bottom : bottom]
  return (top < 0n === bottom < 0n ? 1n : -1n) * rounded(size, by)
}

/** What follows from the sums: means in minor units, rates and shares in ten-thousandths. */
const derive = (bag: Bag): void => {
  const of = (key: string): bigint => bag.get(key) ?? 0n
  const divide = (name: string, top: bigint, bottom: bigint): void => {
    if (bottom !== 0n) put(bag, name, nearest(top, bottom))
  }
  for (const [key, value] of [...bag]) {
    const [, group] = /^((?:channel|landing|utm) .*) orders$/.exec(key) ?? []
    if (group !== undefined) divide(`${group} mean`, of(`${group} net`), value)
    const [, date] = /^day (.*) gross$/.exec(key) ?? []
    if (date !== undefined) divide(`refund ${date} rate`, of(`refund ${date} amount`) * 10_000n, value)
    if (/^channel .* net$/.test(key)) divide(key.replace(/net$/, 'share'), value * 10_000n, of('net'))
  }
  divide('mean', of('net'), of('orders'))
  divide('refund rate', of('refunded') * 10_000n, of('gross'))
}

/** Every figure of every report over a range, by a name of its own; figures of nothing are left out. */
export const expected = (found: readonly Life[], currency: string, from: string, to: string): Bag => {
  const bag: Bag = new Map()
  const within = (date: string): boolean => date >= from && date <= to
  for (const life of found.filter(one => one.currency === currency)) {
    const last = life.versions.length - 1
    const version = life.versions[last]
    if (version === undefined || !['processing', 'completed', 'refunded'].includes(version.status)) continue
    const date = dayOf(version.paid ?? life.created)
    const put2 = (key: string, value: bigint): void => {
      if (within(date)) put(bag, key, value)
    }
    const known = refundsOf(life, last).map(fact => {
      const told = life.versions.map((_, at) => at).filter(at => refundsOf(life, at).includes(fact))
      const whole = told.some(at => isWhole(fact, at))
      const at = whole ? fact.at : Math.min(...told.map(one => modified(life, one)))
      const lined = whole && hasLines(fact)
      const share = (part: number): bigint =>
        version.total === 0 ? 0n : rounded(BigInt(fact.amount) * BigInt(part), BigInt(version.total))
      const [tax, shipping] = lined
        ? [BigInt(fact.tax), BigInt(fact.shipping)]
        : [share(version.tax), share(version.shipping)]
      return { fact, date: dayOf(at), lined, kept: BigInt(fact.amount) - tax - shipping }
    })
    const net = BigInt(version.total - version.tax - version.shipping) - known.reduce((sum, { kept }) => sum + kept, 0n)
    const way = ways[version.way]
    put2('orders', 1n)
    put2('gross', BigInt(version.total))
    put2('tax', BigInt(version.tax))
    put2('shipping', BigInt(version.shipping))
    put2('net', net)
    put2(`day ${date} orders`, 1n)
    put2(`day ${date} net`, net)
    put2(`day ${date} gross`, BigInt(version.total))
    put2(`month ${date.slice(0, 7)} orders`, 1n)
    put2(`month ${date.slice(0, 7)} net`, net)
    put2(`channel ${way?.channel} orders`, 1n)
    put2(`channel ${way?.channel} net`, net)
    put2(`landing ${way?.landing} orders`, 1n)
    put2(`landing ${way?.landing} net`, net)
    if (way?.utm != null) {
      put2(`utm ${way.utm} orders`, 1n)
      put2(`utm ${way.utm} net`, net)
    }
    for (const { code, discount } of version.coupons) {
      put2(`coupon ${code.toLowerCase()} orders`, 1n)
      put2(`coupon ${code.toLowerCase()} discount`, BigInt(discount))
      put2(`coupon ${code.toLowerCase()} net`, net)
    }
    const left = new Map<string, { product: number; variation: number; units: number; total: number }>()
    const leftOf = ({ product, variation }: Item) => {
      const key = `${product} ${variation}`
      const value = left.get(key) ?? { product, variation, units: 0, total: 0 }
      left.set(key, value)
      return value
    }
    for (const one of version.items) {
      const { product, variation, quantity, total } = one
      put2(`product ${product} units`, big(quantity * 1e6))
      put2(`product ${product} net`, BigInt(total))
      if (variation > 0) {
        put2(`variant ${variation} of ${product} units`, big(quantity * 1e6))
        put2(`variant ${variation} of ${product} net`, BigInt(total))
      }
      leftOf(one).units += quantity
      leftOf(one).total += total
    }
    const sold = new Set(left.keys())
    const giveBack = (product: number, variation: number, units: number, total: number, when: string): void => {
      put2(`product ${product} units`, -big(units * 1e6))
      put2(`product ${product} net`, -BigInt(total))
      put2(`product ${product} refunded units`, big(units * 1e6))
      put2(`product ${product} refunded`, BigInt(total))
      if (variation > 0) {
        put2(`variant ${variation} of ${product} units`, -big(units * 1e6))
        put2(`variant ${variation} of ${product} net`, -BigInt(total))
      }
      if (!within(when)) return
      put(bag, `returned ${product} units`, big(units * 1e6))
      put(bag, `returned ${product} amount`, BigInt(total))
    }
    for (const { fact, date: when, lined } of known) {
      put2('refunded', BigInt(fact.amount))
      if (within(when)) {
        put(bag, `refund ${when} count`, 1n)
        put(bag, `refund ${when} amount`, BigInt(fact.amount))
      }
      if (!lined) continue
      for (const one of fact.lines) {
        giveBack(one.product, one.variation, one.quantity, one.total, when)
        leftOf(one).units -= one.quantity
        leftOf(one).total -= one.total
      }
    }
    const closing = known.at(-1)
    if (version.status === 'refunded' && closing !== undefined && !closing.lined) {
      for (const [key, { product, variation, units, total }] of left) {
        if (sold.has(key)) giveBack(product, variation, Math.max(0, units), Math.max(0, total), closing.date)
      }
    }
  }
  derive(bag)
  for (const [key, value] of bag) if (value === 0n) bag.delete(key)
  return bag
}
