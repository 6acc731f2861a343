import type { Values } from '../http/body.ts'
import { type Check, createCheck } from '../http/check.ts'
import type { ReportContext } from './context.ts'
import type { Report, ReportCaller, ReportResult } from './report.ts'

/** Parameters by name, as text or as typed values. */
export type ReportParameters = {
  query: Values
  /** Values of the path parameters. */
  params?: Values | undefined
  /** Rows of a list to return at once, if more are needed than its `limit` allows. */
  maxRows?: number | undefined
}

const checks = new WeakMap<Report, Check>()

const checkOf = (report: Report): Check => {
  const check = checks.get(report) ?? createCheck(report)
  checks.set(report, check)
  return check
}

/**
 * Runs a report in-process: validates the parameters and returns the body as the API does.
 * @throws ApiError 400 for invalid parameters, and any error of the report itself
 */
export const runReport = async (
  report: Report,
  { query: givenQuery, params: givenParams = {}, maxRows }: ReportParameters,
  context: ReportContext,
  caller: ReportCaller = { language: 'en' },
): Promise<ReportResult> => {
  const { query, params } = checkOf(report)({ query: givenQuery, body: undefined, path: givenParams })
  const checked = {
    query: maxRows === undefined ? query : { ...(query as Values), limit: maxRows },
    params,
    names: Object.keys(givenQuery),
  }
  return report.compute(context, checked, caller)
}
