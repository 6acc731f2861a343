import { addDays, type Day, dayText, weekday } from '../../lib/time.ts'
import { ratio } from '../../reports/numbers.ts'
import { chanceKind, sameCounts } from '../chance.ts'
import type { Filters } from '../filters.ts'
import { type Category, type Head, type QuestionContext, question } from '../question.ts'
import { rawQuery, sinceOf } from '../raw.ts'
import type { RowOf } from '../reports.ts'
import { figure, largestFirst, list, sum } from '../shapes.ts'
import { campaignRow, recommendBudget } from './budget.ts'
import { minSessions } from './quality.ts'

type Utm = RowOf<'utm'>
type Grouping = 'source' | 'campaign' | 'medium' | 'source,medium' | 'source,medium,campaign'

const utm =
  (group_by: Grouping) =>
  ({ all }: Pick<QuestionContext, 'all'>) =>
    all('utm', { group_by })

const isOneOf = (value: string | null | undefined, names: readonly string[]): boolean =>
  value != null && names.includes(value.toLowerCase())

/** Visitors of the matching rows. */
const utmTile = (head: Head, grouping: Grouping, matches: (row: Utm) => boolean) =>
  figure(head, {
    unit: 'count',
    label: 'visitors',
    load: async context => {
      const { data, source } = await utm(grouping)(context)
      const rows = data.filter(matches)
      return { value: sum(rows, row => row.visitors), source, values: { sessions: sum(rows, row => row.sessions) } }
    },
  })

const shown = ({ utm_source, utm_medium, utm_campaign }: Utm): string[] =>
  [utm_source, utm_medium, utm_campaign].flatMap(value => value ?? [])
const campaigns = utm('campaign')

const best = (head: Head, grouping: Grouping, column: 'utm_campaign' | 'utm_source' | 'utm_medium') =>
  list(head, {
    load: utm(grouping),
    rows: data => data.map(campaignRow),
    columns: [column, 'sessions', 'visitors', 'views', 'bounce_rate'],
    empty: 'campaigns',
    values: first => ({ name: first[column] ?? '', n: first.sessions }),
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

/** A filter for visits with a campaign, of those that the batch's filter selects. `!` means "not empty". */
const anyCampaign = ({ utm_campaign }: Filters): string =>
  utm_campaign === undefined ? '!' : utm_campaign.startsWith('!') ? `!,${utm_campaign.slice(1)}` : utm_campaign

/** Black Friday to Cyber Monday. */
const daysAfterFriday = 3

export const campaignsAndUtm: Category = {
  id: 'campaigns_and_utm',
  questions: [
    figure(['q57', 'free', 'direct'], {
      unit: 'count',
      label: 'sessions',
      load: async context => {
        const { data, source } = await campaigns(context)
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
      row => isOneOf(row.utm_medium, ['email', 'newsletter']) || isOneOf(row.utm_source, ['newsletter']),
    ),
    figure(['q62', 'free', 'direct'], {
      unit: 'count',
      label: 'visitors',
      load: async context => {
        // Only raw rows combine channel and campaign, so this covers the days that still have them.
        const range = await context.keptRange()
        const {
          data: { totals },
          source,
        } = await context.get('summary', {
          ...rawQuery(context, range),
          ...(range !== null && { channel: 'Email', utm_campaign: anyCampaign(context.filters) }),
        })
        return range === null
          ? { value: 0, source, values: { sessions: 0 } }
          : { value: totals.visitors, source, values: { sessions: totals.sessions } }
      },
    }),
    utmTile(['q64', 'free', 'direct'], 'source', row => isOneOf(row.utm_source, ['facebook', 'fb', 'meta'])),
    utmTile(['q65', 'free', 'direct'], 'source', row => isOneOf(row.utm_source, ['google', 'googleads'])),
    list(['q66', 'free', 'direct'], {
      load: async context => {
        const range = await context.rawRange()
        const { data, source } = await context.get('campaignLandings', { ...rawQuery(context, range), limit: 200 })
        return { data: { rows: range === null ? [] : data, since: sinceOf(context, range) }, source }
      },
      rows: data => data.rows,
      maxRows: 20,
      columns: ['utm_campaign', 'page', 'sessions', 'bounce_rate'],
      empty: 'campaigns',
      values: (first, _, { data }) => ({
        name: first.utm_campaign,
        page: first.page,
        n: first.sessions,
        ...data.since,
      }),
    }),
    list(['q67', 'free', 'direct'], {
      load: utm('source,medium,campaign'),
      rows: data => data.map(campaignRow),
      columns: ['utm_source', 'utm_medium', 'utm_campaign', 'sessions', 'visitors', 'bounces'],
      empty: 'campaigns',
      values: first => ({ name: shown(first).join(' / '), n: first.sessions }),
    }),
    question(['q68', 'paid', 'calculated'], 'delta', async context => {
      const friday = lastBlackFriday(Math.min(context.range.to, context.today))
      const last = Math.min(addDays(friday, daysAfterFriday), context.today)
      const [from, to, previous_from, previous_to] = [friday, last, addDays(friday, -7), addDays(last, -7)].map(
        dayText,
      ) as [string, string, string, string]
      const { data, source } = await context.get('summary', { from, to, compare: `${previous_from}..${previous_to}` })
      const [current, previous] = [data.totals.visitors, data.previous?.totals.visitors ?? 0]
      const chance = sameCounts(current, previous)
      const growth = data.change?.visitors ?? null
      const values = {
        date: { date: from },
        n: current,
        previous,
        chance: String(chance && chanceKind(current, previous) === 'about'),
      }
      return {
        viz: { current, previous, change: growth, unit: 'count', previous_from, previous_to, from, to },
        source,
        values,
        empty: current === 0 && previous === 0 ? 'black_friday' : undefined,
      }
    }),
    list(['q69', 'paid', 'proxy'], {
      load: campaigns,
      rows: data =>
        largestFirst(
          data.filter(({ sessions }) => sessions >= minSessions).map(campaignRow),
          row => 1 - (row.bounce_rate ?? 1),
        ),
      columns: ['utm_campaign', 'sessions', 'bounce_rate', 'views_per_session'],
      empty: 'few',
      values: first => ({
        name: first.utm_campaign ?? '',
        stayed: { percent: ratio(first.sessions - first.bounces, first.sessions) },
        pages: { decimal: first.views_per_session },
        count: first.views_per_session ?? 0,
      }),
    }),
    list(['q70', 'paid', 'direct'], {
      load: campaigns,
      rows: data => largestFirst(data.map(campaignRow), row => row.bounces),
      columns: ['utm_campaign', 'bounces', 'sessions', 'bounce_rate'],
      empty: 'campaigns',
      values: first => ({ name: first.utm_campaign ?? '', n: first.bounces, sessions: first.sessions }),
    }),
    question(['q71', 'paid', 'proxy'], 'recommendation', recommendBudget),
  ],
}
