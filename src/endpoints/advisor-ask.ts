import * as v from 'valibot'
import { ask, askedBody } from '../advisor/ask/ask.ts'
import { type AdvisorContext, siteOf } from '../advisor/site.ts'
import { endpoint } from '../http/endpoint.ts'
import { wantedLanguages } from '../http/language.ts'
import { dateSchema } from '../http/schemas.ts'
import { envelopeOf, lang, range } from './advisor.ts'

const text = v.string()

const askedSchema = v.object({
  understood: v.object({
    from: dateSchema,
    to: dateSchema,
    period: v.pipe(
      text,
      v.description(
        'today, yesterday, this_week, last_month and so on; last_30_days if nothing names any days, else custom.',
      ),
    ),
    compare: v.pipe(
      v.nullable(text),
      v.description('What to compare with, as in the query of a report; null if the words do not say.'),
    ),
    filters: v.pipe(v.record(text, text), v.description('Filters as in the query of a report.')),
    words: v.pipe(v.array(text), v.description('Words that had no effect.')),
  }),
  answers: v.array(envelopeOf({ score: v.pipe(v.number(), v.description('0 to 1; the best comes first.')) })),
  readings: v.pipe(
    v.array(v.object({ id: text, question: v.nullable(text), summary: text })),
    v.description('If it is not clear what is meant: the two or three questions that it may be; `answers` is empty.'),
  ),
  message: v.pipe(v.nullable(text), v.description('Why there is no answer, or which words had no effect.')),
  nearest: v.array(
    v.object({ id: v.optional(text), report: v.optional(text), command: v.optional(text), question: text }),
  ),
  language: text,
})

export type Asked = v.InferOutput<typeof askedSchema>

export const advisorAsk = endpoint({
  method: 'POST',
  path: '/advisor/ask',
  can: 'footfall_view_reports',
  money: true,
  scopes: ['reports'],
  tag: 'Advisor',
  summary: 'Answer a question in plain words',
  description:
    'Understands English, German, French and Spanish: periods, filters and the subject. A question that is not known ' +
    'has no answers, but a message and the nearest questions.',
  body: v.object({
    text: v.pipe(text, v.minLength(1), v.maxLength(300)),
    ...range,
    lang,
  }),
  output: askedSchema,
  handle: async (context: AdvisorContext, call) => {
    const { text: question, from, to } = call.body
    const asked = await ask({
      context,
      signal: call.signal,
      text: question,
      days: { from, to },
      languages: wantedLanguages(call.body.lang, call),
      plan: context.advisor.plan,
      site: siteOf(context),
      now: context.advisor.now,
      onError: context.advisor.onError,
    })
    return { data: askedBody(asked) }
  },
})
