import * as v from 'valibot'
import { endpoint } from '../http/endpoint.ts'
import { forbidden } from '../http/errors.ts'
import type { ReportContext } from '../reports/context.ts'
import { knownTexts } from '../reports/known-texts.ts'

/** Texts of one request, and characters of each. */
export const maxTexts = 500
export const maxText = 2048

const texts = v.array(v.pipe(v.string(), v.maxLength(maxText)))

export const known = endpoint({
  method: 'POST',
  path: '/known-texts',
  can: 'footfall_view_reports',
  scopes: ['reports'],
  tag: 'Reports',
  summary: 'Which texts are not those of a single visitor',
  description:
    'Reports hold what anybody may have sent: page addresses, hosts, sources and names of events. Of the texts asked, ' +
    'these are the ones that `POST /content` has named, or that at least ten visits on at least two days hold. ' +
    '`footfall mcp --no-visitor-text` leaves out the others. 403 for passwords with filters.',
  body: v.object({
    texts: v.pipe(texts, v.maxLength(maxTexts), v.description('As reports write them.')),
  }),
  output: v.object({ known: v.pipe(texts, v.description('Those of them that are known, in any order.')) }),
  handle: async ({ read }: ReportContext, call) => {
    // It looks at all visits, so it would reveal more than the filters let through.
    if (call.identity?.filters !== undefined) throw forbidden(call.identity)
    return { data: { known: await knownTexts(call.body.texts, read, { signal: call.signal }) } }
  },
})
