// Writes of single orders: the row and its effects on the rollups. All run within the caller's transaction.
import type { Db } from '../database/query.ts'
import type { Zone } from '../lib/time.ts'
import type { createAttributor } from './attributor.ts'
import { addRefundDetails, mergeRefunds, observedAt, type Refund } from './content.ts'
import { effectsOf, storedEffect } from './effects.ts'
import { namesOf, saveNames } from './names.ts'
import { type Order, parseOrder, parseRefunds } from './order.ts'
import { deletedOrder } from './order-document.ts'
import type { UpsertResult } from './restore.ts'
import type { createRollups } from './rollups.ts'
import { type Attribution, findStored, isNewer, type StoredOrder, sameContent, saveStored } from './rows.ts'

type Options = {
  db: Db
  zone: Zone
  /** Order statuses that reports count. */
  counted: ReadonlySet<string>
  rollups: ReturnType<typeof createRollups>
  attributor: ReturnType<typeof createAttributor>
}

/** A deleted order whose document was never received. */
const deletedUnseen = (id: number, attribution: Attribution): StoredOrder => ({
  ...attribution,
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

export const createOrderWrites = ({ db, zone, counted, rollups, attributor }: Options) => {
  const effects = (order: StoredOrder) =>
    order.deleted ? [] : [storedEffect, ...(counted.has(order.status) ? effectsOf(order, zone) : [])]

  /** Saves the order and replaces its previous effects on the rollups with the new ones. */
  const replace = (before: StoredOrder | null, after: StoredOrder): void => {
    if (before !== null) rollups.remove(effects(before), before.currency)
    rollups.add(effects(after), after.currency)
    saveStored(db, after)
  }

  const store = (order: Order, before: StoredOrder | null): UpsertResult => {
    const { channel, origin, campaign, landing, by } = attributor.attributionOf(order, before)
    const { meta: _meta, ...kept } = order
    const after: StoredOrder = {
      ...kept,
      channel,
      origin,
      campaign,
      landing,
      by,
      deleted: false,
      lines: order.lines.map(({ product, variation, units, total }) => ({ product, variation, units, total })),
      refunds: mergeRefunds(order.refunds && observedAt(order.modifiedAt, order.refunds), before?.refunds ?? []),
    }
    const renamed = saveNames(
      db,
      namesOf(order.lines).map(named => ({ ...named, named_at: order.modifiedAt, order_id: order.id })),
    )
    const same = before !== null && sameContent(before, after)
    if (!same || by !== before.by) replace(before, after)
    return { id: order.id, result: same && renamed === 0 ? 'unchanged' : 'stored' }
  }

  /** Returns false if nothing changed. */
  const updateRefunds = (before: StoredOrder, refunds: readonly Refund[]): boolean => {
    const after = { ...before, refunds: [...refunds] }
    if (sameContent(before, after)) return false
    replace(before, after)
    return true
  }

  const remove = (id: number): UpsertResult => {
    const before = findStored(db, id)
    if (before?.deleted === true) return { id, result: 'unchanged' }
    replace(before, { ...(before ?? deletedUnseen(id, attributor.unattributed())), deleted: true })
    return { id, result: 'stored' }
  }

  const upsert = (document: unknown): UpsertResult => {
    const deletedId = deletedOrder(document)
    if (deletedId !== null) return remove(deletedId)
    const order = parseOrder(document)
    if ('reason' in order) return invalid(idOf(document), order.reason)
    const before = findStored(db, order.id)
    if (before === null || !isNewer(before, order)) return store(order, before)
    // An older document only adds details of refunds.
    if (before.currency === order.currency)
      updateRefunds(before, addRefundDetails(before.refunds, observedAt(order.modifiedAt, order.refunds ?? [])))
    return { id: order.id, result: 'stale' }
  }

  const upsertRefundLines = (id: number, documents: readonly unknown[]): UpsertResult => {
    const before = findStored(db, id)
    if (before === null || before.deleted) return { id, result: 'stale' }
    const refunds = parseRefunds(documents, before.currency)
    if ('reason' in refunds) return invalid(id, refunds.reason)
    const updated = updateRefunds(before, addRefundDetails(before.refunds, observedAt(before.modifiedAt, refunds)))
    return { id, result: updated ? 'stored' : 'unchanged' }
  }

  return { effects, replace, updateRefunds, upsert, upsertRefundLines, remove }
}
