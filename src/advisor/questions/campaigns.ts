import { addDays, dayText, weekday, type Day } from '../../lib/time.ts'
import { change, ratio } from '../../reports/numbers.ts'
import { question, tableOf, type QuestionContext, type Category, type Head } from '../question.ts'
import { rawQuery, sinceOf } from '../raw.ts'
import type { RowOf } from '../reports.ts'
import { figure, list, most, sum } from '../shapes.ts'
import { fewest, withQuality } from './channels.ts'

type Utm = RowOf<'utm'>
type Grouping = 'source' | 'campaign' | 'medium' | 'source,medium' | 'source,medium,campaign'

const utm =
  (group_by: Grouping) =>
  ({ all }: Pick<QuestionContext, 'all'>) =>
    all('utm', { group_by })

const among = (value: string | null | undefined, names: readonly string[]): boolean =>
  value != null && names.includes(value.toLowerCase())

/** Visitors of the rows that fit. */
const utmTile = (head: Head, grouping: Grouping, fits: (row: Utm) => boolean) =>
  figure(head, {
    unit: 'count',
    label: 'visitors',
    tile: async ask => {
      const { data, source } = await utm(grouping)(ask)
      const rows = data.filter(fits)
      return { value: sum(rows, row => row.visitors), source, values: { sessions: sum(rows, row => row.sessions) } }
    },
  })

const text = (value: string | null | undefined): string | null => value ?? null
const campaignRow = (row: Utm) => ({
  ...withQuality(row),
  utm_source: text(row.utm_source),
  utm_medium: text(row.utm_medium),
  utm_campaign: text(row.utm_campaign),
})
const shown = ({ utm_source, utm_medium, utm_campaign }: Utm): string[] =>
  [utm_source, utm_medium, utm_campaign].flatMap(value => value ?? [])
const campaigns = utm('campaign')

const best = (head: Head, grouping: Grouping, column: 'utm_campaign' | 'utm_source' | 'utm_medium') =>
  list(head, {
    ask: utm(grouping),
    rows: data => data.map(campaignRow),
    columns: [column, 'sessions', 'visitors', 'views', 'bounce_rate'],
    empty: 'campaigns',
    say: first => ({ name: first[column] ?? '', n: first.sessions }),
  })

/** The Friday after the fourth Thursday of November. */
export const blackFriday = (year: number): Day => {
  const november = year * 10_000 + 1101
  return addDays(november, ((4 - weekday(november) + 7) % 7) + 22)
}

const lastBlackFriday = (day: Day): Day => {
  const year = Math.floor(day / 10_000)
  return blackFriday(year) <= day ? blackFriday(year) : blackFriday(year - 1)
}

/** From Friday to Monday. */
const saleDays = 3

const money = (value: number): number => Math.round(value * 1000) / 1000

/** Revenue by campaign, where a shop is connected. */
const revenues = async ({ get, all }: QuestionContext) => {
  const {
    data: { woocommerce_active },
  } = await get('revenueStatus', {})
  if (!woocommerce_active) return null
  const { data, currency } = await all('revenueByUtm', {})
  const by = new Map<string, number>()
  for (const { utm_campaign, revenue } of data) {
    const key = utm_campaign?.toLowerCase()
    if (key !== undefined) by.set(key, money((by.get(key) ?? 0) + revenue))
  }
  return { by, currency }
}

const budget = async (ask: QuestionContext) => {
  const [{ data, source }, paid] = await Promise.all([campaigns(ask), revenues(ask)])
  const rows = data.filter(({ sessions }) => sessions >= fewest).map(campaignRow)
  const revenueOf = ({ utm_campaign }: { utm_campaign: string | null }): number =>
    paid?.by.get(utm_campaign?.toLowerCase() ?? '') ?? 0
  const byMoney = rows.some(row => revenueOf(row) > 0)
  const [first] = byMoney
    ? most(rows, row => revenueOf(row) / row.sessions)
    : most(rows, row => row.sessions - row.bounces)
  if (first === undefined)
    return {
      viz: { verdict: 'not_enough_data', evidence: [] },
      source,
      values: { least: fewest },
      empty: 'budget' as const,
    }
  const evidence = [
    { label: ask.label('utm_campaign'), value: first.utm_campaign, unit: 'text' as const },
    { label: ask.label('sessions'), value: first.sessions, unit: 'count' as const },
    { label: ask.label('bounce_rate'), value: first.bounce_rate, unit: 'percent' as const },
    { label: ask.label('views_per_session'), value: first.views_per_session, unit: 'count' as const },
    ...(paid === null ? [] : [{ label: ask.label('revenue'), value: revenueOf(first), unit: 'currency' as const }]),
  ]
  const currency = paid?.currency ?? null
  const values = {
    name: first.utm_campaign ?? '',
    n: first.sessions,
    stayed: { percent: ratio(first.sessions - first.bounces, first.sessions) },
    basis: byMoney ? 'revenue' : 'visits',
    revenue: { money: revenueOf(first), currency },
  }
  return { viz: { verdict: 'increase', evidence, ...(currency !== null && { currency }) }, source, values }
}

export const campaignsAndUtm: Category = {
  id: 'campaigns_and_utm',
  questions: [
    figure(['q57', 'free', 'direct'], {
      unit: 'count',
      label: 'sessions',
      tile: async ask => {
        const { data, source } = await campaigns(ask)
        const value = sum(data, row => row.sessions)
        return { value, source, values: { campaigns: data.length }, empty: value === 0 ? 'campaigns' : undefined }
      },
    }),
    best(['q58', 'free', 'direct'], 'campaign', 'utm_campaign'),
    best(['q59', 'free', 'direct'], 'source', 'utm_source'),
    best(['q60', 'free', 'direct'], 'medium', 'utm_medium'),
    utmTile(
      ['q61', 'free', 'direct'],
      'source,medium',
      row => among(row.utm_medium, ['email', 'newsletter']) || among(row.utm_source, ['newsletter']),
    ),
    figure(['q62', 'free', 'direct'], {
      unit: 'count',
      label: 'visitors',
      tile: async ask => {
        // Channel and campaign are crossed by single visits, so this goes back as far as these are kept.
        const range = await ask.keptRange()
        // An unwanted empty campaign is any campaign.
        const {
          data: { totals },
          source,
        } = await ask.get('summary', {
          ...rawQuery(ask, range),
          ...(range !== null && { channel: 'Email', utm_campaign: '!' }),
        })
        return range === null
          ? { value: 0, source, values: { sessions: 0 } }
          : { value: totals.visitors, source, values: { sessions: totals.sessions } }
      },
    }),
    utmTile(['q64', 'free', 'direct'], 'source', row => among(row.utm_source, ['facebook', 'fb', 'meta'])),
    utmTile(['q65', 'free', 'direct'], 'source', row => among(row.utm_source, ['google', 'googleads'])),
    question(['q66', 'free', 'direct'], 'table', async ask => {
      const range = await ask.rawRange()
      const { data, source } = await ask.get('campaignLandings', { ...rawQuery(ask, range), limit: 200 })
      const rows = range === null ? [] : data
      const viz = tableOf(ask, rows.slice(0, 20), ['utm_campaign', 'page', 'sessions', 'bounce_rate'])
      const [first] = rows
      return {
        viz,
        source,
        ...(first === undefined
          ? { values: {}, empty: 'campaigns' }
          : { values: { name: first.utm_campaign, page: first.page, n: first.sessions, ...sinceOf(ask, range) } }),
      }
    }),
    list(['q67', 'free', 'direct'], {
      ask: utm('source,medium,campaign'),
      rows: data => data.map(campaignRow),
      columns: ['utm_source', 'utm_medium', 'utm_campaign', 'sessions', 'visitors', 'bounces'],
      empty: 'campaigns',
      say: first => ({ name: shown(first).join(' / '), n: first.sessions }),
    }),
    question(['q68', 'paid', 'calculated'], 'delta', async ask => {
      const friday = lastBlackFriday(Math.min(ask.range.to, ask.today))
      const last = Math.min(addDays(friday, saleDays), ask.today)
      const [from, to, previous_from, previous_to] = [friday, last, addDays(friday, -7), addDays(last, -7)].map(
        dayText,
      ) as [string, string, string, string]
      const [now, then] = await Promise.all([
        ask.get('summary', { from, to }),
        ask.get('summary', { from: previous_from, to: previous_to }),
      ])
      const [current, previous] = [now.data.totals.visitors, then.data.totals.visitors]
      const grown = change(current, previous)
      const values = { date: { date: from }, n: current, previous, trend: ask.trend(grown) }
      return {
        viz: { current, previous, change: grown, unit: 'count', previous_from, previous_to, from, to },
        source: now.source,
        values,
        empty: current === 0 && previous === 0 ? 'black_friday' : undefined,
      }
    }),
    list(['q69', 'paid', 'proxy'], {
      ask: campaigns,
      rows: data =>
        most(data.filter(({ sessions }) => sessions >= fewest).map(campaignRow), row => 1 - (row.bounce_rate ?? 1)),
      columns: ['utm_campaign', 'sessions', 'bounce_rate', 'views_per_session'],
      empty: 'few',
      say: first => ({
        name: first.utm_campaign ?? '',
        stayed: { percent: ratio(first.sessions - first.bounces, first.sessions) },
        pages: { decimal: first.views_per_session },
        count: first.views_per_session ?? 0,
      }),
    }),
    list(['q70', 'paid', 'direct'], {
      ask: campaigns,
      rows: data => most(data.map(campaignRow), row => row.bounces),
      columns: ['utm_campaign', 'bounces', 'sessions', 'bounce_rate'],
      empty: 'campaigns',
      say: first => ({ name: first.utm_campaign ?? '', n: first.bounces, sessions: first.sessions }),
    }),
    question(['q71', 'paid', 'proxy'], 'recommendation', budget),
  ],
}
