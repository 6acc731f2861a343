import * as v from 'valibot'
import type { ReportContext } from '../service/context.ts'
import type { Identity } from '../http/endpoint.ts'
import { ApiError } from '../http/errors.ts'
import type { Range } from '../reports/range.ts'
import { rawFromQuery } from '../rollup/raw-from.ts'
import { bind } from '../reports/pool.ts'
import { addDays, toSeconds } from '../lib/time.ts'
import { createAsker, type Source } from './asker.ts'
import { findQuestion } from './inventory.ts'
import { questionText, rangePhrase, sentence, trendPhrase, type Language, type Values } from './language.ts'
import { figureText } from './figures.ts'
import { Missing, type Ask, type Params, type Plan, type Question, type Site } from './question.ts'
import { isUnknownEvent } from './questions/events.ts'
import { keptOf, rawOf } from './raw.ts'
import type { Viz, VizType } from './viz.ts'

/** What an id is answered with (api.md §6). */
export type Envelope = {
  id: string
  question: string | null
  plan: Plan | null
  confidence: Question['confidence'] | null
  source: Source | null
  summary: string
} & (
  | { status: 'ok'; viz: Viz<VizType> }
  | { status: 'coming_soon'; viz: null; reason: Missing['reason']; hint: string }
  | { status: 'error'; viz: null; code: 'unknown_question' | 'invalid_params' | 'handler_error'; message: string }
)

export type Batch = {
  context: ReportContext
  identity: Identity | null
  signal: AbortSignal
  language: Language
  range: Range
  plan: Plan
  site: Site
  params: Readonly<Record<string, unknown>>
  /** Milliseconds that pass, for Server-Timing. */
  now: () => number
  /** Is told of bugs; their text goes to nobody else. */
  failed: (id: string, error: unknown) => void
}

const paramText = v.pipe(v.string(), v.minLength(1), v.maxLength(1024))

/** The parameters given for a question, or the name of one that does not fit. */
const readParams = ({ params: known }: Question, given: unknown): Params | string => {
  if (given === undefined || given === null) return {}
  if (typeof given !== 'object' || Array.isArray(given)) return 'params'
  const entries = Object.entries(given)
  const wrong = entries.find(
    ([name, value]) =>
      !known.some(one => one === name) ||
      !v.is(paramText, value) ||
      (name === 'country' && !/^[A-Za-z]{2}$/.test(String(value))),
  )
  // Pages are known without a slash at their end.
  return wrong === undefined
    ? Object.fromEntries(
        entries.map(([name, value]) => [name, name === 'page' ? String(value).replace(/(?<=.)\/$/, '') : value]),
      )
    : wrong[0]
}

/** Questions whose sentence is their message as well. */
const withMessage = (type: VizType, viz: object, summary: string): object =>
  type === 'status' || type === 'recommendation' ? { ...viz, message: summary } : viz

/** Answers ids in one language over one range; every report that they need is run once. */
export const createAnswers = ({
  context,
  identity,
  signal,
  language,
  range,
  plan,
  site,
  params,
  now,
  failed,
}: Batch) => {
  const asker = createAsker(context, { identity, signal, language: language.tag }, range, now)
  const { texts, tag } = language
  const second = toSeconds(context.clock())
  const end = context.zone.startOf(addDays(range.to, 1)) - 1
  const phrase = rangePhrase(language, range)
  const say = (text: string, values: Values = {}): string => sentence(language, text, { range: phrase, ...values })

  const firstRaw = async () => (await context.read([bind(rawFromQuery, {})]))[0][0]?.day ?? 0
  let raw: Promise<number> | null = null
  const rawFrom = (): Promise<number> => (raw ??= firstRaw())

  const ask = (given: Params): Ask => ({
    get: asker.get,
    all: asker.all,
    range,
    today: context.zone.dayOf(second),
    until: Math.min(second, end),
    params: given,
    site,
    label: key => texts.labels[key],
    country: code => figureText(tag, { country: code }),
    trend: change => trendPhrase(language, change),
    rawRange: async () => rawOf(range, await rawFrom()),
    keptRange: async () => keptOf(range, await rawFrom()),
  })

  const error = (code: 'unknown_question' | 'invalid_params' | 'handler_error', message: string) => ({
    status: 'error' as const,
    code,
    message,
    viz: null,
    source: null,
    summary: message,
  })

  const failure = (id: string, given: Params, thrown: unknown) => {
    if (thrown instanceof Missing) {
      const { reason, hint } = thrown
      return {
        status: 'coming_soon' as const,
        reason,
        hint: texts.hints[hint],
        viz: null,
        source: null,
        summary: texts.reasons[reason],
      }
    }
    if (isUnknownEvent(thrown))
      return error('invalid_params', say(texts.errors.unknown_event, { event: given.event ?? '' }))
    if (thrown instanceof ApiError && thrown.status === 400) return error('invalid_params', texts.errors.invalid_report)
    if (signal.aborted) throw thrown
    failed(id, thrown)
    return error('handler_error', texts.errors.handler_error)
  }

  const known = async (asked: Question): Promise<Envelope> => {
    const head = {
      id: asked.id,
      question: questionText(language, asked.id, range),
      plan: asked.plan,
      confidence: asked.confidence,
    }
    if (plan === 'free' && asked.plan === 'paid') return { ...head, ...failure(asked.id, {}, new Missing('plan')) }
    const given = readParams(asked, params[asked.id])
    if (typeof given === 'string')
      return { ...head, ...error('invalid_params', say(texts.errors.invalid_params, { name: given })) }
    try {
      const { viz, source, values, empty } = await asked.answer(ask(given))
      const summary = say(empty === undefined ? texts.questions[asked.id].summary : texts.empty[empty], values)
      // question() held the payload against its kind; the type is what the inventory says.
      const payload = { type: asked.viz, ...withMessage(asked.viz, viz, summary) } as Viz<VizType>
      return { ...head, status: 'ok', viz: payload, source, summary }
    } catch (thrown) {
      return { ...head, ...failure(asked.id, given, thrown) }
    }
  }

  const answer = (id: string): Promise<Envelope> => {
    const asked = findQuestion(id)
    return asked === undefined
      ? Promise.resolve({
          id,
          question: null,
          plan: null,
          confidence: null,
          ...error('unknown_question', say(texts.errors.unknown_question, { id })),
        })
      : known(asked)
  }

  return { answer, timings: asker.timings }
}
