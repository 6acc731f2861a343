// What each row of a panel did for the chosen goal: visitors, rate, and value per visit.
import type { GoalGroup } from '../../reports/of/goals-breakdown.ts'
import { useApp } from '../app/app-context.ts'
import { write } from '../app/metrics.ts'
import { filterParams } from '../app/url.ts'
import { useReport } from '../app/use-report.ts'
import { type Breakdown, type Row, text } from '../overview/breakdown.ts'

/** The breakdowns that a goal can be grouped by, and what names their rows. */
const groups: Readonly<Record<string, { by: string; key: string; within?: readonly string[] }>> = {
  channel: { by: 'channel', key: 'key' },
  source: { by: 'source', key: 'source', within: ['channel'] },
  utm_campaign: { by: 'utm_campaign', key: 'utm_campaign' },
  utm_source: { by: 'utm_source', key: 'utm_source' },
  utm_medium: { by: 'utm_medium', key: 'utm_medium' },
  page: { by: 'page', key: 'page' },
  entry: { by: 'entry_page', key: 'page' },
  exit: { by: 'exit_page', key: 'page' },
  country: { by: 'country', key: 'key' },
  region: { by: 'region', key: 'key', within: ['country'] },
  city: { by: 'city', key: 'key', within: ['country'] },
  language: { by: 'language', key: 'key' },
  device: { by: 'device', key: 'key' },
  browser: { by: 'browser', key: 'key' },
  os: { by: 'os', key: 'key' },
  screen: { by: 'screen', key: 'key' },
  host: { by: 'host', key: 'key' },
  order_campaigns: { by: 'utm', key: 'utm_campaign', within: ['utm_source', 'utm_medium'] },
  order_channels: { by: 'channel', key: 'channel' },
  landing_pages: { by: 'entry_page', key: 'landing_page' },
}

export type Conversions = {
  name: string
  hasValue: boolean
  currency: string | null
  /** Null while the report loads, and for a row without visits. */
  of: (row: Row) => GoalGroup | null
} | null

/** What a row is within, as the report of the goal names it. */
const withinOf = (row: Row, fields: readonly string[] = []): string | null => {
  const texts = fields.map(field => text(row, field))
  return texts.every(one => one === null) ? null : texts.map(one => one ?? '').join(' / ')
}

const maxRows = 200

/** Null without a chosen goal, and for rows by which it cannot be grouped. */
export const useConversions = (breakdown: Breakdown): Conversions => {
  const { state, span, goals } = useApp()
  const goal = goals.list.find(({ id }) => String(id) === state.goal)
  const group = groups[breakdown.id]
  const path = goal === undefined || group === undefined ? null : `/goals/${goal.id}/breakdown`
  const filters = breakdown.ofOrders === true ? {} : filterParams(state.filters)
  const { result } = useReport<GoalGroup[]>(path, { ...filters, ...span, by: group?.by ?? '', limit: maxRows })
  if (goal === undefined || group === undefined) return null
  const nameOf = (key: string | null, within: string | null): string => `${key ?? ''}\n${within ?? ''}`
  const byKey = new Map(result?.data.map(row => [nameOf(row.key, row.within), row]))
  return {
    name: goal.name,
    hasValue: goal.value_from !== 'none',
    currency: typeof result?.meta.currency === 'string' ? result.meta.currency : null,
    of: row => byKey.get(nameOf(text(row, group.key), withinOf(row, group.within))) ?? null,
  }
}

export const ConversionHeads = ({ of }: { of: Conversions }) => {
  const { t } = useApp()
  if (of === null) return null
  return (
    <>
      <th scope="col" class="delta converted" title={of.name}>
        {t('converted')}
      </th>
      <th scope="col" class="delta rate" title={of.name}>
        {t('conversion_rate')}
      </th>
      {of.hasValue && (
        <th scope="col" class="delta converted" title={`${of.name}: ${t('value_per_session')}`}>
          {t('revenue_per_session')}
        </th>
      )}
    </>
  )
}

export const ConversionCells = ({ of, row }: { of: Conversions; row: Row }) => {
  const { f } = useApp()
  if (of === null) return null
  const found = of.of(row)
  return (
    <>
      <td class="delta converted">{write(f, 'count', found?.visitors)}</td>
      <td class="delta">{write(f, 'percent', found?.conversion_rate)}</td>
      {of.hasValue && <td class="delta converted">{write(f, 'money', found?.value_per_session, of.currency)}</td>}
    </>
  )
}
