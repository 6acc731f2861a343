// The reports behind the answers, with the types of their parameters and results.
import type * as v from 'valibot'
import { contentList } from '../endpoints/content.ts'
import { dimensions } from '../endpoints/dimensions.ts'
import { eventDetail, events } from '../endpoints/events.ts'
import { entryPages, exitPages } from '../endpoints/pages-entry-exit.ts'
import { pages } from '../endpoints/pages.ts'
import { realtime } from '../endpoints/realtime.ts'
import { refusals } from '../endpoints/refusals.ts'
import { revenueByChannels } from '../endpoints/revenue-channels.ts'
import { revenueByCoupon } from '../endpoints/revenue-coupons.ts'
import { revenueFunnelReport } from '../endpoints/revenue-funnel.ts'
import { revenueByLanding, revenueByUtm } from '../endpoints/revenue-origins.ts'
import { revenueByProduct } from '../endpoints/revenue-products.ts'
import { revenueStatus } from '../endpoints/revenue-status.ts'
import { revenueSummary } from '../endpoints/revenue-summary.ts'
import { sources } from '../endpoints/sources.ts'
import { summary } from '../endpoints/summary.ts'
import { systemBrowsers } from '../endpoints/systems.ts'
import { utm } from '../endpoints/utm.ts'
import { campaignLandings } from '../endpoints/utm-landing.ts'

export const reports = {
  summary,
  sources,
  pages,
  entryPages,
  exitPages,
  realtime,
  utm,
  events,
  eventDetail,
  dimensions,
  revenueStatus,
  revenueSummary,
  revenueByChannels,
  revenueByUtm,
  revenueByLanding,
  revenueByProduct,
  revenueFunnel: revenueFunnelReport,
  revenueByCoupon,
  content: contentList,
  refusals,
  campaignLandings,
  systemBrowsers,
}

export type ReportName = keyof typeof reports
/** The parameters of a report. The range is optional and defaults to that of the batch. Lists can be compared. */
export type QueryOf<Name extends ReportName> = Partial<v.InferInput<(typeof reports)[Name]['query']>> & {
  compare?: string
}
export type ParamsOf<Name extends ReportName> = v.InferInput<NonNullable<(typeof reports)[Name]['params']>>
export type DataOf<Name extends ReportName> = v.InferOutput<(typeof reports)[Name]['output']>['data']
/** A row of a list report. */
export type RowOf<Name extends ReportName> = DataOf<Name> extends readonly (infer Row)[] ? Row : never
