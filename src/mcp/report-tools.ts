// The tools that run one report.
import * as v from 'valibot'
import { isPlain, type Plain } from '../commands/report-tables.ts'
import { findReport, parseRequest, reportNames } from '../commands/reports.ts'
import { lang } from '../endpoints/advisor.ts'
import { ApiError } from '../http/errors.ts'
import { isOptional } from '../http/schemas.ts'
import { rangeEntries } from '../reports/asked-range.ts'
import { compareSchema } from '../reports/compare.ts'
import { ignoredNames } from '../reports/filters/read.ts'
import { filterKeys } from '../reports/filters/table.ts'
import { explainText, maxRows, notesText, reportText } from './answer-text.ts'
import type { Answered, Api, ApiCall } from './api.ts'
import { type Tool, tool, writtenByVisitors } from './tool.ts'

const maxLimit = 100

const entries = {
  name: v.pipe(
    v.string(),
    v.maxLength(300),
    v.description(`The report: ${reportNames.join(', ')}. Write a name, id or type for the words in capitals.`),
  ),
  ...rangeEntries,
  filters: v.optional(
    v.pipe(
      v.record(v.string(), v.union([v.string(), v.number(), v.boolean()])),
      v.description(
        `Filters, and other parameters of the report, such as {"country": "DE", "page": "/blog*"}. Filters: ` +
          `${filterKeys.join(', ')}, property.KEY. ! in front of a value excludes it. Others: search, group_by, interval.`,
      ),
    ),
    {},
  ),
  limit: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1),
      v.maxValue(maxLimit),
      v.description(`Rows of a list; default: ${maxRows}.`),
    ),
  ),
  offset: v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(0), v.description('Rows of a list to skip, to go on.')),
  ),
  lang,
}
type Arguments = v.InferOutput<v.ObjectSchema<typeof entries, undefined>> & { compare?: string }

/** A report, what it is called, and the call that answers it. */
type Asked = { summary: string; list: boolean; offset: number; ofDays: boolean; call: ApiCall }

const optionalText = (values: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).flatMap(([key, value]) => (value == null ? [] : [[key, String(value)]])))

/** The days of an answer. */
const daysOf = ({ meta }: Plain): Record<string, string> =>
  isPlain(meta) ? optionalText({ from: meta.from, to: meta.to }) : {}

/** The days of a report that takes none by default: the last 30, as in other reports. */
const lastDays = async (api: Api): Promise<Record<string, string>> => {
  const { body } = await api({ method: 'GET', path: '/annotations', query: { automatic: '0', _fields: 'meta' } })
  return daysOf(body)
}

/** @throws UsageError for an unknown report, ApiError for a parameter that it does not take */
const asked = async ({ name, filters = {}, ...given }: Arguments, explain: boolean, api: Api): Promise<Asked> => {
  const request = parseRequest(name)
  const { report, params } = findReport(request.name)
  const known = report.query.entries
  const query = { ...Object.fromEntries(request.query), ...optionalText(filters), ...optionalText(given) }
  ignoredNames(Object.keys(query), Object.keys(known), true)
  const takesDays = known.from !== undefined
  const hasDays = [query.from, query.to, query.period].some(value => value !== undefined)
  const needsDays = known.from !== undefined && !isOptional(known.from) && !hasDays
  return {
    summary: report.summary,
    list: report.list,
    offset: given.offset ?? 0,
    ofDays: takesDays && report.path !== '/annotations',
    call: {
      method: 'GET',
      path: report.path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(String(params[key]))),
      query: {
        ...(report.list && { limit: String(maxRows) }),
        ...(needsDays && (await lastDays(api))),
        ...query,
        ...(explain && { explain: '1' }),
      },
    },
  }
}

/** What was noted by hand in the days of the answer. A password may open reports, but not these. */
const notesOf = async ({ body }: Answered, api: Api): Promise<readonly unknown[]> => {
  const { from, to } = daysOf(body)
  if (from === undefined || to === undefined) return []
  try {
    const { body: noted } = await api({ method: 'GET', path: '/annotations', query: { from, to, automatic: '0' } })
    return Array.isArray(noted.data) ? noted.data.slice(0, maxRows) : []
  } catch (error) {
    if (error instanceof ApiError) return []
    throw error
  }
}

/** How to get the rows after those of the answer; null if there are none. */
const nextOf = ({ list, offset }: Asked, { body, total }: Answered): string | null => {
  if (!list || total === null || !Array.isArray(body.data)) return null
  const end = offset + body.data.length
  return end < total && body.data.length > 0
    ? `These are rows ${offset + 1} to ${end} of ${total}. Go on with offset ${end}.`
    : null
}

const runReport = async (args: Arguments, api: Api) => {
  const request = await asked(args, false, api)
  const answered = await api(request.call)
  const notes = request.ofDays ? await notesOf(answered, api) : []
  const next = nextOf(request, answered)
  return {
    body: {
      ...answered.body,
      ...(request.list && { truncated: next !== null }),
      ...(next !== null && { next }),
      ...(notes.length > 0 && { notes }),
    },
    text: reportText(request.summary, answered.body, next) + notesText(notes),
  }
}

export const reportTools: readonly Tool[] = [
  tool({
    name: 'report',
    title: 'A report',
    description:
      'Runs a report over a range of days (default: the last 30) and answers as the API does: data, and meta with the ' +
      `definition of each figure.${writtenByVisitors}`,
    input: v.strictObject(entries),
    run: runReport,
  }),
  tool({
    name: 'compare',
    title: 'A report compared with other days',
    description:
      'Runs a report over a range of days and compares its figures with those of other days: the previous ones, those ' +
      `a year before, or a range of its own.${writtenByVisitors}`,
    input: v.strictObject({ ...entries, compare: compareSchema }),
    run: ({ compare = 'previous', ...args }, api) => runReport({ ...args, compare }, api),
  }),
  tool({
    name: 'explain',
    title: 'How a report is computed',
    description:
      'The SQL statements of a report, with their parameters, plans, row counts and durations, in addition to its figures.' +
      writtenByVisitors,
    input: v.strictObject(entries),
    run: async (args, api) => {
      const { call, summary } = await asked(args, true, api)
      const { body } = await api(call)
      return { body, text: explainText(summary, body) }
    },
  }),
]
