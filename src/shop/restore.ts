// Restores orders from an archive.
import type { Origin, Utm } from '../channel/channel.ts'
import type { Interner } from '../collection/store/intern.ts'
import type { Db } from '../database/query.ts'
import type { Landing } from './attribution.ts'
import type { createAttributor } from './attributor.ts'
import { addRefundDetails, type Content, mergeRefunds, observedFrom, type Refund } from './content.ts'
import { type ProductName, saveNames } from './names.ts'
import { type Attribution, findStored, isNewer, isSame, type StoredOrder } from './rows.ts'

/** The outcome for one document: `reason` if it is invalid, `id` if that could be read. */
export type UpsertResult = { id: number | null; result: 'stored' | 'unchanged' | 'stale' | 'invalid'; reason?: string }

/** An order from an archive: UTM values and landing page as texts, since their ids differ between files. */
export type ArchivedOrder = Content &
  Pick<Attribution, 'by'> & {
    deleted: boolean
    origin: Origin
    utm: Utm
    landing: Landing | null
    names: ProductName[]
  }

/** Parts of the shop store. The restore function runs within its transaction. */
type RestoreDeps = {
  db: Db
  interner: Interner
  ofClaims: ReturnType<typeof createAttributor>['ofClaims']
  updateRefunds: (here: StoredOrder, refunds: readonly Refund[]) => boolean
  replace: (here: StoredOrder | null, after: StoredOrder) => void
}

/** As with documents, an order at least as new as the stored one replaces it; an older one only adds refund details. */
export const createRestore = ({
  db,
  interner,
  ofClaims,
  updateRefunds,
  replace,
}: RestoreDeps): ((order: ArchivedOrder) => UpsertResult) => {
  const attributionOf = (order: ArchivedOrder, here: StoredOrder | null): Attribution => {
    const { origin, utm, landing, by } = order
    if (by === 'nothing') return ofClaims(order, here)
    // Registers spellings that are new to this file; the order keeps its own.
    interner.utm(utm)
    const archived: Attribution = {
      channel: origin.channel,
      origin: interner.origin(origin),
      campaign: interner.campaign(utm),
      landing: landing === null ? null : interner.page(landing.page, landing.host),
      by,
    }
    return by === 'shop' ? archived : ofClaims(order, { ...order, ...archived })
  }

  return order => {
    const { origin: _origin, utm: _utm, landing: _landing, names, ...kept } = order
    const { id, refunds } = kept
    const renamed = saveNames(db, names) > 0
    const here = findStored(db, id)
    if (here !== null && isNewer(here, order)) {
      const updated =
        here.currency === order.currency && updateRefunds(here, addRefundDetails(here.refunds, observedFrom(refunds)))
      return { id, result: updated || renamed ? 'stored' : 'stale' }
    }
    const merged = mergeRefunds(observedFrom(refunds), here?.refunds ?? [])
    const { channel, origin, campaign, landing, by } = attributionOf(order, here)
    const after = { ...kept, channel, origin, campaign, landing, by, refunds: merged }
    const same = here !== null && isSame(here, after)
    if (!same) replace(here, after)
    return { id, result: same && !renamed ? 'unchanged' : 'stored' }
  }
}
