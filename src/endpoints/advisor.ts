import * as v from 'valibot'
import { createAnswers } from '../advisor/answers.ts'
import { answerReport, isReport } from '../advisor/ask/report-answers.ts'
import { questions } from '../advisor/inventory.ts'
import { listQuestions } from '../advisor/listing.ts'
import { type AdvisorContext, siteOf } from '../advisor/site.ts'
import { vizSchemas } from '../advisor/viz.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { languageEntry, languageOf } from '../http/language.ts'
import { dateSchema, siteDaySchema } from '../http/schemas.ts'
import { presentAt } from '../lib/calendar.ts'
import { dayText, toSeconds } from '../lib/time.ts'
import { compareSchema, otherRange } from '../reports/compare.ts'
import { readBodyFilters } from '../reports/filters/read.ts'
import { readRange } from '../reports/range.ts'
import { filtersBody } from '../reports/segment.ts'

const text = v.string()
const plan = v.picklist(['free', 'paid'])
const confidence = v.picklist(['direct', 'calculated', 'proxy'])
const vizTypes = Object.keys(vizSchemas) as (keyof typeof vizSchemas)[]
export const { lang } = languageEntry
export const range = { from: v.optional(siteDaySchema), to: v.optional(siteDaySchema) }

const head = {
  id: text,
  question: v.nullable(text),
  plan: v.nullable(plan),
  confidence: v.nullable(confidence),
  source: v.nullable(v.object({ endpoint: text, params: v.record(text, v.unknown()) })),
  summary: text,
}
/** The payload of an answer. */
export const vizSchema = v.variant(
  'type',
  Object.values(vizSchemas) as [typeof vizSchemas.kpi_tile, ...(typeof vizSchemas)[keyof typeof vizSchemas][]],
)

/** The schema of an answer, with further fields. */
export const envelopeOf = <Extra extends v.ObjectEntries>(extra: Extra) =>
  v.variant('status', [
    v.object({
      ...head,
      ...extra,
      status: v.literal('ok'),
      viz: vizSchema,
    }),
    v.object({
      ...head,
      ...extra,
      status: v.literal('coming_soon'),
      viz: v.null(),
      reason: v.picklist([
        'shop_not_connected',
        'geoip_unavailable',
        'needs_funnel_events',
        'needs_content_meta',
        'needs_home_country',
        'plan',
      ]),
      hint: text,
    }),
    v.object({
      ...head,
      ...extra,
      status: v.literal('error'),
      viz: v.null(),
      code: v.picklist(['unknown_question', 'invalid_params', 'handler_error']),
      message: text,
    }),
  ])
const envelopeSchema = envelopeOf({})

export type Answer = v.InferOutput<typeof envelopeSchema>

const serverTiming = (timings: ReadonlyMap<string, number>): string =>
  [...timings]
    .map(
      ([name, milliseconds], index) =>
        `r${index};desc="${name.replace(/["\\]|[^\x20-\x7e]/g, '')}";dur=${Math.round(milliseconds * 10) / 10}`,
    )
    .join(', ')

const questionSchema = v.object({
  id: text,
  category_id: text,
  category: text,
  question: text,
  question_en: text,
  plan,
  viz_hint: v.picklist(vizTypes),
  confidence,
  searchable: v.array(text),
  params: v.optional(v.array(v.picklist(['page', 'event', 'country']))),
})
export type Question = v.InferOutput<typeof questionSchema>
const inventorySchema = v.object({
  categories: v.array(v.object({ id: text, label: text, label_en: text })),
  questions: v.array(questionSchema),
})
export type Inventory = v.InferOutput<typeof inventorySchema>

export const advisorQuestions = endpoint({
  method: 'GET',
  path: '/advisor/questions',
  can: 'footfall_view_reports',
  money: true,
  scopes: ['reports'],
  tag: 'Advisor',
  summary: 'List the questions',
  query: v.object({ ...range, lang }),
  output: inventorySchema,
  handle: ({ clock, zone }: AdvisorContext, call) => ({
    data: listQuestions(languageOf(call.query.lang, call), readRange(call.query, zone, toSeconds(clock()))),
  }),
})

export const advisorAnswers = endpoint({
  method: 'POST',
  path: '/advisor/answers',
  can: 'footfall_view_reports',
  money: true,
  scopes: ['reports'],
  tag: 'Advisor',
  summary: 'Answer questions',
  description:
    'One answer per id, in the order of the request. Each report is run once per request; Server-Timing has ' +
    'the duration of each. The id of a report that answers a question in plain words, such as dimensions/hour, is one too.',
  body: v.object({
    ids: v.pipe(v.array(v.pipe(text, v.maxLength(100))), v.minLength(1), v.maxLength(questions.length)),
    ...range,
    params: v.optional(
      v.pipe(v.record(text, v.unknown()), v.description('Parameters by question: {"q100": {"page": "/pricing"}}.')),
      {},
    ),
    filters: v.optional(
      v.pipe(
        filtersBody,
        v.description(
          'Filters of all reports behind the answers, as in their query. An answer names those that do not apply to it.',
        ),
      ),
      {},
    ),
    compare: compareSchema,
    lang,
  }),
  output: v.object({ answers: v.array(envelopeSchema), from: dateSchema, to: dateSchema }),
  handle: async (context: AdvisorContext, call) => {
    const { ids, params, from, to, compare = 'previous' } = call.body
    const now = toSeconds(context.clock())
    const days = readRange({ from, to }, context.zone, now)
    otherRange(days, compare, presentAt(context.zone, now))
    const language = languageOf(call.body.lang, call)
    const filters = readBodyFilters(call.body.filters, language.tag)
    const batch = {
      context,
      signal: call.signal,
      language,
      range: days,
      filters,
      compare,
      params,
      plan: context.advisor.plan,
      site: siteOf(context),
      now: context.advisor.now,
      onError: context.advisor.onError,
    }
    const { answer, timings } = createAnswers(batch)
    const answers = await Promise.all(ids.map(id => (isReport(id) ? answerReport(batch, id, filters) : answer(id))))
    return {
      data: { answers, from: dayText(days.from), to: dayText(days.to) },
      headers: { 'Server-Timing': serverTiming(timings) },
    }
  },
})

export const advisorEndpoints: readonly Endpoint<AdvisorContext>[] = [advisorQuestions, advisorAnswers]
