import type { Report } from '../report.ts'
import { annotationList } from './annotations.ts'
import { bots } from './bots.ts'
import { contentList } from './content.ts'
import { dimensions } from './dimensions.ts'
import { eventDetail, events } from './events.ts'
import { filterValues } from './filters.ts'
import { funnelReport } from './funnels.ts'
import { goalsReport } from './goals.ts'
import { goalBreakdown } from './goals-breakdown.ts'
import { entryPages, exitPages, pages } from './pages.ts'
import { paths } from './paths.ts'
import { realtime } from './realtime.ts'
import { refusals } from './refusals.ts'
import { revenueByChannels } from './revenue-channels.ts'
import { revenueByCoupon } from './revenue-coupons.ts'
import { revenueFunnelReport } from './revenue-funnel.ts'
import { revenueByLanding, revenueByUtm } from './revenue-origins.ts'
import { revenueByProduct } from './revenue-products.ts'
import { revenueRefunds } from './revenue-refunds.ts'
import { revenueStatus } from './revenue-status.ts'
import { revenueSummary } from './revenue-summary.ts'
import { revenueTimeseries } from './revenue-timeseries.ts'
import { sites } from './sites.ts'
import { sources } from './sources.ts'
import { summary } from './summary.ts'
import { systemBrowsers } from './systems.ts'
import { utm } from './utm.ts'
import { campaignLandings } from './utm-landing.ts'
import { weekdayHours } from './weekday-hours.ts'

/** All reports. `footfall report` runs them without HTTP. */
export const reports: readonly Report[] = [
  summary,
  sources,
  pages,
  entryPages,
  exitPages,
  paths,
  realtime,
  utm,
  campaignLandings,
  events,
  eventDetail,
  systemBrowsers,
  weekdayHours,
  dimensions,
  sites,
  filterValues,
  goalsReport,
  goalBreakdown,
  funnelReport,
  contentList,
  annotationList,
  refusals,
  bots,
  revenueStatus,
  revenueSummary,
  revenueTimeseries,
  revenueByChannels,
  revenueByUtm,
  revenueByLanding,
  revenueByProduct,
  revenueFunnelReport,
  revenueRefunds,
  revenueByCoupon,
]
