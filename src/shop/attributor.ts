import * as v from 'valibot'
import type { Channel } from '../channel/channel.ts'
import type { Interner } from '../collection/store/intern.ts'
import { get, query, type Db } from '../database/query.ts'
import purchaseSession from '../sql/session.of-purchase.sql'
import { recordedAttribution } from './attribution.ts'
import type { Order } from './order.ts'
import { unattributed, type Attribution, type StoredOrder } from './rows.ts'

type Options = {
  db: Db
  interner: Interner
  siteHosts: readonly string[]
  keepQuery: readonly string[]
}

const sessionQuery = query(
  purchaseSession,
  v.object({ order_id: v.string() }),
  v.object({ channel: v.string(), campaign_id: v.nullable(v.number()), landing_page_id: v.number() }),
)

/** Finds the source of orders: what the shop recorded, or else the session with the order's purchase event. */
export const createAttributor = ({ db, interner, siteHosts, keepQuery }: Options) => {
  const ofSession = (orderId: number): Attribution | null => {
    const session = get(db, sessionQuery, { order_id: String(orderId) })
    if (session === undefined) return null
    // The column is written by classify.
    const channel = session.channel as Channel
    return { channel, campaign: session.campaign_id, landing: session.landing_page_id, by: 'session' }
  }

  const ofShop = (order: Order): Attribution | null => {
    const recorded = recordedAttribution(order.meta, { siteHosts, keepQuery })
    if (recorded === null) return null
    return {
      channel: recorded.channel,
      campaign: interner.campaign(interner.utm(recorded.utm)),
      landing: recorded.landing === null ? null : interner.page(recorded.landing),
      by: 'shop',
    }
  }

  return {
    ofSession,
    /** Raw sessions are deleted after the retention period; attributions from them are kept. */
    attributionOf: (order: Order, before: StoredOrder | null): Attribution =>
      ofShop(order) ?? ofSession(order.id) ?? (before?.by === 'session' ? before : unattributed),
  }
}
