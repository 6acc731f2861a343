import * as v from 'valibot'
import type { Channel } from '../channel/channel.ts'
import type { Corrections } from '../channel/corrections.ts'
import type { Interner } from '../collection/store/intern.ts'
import { type Db, get, query } from '../database/query.ts'
import { statements } from '../database/statements.ts'
import { firstViewId } from '../database/view-id.ts'
import type { Zone } from '../lib/time.ts'
import { rawFrom } from '../rollup/raw-from.ts'
import sqlText from '../sql/attributor.sql'
import { direct, recordedAttribution } from './attribution.ts'
import type { Order } from './order.ts'
import type { Attribution, StoredOrder } from './rows.ts'

const sql = statements(sqlText)

type Options = {
  db: Db
  zone: Zone
  interner: Interner
  siteHosts: readonly string[]
  keepQuery: readonly string[]
  corrections: Corrections | undefined
}

const sessionQuery = query(
  sql('session.of-purchase'),
  v.object({ order_id: v.string(), first_id: v.number(), paid_id: v.number(), end_id: v.number() }),
  v.object({
    channel: v.string(),
    origin_id: v.number(),
    campaign_id: v.nullable(v.number()),
    landing_page_id: v.number(),
  }),
)

/** How long before and after an order's creation a claim counts: an order's number can be guessed, its time hardly. */
const secondsBefore = 24 * 3600
const secondsAfter = 2 * 3600

/** What decides which claims on an order count. */
type Dated = Pick<StoredOrder, 'id' | 'createdAt' | 'paidAt'>

const sameDates = (one: Dated, other: Dated): boolean =>
  one.createdAt === other.createdAt && one.paidAt === other.paidAt

/** Finds the source of orders: what the shop recorded, or else the session with the best claim. */
export const createAttributor = ({ db, zone, interner, siteHosts, keepQuery, corrections }: Options) => {
  const ofSession = ({ id, createdAt, paidAt }: Dated): Attribution | null => {
    const session = get(db, sessionQuery, {
      order_id: String(id),
      first_id: firstViewId(createdAt - secondsBefore),
      paid_id: firstViewId((paidAt ?? createdAt) + 1),
      end_id: firstViewId(createdAt + secondsAfter + 1),
    })
    if (session === undefined) return null
    // The column is written by classify.
    const channel = session.channel as Channel
    const { origin_id: origin, campaign_id: campaign, landing_page_id: landing } = session
    return { channel, origin, campaign, landing, by: 'session' }
  }

  /** Where nothing names the source. */
  const unattributed = (): Attribution => ({
    channel: direct.channel,
    origin: interner.origin(direct),
    campaign: null,
    landing: null,
    by: 'nothing',
  })

  /** Whether claims on the order may have been deleted with the raw rows of their day. */
  const isCut = ({ createdAt }: Dated): boolean => {
    const first = rawFrom(db)
    return first > 0 && createdAt - secondsBefore < zone.startOf(first)
  }

  /**
   * The source by the claims that are stored: a function of these and of the order's dates, so the order of arrival has
   * no effect. What deleted claims said is kept.
   */
  const ofClaims = (order: Dated, before: (Dated & Attribution) | null): Attribution => {
    const kept = before?.by === 'session' ? before : null
    if (kept !== null && isCut(order)) return kept
    return ofSession(order) ?? (kept !== null && sameDates(kept, order) ? kept : unattributed())
  }

  const ofShop = (order: Order): Attribution | null => {
    const recorded = recordedAttribution(order.meta, { siteHosts, keepQuery, corrections })
    if (recorded === null) return null
    return {
      channel: recorded.origin.channel,
      origin: interner.origin(recorded.origin),
      campaign: interner.campaign(interner.utm(recorded.utm)),
      landing: recorded.landing === null ? null : interner.page(recorded.landing.page, recorded.landing.host),
      by: 'shop',
    }
  }

  return {
    unattributed,
    ofClaims,
    attributionOf: (order: Order, before: StoredOrder | null): Attribution => ofShop(order) ?? ofClaims(order, before),
  }
}
