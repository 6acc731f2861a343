import * as v from 'valibot'
import { query, type Query } from '../database/query.ts'
import fillBrowserVersion from '../sql/rollup.dimension-browser-version.fill.sql'
import fillBrowser from '../sql/rollup.dimension-browser.fill.sql'
import fillChannel from '../sql/rollup.dimension-channel.fill.sql'
import fillCity from '../sql/rollup.dimension-city.fill.sql'
import fillContinent from '../sql/rollup.dimension-continent.fill.sql'
import fillCountry from '../sql/rollup.dimension-country.fill.sql'
import fillDevice from '../sql/rollup.dimension-device.fill.sql'
import fillLanguage from '../sql/rollup.dimension-language.fill.sql'
import fillOsVersion from '../sql/rollup.dimension-os-version.fill.sql'
import fillOs from '../sql/rollup.dimension-os.fill.sql'
import fillRegion from '../sql/rollup.dimension-region.fill.sql'
import fillScreen from '../sql/rollup.dimension-screen.fill.sql'
import fillSystem from '../sql/rollup.dimension-system.fill.sql'
import fillTimezone from '../sql/rollup.dimension-timezone.fill.sql'
import clearDimension from '../sql/rollup.dimension.clear.sql'
import compareDimension from '../sql/rollup.dimension.compare.sql'
import mergeDimension from '../sql/rollup.dimension.merge.sql'
import sumDimension from '../sql/rollup.dimension.sum.sql'
import clearEventPage from '../sql/rollup.event-page.clear.sql'
import compareEventPage from '../sql/rollup.event-page.compare.sql'
import fillEventPage from '../sql/rollup.event-page.fill.sql'
import mergeEventPage from '../sql/rollup.event-page.merge.sql'
import sumEventPage from '../sql/rollup.event-page.sum.sql'
import clearEventProperty from '../sql/rollup.event-property.clear.sql'
import compareEventProperty from '../sql/rollup.event-property.compare.sql'
import fillEventProperty from '../sql/rollup.event-property.fill.sql'
import mergeEventProperty from '../sql/rollup.event-property.merge.sql'
import sumEventProperty from '../sql/rollup.event-property.sum.sql'
import clearNewEvents from '../sql/rollup.event.clear-new.sql'
import clearEvent from '../sql/rollup.event.clear.sql'
import compareEvent from '../sql/rollup.event.compare.sql'
import fillEvent from '../sql/rollup.event.fill.sql'
import mergeEvent from '../sql/rollup.event.merge.sql'
import sumEvent from '../sql/rollup.event.sum.sql'
import clearNewFunnel from '../sql/rollup.funnel.clear-new.sql'
import clearFunnel from '../sql/rollup.funnel.clear.sql'
import compareFunnel from '../sql/rollup.funnel.compare.sql'
import fillFunnel from '../sql/rollup.funnel.fill.sql'
import mergeFunnel from '../sql/rollup.funnel.merge.sql'
import clearHour from '../sql/rollup.hour.clear.sql'
import compareHour from '../sql/rollup.hour.compare.sql'
import fillHour from '../sql/rollup.hour.fill.sql'
import mergeHour from '../sql/rollup.hour.merge.sql'
import clearPage from '../sql/rollup.page.clear.sql'
import comparePage from '../sql/rollup.page.compare.sql'
import fillPage from '../sql/rollup.page.fill.sql'
import mergePage from '../sql/rollup.page.merge.sql'
import sumPage from '../sql/rollup.page.sum.sql'
import clearSite from '../sql/rollup.site.clear.sql'
import compareSite from '../sql/rollup.site.compare.sql'
import fillSite from '../sql/rollup.site.fill.sql'
import mergeSite from '../sql/rollup.site.merge.sql'
import clearSource from '../sql/rollup.source.clear.sql'
import compareSource from '../sql/rollup.source.compare.sql'
import fillSource from '../sql/rollup.source.fill.sql'
import mergeSource from '../sql/rollup.source.merge.sql'
import sumSource from '../sql/rollup.source.sum.sql'
import clearTitle from '../sql/rollup.title.clear.sql'
import compareTitle from '../sql/rollup.title.compare.sql'
import fillTitle from '../sql/rollup.title.fill.sql'
import mergeTitle from '../sql/rollup.title.merge.sql'
import fillUtmAll from '../sql/rollup.utm-all.fill.sql'
import fillUtmCampaign from '../sql/rollup.utm-campaign.fill.sql'
import fillUtmContent from '../sql/rollup.utm-content.fill.sql'
import fillUtmMedium from '../sql/rollup.utm-medium.fill.sql'
import fillUtmSourceMediumCampaign from '../sql/rollup.utm-source-medium-campaign.fill.sql'
import fillUtmSourceMedium from '../sql/rollup.utm-source-medium.fill.sql'
import fillUtmSource from '../sql/rollup.utm-source.fill.sql'
import fillUtmTerm from '../sql/rollup.utm-term.fill.sql'
import clearUtm from '../sql/rollup.utm.clear.sql'
import compareUtm from '../sql/rollup.utm.compare.sql'
import mergeUtm from '../sql/rollup.utm.merge.sql'
import sumUtm from '../sql/rollup.utm.sum.sql'
import fillVisitCampaign from '../sql/rollup.visit-campaign.fill.sql'
import fillVisitClient from '../sql/rollup.visit-client.fill.sql'
import fillVisitLanguage from '../sql/rollup.visit-language.fill.sql'
import fillVisitOrigin from '../sql/rollup.visit-origin.fill.sql'
import fillVisitPlace from '../sql/rollup.visit-place.fill.sql'
import fillVisitScreen from '../sql/rollup.visit-screen.fill.sql'
import fillVisitTimezone from '../sql/rollup.visit-timezone.fill.sql'
import fillVisit from '../sql/rollup.visit.fill.sql'
import pairVisits from '../sql/rollup.visit.pair.sql'

const nothing = v.object({})
const period = v.object({ period: v.number() })
const parts = v.object({ period: v.number(), parts: v.string() })
const bounds = { first_view_id: v.number(), next_view_id: v.number() }

/** Values that the statements of a day may take: the day, its first second and that of the next, and the ids between. */
export const spanSchema = v.object({ day: v.number(), start: v.number(), end: v.number(), ...bounds })
export type Span = v.InferOutput<typeof spanSchema>

/** `sign` is 1 for rows that come and -1 for rows that go. */
const fillSchema = v.object({ ...spanSchema.entries, sign: v.number() })

/** A statement with those of the values that its text names. */
export const spanQuery = (sql: string): Query => {
  const entries = Object.entries(fillSchema.entries).filter(([name]) => new RegExp(`@${name}\\b`).test(sql))
  return query(sql, v.object(Object.fromEntries(entries)), nothing)
}

/** The visits of the day, which breakdowns are made from; these come before all others. */
export const visits = [fillVisit, pairVisits].map(spanQuery)

/** Visits by what breakdowns tell apart: grouping them once by a number is half of the work of each breakdown. */
export const visitGroups: Readonly<Record<string, Query>> = {
  visit_client: spanQuery(fillVisitClient),
  visit_place: spanQuery(fillVisitPlace),
  visit_origin: spanQuery(fillVisitOrigin),
  visit_campaign: spanQuery(fillVisitCampaign),
  visit_screen: spanQuery(fillVisitScreen),
  visit_language: spanQuery(fillVisitLanguage),
  visit_timezone: spanQuery(fillVisitTimezone),
}

/**
 * A rollup table: how a day of it is derived into its temporary twin, compared with it, cleared, and merged into it; and
 * how a longer period of it is added up from its parts.
 */
export type RollupTable = {
  name: string
  fills: readonly Query[]
  /** Of a table that holds several rollups in one, the statement of each by its value of the first column. */
  parts: Readonly<Record<string, Query>>
  compare: Query<typeof period>
  clear: Query<typeof period>
  merge: Query
  sum: Query<typeof parts> | null
}

type Texts = {
  name: string
  fills: string | Readonly<Record<string, string>>
  compare: string
  clear: string
  merge: string
  sum?: string
}

const partsOf = (fills: Texts['fills']): Readonly<Record<string, Query>> =>
  typeof fills === 'string'
    ? {}
    : Object.fromEntries(Object.entries(fills).map(([part, sql]) => [part, spanQuery(sql)]))

const table = ({ name, fills, compare, clear, merge, sum }: Texts, statements = partsOf(fills)): RollupTable => ({
  name,
  fills: typeof fills === 'string' ? [spanQuery(fills)] : Object.values(statements),
  parts: statements,
  compare: query(compare, period, v.object({ rows: v.number() })),
  clear: query(clear, period, nothing),
  merge: query(merge, nothing, nothing),
  sum: sum === undefined ? null : query(sum, parts, nothing),
})

/** Rollups of views and sessions, to which every visitor adds a part of their own. One row a table; a dimension is one more statement in its row. */
export const visitTables: readonly RollupTable[] = [
  table({ name: 'site_day', fills: fillSite, compare: compareSite, clear: clearSite, merge: mergeSite }),
  table({ name: 'hour_day', fills: fillHour, compare: compareHour, clear: clearHour, merge: mergeHour }),
  table({
    name: 'page_rollup',
    fills: fillPage,
    compare: comparePage,
    clear: clearPage,
    merge: mergePage,
    sum: sumPage,
  }),
  table({ name: 'title_day', fills: fillTitle, compare: compareTitle, clear: clearTitle, merge: mergeTitle }),
  table({
    name: 'source_rollup',
    fills: fillSource,
    compare: compareSource,
    clear: clearSource,
    merge: mergeSource,
    sum: sumSource,
  }),
  table({
    name: 'dimension_rollup',
    fills: {
      country: fillCountry,
      region: fillRegion,
      city: fillCity,
      continent: fillContinent,
      language: fillLanguage,
      timezone: fillTimezone,
      screen: fillScreen,
      device: fillDevice,
      browser: fillBrowser,
      browser_version: fillBrowserVersion,
      os: fillOs,
      os_version: fillOsVersion,
      system: fillSystem,
      channel: fillChannel,
    },
    compare: compareDimension,
    clear: clearDimension,
    merge: mergeDimension,
    sum: sumDimension,
  }),
  table({
    name: 'utm_rollup',
    fills: {
      source: fillUtmSource,
      medium: fillUtmMedium,
      campaign: fillUtmCampaign,
      term: fillUtmTerm,
      content: fillUtmContent,
      'source,medium': fillUtmSourceMedium,
      'source,medium,campaign': fillUtmSourceMediumCampaign,
      'source,medium,campaign,term,content': fillUtmAll,
    },
    compare: compareUtm,
    clear: clearUtm,
    merge: mergeUtm,
    sum: sumUtm,
  }),
]

/** Rollups of events. */
export const eventTables: readonly RollupTable[] = [
  table({
    name: 'event_rollup',
    fills: fillEvent,
    compare: compareEvent,
    clear: clearEvent,
    merge: mergeEvent,
    sum: sumEvent,
  }),
  table({
    name: 'event_property_rollup',
    fills: fillEventProperty,
    compare: compareEventProperty,
    clear: clearEventProperty,
    merge: mergeEventProperty,
    sum: sumEventProperty,
  }),
  table({
    name: 'event_page_rollup',
    fills: fillEventPage,
    compare: compareEventPage,
    clear: clearEventPage,
    merge: mergeEventPage,
    sum: sumEventPage,
  }),
  table({ name: 'funnel_day', fills: fillFunnel, compare: compareFunnel, clear: clearFunnel, merge: mergeFunnel }),
]

export const rollupTables: readonly RollupTable[] = [...visitTables, ...eventTables]

/** Clear the names of events, and the stages, that are counted anew. */
export const clearNewQueries = [clearNewEvents, clearNewFunnel].map(sql => query(sql, period, nothing))
