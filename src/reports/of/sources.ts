import * as v from 'valibot'
import { channels } from '../../channel/channel.ts'
import { none, query } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { dateSchema, pagination } from '../../http/schemas.ts'
import { dayText, eachDay } from '../../lib/time.ts'
import sqlText from '../../sql/sources.sql'
import { rangeEntries } from '../asked-range.ts'
import {
  bindTotals,
  figureColumns,
  figures,
  listedColumn,
  listedIn,
  pageColumns,
  rangeColumns,
  share,
  withShare,
} from '../breakdown.ts'
import { comparedFields } from '../compared-rows.ts'
import type { ReportData } from '../definition.ts'
import { dimensionRows } from '../dimension-rows.ts'
import { few, withFew } from '../few.ts'
import { bindParameters, type Read } from '../pool.ts'
import type { Range } from '../range.ts'
import { report } from '../report.ts'
import { filterEntries, readSegment } from '../segment.ts'

const sql = statements(sqlText)

const channel = v.picklist(channels)
const row = v.object({ channel, source: v.string(), domain: v.nullable(v.string()), ...figureColumns })
const filter = { channels: v.nullable(v.string()) }
const topQuery = query(
  sql('top'),
  v.object({ ...filter, ...pageColumns }),
  v.object({ ...listedColumn, ...row.entries }),
  { reads: ['source_rollup', 'period'] },
)
const bySourceQuery = query(
  sql('by-source'),
  v.object({ ...filter, ...pageColumns }),
  v.object({ ...listedColumn, ...row.entries }),
  { reads: ['source_rollup', 'period'] },
)
const byChannelQuery = query(sql('by-channel'), none, row, { reads: ['source_rollup', 'period'] })
const daysQuery = query(
  sql('days'),
  v.object(rangeColumns),
  v.object({ day: v.number(), channel: v.string(), ...figureColumns }),
  { reads: ['dimension_rollup'] },
)

/** For share links, the row of too few visits says no channel; whoever reads the type runs reports as a user. */
const shownChannel = v.union([channel, v.literal(few)]) as unknown as typeof channel
const sourceEntries = {
  channel: shownChannel,
  source: v.string(),
  domain: v.nullable(v.string()),
  ...figures,
  ...share,
}
const sourceSchema = v.object(sourceEntries)
const namedSchema = v.object({
  channel: shownChannel,
  source: v.string(),
  domain: v.pipe(v.nullable(v.string()), v.description('Null if the source has several.')),
  ...figures,
  ...share,
  domains: v.pipe(
    v.array(v.object({ domain: v.nullable(v.string()), ...figures, ...share })),
    v.description('The domains of the source, most visits first.'),
  ),
  ...comparedFields,
})
const pointSchema = v.object({ date: dateSchema, ...figures })
const channelSchema = v.object({
  channel: shownChannel,
  ...figures,
  ...share,
  sources: v.array(sourceSchema),
  series: v.optional(v.array(pointSchema)),
  ...comparedFields,
})

const ofFew = { channel: few, source: few, domain: null }

/** The row that stands for those of too few visits. */
const fewOf = (row: object): object => {
  if (!('source' in row)) return { channel: few, sources: [] }
  return 'domains' in row ? { ...ofFew, domains: [] } : ofFew
}

const noFigures = { visitors: 0, sessions: 0, views: 0, bounces: 0 }

/** One point per day, including days without visits. */
const seriesOf = (days: readonly v.InferOutput<typeof daysQuery.row>[], { from, to }: Range) => {
  const byDay = new Map(
    days.map(({ day, visitors, sessions, views, bounces }) => [day, { visitors, sessions, views, bounces }]),
  )
  return eachDay(from, to).map(day => ({ date: dayText(day), ...(byDay.get(day) ?? noFigures) }))
}

type OriginRow = v.InferOutput<typeof row>

/** Rows of one source and channel as one, in their order. A visitor who came from two domains counts for each of them. */
const bySource = (rows: readonly OriginRow[], all: Parameters<typeof withShare>[1]) => {
  const sources = Map.groupBy(rows, ({ channel: of, source }) => `${of}\n${source}`)
  const summed = [...sources.values()].flatMap(domains => {
    const [first] = domains
    if (first === undefined) return []
    const sum = (key: keyof typeof noFigures): number => domains.reduce((total, one) => total + one[key], 0)
    return {
      channel: first.channel,
      source: first.source,
      domain: domains.length === 1 ? first.domain : null,
      visitors: sum('visitors'),
      sessions: sum('sessions'),
      views: sum('views'),
      bounces: sum('bounces'),
      domains: withShare(
        domains.map(({ domain, visitors, sessions, views, bounces }) => ({
          domain,
          visitors,
          sessions,
          views,
          bounces,
        })),
        all,
      ),
    }
  })
  return withShare(summed, all).map(({ domains, ...found }) => ({ ...found, domains }))
}

/** Always all eight channels, largest first; channels without sessions keep the order of api.md. */
const grouped = async (
  range: Range,
  read: Read,
  daily: boolean,
): Promise<ReportData<v.InferOutput<typeof channelSchema>[]>> => {
  const seriesDays = daily ? { from: range.from, to: range.to } : { from: 0, to: 0 }
  const [channelRows, sources, all, days] = await read([
    dimensionRows('channel', 200, 0),
    bindParameters(byChannelQuery, {}),
    bindTotals(range),
    bindParameters(daysQuery, seriesDays),
  ])
  const ofChannel = (name: (typeof channels)[number]) => {
    const found = channelRows.find(({ key }) => key === name) ?? noFigures
    const { visitors, sessions, views, bounces } = found
    return {
      channel: name,
      visitors,
      sessions,
      views,
      bounces,
      sources: withShare(
        sources.filter(source => source.channel === name),
        all,
      ),
      ...(daily && {
        series: seriesOf(
          days.filter(({ channel }) => channel === name),
          range,
        ),
      }),
    }
  }
  return { data: withShare(channels.map(ofChannel), all).sort((a, b) => b.sessions - a.sessions) }
}

type SourcesQuery = Parameters<typeof readSegment>[0] & { group_by?: string | undefined }

/** The channels of a query that filters by nothing else, or null. Rollups answer it even where raw rows are purged. */
const onlyChannels = (query: SourcesQuery): readonly string[] | null => {
  const segment = readSegment(query)
  if (segment === null || segment.some(({ key }) => key !== 'channel') || query.group_by === 'channel') return null
  return channels.filter(name =>
    segment.every(({ values, included }) => values.some(({ text }) => text === name.toLowerCase()) === included),
  )
}

export const sources = report({
  path: '/sources',
  summary: 'Visits by source',
  list: true,
  query: {
    ...rangeEntries,
    ...pagination,
    group_by: v.optional(
      v.pipe(
        v.picklist(['source', 'domain', 'channel']),
        v.description(
          'source: one row a source and channel, with its domains below; visitors are the sum over these. domain: a row ' +
            'for each of them, as without group_by. channel: all eight channels, each with its top ten sources.',
        ),
      ),
    ),
    interval: v.optional(
      v.pipe(v.literal('day'), v.description('day: with group_by=channel, a daily series of each channel.')),
    ),
    ...filterEntries,
  },
  segment: query => (onlyChannels(query) === null ? readSegment(query) : null),
  few: row => fewOf(row) as Partial<typeof row>,
  compared: {
    key: row =>
      'sources' in row ? row.channel : [row.channel, row.source, 'domains' in row ? '' : (row.domain ?? '')].join('\n'),
    figure: ({ sessions }) => sessions,
  },
  data: v.union([
    v.array(channelSchema),
    v.array(namedSchema),
    v.array(v.object({ ...sourceEntries, ...comparedFields })),
  ]),
  metrics: ['visitors', 'sessions', 'views', 'bounces', 'share'],
  run: async ({ query, range, read, shared }) => {
    if (query.group_by === 'channel') {
      const { data } = await grouped(range, read, query.interval === 'day')
      return { data: shared ? data.map(row => ({ ...row, sources: withFew(row.sources, () => ofFew) })) : data }
    }
    const { limit, offset } = query
    const only = onlyChannels(query)
    const filters = { channels: only === null ? null : JSON.stringify(only) }
    const listQuery = query.group_by === 'source' ? bySourceQuery : topQuery
    const [rows, channelRows] = await read([
      bindParameters(listQuery, { ...filters, limit, offset }),
      dimensionRows('channel', 200, 0),
    ])
    const listed = await listedIn(
      rows,
      offset,
      async () => (await read([bindParameters(listQuery, { ...filters, limit: 1, offset: 0 })]))[0],
    )
    const counted = channelRows.filter(({ key }) => only === null || only.some(name => name === key))
    const sessions = counted.reduce((sum, row) => sum + row.sessions, 0)
    if (query.group_by === 'source') {
      const hidden = () => ({ domain: few })
      const found = bySource(rows, [{ sessions }])
      return {
        data: shared ? found.map(one => ({ ...one, domains: withFew(one.domains, hidden) })) : found,
        total: listed,
      }
    }
    return {
      data: withShare(rows, [{ sessions }]).map(({ listed: _, ...found }) => found),
      total: listed,
    }
  },
})
