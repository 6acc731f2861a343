import type { Channel } from '../../channel/channel.ts'
import { change, fineMean, ratio } from '../../reports/numbers.ts'
import { parseDay } from '../../lib/time.ts'
import { before } from '../compare.ts'
import { question, type QuestionContext, type Category, type Head } from '../question.ts'
import type { DataOf, RowOf } from '../reports.ts'
import { figure, list, largestFirst, sum } from '../shapes.ts'
import { flat, type SourceRow } from './traffic.ts'

type ChannelRow = Extract<RowOf<'sources'>, { sources: unknown }>

const daily = { group_by: 'channel', interval: 'day' } as const
const grouped = ({ get }: Pick<QuestionContext, 'get'>) => get('sources', daily)
const groupedBefore = (context: QuestionContext) => context.get('sources', { ...daily, ...before(context) })
export const channelRows = (data: DataOf<'sources'>): ChannelRow[] =>
  data.flatMap(row => ('sources' in row ? [row] : []))

const none: Pick<ChannelRow, 'visitors' | 'sessions' | 'share' | 'series'> = { visitors: 0, sessions: 0, share: null }
const rowOf = (data: DataOf<'sources'>, name: Channel) =>
  channelRows(data).find(({ channel }) => channel === name) ?? none

const channelTile = (head: Head, channel: Channel) =>
  figure(head, {
    unit: 'count',
    label: 'visitors',
    load: async context => {
      const [{ data, source }, { data: then }] = await Promise.all([grouped(context), groupedBefore(context)])
      const [{ visitors, share }, previous] = [rowOf(data, channel), rowOf(then, channel).visitors]
      return {
        value: visitors,
        source,
        previous,
        change: change(visitors, previous),
        values: { share: { percent: share ?? 0 } },
      }
    },
  })

/** Visitors from one source, over all its channels and domains. */
const sourceTile = (head: Head, names: readonly string[], channel?: Channel) =>
  figure(head, {
    unit: 'count',
    label: 'visitors',
    load: async context => {
      const fits = (row: SourceRow): boolean =>
        names.includes(row.source) && (channel === undefined || row.channel === channel)
      const [now, then] = await Promise.all([context.all('sources', {}), context.all('sources', before(context))])
      const found = flat(now.data).filter(fits)
      const [value, previous] = [
        sum(found, row => row.visitors),
        sum(flat(then.data).filter(fits), row => row.visitors),
      ]
      return {
        value,
        source: now.source,
        previous,
        change: change(value, previous),
        values: { sessions: sum(found, row => row.sessions) },
      }
    },
  })

/** Merges the rows of a channel into one row per source, across domains. */
const bySource = (data: DataOf<'sources'>, name: Channel) => {
  const found = new Map<
    string,
    { source: string; visitors: number; sessions: number; views: number; bounces: number }
  >()
  for (const { channel, source, visitors, sessions, views, bounces } of flat(data)) {
    if (channel !== name) continue
    const known = found.get(source) ?? { source, visitors: 0, sessions: 0, views: 0, bounces: 0 }
    found.set(source, {
      source,
      visitors: known.visitors + visitors,
      sessions: known.sessions + sessions,
      views: known.views + views,
      bounces: known.bounces + bounces,
    })
  }
  return largestFirst([...found.values()], ({ sessions }) => sessions)
}

const ranking = (head: Head, channel: Channel, empty: 'social' | 'assistants') =>
  list(head, {
    load: ({ all }) => all('sources', {}),
    rows: data => bySource(data, channel),
    columns: ['source', 'visitors', 'sessions', 'views'],
    empty,
    values: (first, rows) => ({ source: first.source, n: first.visitors, all: sum(rows, ({ visitors }) => visitors) }),
  })

/** The days of a channel, and those of the previous window. */
const trend = (head: Head, channel: Channel) =>
  question(head, 'line', async context => {
    const [{ data, source }, { data: then }] = await Promise.all([grouped(context), groupedBefore(context)])
    const [now, past] = [rowOf(data, channel), rowOf(then, channel)]
    const points = (row: typeof now) =>
      (row.series ?? [])
        .filter(({ date }) => parseDay(date) <= context.today)
        .map(({ date, visitors }) => ({ date, value: visitors }))
    const series = [
      { key: 'current', label: context.label('this_period'), points: points(now) },
      { key: 'previous', label: context.label('period_before'), points: points(past) },
    ]
    const values = {
      n: now.visitors,
      previous: past.visitors,
      trend: context.trend(change(now.visitors, past.visitors)),
    }
    return {
      viz: { unit: 'count', series },
      source,
      values,
      empty: now.visitors === 0 && past.visitors === 0 ? ('channel' as const) : undefined,
    }
  })

/** Sources with fewer visits are not ranked by quality. */
export const minSessions = 5

export const withQuality = <R extends { sessions: number; views: number; bounces: number }>(row: R) => ({
  ...row,
  bounce_rate: ratio(row.bounces, row.sessions),
  views_per_session: fineMean(row.views, row.sessions),
})

export const referrers: Category = {
  id: 'referrers_and_channels',
  questions: [
    question(['q41', 'free', 'direct'], 'donut', async context => {
      const { data, source } = await grouped(context)
      const rows = channelRows(data)
      const [first] = rows
      const items = rows.map(({ channel, sessions, share }) => ({
        key: channel,
        label: context.label(channel),
        value: sessions,
        share,
      }))
      const values = {
        channel: context.label(first?.channel ?? 'Direct'),
        n: first?.sessions ?? 0,
        share: { percent: first?.share ?? 0 },
      }
      return {
        viz: { unit: 'count', items },
        source,
        values,
        empty: (first?.sessions ?? 0) === 0 ? 'visits' : undefined,
      }
    }),
    figure(['q42', 'free', 'direct'], {
      unit: 'count',
      label: 'visitors',
      load: async context => {
        const { data, source } = await grouped(context)
        const [first] = channelRows(data)
        if (first === undefined || first.sessions === 0) return { value: 0, source, empty: 'visits' }
        return {
          value: first.visitors,
          source,
          label: context.label(first.channel),
          values: { channel: context.label(first.channel), share: { percent: first.share } },
        }
      },
    }),
    sourceTile(['q43', 'free', 'direct'], ['Google'], 'Organic Search'),
    channelTile(['q44', 'free', 'direct'], 'Organic Search'),
    channelTile(['q45', 'free', 'direct'], 'Social Media'),
    ranking(['q46', 'free', 'direct'], 'Social Media', 'social'),
    channelTile(['q47', 'free', 'direct'], 'Direct'),
    sourceTile(['q48', 'free', 'direct'], ['Reddit']),
    sourceTile(['q49', 'free', 'direct'], ['X', 'Twitter']),
    sourceTile(['q50', 'free', 'direct'], ['Facebook']),
    sourceTile(['q51', 'free', 'direct'], ['Instagram']),
    sourceTile(['q52', 'free', 'direct'], ['YouTube']),
    ranking(['q53', 'free', 'direct'], 'AI Assistants', 'assistants'),
    trend(['q54', 'free', 'calculated'], 'Organic Search'),
    trend(['q55', 'free', 'calculated'], 'Referral'),
    list(['q56', 'paid', 'proxy'], {
      load: ({ all }) => all('sources', {}),
      rows: data =>
        largestFirst(
          flat(data)
            .filter(({ sessions, channel }) => sessions >= minSessions && channel !== 'Direct')
            .map(withQuality),
          row => row.bounce_rate,
        ),
      columns: ['channel', 'source', 'domain', 'sessions', 'bounce_rate', 'views_per_session'],
      empty: 'few',
      values: first => ({ source: first.source, rate: { percent: first.bounce_rate }, n: first.sessions }),
    }),
  ],
}
