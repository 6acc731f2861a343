import { timeText } from '../lib/time.ts'
import { digitsOf, majorText } from './money.ts'
import type { GivenRefund, Order, ProductUnits } from './order.ts'
import { unitDigits } from './order-document.ts'
import type { StoredOrder } from './rows.ts'

/**
 * Why an order differs:
 * - missing_here, deleted_here: the shop has it; the file never received it, or has it as deleted
 * - missing_in_shop, trashed: the file has it; the shop deleted it permanently, or moved it to the trash
 * - older_here, newer_here: the file has an earlier or a later state than the shop
 * - refund_lines_unknown: only lines or dates of refunds are still missing in the file
 * - differs: the same modification time with different content
 * - unreadable: the shop's document is invalid; `reason` says why
 */
export const causes = [
  'missing_here',
  'deleted_here',
  'missing_in_shop',
  'trashed',
  'older_here',
  'newer_here',
  'refund_lines_unknown',
  'differs',
  'unreadable',
] as const
export type Cause = (typeof causes)[number]

/** A field with different values on the two sides, as texts; null if absent. */
export type FieldDifference = { field: string; shop: string | null; here: string | null }

export type Difference = { cause: Cause; reason: string | null; fields: FieldDifference[] }

type Money = (minor: number) => string

const linesText = (lines: readonly ProductUnits[], money: Money): string =>
  lines
    .map(
      ({ product, variation, units, total }) =>
        `${product}${variation === 0 ? '' : `/${variation}`} × ` +
        `${Number(majorText(BigInt(units), unitDigits))}: ${money(total)}`,
    )
    .sort()
    .join(', ')

type Refunds = readonly Pick<GivenRefund, 'id' | 'amount'>[]

const refundsText = (refunds: Refunds, money: Money): string =>
  [...refunds]
    .sort((one, other) => one.id - other.id)
    .map(({ id, amount }) => `${id}: ${money(amount)}`)
    .join(', ')

const timeOrNull = (time: number | null): string | null => (time === null ? null : timeText(time))

/** The fields of an order that both sides have. */
export type Facts = Pick<
  StoredOrder,
  'status' | 'currency' | 'createdAt' | 'paidAt' | 'total' | 'tax' | 'shipping' | 'lines' | 'coupons'
> & { refunds: Refunds }

/** Compared fields, named as in the API. Attribution is not one: it is determined when an order arrives. */
const fields: readonly [field: string, of: (facts: Facts, money: Money) => string | null][] = [
  ['status', ({ status }) => status],
  ['currency', ({ currency }) => currency],
  ['date_created', ({ createdAt }) => timeText(createdAt)],
  ['date_paid', ({ paidAt }) => timeOrNull(paidAt)],
  ['total', ({ total }, money) => money(total)],
  ['total_tax', ({ tax }, money) => money(tax)],
  ['shipping_total', ({ shipping }, money) => money(shipping)],
  ['line_items', ({ lines }, money) => linesText(lines, money)],
  [
    'coupon_lines',
    ({ coupons }, money) =>
      coupons
        .map(({ code, discount }) => `${code}: ${money(discount)}`)
        .sort()
        .join(', '),
  ],
  ['refunds', ({ refunds }, money) => refundsText(refunds, money)],
]

const moneyOf =
  (currency: string): Money =>
  minor =>
    majorText(BigInt(minor), digitsOf(currency))

const factDifferences = (shop: Order, here: StoredOrder): FieldDifference[] => {
  const shopFacts = { ...shop, refunds: shop.refunds ?? here.refunds }
  return fields
    .map(([field, of]) => ({
      field,
      shop: of(shopFacts, moneyOf(shop.currency)),
      here: of(here, moneyOf(here.currency)),
    }))
    .filter(({ shop: one, here: other }) => one !== other)
}

const refundDifferences = (shopRefunds: readonly GivenRefund[], here: StoredOrder): FieldDifference[] => {
  const given = new Map(shopRefunds.map(refund => [refund.id, refund]))
  return here.refunds.flatMap(({ id, at, parts }) => {
    const { at: shopAt = null, parts: shopParts = null } = given.get(id) ?? {}
    return [
      ...(parts === null && shopParts !== null
        ? [{ field: `lines of refund ${id}`, shop: linesText(shopParts.lines, moneyOf(here.currency)), here: null }]
        : []),
      ...(shopAt !== null && shopAt !== at
        ? [{ field: `date of refund ${id}`, shop: timeText(shopAt), here: timeText(at) }]
        : []),
    ]
  })
}

/** Whether the lines or date of a refund are unknown; only the shop's list of the order's refunds has them. */
export const hasIncompleteRefunds = ({ refunds }: StoredOrder): boolean =>
  refunds.some(({ dated, parts }) => parts === null || !dated)

/** The shop's side of an order: its content, why that is invalid, or why there is none. */
export type ShopSide = Order | { reason: string } | 'trashed' | 'gone'

const withoutFields = (cause: Cause, reason: string | null = null): Difference => ({ cause, reason, fields: [] })

const withoutContent = (shop: Exclude<ShopSide, Order>, here: StoredOrder | null): Difference | null => {
  if (typeof shop === 'object') return withoutFields('unreadable', shop.reason)
  if (here === null || here.deleted) return null
  return withoutFields(shop === 'gone' ? 'missing_in_shop' : 'trashed')
}

/**
 * The difference between the shop's and the file's state of an order; null if there is none.
 * @param shopRefunds the shop's list of the order's refunds, if it was requested
 */
export const differenceOf = (
  shop: ShopSide,
  here: StoredOrder | null,
  shopRefunds: readonly GivenRefund[] | null = null,
): Difference | null => {
  if (typeof shop === 'string' || 'reason' in shop) return withoutContent(shop, here)
  if (here === null) return withoutFields('missing_here')
  if (here.deleted) return withoutFields('deleted_here')
  const facts = factDifferences(shop, here)
  const refunds = shopRefunds === null ? [] : refundDifferences(shopRefunds, here)
  if (facts.length + refunds.length === 0) return null
  const cause =
    shop.modifiedAt > here.modifiedAt
      ? 'older_here'
      : shop.modifiedAt < here.modifiedAt
        ? 'newer_here'
        : facts.length === 0
          ? 'refund_lines_unknown'
          : 'differs'
  return { cause, reason: null, fields: [...facts, ...refunds] }
}
