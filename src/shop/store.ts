import * as v from 'valibot'
import type { Channel } from '../channel/channel.ts'
import { noLimit } from '../collection/store/cardinality-limit.ts'
import { createInterner } from '../collection/store/intern.ts'
import { all, get, query, run, type Db } from '../database/query.ts'
import purchaseSession from '../sql/session.of-purchase.sql'
import listPurchases from '../sql/shop-purchase.list.sql'
import removePurchase from '../sql/shop-purchase.remove.sql'
import type { Zone } from '../lib/time.ts'
import { attributionOf } from './attribution.ts'
import { adoptBasis } from './basis.ts'
import { completed, renewed, toldAt, type Refund } from './content.ts'
import { effectsOf, storedEffect } from './effects.ts'
import { namesOf, saveNames } from './names.ts'
import { deletedOrder, parseOrder, parseRefunds, type Order } from './order.ts'
import { createRestore, type KeptOrder, type UpsertResult } from './restore.ts'
import { createRollups } from './rollups.ts'
import { findStored, isNewer, sameContent, saveStored, unknownWay, type StoredOrder, type Way } from './rows.ts'

export type ShopStoreOptions = {
  db: Db
  zone: Zone
  /** Statuses of orders that reports count. */
  paidStatuses: readonly string[]
  /** The site's hosts: a referrer from there is none. */
  siteHosts: readonly string[]
  /** Query parameters that belong to a page, sorted. */
  keepQuery: readonly string[]
}

/** The one way for orders into the file. Every call is one transaction; storage errors are thrown as they are. */
export type ShopStore = {
  /** A WooCommerce order, with refunds as stubs or as whole documents; or exactly `{"id":N}`, which marks it deleted. */
  upsert: (document: unknown) => UpsertResult
  /** Several in one transaction, one result each; `alongside` is written in the same one. */
  upsertAll: (documents: readonly unknown[], alongside?: () => void) => UpsertResult[]
  /** The answer of the shop's `/orders/ID/refunds`: gives refunds that the order has their lines and dates. */
  upsertRefundLines: (orderId: number, refunds: readonly unknown[]) => UpsertResult
  /** Several in one transaction, by the same rules as documents: an order that is as new as the one here is taken. */
  restoreAll: (orders: readonly KeptOrder[]) => UpsertResult[]
  remove: (orderId: number) => UpsertResult
  /** Looks at the sessions of orders whose purchase event came in; gives how many events it has looked at. */
  attribute: (most?: number) => number
  /** Derives the rollups anew if zone or statuses are others than those they were made with, or by force; gives the number of orders. */
  adopt: (force?: boolean) => number
  /** A rollback of the caller's has taken back what was written within its transaction. */
  reset: () => void
}

const sessionQuery = query(
  purchaseSession,
  v.object({ order_id: v.string() }),
  v.object({ channel: v.string(), campaign_id: v.nullable(v.number()), landing_page_id: v.number() }),
)
const purchase = v.object({ order_id: v.string() })
const listQuery = query(listPurchases, v.object({ limit: v.number() }), purchase)
const removeQuery = query(removePurchase, purchase, v.object({}))

/** Orders are the shop's: what they name is not bounded as what visitors send. */

const nobody = (id: number): StoredOrder => ({
  ...unknownWay,
  id,
  deleted: true,
  status: 'trash',
  currency: 'XXX',
  createdAt: 0,
  paidAt: null,
  modifiedAt: 0,
  total: 0,
  tax: 0,
  shipping: 0,
  lines: [],
  coupons: [],
  refunds: [],
})

const invalid = (id: number | null, reason: string): UpsertResult => ({ id, result: 'invalid', reason })

const idOf = (document: unknown): number | null =>
  typeof document === 'object' && document !== null && 'id' in document && Number.isSafeInteger(document.id)
    ? Number(document.id)
    : null

export const createShopStore = ({ db, zone, paidStatuses, siteHosts, keepQuery }: ShopStoreOptions): ShopStore => {
  const interner = createInterner(db, noLimit)
  const rollups = createRollups(db, interner.labels)
  const counted = new Set(paidStatuses)

  const effects = (order: StoredOrder) =>
    order.deleted ? [] : [storedEffect, ...(counted.has(order.status) ? effectsOf(order, zone.dayOf) : [])]

  /** Writes the order, and into the rollups what it adds now instead of what it added before. */
  const replace = (before: StoredOrder | null, after: StoredOrder): void => {
    if (before !== null) rollups.remove(effects(before), before.currency)
    rollups.add(effects(after), after.currency)
    saveStored(db, after)
  }

  const sessionWay = (orderId: number): Way | null => {
    const found = get(db, sessionQuery, { order_id: String(orderId) })
    // Written by classify.
    return found === undefined
      ? null
      : {
          channel: found.channel as Channel,
          campaign: found.campaign_id,
          landing: found.landing_page_id,
          by: 'session',
        }
  }

  const shopWay = (order: Order): Way | null => {
    const told = attributionOf(order.meta, { siteHosts, keepQuery })
    if (told === null) return null
    const day = zone.dayOf(order.createdAt)
    const campaign = interner.campaign(day, interner.utm(day, told.utm))
    return {
      channel: told.channel,
      campaign,
      landing: told.landing === null ? null : interner.page(day, told.landing),
      by: 'shop',
    }
  }

  /** Single visits are deleted in time: what one told of an order stays. */
  const wayOf = (order: Order, before: StoredOrder | null): Way =>
    shopWay(order) ?? sessionWay(order.id) ?? (before?.by === 'session' ? before : unknownWay)

  const store = (order: Order, before: StoredOrder | null): UpsertResult => {
    const { channel, campaign, landing, by } = wayOf(order, before)
    const { meta: _meta, ...kept } = order
    const after: StoredOrder = {
      ...kept,
      channel,
      campaign,
      landing,
      by,
      deleted: false,
      lines: order.lines.map(({ product, variation, units, total }) => ({ product, variation, units, total })),
      refunds: renewed(order.refunds && toldAt(order.modifiedAt, order.refunds), before?.refunds ?? []),
    }
    const renamed = saveNames(
      db,
      namesOf(order.lines).map(named => ({ ...named, named_at: order.modifiedAt, order_id: order.id })),
    )
    const same = before !== null && sameContent(before, after)
    if (!same || by !== before.by) replace(before, after)
    return { id: order.id, result: same && renamed === 0 ? 'unchanged' : 'stored' }
  }

  /** Of an older document only what it knows of refunds is news. */
  const learn = (before: StoredOrder, refunds: readonly Refund[]): boolean => {
    const after = { ...before, refunds: [...refunds] }
    if (sameContent(before, after)) return false
    replace(before, after)
    return true
  }

  const remove = (id: number): UpsertResult => {
    const before = findStored(db, id)
    if (before?.deleted === true) return { id, result: 'unchanged' }
    replace(before, { ...(before ?? nobody(id)), deleted: true })
    return { id, result: 'stored' }
  }

  const upsert = (document: unknown): UpsertResult => {
    const ended = deletedOrder(document)
    if (ended !== null) return remove(ended)
    const order = parseOrder(document)
    if ('reason' in order) return invalid(idOf(document), order.reason)
    const before = findStored(db, order.id)
    if (before === null || !isNewer(before, order)) return store(order, before)
    if (before.currency === order.currency)
      learn(before, completed(before.refunds, toldAt(order.modifiedAt, order.refunds ?? [])))
    return { id: order.id, result: 'stale' }
  }

  const restore = createRestore({ db, zone, interner, sessionWay, learn, replace })

  const upsertRefundLines = (id: number, documents: readonly unknown[]): UpsertResult => {
    const before = findStored(db, id)
    if (before === null || before.deleted) return { id, result: 'stale' }
    const refunds = parseRefunds(documents, before.currency)
    if ('reason' in refunds) return invalid(id, refunds.reason)
    return {
      id,
      result: learn(before, completed(before.refunds, toldAt(before.modifiedAt, refunds))) ? 'stored' : 'unchanged',
    }
  }

  const attributeOne = (text: string): void => {
    const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : 0
    const before = id === 0 ? null : findStored(db, id)
    const way = before === null || before.by === 'shop' ? null : sessionWay(id)
    if (before !== null && way !== null) replace(before, { ...before, ...way })
    run(db, removeQuery, { order_id: text })
  }

  const reset = (): void => {
    rollups.clear()
    interner.reset()
  }

  /** One transaction for the orders and all that follows from them; memory forgets what a rollback has taken back. */
  const write = <T>(work: () => T): T => {
    try {
      return db
        .transaction(() => {
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
    upsert: document => write(() => upsert(document)),
    upsertAll: (documents, alongside) =>
      write(() => {
        const results = documents.map(upsert)
        alongside?.()
        return results
      }),
    restoreAll: orders => write(() => orders.map(restore)),
    upsertRefundLines: (id, refunds) => write(() => upsertRefundLines(id, refunds)),
    remove: id => write(() => remove(id)),
    attribute: (most = 500) => {
      const waiting = all(db, listQuery, { limit: most })
      if (waiting.length > 0)
        write(() => {
          for (const { order_id } of waiting) attributeOne(order_id)
        })
      return waiting.length
    },
    adopt: (force = false) =>
      adoptBasis(
        db,
        zone.name,
        [...counted].sort(),
        force,
        order => rollups.add(effects(order), order.currency),
        write,
        rollups.write,
      ),
    reset,
  }
}
