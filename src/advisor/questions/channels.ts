import type { Channel } from '../../channel/channel.ts'
import { change, fineMean, ratio } from '../../reports/numbers.ts'
import { parseDay } from '../../lib/time.ts'
import { before } from '../compare.ts'
import { question, type QuestionContext, type Category, type Head } from '../question.ts'
import type { DataOf, RowOf } from '../reports.ts'
import { figure, list, most, sum } from '../shapes.ts'
import { flat, type SourceRow } from './traffic.ts'

type ChannelRow = Extract<RowOf<'sources'>, { sources: unknown }>

const daily = { group_by: 'channel', interval: 'day' } as const
const grouped = ({ get }: Pick<QuestionContext, 'get'>) => get('sources', daily)
const groupedBefore = (ask: QuestionContext) => ask.get('sources', { ...daily, ...before(ask) })
export const channelRows = (data: DataOf<'sources'>): ChannelRow[] =>
  data.flatMap(row => ('sources' in row ? [row] : []))

const none: Pick<ChannelRow, 'visitors' | 'sessions' | 'share' | 'series'> = { visitors: 0, sessions: 0, share: null }
const rowOf = (data: DataOf<'sources'>, name: Channel) =>
  channelRows(data).find(({ channel }) => channel === name) ?? none

const channelTile = (head: Head, channel: Channel) =>
  figure(head, {
    unit: 'count',
    label: 'visitors',
    tile: async ask => {
      const [{ data, source }, { data: then }] = await Promise.all([grouped(ask), groupedBefore(ask)])
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

/** Visitors from one source, whatever channel and domain they came by. */
const sourceTile = (head: Head, names: readonly string[], channel?: Channel) =>
  figure(head, {
    unit: 'count',
    label: 'visitors',
    tile: async ask => {
      const fits = (row: SourceRow): boolean =>
        names.includes(row.source) && (channel === undefined || row.channel === channel)
      const [now, then] = await Promise.all([ask.all('sources', {}), ask.all('sources', before(ask))])
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

/** Rows of a channel as one row a source, whatever its domains. */
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
  return most([...found.values()], ({ sessions }) => sessions)
}

const ranking = (head: Head, channel: Channel, empty: 'social' | 'assistants') =>
  list(head, {
    ask: ({ all }) => all('sources', {}),
    rows: data => bySource(data, channel),
    columns: ['source', 'visitors', 'sessions', 'views'],
    empty,
    say: (first, rows) => ({ source: first.source, n: first.visitors, all: sum(rows, ({ visitors }) => visitors) }),
  })

/** A channel's days, and those of the window before. */
const trend = (head: Head, channel: Channel) =>
  question(head, 'line', async ask => {
    const [{ data, source }, { data: then }] = await Promise.all([grouped(ask), groupedBefore(ask)])
    const [now, past] = [rowOf(data, channel), rowOf(then, channel)]
    const points = (row: typeof now) =>
      (row.series ?? [])
        .filter(({ date }) => parseDay(date) <= ask.today)
        .map(({ date, visitors }) => ({ date, value: visitors }))
    const series = [
      { key: 'current', label: ask.label('this_period'), points: points(now) },
      { key: 'previous', label: ask.label('period_before'), points: points(past) },
    ]
    const values = { n: now.visitors, previous: past.visitors, trend: ask.trend(change(now.visitors, past.visitors)) }
    return {
      viz: { unit: 'count', series },
      source,
      values,
      empty: now.visitors === 0 && past.visitors === 0 ? ('channel' as const) : undefined,
    }
  })

/** From this many visits on a source's quality can be told. */
export const fewest = 5

export const withQuality = <R extends { sessions: number; views: number; bounces: number }>(row: R) => ({
  ...row,
  bounce_rate: ratio(row.bounces, row.sessions),
  views_per_session: fineMean(row.views, row.sessions),
})

export const referrers: Category = {
  id: 'referrers_and_channels',
  questions: [
    question(['q41', 'free', 'direct'], 'donut', async ask => {
      const { data, source } = await grouped(ask)
      const rows = channelRows(data)
      const [first] = rows
      const items = rows.map(({ channel, sessions, share }) => ({
        key: channel,
        label: ask.label(channel),
        value: sessions,
        share,
      }))
      const values = {
        channel: ask.label(first?.channel ?? 'Direct'),
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
      tile: async ask => {
        const { data, source } = await grouped(ask)
        const [first] = channelRows(data)
        if (first === undefined || first.sessions === 0) return { value: 0, source, empty: 'visits' }
        return {
          value: first.visitors,
          source,
          label: ask.label(first.channel),
          values: { channel: ask.label(first.channel), share: { percent: first.share } },
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
      ask: ({ all }) => all('sources', {}),
      rows: data =>
        most(
          flat(data)
            .filter(({ sessions, channel }) => sessions >= fewest && channel !== 'Direct')
            .map(withQuality),
          row => row.bounce_rate,
        ),
      columns: ['channel', 'source', 'domain', 'sessions', 'bounce_rate', 'views_per_session'],
      empty: 'few',
      say: first => ({ source: first.source, rate: { percent: first.bounce_rate }, n: first.sessions }),
    }),
  ],
}
