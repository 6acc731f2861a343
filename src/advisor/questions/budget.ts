import { ratio } from '../../reports/numbers.ts'
import { sameCounts, sameSums } from '../chance.ts'
import type { QuestionContext } from '../question.ts'
import type { RowOf } from '../reports.ts'
import { largestFirst } from '../shapes.ts'
import { minSessions, withQuality } from './quality.ts'

export const campaignRow = ({ utm_source = null, utm_medium = null, utm_campaign = null, ...row }: RowOf<'utm'>) => ({
  ...withQuality(row),
  utm_source,
  utm_medium,
  utm_campaign,
})

type Sales = { revenue: number; orders: number }

/** Orders by campaign, if a shop is connected. */
const salesBy = async ({ get, all }: QuestionContext) => {
  const {
    data: { woocommerce_active },
  } = await get('revenueStatus', {})
  if (!woocommerce_active) return null
  const { data, currency } = await all('revenueByUtm', {})
  const by = new Map<string, Sales>()
  for (const { utm_campaign, revenue, orders } of data) {
    const key = utm_campaign?.toLowerCase()
    if (key === undefined) continue
    const known = by.get(key) ?? { revenue: 0, orders: 0 }
    by.set(key, { revenue: Math.round((known.revenue + revenue) * 1000) / 1000, orders: known.orders + orders })
  }
  return { by, currency }
}

type Candidate = ReturnType<typeof campaignRow> & Sales

const engaged = ({ sessions, bounces }: Candidate): number => sessions - bounces
const perVisit = ({ revenue, sessions }: Candidate): number => revenue / sessions

/** Whether chance explains that one campaign did better than another. */
const isLevel = (one: Candidate, other: Candidate, byRevenue: boolean): boolean =>
  byRevenue
    ? sameSums(perVisit(one), one.orders, perVisit(other), other.orders)
    : sameCounts(engaged(one), engaged(other))

/**
 * The campaign with the most revenue per visit, or without revenue the one with the most engaged visits, if it is more
 * than chance.
 */
export const recommendBudget = async (context: QuestionContext) => {
  const [{ data, source }, sales] = await Promise.all([context.all('utm', { group_by: 'campaign' }), salesBy(context)])
  const rows: Candidate[] = data
    .filter(({ sessions }) => sessions >= minSessions)
    .map(row => ({
      ...campaignRow(row),
      ...(sales?.by.get(row.utm_campaign?.toLowerCase() ?? '') ?? { revenue: 0, orders: 0 }),
    }))
  const byRevenue = rows.some(({ revenue }) => revenue > 0)
  const [first, second] = largestFirst(rows, byRevenue ? perVisit : engaged)
  if (first === undefined)
    return {
      viz: { verdict: 'not_enough_data', evidence: [] },
      source,
      values: { least: minSessions },
      empty: 'budget' as const,
    }
  const verdict =
    second === undefined ? 'not_enough_data' : isLevel(first, second, byRevenue) ? 'about_the_same' : 'increase'
  const evidence = [
    { label: context.label('utm_campaign'), value: first.utm_campaign, unit: 'text' as const },
    { label: context.label('sessions'), value: first.sessions, unit: 'count' as const },
    { label: context.label('bounce_rate'), value: first.bounce_rate, unit: 'percent' as const },
    { label: context.label('views_per_session'), value: first.views_per_session, unit: 'count' as const },
    ...(sales === null ? [] : [{ label: context.label('revenue'), value: first.revenue, unit: 'currency' as const }]),
  ]
  const currency = sales?.currency ?? null
  const values = {
    name: first.utm_campaign ?? '',
    n: first.sessions,
    stayed: { percent: ratio(first.sessions - first.bounces, first.sessions) },
    basis: byRevenue ? 'revenue' : 'visits',
    revenue: { money: first.revenue, currency },
    verdict,
    other: second?.utm_campaign ?? '',
  }
  return { viz: { verdict, evidence, ...(currency !== null && { currency }) }, source, values }
}
