import * as v from 'valibot'
import { channels } from '../channel.ts'
import { query } from '../database/query.ts'
import { pagination } from '../http/schemas.ts'
import { bindTotals, countRow, figureColumns, figures, listHeaders, pageColumns, share, withShare } from '../reports/breakdown.ts'
import { dimensionRows } from '../reports/dimension-rows.ts'
import { bind, type Read } from '../reports/pool.ts'
import type { Range } from '../reports/range.ts'
import { rangeEntries, report, type Found } from '../reports/report.ts'
import sourcesByChannel from '../sql/sources.by-channel.sql'
import countSources from '../sql/sources.count.sql'
import topSources from '../sql/sources.top.sql'

const channel = v.picklist(channels)
const row = v.object({ channel, source: v.string(), domain: v.nullable(v.string()), ...figureColumns })
const filter = { channel: v.nullable(v.string()) }
const topQuery = query(topSources, v.object({ ...filter, ...pageColumns }), row)
const countQuery = query(countSources, v.object(filter), countRow)
const byChannelQuery = query(sourcesByChannel, v.object({}), row)

const sourceSchema = v.object({ channel, source: v.string(), domain: v.nullable(v.string()), ...figures, ...share })
const channelSchema = v.object({ channel, ...figures, ...share, sources: v.array(sourceSchema) })

const none = { visitors: 0, sessions: 0, views: 0, bounces: 0 }

/** Always all eight channels, the largest first; those without a session in the order of the contract. */
const grouped = async (range: Range, read: Read): Promise<Found<v.InferOutput<typeof channelSchema>[]>> => {
  const [channelRows, sources, all] = await read([dimensionRows('channel', 200, 0), bind(byChannelQuery, {}), bindTotals(range)])
  const ofChannel = (name: typeof channels[number]) => {
    const found = channelRows.find(({ key }) => key === name) ?? none
    const { visitors, sessions, views, bounces } = found
    return { channel: name, visitors, sessions, views, bounces, sources: withShare(sources.filter(source => source.channel === name), all) }
  }
  return { data: withShare(channels.map(ofChannel), all).sort((a, b) => b.sessions - a.sessions) }
}

export const sources = report({
  path: '/sources',
  summary: 'Where sessions came from',
  list: true,
  query: {
    ...rangeEntries, ...pagination,
    group_by: v.optional(v.pipe(v.literal('channel'), v.description('channel: all eight channels, each with its ten largest sources.'))),
    channel: v.optional(channel),
  },
  data: v.union([v.array(channelSchema), v.array(sourceSchema)]),
  metrics: ['visitors', 'sessions', 'views', 'bounces', 'share'],
  find: async ({ query: { group_by, channel: only, limit, offset }, range, read }) => {
    if (group_by === 'channel') return grouped(range, read)
    const asked = { channel: only ?? null }
    const [rows, count, all] = await read([bind(topQuery, { ...asked, limit, offset }), bind(countQuery, asked), bindTotals(range)])
    return { data: withShare(rows, all), headers: listHeaders(count, limit) }
  },
})
