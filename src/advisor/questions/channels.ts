import type { Channel } from '../../channel/channel.ts'
import { parseDay } from '../../lib/time.ts'
import { change } from '../../reports/numbers.ts'
import { sameCounts } from '../chance.ts'
import { withComparison } from '../compare.ts'
import { type Category, type Head, type QuestionContext, question } from '../question.ts'
import type { DataOf, RowOf } from '../reports.ts'
import { figure, largestFirst, list, sum } from '../shapes.ts'
import { byBounceRate } from './quality.ts'
import { flat, type SourceRow } from './traffic.ts'

type ChannelRow = Extract<RowOf<'sources'>, { sources: unknown }>

const daily = { group_by: 'channel', interval: 'day' } as const
const grouped = ({ get }: Pick<QuestionContext, 'get'>) => get('sources', daily)
/** Compared where the other range can be read. */
const groupedWithOther = (context: QuestionContext) =>
  withComparison(context, query => context.get('sources', { ...daily, ...query }))
export const channelRows = (data: DataOf<'sources'>): ChannelRow[] =>
  data.flatMap(row => ('sources' in row ? [row] : []))

/** The number of channels that brought visits. */
const used = (rows: readonly ChannelRow[]): number => rows.filter(({ sessions }) => sessions > 0).length

const none: Pick<ChannelRow, 'visitors' | 'sessions' | 'share' | 'series'> = { visitors: 0, sessions: 0, share: null }
const rowOf = (data: DataOf<'sources'>, name: Channel) =>
  channelRows(data).find(({ channel }) => channel === name) ?? none

const channelTile = (head: Head, channel: Channel) =>
  figure(head, {
    unit: 'count',
    label: 'visitors',
    load: async context => {
      const { data, earlier, source } = await groupedWithOther(context)
      const { visitors, share } = rowOf(data, channel)
      const previous = earlier === null ? undefined : rowOf(earlier, channel).visitors
      return {
        value: visitors,
        source,
        previous,
        change: previous === undefined ? undefined : change(visitors, previous),
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
      const { data, earlier, source } = await withComparison(context, query => context.all('sources', query))
      const found = flat(data).filter(fits)
      const value = sum(found, row => row.visitors)
      const previous = earlier === null ? undefined : sum(flat(earlier).filter(fits), row => row.visitors)
      return {
        value,
        source,
        previous,
        change: previous === undefined ? undefined : change(value, previous),
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
  return largestFirst([...found.values()], ({ visitors }) => visitors)
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
    const { data, earlier, source } = await context.get('sources', { ...daily, compare: context.compare })
    const [now, past] = [rowOf(data, channel), rowOf(earlier ?? [], channel)]
    const points = (row: typeof now) =>
      (row.series ?? [])
        .filter(({ date }) => parseDay(date) <= context.today)
        .map(({ date, visitors }) => ({ date, value: visitors }))
    const series = [
      { key: 'current', label: context.label('this_period'), points: points(now) },
      {
        key: 'previous',
        label: context.label(context.compare === 'previous' ? 'period_before' : 'period_compared'),
        points: points(past),
      },
    ]
    const [current, previous] = [now.visitors, past.visitors]
    const chance = sameCounts(current, previous)
    const values = {
      n: current,
      trend: context.trend({ current, previous, change: change(current, previous), chance }),
    }
    return {
      viz: { unit: 'count', series },
      source,
      values,
      empty: current === 0 && previous === 0 ? ('channel' as const) : undefined,
    }
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
        rows: used(rows),
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
        const rows = channelRows(data)
        const [first] = rows
        if (first === undefined || first.sessions === 0) return { value: 0, source, empty: 'visits' }
        return {
          value: first.visitors,
          source,
          label: context.label(first.channel),
          values: { channel: context.label(first.channel), share: { percent: first.share }, rows: used(rows) },
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
      rows: data => byBounceRate(flat(data)),
      columns: ['channel', 'source', 'domain', 'sessions', 'bounce_rate', 'views_per_session'],
      empty: 'few',
      values: first => ({
        source: first.source,
        rate: { percent: first.bounce_rate },
        n: first.sessions,
        chance: first.chance,
        overall: { percent: first.overall },
      }),
    }),
  ],
}
