// The orders of a segment or of a part of a day, as the rollups that revenue reports read.
import type { Db } from '../database/query.ts'
import type { Zone } from '../lib/time.ts'
import { readPageHosts } from '../packed/packed-days.ts'
import type { OrderSource } from '../shop/rows.ts'
import { deriveSelectedOrders } from '../shop/selected-orders.ts'
import type { Part } from './compare.ts'
import type { NumberSet, ReportStatement, SegmentNumbers } from './messages.ts'
import { spanWithin } from './segment-days.ts'

export const areOfOrders = (statements: readonly ReportStatement[]): boolean =>
  statements.some(({ reads }) => reads.includes('revenue_period'))

const testOf = (set: NumberSet | undefined): ((id: number) => boolean) => {
  if (set === undefined) return () => true
  const ids = new Set(set.ids)
  return id => ids.has(id) === set.included
}

/** No host has this number. */
const noHost = -1

/** Whether an order came from where the filters say. Those of other reports are refused before. */
const selectionOf = (db: Db, { slots }: SegmentNumbers): ((source: OrderSource) => boolean) => {
  const [isOrigin, isCampaign] = [testOf(slots.origin), testOf(slots.campaign)]
  const [isEntry, isHost] = [testOf(slots.entry_page), testOf(slots.host)]
  const hosts = slots.host === undefined ? [] : readPageHosts(db)
  return ({ origin, campaign, landing }) =>
    isOrigin(origin) && isCampaign(campaign) && isEntry(landing) && isHost(hosts[landing] ?? noHost)
}

/** Derives the revenue rollups of the selected orders of a part. */
export const deriveOrders = (db: Db, zone: Zone, { range, since, until }: Part, filters: SegmentNumbers): void => {
  const { start } = spanWithin(zone, range.from, since, null)
  const { end } = spanWithin(zone, range.to, null, until)
  deriveSelectedOrders(db, zone, {
    start,
    end,
    isSelected: selectionOf(db, filters),
    whole: since === null && until === null,
  })
}
