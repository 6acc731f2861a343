import * as v from 'valibot'
import type { Corrections } from '../channel/corrections.ts'
import { noLimit } from '../collection/store/cardinality-limit.ts'
import { createInterner } from '../collection/store/intern.ts'
import { all, type Db, query, run } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { watchErasures } from '../database/watch.ts'
import type { Zone } from '../lib/time.ts'
import sqlText from '../sql/shop-purchase.sql'
import { createAttributor } from './attributor.ts'
import { adoptBasis } from './basis.ts'
import { createOrderWrites } from './order-writes.ts'
import { createRefusedOrders } from './refused-orders.ts'
import { type ArchivedOrder, createRestore, type UpsertResult } from './restore.ts'
import { createRollups } from './rollups.ts'
import { findStored, isSame } from './rows.ts'

const sql = statements(sqlText)

export type ShopStoreOptions = {
  db: Db
  zone: Zone
  /** Order statuses that reports count. */
  paidStatuses: readonly string[]
  /** The site's own hosts, which do not count as referrers. */
  siteHosts: readonly string[]
  /** Query parameters that are part of a page's key, sorted. */
  keepQuery: readonly string[]
  /** What the operator says of hosts and sources. */
  corrections?: Corrections
}

/** Stores orders. Every call is one transaction; storage errors are thrown unchanged. */
export type ShopStore = {
  /** A WooCommerce order, with refunds as stubs or full documents, or exactly `{"id":N}` for a deleted one. */
  upsert: (document: unknown) => UpsertResult
  /** Several in one transaction, one result each; `alongside` runs in the same transaction. */
  upsertAll: (documents: readonly unknown[], alongside?: () => void) => UpsertResult[]
  /** Adds the lines and dates of the shop's `/orders/ID/refunds` to the order's refunds. */
  upsertRefundLines: (orderId: number, refunds: readonly unknown[]) => UpsertResult
  /** Several in one transaction, by the same rules as documents: an order at least as new as the stored one wins. */
  restoreAll: (orders: readonly ArchivedOrder[]) => UpsertResult[]
  remove: (orderId: number) => UpsertResult
  /** Attributes orders with new claims again; returns their number. */
  attribute: (limit?: number) => number
  /** Recalculates the rollups if the time zone or statuses have changed, or by force; returns the number of orders. */
  adopt: (force?: boolean) => number
  /** Must be called after a rollback of the surrounding transaction. */
  reset: () => void
}

const purchase = v.object({ order_id: v.number() })
const listQuery = query(sql('list'), v.object({ limit: v.number() }), purchase)
const removeQuery = query(sql('remove'), purchase)

export const createShopStore = (options: ShopStoreOptions): ShopStore => {
  const { db, zone, paidStatuses, siteHosts, keepQuery, corrections } = options
  // Names in orders come from the shop, so they need no limit, unlike those from visitors.
  const interner = createInterner(db, noLimit)
  const hasErasures = watchErasures(db)
  const rollups = createRollups(db, interner.labels)
  const counted = new Set(paidStatuses)
  const attributor = createAttributor({ db, zone, interner, siteHosts, keepQuery, corrections })
  const orders = createOrderWrites({ db, zone, counted, rollups, attributor })
  const refused = createRefusedOrders(db)
  const restore = createRestore({ db, interner, ...attributor, ...orders })

  const attributeOne = (id: number): void => {
    const before = findStored(db, id)
    if (before !== null && before.by !== 'shop') {
      const { channel, origin, campaign, landing, by } = attributor.ofClaims(before, before)
      const after = { ...before, channel, origin, campaign, landing, by }
      if (!isSame(before, after)) orders.replace(before, after)
    }
    run(db, removeQuery, { order_id: id })
  }

  const reset = (): void => {
    rollups.clear()
    interner.reset()
    refused.reset()
  }

  /** Runs the work and the rollup writes in one transaction; a rollback also resets the state in memory. */
  const write = <T>(work: () => T): T => {
    try {
      return db
        .transaction(() => {
          // Texts that nothing named are gone, and their numbers in memory with them.
          if (hasErasures()) reset()
          const result = work()
          rollups.write()
          return result
        })
        .immediate()
    } catch (error) {
      reset()
      throw error
    }
  }

  return {
    upsert: document =>
      write(() => {
        const result = orders.upsert(document)
        refused.note([result])
        return result
      }),
    upsertAll: (documents, alongside) =>
      write(() => {
        const results = documents.map(orders.upsert)
        refused.note(results)
        alongside?.()
        return results
      }),
    restoreAll: kept => write(() => kept.map(restore)),
    upsertRefundLines: (id, refunds) => write(() => orders.upsertRefundLines(id, refunds)),
    remove: id => write(() => orders.remove(id)),
    attribute: (limit = 500) => {
      const waiting = all(db, listQuery, { limit })
      if (waiting.length > 0)
        write(() => {
          for (const { order_id } of waiting) attributeOne(order_id)
        })
      return waiting.length
    },
    adopt: (force = false) =>
      adoptBasis(db, {
        zone: zone.name,
        statuses: [...counted].sort(),
        force,
        add: order => rollups.add(orders.effects(order), order.currency),
        flush: rollups.write,
        transact: write,
      }),
    reset,
  }
}
