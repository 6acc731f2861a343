import type { Channel } from '../channel/channel.ts'
import type { Day, Zone } from '../lib/time.ts'
import type { Content, Refund } from './content.ts'
import { divide } from './money.ts'
import type { ProductUnits } from './order.ts'

export const columns = [
  'orders',
  'gross',
  'tax',
  'shipping',
  'net',
  'refunded',
  'discount',
  'units',
  'refunded_units',
] as const
export type Sums = Partial<Record<(typeof columns)[number], bigint>>

/** What one order adds to one breakdown on one day. `key` is an id, or a text that gets one. */
export type Effect = { kind: Kind; day: Day; key: string | number; part: number; sums: Sums }

/**
 * Breakdowns: `stored` covers all orders, the others only counted ones. Orders count on their own day, except that
 * `refund` and `returned` (products) count on the day of the refund. Keys of `hour` and `refund` are the numbers
 * of the day's hours.
 */
export type Kind =
  | 'stored'
  | 'currency'
  | 'channel'
  | 'utm'
  | 'landing'
  | 'coupon'
  | 'product'
  | 'hour'
  | 'refund'
  | 'returned'

/** An order with its attribution. */
export type AttributedOrder = Content & { channel: Channel; campaign: number | null; landing: number | null }

/** What every stored order adds. */
export const storedEffect: Effect = { kind: 'stored', day: 0, key: 0, part: 0, sums: { orders: 1n } }

type Parts = { amount: bigint; tax: bigint; shipping: bigint }

type Amounts = Pick<Content, 'total' | 'tax' | 'shipping' | 'refunds'>

/** A refund of which only the amount is known is split in the proportions of its order. */
const partsOf = ({ total, tax, shipping }: Amounts, { amount, parts }: Refund): Parts => {
  const whole = BigInt(amount)
  if (parts !== null) return { amount: whole, tax: BigInt(parts.tax), shipping: BigInt(parts.shipping) }
  const share = (part: number): bigint => (total === 0 ? 0n : divide(whole * BigInt(part), BigInt(total)))
  return { amount: whole, tax: share(tax), shipping: share(shipping) }
}

const sum = <T>(items: readonly T[], value: (item: T) => bigint): bigint =>
  items.reduce((total, item) => total + value(item), 0n)

const keyOf = ({ product, variation }: ProductUnits): string => `${product} ${variation}`

type Totals = { product: number; variation: number; units: number; total: number }

const addUp = (lines: readonly ProductUnits[], into = new Map<string, Totals>()): Map<string, Totals> => {
  for (const line of lines) {
    const sums = into.get(keyOf(line)) ?? { product: line.product, variation: line.variation, units: 0, total: 0 }
    into.set(keyOf(line), { ...sums, units: sums.units + line.units, total: sums.total + line.total })
  }
  return into
}

/** The sold units and amounts that refunds with lines have not returned. */
const remaining = (sold: readonly ProductUnits[], returned: readonly ProductUnits[]): ProductUnits[] => {
  const back = addUp(returned)
  return [...addUp(sold).values()]
    .map(line => {
      const { units = 0, total = 0 } = back.get(keyOf(line)) ?? {}
      return {
        ...line,
        units: Math.max(0, line.units - units),
        total: line.total >= 0 ? Math.max(0, line.total - total) : line.total - total,
      }
    })
    .filter(({ units, total }) => units !== 0 || total !== 0)
}

/** The newest refund of a fully refunded order, if it has no lines: it returns everything that remains. */
const closingRefund = ({ status, refunds }: Content): Refund | null => {
  const last = refunds.at(-1)
  return status === 'refunded' && last?.parts === null ? last : null
}

type Returned = ProductUnits & { at: number }

const returnedOf = (order: Content): Returned[] => {
  const listed = order.refunds.flatMap(({ at, parts }) => (parts?.lines ?? []).map(line => ({ ...line, at })))
  const last = closingRefund(order)
  return last === null ? listed : [...listed, ...remaining(order.lines, listed).map(line => ({ ...line, at: last.at }))]
}

/** The amounts of an order in minor units: `net` is without tax, shipping and refunds. */
export const moneyOf = (order: Amounts) => {
  const [gross, tax, shipping] = [BigInt(order.total), BigInt(order.tax), BigInt(order.shipping)]
  const refunds = order.refunds.map(refund => ({ ...partsOf(order, refund), at: refund.at }))
  const refunded = sum(refunds, ({ amount }) => amount)
  const net = gross - tax - shipping - sum(refunds, part => part.amount - part.tax - part.shipping)
  return { gross, tax, shipping, refunds, refunded, net }
}

/**
 * Everything that a counted order adds to the rollups: a pure function of its row, so that subtracting its previous
 * effects and adding the new ones is the same as recalculating everything. The rules are those of api.md §5.
 */
export const effectsOf = (
  order: AttributedOrder,
  { dayOf, hourOfDay }: Pick<Zone, 'dayOf' | 'hourOfDay'>,
): Effect[] => {
  const paidAt = order.paidAt ?? order.createdAt
  const day = dayOf(paidAt)
  const { gross, tax, shipping, refunds, refunded, net } = moneyOf(order)
  const own = { day, part: 0 }
  return [
    { ...own, kind: 'currency', key: 0, sums: { orders: 1n } },
    { ...own, kind: 'channel', key: order.channel, sums: { orders: 1n, gross, tax, shipping, net, refunded } },
    ...(order.campaign === null
      ? []
      : [{ ...own, kind: 'utm' as const, key: order.campaign, sums: { orders: 1n, net } }]),
    { ...own, kind: 'landing', key: order.landing ?? 0, sums: { orders: 1n, net } },
    { ...own, kind: 'hour', key: hourOfDay(paidAt), sums: { orders: 1n, gross, net } },
    ...order.coupons.map(
      ({ code, discount }): Effect => ({
        ...own,
        kind: 'coupon',
        key: code,
        sums: { orders: 1n, discount: BigInt(discount), net },
      }),
    ),
    ...order.lines.map(
      ({ product, variation, units, total }): Effect => ({
        day,
        kind: 'product',
        key: product,
        part: variation,
        sums: { orders: 1n, units: BigInt(units), net: BigInt(total) },
      }),
    ),
    ...returnedOf(order).flatMap(({ product, variation, units, total, at }): Effect[] => {
      const back = { refunded: BigInt(total), refunded_units: BigInt(units) }
      return [
        {
          day,
          kind: 'product',
          key: product,
          part: variation,
          sums: { orders: 1n, units: -BigInt(units), net: -BigInt(total), ...back },
        },
        { day: dayOf(at), kind: 'returned', key: product, part: 0, sums: { orders: 1n, ...back } },
      ]
    }),
    ...refunds.map(
      (refund): Effect => ({
        kind: 'refund',
        day: dayOf(refund.at),
        key: hourOfDay(refund.at),
        part: 0,
        sums: { orders: 1n, refunded: refund.amount },
      }),
    ),
  ]
}
