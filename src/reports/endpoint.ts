import { isWithoutMoney, showsGoals } from '../http/access.ts'
import type { Values } from '../http/body.ts'
import type { Call, Endpoint } from '../http/endpoint.ts'
import { forbidden } from '../http/errors.ts'
import { wantedLanguages } from '../http/language.ts'
import { totals } from '../http/schemas.ts'
import type { ReportContext } from './context.ts'
import { namesIn } from './filters/read.ts'
import type { Report } from './report.ts'

/** Names of countries and languages are shown in any language, not only in those of the texts. */
const languageOf = (call: Call<unknown, unknown, unknown>): string =>
  wantedLanguages(undefined, call)
    .find(tag => tag != null)
    ?.replaceAll('_', '-') ?? 'en'

/** Reports of what was sold; goals have values, which may be those of orders. */
const ofMoney = /^\/(?:revenue|goals)\//

/** The sums of what pages said of their events, such as the price of a purchase, are no figures of visits. */
const withoutSums = <Body>(body: Body): Body =>
  JSON.parse(JSON.stringify(body, (key, value: unknown) => (key === 'value_sum' ? 0 : value)))

/** The HTTP endpoint of a report; the router validates its parameters. */
export const reportEndpoint = ({ compute, list, ...described }: Report): Endpoint<ReportContext> => ({
  ...described,
  method: 'GET',
  ...(list && { list }),
  ...(ofMoney.test(described.path) && { money: true }),
  handle: async (context, call) => {
    const { explain, limit, goal, funnel } = call.query as Values
    // The statements run over all visits, so their row counts reveal more than the link shows.
    if (explain === true && call.identity?.filters !== undefined) throw forbidden(call.identity)
    const { key } = call.params as Values
    const asksGoals = goal !== undefined || funnel !== undefined || key === 'goal' || key === 'funnel'
    if (call.identity !== null && !showsGoals(call.identity) && asksGoals) throw forbidden(call.identity)
    const caller = { language: languageOf(call), filters: call.identity?.filters, signal: call.signal }
    const { body, total } = await compute(context, { ...call, names: namesIn(call.url.searchParams) }, caller)
    const isVisitsOnly = call.identity !== null && isWithoutMoney(call.identity)
    return {
      data: isVisitsOnly ? withoutSums(body) : body,
      ...(total !== undefined && { headers: totals(total, Number(limit)) }),
    }
  },
})
