// The reports behind the answers, with the types of their parameters and results.
import type * as v from 'valibot'
import { bots } from '../reports/of/bots.ts'
import { contentList } from '../reports/of/content.ts'
import { dimensions } from '../reports/of/dimensions.ts'
import { eventDetail, events } from '../reports/of/events.ts'
import { funnelReport } from '../reports/of/funnels.ts'
import { goalsReport } from '../reports/of/goals.ts'
import { entryPages, exitPages, pages } from '../reports/of/pages.ts'
import { paths } from '../reports/of/paths.ts'
import { realtime } from '../reports/of/realtime.ts'
import { refusals } from '../reports/of/refusals.ts'
import { revenueByChannels } from '../reports/of/revenue-channels.ts'
import { revenueByCoupon } from '../reports/of/revenue-coupons.ts'
import { revenueFunnelReport } from '../reports/of/revenue-funnel.ts'
import { revenueByLanding, revenueByUtm } from '../reports/of/revenue-origins.ts'
import { revenueByProduct } from '../reports/of/revenue-products.ts'
import { revenueStatus } from '../reports/of/revenue-status.ts'
import { revenueSummary } from '../reports/of/revenue-summary.ts'
import { sources } from '../reports/of/sources.ts'
import { summary } from '../reports/of/summary.ts'
import { systemBrowsers } from '../reports/of/systems.ts'
import { utm } from '../reports/of/utm.ts'
import { campaignLandings } from '../reports/of/utm-landing.ts'

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
  bots,
  campaignLandings,
  systemBrowsers,
  goals: goalsReport,
  paths,
  funnel: funnelReport,
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
