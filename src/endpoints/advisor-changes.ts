import * as v from 'valibot'
import { findChanges } from '../advisor/changes/changes.ts'
import { endpoint } from '../http/endpoint.ts'
import { languageOf } from '../http/language.ts'
import { dateSchema } from '../http/schemas.ts'
import { presentAt } from '../lib/calendar.ts'
import { dayText, toSeconds } from '../lib/time.ts'
import { compareSchema, otherRange } from '../reports/compare.ts'
import { readBodyFilters } from '../reports/filters/read.ts'
import { readRange } from '../reports/range.ts'
import { filterEntries, filtersIn } from '../reports/segment.ts'
import { lang, range } from './advisor.ts'
import type { Context } from './context.ts'

const changeSchema = v.object({
  kind: v.picklist(['day', 'source', 'page', 'country', 'campaign']),
  text: v.pipe(v.string(), v.description('One or two sentences, with the figures.')),
  current: v.number(),
  previous: v.pipe(v.number(), v.description('In the other range; of a day what is usual, of a campaign 0.')),
  from: dateSchema,
  to: dateSchema,
  filters: v.pipe(
    v.record(v.string(), v.string()),
    v.description('What shows it, besides the filters of the request.'),
  ),
})
export type ChangesAnswer = { changes: v.InferOutput<typeof changeSchema>[]; from: string; to: string }

export const advisorChanges = endpoint({
  method: 'GET',
  path: '/advisor/changes',
  can: 'footfall_view_reports',
  money: true,
  scopes: ['reports'],
  tag: 'Advisor',
  summary: 'What changed: up to three differences that matter',
  description:
    'An unusual day, the source, page or country that moved most beyond chance, and the campaign that earned most on that ' +
    'day. Of campaigns, `current` is revenue.',
  query: v.object({ ...range, ...filterEntries, compare: compareSchema, lang }),
  output: v.object({ changes: v.array(changeSchema), from: dateSchema, to: dateSchema }),
  handle: async (context: Context, call) => {
    const { compare = 'previous', lang: wanted, ...query } = call.query
    const now = toSeconds(context.clock())
    const days = readRange(query, context.zone, now)
    otherRange(days, compare, presentAt(context.zone, now))
    const language = languageOf(wanted, call)
    const segment = query.segment === undefined ? {} : { segment: query.segment }
    const changes = await findChanges({
      context,
      signal: call.signal,
      language,
      range: days,
      filters: readBodyFilters({ ...filtersIn(query), ...segment }, language.tag),
      compare,
      now: context.advisor.now,
    })
    return { data: { changes, from: dayText(days.from), to: dayText(days.to) } }
  },
})
