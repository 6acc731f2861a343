// Orders that another file kept, as an archive carries them.
import type { Utm } from '../channel/channel.ts'
import type { Interner } from '../collection/store/intern.ts'
import type { Db } from '../database/query.ts'
import type { Zone } from '../lib/time.ts'
import { completed, renewed, toldAgain, type Content, type Refund } from './content.ts'
import { saveNames, type ProductName } from './names.ts'
import { findStored, isNewer, isSame, unattributed, type StoredOrder, type Attribution } from './rows.ts'

/** What became of a document; `reason` where it is invalid, `id` where it could be read. */
export type UpsertResult = { id: number | null; result: 'stored' | 'unchanged' | 'stale' | 'invalid'; reason?: string }

/** An order as another file kept it: its UTM values and its page are texts again. */
export type KeptOrder = Content &
  Pick<Attribution, 'channel' | 'by'> & { deleted: boolean; utm: Utm; landing: string | null; names: ProductName[] }

/** What the store lends, to be called within a transaction of its own. */
type Tools = {
  db: Db
  zone: Zone
  interner: Interner
  ofSession: (orderId: number) => Attribution | null
  updateRefunds: (here: StoredOrder, refunds: readonly Refund[]) => boolean
  replace: (here: StoredOrder | null, after: StoredOrder) => void
}

/** Orders go by the rules that documents go by: one that is as new as the one here is taken, of an older one what it knows of refunds. */
export const createRestore = ({
  db,
  zone,
  interner,
  ofSession,
  updateRefunds,
  replace,
}: Tools): ((order: KeptOrder) => UpsertResult) => {
  const attributionOf = (
    { id, createdAt, channel, utm, landing, by }: KeptOrder,
    here: StoredOrder | null,
  ): Attribution => {
    if (by === 'nothing') return ofSession(id) ?? (here?.by === 'session' ? here : unattributed)
    const day = zone.dayOf(createdAt)
    // The file learns spellings that are new to it; the order keeps its own.
    interner.utm(day, utm)
    return {
      channel,
      campaign: interner.campaign(day, utm),
      landing: landing === null ? null : interner.page(day, landing),
      by,
    }
  }

  return order => {
    const { utm: _utm, landing: _landing, names, ...kept } = order
    const { id, refunds } = kept
    const renamed = saveNames(db, names) > 0
    const here = findStored(db, id)
    if (here !== null && isNewer(here, order)) {
      const learned =
        here.currency === order.currency && updateRefunds(here, completed(here.refunds, toldAgain(refunds)))
      return { id, result: learned || renamed ? 'stored' : 'stale' }
    }
    const { channel, campaign, landing, by } = attributionOf(order, here)
    const after = { ...kept, channel, campaign, landing, by, refunds: renewed(toldAgain(refunds), here?.refunds ?? []) }
    const same = here !== null && isSame(here, after)
    if (!same) replace(here, after)
    return { id, result: same && !renamed ? 'unchanged' : 'stored' }
  }
}
