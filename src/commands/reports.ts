import { pathOf } from '../database/whole.ts'
// Runs reports by name for `report` and `export`, with or without a running service.

import * as v from 'valibot'
import { createSessions } from '../collection/store/sessions.ts'
import { UsageError } from '../config/config.ts'
import { siteOptions } from '../config/site-options.ts'
import { readDemoMark } from '../database/demo-mark.ts'
import type { Db } from '../database/query.ts'
import { loadState } from '../database/saved-state.ts'
import { readParameters } from '../http/body.ts'
import { ApiError } from '../http/errors.ts'
import { prune, readFields } from '../http/fields.ts'
import { ExpectedError } from '../lib/errors.ts'
import { type Clock, toSeconds, type Zone } from '../lib/time.ts'
import { runStatements } from '../reports/answer.ts'
import type { ReportContext } from '../reports/context.ts'
import { reports } from '../reports/of/index.ts'
import type { Read } from '../reports/pool.ts'
import type { Report } from '../reports/report.ts'
import { runReport } from '../reports/run.ts'
import { createSegmentReader } from '../reports/segment-reader.ts'
import { importedDays } from '../rollup/imported.ts'
import { sourcesState } from '../rollup/sources-state.ts'
import { zoneChanges } from '../rollup/zone.ts'
import { loadChoice } from '../settings/suspects.ts'
import { isPlain, type Plain, sampleOf } from './report-tables.ts'

const startSchema = v.looseObject({
  config: v.looseObject({ keep_query: v.array(v.string()), currency: v.nullish(v.string()) }),
})

/** Query parameters that identify pages, and the site's currency, as the service was last started with. */
const startedWith = (db: Db): Pick<ReportContext, 'keepQuery' | 'currency'> => {
  const { keep_query: kept, currency = null } = loadState(db, 'service', startSchema)?.config ?? {}
  return { keepQuery: [...(kept ?? siteOptions.keepQuery.default.split(','))].sort(), currency }
}

/** The context of reports without a service: one read-only connection, and the stored active visits. */
export const reportContext = (db: Db, zone: Zone, clock: Clock): ReportContext => {
  const readSegment = createSegmentReader(pathOf(db))
  return {
    imported: importedDays(db),
    sources: sourcesState(db),
    leavesOut: () => loadChoice(db).suspects === 'leave_out',
    clock,
    zone,
    ...startedWith(db),
    zoneChanges: zoneChanges(db),
    demo: readDemoMark(db),
    // A test checks the rows of every query against its schema, so they are not validated here.
    read: (async (statements, { range = null, segment, traces, counted } = {}) =>
      segment === undefined || range === null
        ? runStatements(db, statements, range, traces)
        : readSegment(statements, range, segment, { traces, counted })) as Read,
    activeSince: since => {
      const sessions = createSessions(db, () => {})
      const now = toSeconds(clock())
      sessions.restore(now)
      return sessions.activeBetween(since, now)
    },
  }
}

/** `/goals/report` is called goals, as lists of what is counted are no reports. */
const shortPath = ({ path }: Report): string => path.replace(/\/report$/, '')

/** `/events/:name` as `events/NAME`. */
export const reportNames = reports.map(report =>
  shortPath(report)
    .slice(1)
    .replace(/:(\w+)/, (_, name: string) => name.toUpperCase()),
)

/** Paths without variables come first: `dimensions/os/browser`, then `dimensions/:type`. */
const routes = [...reports]
  .sort((a, b) => Number(a.path.includes(':')) - Number(b.path.includes(':')))
  .map(report => ({
    report,
    pattern: new RegExp(`^${shortPath(report).replace(/:(\w+)/g, '(?<$1>[^/]+)')}(?:/report)?$`),
  }))

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** @throws UsageError if there is no such report */
export const findReport = (name: string): { report: Report; params: Plain } => {
  const path = `/${name.replace(/^\/+|\/+$/g, '')}`
  for (const { report, pattern } of routes) {
    const match = pattern.exec(path)
    if (match !== null)
      return {
        report,
        params: Object.fromEntries(Object.entries(match.groups ?? {}).map(([key, text]) => [key, decode(text)])),
      }
  }
  throw new UsageError(`There is no such report. Reports: ${reportNames.join(', ')}.`)
}

/** Invalid parameters are usage errors (exit code 2); other API errors, such as an unknown event, are failures (1). */
const asCommandError = (error: unknown): unknown => {
  if (!(error instanceof ApiError)) return error
  const { params } = error.data
  const text = isPlain(params)
    ? Object.entries(params)
        .map(([name, reason]) => (String(reason).startsWith(name) ? reason : `${name}: ${String(reason)}`))
        .join(' ')
    : error.message
  return error.status === 400 ? new UsageError(text) : new ExpectedError(text)
}

/** A report's name and parameters: `pages?search=blog` has one parameter. */
export type ReportRequest = { name: string; query: URLSearchParams }

export const parseRequest = (text: string): ReportRequest => {
  const [name = '', ...query] = text.split('?')
  return { name, query: new URLSearchParams(query.join('?')) }
}

/** `body` as in the API; `total` counts the rows of all pages of a list; `sample` is a body with one row of nulls. */
export type NamedResult = { body: Plain; total: number; sample: Plain }

/** Parameters that a report has unless others are named: people read sources by name, programs each domain. */
const usual: Readonly<Record<string, Readonly<Record<string, string>>>> = { '/sources': { group_by: 'source' } }

/**
 * @param filled parameters that the command sets, of which the report gets those that it takes
 * @throws UsageError for an unknown name or invalid parameters, ExpectedError for other errors of the API
 */
export const runNamedReport = async (
  context: ReportContext,
  { name, query }: ReportRequest,
  filled: Readonly<Record<string, string>>,
): Promise<NamedResult> => {
  const { report, params } = findReport(name)
  const taken = Object.entries(filled).filter(([key]) => Object.hasOwn(report.query.entries, key))
  const values = { ...usual[report.path], ...readParameters(query), ...Object.fromEntries(taken) }
  const caller = { language: 'en', strict: true }
  const {
    body,
    total = 0,
    columns,
  } = await runReport(report, { query: values, params }, context, caller).catch((error: unknown) => {
    throw asCommandError(error)
  })
  const fields = readFields(values._fields)
  const shown = (part: unknown): Plain => {
    const pruned = fields === null ? part : prune(part, fields)
    return isPlain(pruned) ? pruned : {}
  }
  return { body: shown(body), total, sample: shown({ data: sampleOf(report.output.entries.data, columns) }) }
}
