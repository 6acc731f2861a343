import * as v from 'valibot'
import { readOptions } from '../config/config.ts'
import { openToRead } from '../database/open.ts'
import { sparklineOf } from '../digest/chart.ts'
import { ExpectedError, errorText } from '../lib/errors.ts'
import { periodNames } from '../reports/named-range.ts'
import { openForReports } from '../reports/periods.ts'
import { chooseZone } from '../rollup/zone.ts'
import type { Call, Command } from './command.ts'
import { warnOfDemo } from './database.ts'
import { percentText } from './definitions.ts'
import { jsonFlag, printRows, type Row } from './listing.ts'
import { askService, passwordVariable, servicePassword, serviceUrl } from './remote.ts'
import { reportContext, runNamedReport } from './reports.ts'

/** What the table shows of an answer, also of a service of another version. */
const answerSchema = v.object({
  data: v.array(
    v.object({
      host: v.nullable(v.string()),
      visitors: v.number(),
      views: v.number(),
      top_page: v.nullable(v.string()),
      series: v.array(v.object({ visitors: v.number() })),
      change: v.nullable(v.number()),
    }),
  ),
})
type Site = v.InferOutput<typeof answerSchema>['data'][number]

/** What a service answers, or why it does not. */
type Answered = { service: string | null; sites: readonly Site[]; error: string | null }

const maxSites = '100'
/** Milliseconds for each service. */
const timeout = 15_000

const ofFile = async ({ flags, env, clock, warn }: Call, query: Record<string, string>): Promise<Answered> => {
  const db = openToRead(readOptions(['data'], flags, env).data, openForReports)
  try {
    const context = reportContext(db, chooseZone(db, null), clock)
    const { body } = await runNamedReport(context, { name: 'sites', query: new URLSearchParams() }, query)
    warnOfDemo({ warn }, db)
    return { service: null, sites: v.parse(answerSchema, body).data, error: null }
  } finally {
    db.close()
  }
}

const ofService = async (url: string, password: string, query: Record<string, string>): Promise<Answered> => {
  try {
    const path = `/analytics/v1/sites?${new URLSearchParams(query)}`
    const response = await askService({ url, password, path, signal: AbortSignal.timeout(timeout) })
    const answer = v.safeParse(answerSchema, await response.json().catch(() => undefined))
    if (!response.ok || !answer.success) throw new ExpectedError(`it answers ${response.status}`)
    return { service: url, sites: answer.output.data, error: null }
  } catch (error) {
    return { service: url, sites: [], error: errorText(error) }
  }
}

/** One row a site, most visitors first, and one for each service that does not answer. */
const rowsOf = (answered: readonly Answered[]): Row[] => {
  const sites = answered.flatMap(({ service, sites: found }) => found.map(site => ({ ...site, service })))
  const highest = Math.max(1, ...sites.flatMap(({ series }) => series.map(({ visitors }) => visitors)))
  const isOfServices = answered.some(({ service }) => service !== null)
  const failed = answered.filter(({ error }) => error !== null)
  const rows = sites
    .sort((a, b) => b.visitors - a.visitors)
    .map(({ service, host, visitors, change, views, top_page, series }) => ({
      ...(isOfServices && { service }),
      host,
      visitors: String(visitors),
      change: percentText(change),
      views: String(views),
      top_page,
      days: sparklineOf(
        series.map(point => point.visitors),
        highest,
      ),
      ...(failed.length > 0 && { error: null }),
    }))
  const none = { host: null, visitors: null, change: null, views: null, top_page: null, days: null }
  return [...rows, ...failed.map(({ service, error }) => ({ service, ...none, error }))]
}

export const sites: Command = {
  name: 'sites',
  example: 'sites https://footfall.one.example https://footfall.two.example',
  arguments: ['[URL...]'],
  about:
    'Print all hosts of the file in one table, or those of the services at these https addresses, asked with ' +
    `${passwordVariable}. Exit code 1 if a service does not answer.`,
  flags: [
    { flag: '--period <NAME>', about: `Compared with the one before: ${periodNames.join(', ')}. Default: 28d.` },
    jsonFlag,
  ],
  run: async call => {
    const query = { period: String(call.flags.period ?? '28d'), compare: 'previous', limit: maxSites }
    // All are checked before any is asked.
    const services = call.args
      .map(text => serviceUrl(text, '<URL>'))
      .map(url => ({ url, password: servicePassword(call.env, url) }))
    const answered =
      services.length === 0
        ? [await ofFile(call, query)]
        : await Promise.all(services.map(({ url, password }) => ofService(url, password, query)))
    printRows(call, rowsOf(answered), 'No visits in this period.')
    return answered.every(({ error }) => error === null) ? 0 : 1
  },
}
