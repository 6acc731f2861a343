import * as v from 'valibot'
import { query, type Query } from '../database/query.ts'
import fillBrowserVersion from '../sql/rollup.dimension-browser-version.fill.sql'
import fillBrowser from '../sql/rollup.dimension-browser.fill.sql'
import fillChannel from '../sql/rollup.dimension-channel.fill.sql'
import fillCity from '../sql/rollup.dimension-city.fill.sql'
import fillContinent from '../sql/rollup.dimension-continent.fill.sql'
import fillCountry from '../sql/rollup.dimension-country.fill.sql'
import clearDimension from '../sql/rollup.dimension-day.clear.sql'
import copyDimension from '../sql/rollup.dimension-day.copy.sql'
import fillDevice from '../sql/rollup.dimension-device.fill.sql'
import fillLanguage from '../sql/rollup.dimension-language.fill.sql'
import fillOsVersion from '../sql/rollup.dimension-os-version.fill.sql'
import fillOs from '../sql/rollup.dimension-os.fill.sql'
import fillRegion from '../sql/rollup.dimension-region.fill.sql'
import fillScreen from '../sql/rollup.dimension-screen.fill.sql'
import fillTimezone from '../sql/rollup.dimension-timezone.fill.sql'
import clearEvent from '../sql/rollup.event-day.clear.sql'
import copyEvent from '../sql/rollup.event-day.copy.sql'
import fillEvent from '../sql/rollup.event-day.fill.sql'
import clearEventPage from '../sql/rollup.event-page-day.clear.sql'
import copyEventPage from '../sql/rollup.event-page-day.copy.sql'
import fillEventPage from '../sql/rollup.event-page-day.fill.sql'
import clearEventProperty from '../sql/rollup.event-property-day.clear.sql'
import copyEventProperty from '../sql/rollup.event-property-day.copy.sql'
import fillEventProperty from '../sql/rollup.event-property-day.fill.sql'
import clearFunnel from '../sql/rollup.funnel-day.clear.sql'
import copyFunnel from '../sql/rollup.funnel-day.copy.sql'
import fillFunnel from '../sql/rollup.funnel-day.fill.sql'
import clearHour from '../sql/rollup.hour-day.clear.sql'
import copyHour from '../sql/rollup.hour-day.copy.sql'
import fillHour from '../sql/rollup.hour-day.fill.sql'
import clearPage from '../sql/rollup.page-day.clear.sql'
import copyPage from '../sql/rollup.page-day.copy.sql'
import fillPage from '../sql/rollup.page-day.fill.sql'
import clearSite from '../sql/rollup.site-day.clear.sql'
import copySite from '../sql/rollup.site-day.copy.sql'
import fillSite from '../sql/rollup.site-day.fill.sql'
import clearSource from '../sql/rollup.source-day.clear.sql'
import copySource from '../sql/rollup.source-day.copy.sql'
import fillSource from '../sql/rollup.source-day.fill.sql'
import clearTitle from '../sql/rollup.title-day.clear.sql'
import copyTitle from '../sql/rollup.title-day.copy.sql'
import fillTitle from '../sql/rollup.title-day.fill.sql'
import fillUtmAll from '../sql/rollup.utm-all.fill.sql'
import fillUtmCampaign from '../sql/rollup.utm-campaign.fill.sql'
import fillUtmContent from '../sql/rollup.utm-content.fill.sql'
import clearUtm from '../sql/rollup.utm-day.clear.sql'
import copyUtm from '../sql/rollup.utm-day.copy.sql'
import fillUtmMedium from '../sql/rollup.utm-medium.fill.sql'
import fillUtmSourceMediumCampaign from '../sql/rollup.utm-source-medium-campaign.fill.sql'
import fillUtmSourceMedium from '../sql/rollup.utm-source-medium.fill.sql'
import fillUtmSource from '../sql/rollup.utm-source.fill.sql'
import fillUtmTerm from '../sql/rollup.utm-term.fill.sql'
import fillVisit from '../sql/rollup.visit.fill.sql'

const nothing = v.object({})
const day = v.object({ day: v.number() })
const bounds = { first_view_id: v.number(), next_view_id: v.number() }

/** Values that the statements of a day may take: the day, its first second and that of the next, and the ids between. */
export const spanSchema = v.object({ day: v.number(), start: v.number(), end: v.number(), ...bounds })
export type Span = v.InferOutput<typeof spanSchema>

/** A statement with those of the values that its text names. */
const fill = (sql: string): Query => {
  const entries = Object.entries(spanSchema.entries).filter(([name]) => new RegExp(`@${name}\\b`).test(sql))
  return query(sql, v.object(Object.fromEntries(entries)), nothing)
}

/** The visits of the day, which breakdowns are made from; comes before all others. */
export const visits = fill(fillVisit)

/** A rollup table: how a day of it is derived into its temporary twin, leaves it, and is copied into it. */
export type RollupTable = { fills: readonly Query[], clear: Query<typeof day>, copy: Query }

const table = (fills: readonly string[], clear: string, copy: string): RollupTable =>
  ({ fills: fills.map(fill), clear: query(clear, day, nothing), copy: query(copy, nothing, nothing) })

/** Every rollup. One row a table; a dimension is one more statement in its row. */
export const rollupTables: readonly RollupTable[] = [
  table([fillSite], clearSite, copySite),
  table([fillHour], clearHour, copyHour),
  table([fillPage], clearPage, copyPage),
  table([fillTitle], clearTitle, copyTitle),
  table([fillSource], clearSource, copySource),
  table([
    fillCountry, fillRegion, fillCity, fillContinent, fillLanguage, fillTimezone, fillScreen,
    fillDevice, fillBrowser, fillBrowserVersion, fillOs, fillOsVersion, fillChannel,
  ], clearDimension, copyDimension),
  table([
    fillUtmSource, fillUtmMedium, fillUtmCampaign, fillUtmTerm, fillUtmContent, fillUtmSourceMedium,
    fillUtmSourceMediumCampaign, fillUtmAll,
  ], clearUtm, copyUtm),
  table([fillEvent], clearEvent, copyEvent),
  table([fillEventProperty], clearEventProperty, copyEventProperty),
  table([fillEventPage], clearEventPage, copyEventPage),
  table([fillFunnel], clearFunnel, copyFunnel),
]
