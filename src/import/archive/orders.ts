import type { OrderLine } from '../../archive/lines.ts'
import { type Day, toSeconds, type Zone } from '../../lib/time.ts'
import { codeLength, label, nameLength } from '../../shop/order.ts'
import type { ArchivedOrder } from '../../shop/restore.ts'
import type { ShopStore } from '../../shop/store.ts'
import { DayProblem } from './problem.ts'

const secondsOf = (time: string): number => toSeconds(Date.parse(time))

/** Limits texts as in documents of the shop: anyone may have written the line. */
const archivedOrder = (line: OrderLine): ArchivedOrder => {
  const { id, status, currency, deleted, total, tax, shipping, channel, source, domain, lines } = line
  return {
    id,
    status,
    currency,
    deleted,
    total,
    tax,
    shipping,
    origin: { channel, source, domain },
    lines,
    createdAt: secondsOf(line.created_at),
    paidAt: line.paid_at === null ? null : secondsOf(line.paid_at),
    modifiedAt: secondsOf(line.modified_at),
    by: line.attributed_by,
    landing: line.landing_page === null ? null : { page: line.landing_page, host: line.landing_host },
    utm: {
      source: line.utm_source,
      medium: line.utm_medium,
      campaign: line.utm_campaign,
      term: line.utm_term,
      content: line.utm_content,
    },
    coupons: line.coupons.map(({ code, discount }) => ({ code: label(code, codeLength), discount })),
    refunds: line.refunds.map(refund => ({ ...refund, at: secondsOf(refund.at) })),
    names: line.names.map(({ product, variation, name, named_at, order }) => ({
      product_id: product,
      variation_id: variation,
      name: label(name, nameLength),
      named_at: secondsOf(named_at),
      order_id: order,
    })),
  }
}

const groupSize = 500

/** Stores the orders of a day in groups, within the transaction of the day. */
export const collectOrders = (store: ShopStore, zone: Zone, day: Day) => {
  let pending: ArchivedOrder[] = []
  let stored = 0

  const flush = (): void => {
    const group = pending
    pending = []
    try {
      stored += store.restoreAll(group).filter(({ result }) => result === 'stored').length
    } catch (error) {
      // The amount exceeds SQLite's integers.
      if (error instanceof RangeError) throw new DayProblem('an amount of its orders is too large')
      throw error
    }
  }

  return {
    add: (line: OrderLine): void => {
      const order = archivedOrder(line)
      if (zone.dayOf(order.paidAt ?? order.createdAt) !== day)
        throw new DayProblem(`the order ${order.id} does not count on this day`)
      pending.push(order)
      if (pending.length === groupSize) flush()
    },
    write: flush,
    /** Number of orders that were new, or newer than the stored ones. */
    stored: () => stored,
  }
}
