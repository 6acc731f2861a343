import { ratio } from '../../reports/numbers.ts'
import type { QuestionContext } from '../question.ts'
import type { RowOf } from '../reports.ts'
import { largestFirst } from '../shapes.ts'
import { minSessions, withQuality } from './channels.ts'

export const campaignRow = ({ utm_source = null, utm_medium = null, utm_campaign = null, ...row }: RowOf<'utm'>) => ({
  ...withQuality(row),
  utm_source,
  utm_medium,
  utm_campaign,
})

/** Revenue by campaign, if a shop is connected. */
const revenues = async ({ get, all }: QuestionContext) => {
  const {
    data: { woocommerce_active },
  } = await get('revenueStatus', {})
  if (!woocommerce_active) return null
  const { data, currency } = await all('revenueByUtm', {})
  const by = new Map<string, number>()
  for (const { utm_campaign, revenue } of data) {
    const key = utm_campaign?.toLowerCase()
    if (key !== undefined) by.set(key, Math.round(((by.get(key) ?? 0) + revenue) * 1000) / 1000)
  }
  return { by, currency }
}

/** The campaign with the most revenue per visit, or without revenue the one with the most engaged visits. */
export const recommendBudget = async (context: QuestionContext) => {
  const [{ data, source }, revenue] = await Promise.all([
    context.all('utm', { group_by: 'campaign' }),
    revenues(context),
  ])
  const rows = data.filter(({ sessions }) => sessions >= minSessions).map(campaignRow)
  const revenueOf = ({ utm_campaign }: { utm_campaign: string | null }): number =>
    revenue?.by.get(utm_campaign?.toLowerCase() ?? '') ?? 0
  const byRevenue = rows.some(row => revenueOf(row) > 0)
  const [first] = byRevenue
    ? largestFirst(rows, row => revenueOf(row) / row.sessions)
    : largestFirst(rows, row => row.sessions - row.bounces)
  if (first === undefined)
    return {
      viz: { verdict: 'not_enough_data', evidence: [] },
      source,
      values: { least: minSessions },
      empty: 'budget' as const,
    }
  const evidence = [
    { label: context.label('utm_campaign'), value: first.utm_campaign, unit: 'text' as const },
    { label: context.label('sessions'), value: first.sessions, unit: 'count' as const },
    { label: context.label('bounce_rate'), value: first.bounce_rate, unit: 'percent' as const },
    { label: context.label('views_per_session'), value: first.views_per_session, unit: 'count' as const },
    ...(revenue === null
      ? []
      : [{ label: context.label('revenue'), value: revenueOf(first), unit: 'currency' as const }]),
  ]
  const currency = revenue?.currency ?? null
  const values = {
    name: first.utm_campaign ?? '',
    n: first.sessions,
    stayed: { percent: ratio(first.sessions - first.bounces, first.sessions) },
    basis: byRevenue ? 'revenue' : 'visits',
    revenue: { money: revenueOf(first), currency },
  }
  return { viz: { verdict: 'increase', evidence, ...(currency !== null && { currency }) }, source, values }
}
