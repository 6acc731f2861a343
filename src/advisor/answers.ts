import * as v from 'valibot'
import { ApiError } from '../http/errors.ts'
import { presentAt } from '../lib/calendar.ts'
import type { Language } from '../lib/texts.ts'
import { addDays, type Day, dayText, toSeconds } from '../lib/time.ts'
import { otherRange } from '../reports/compare.ts'
import type { ReportContext } from '../reports/context.ts'
import { readFirstWholeDays } from '../reports/first-whole-day.ts'
import { bindParameters } from '../reports/pool.ts'
import type { Range } from '../reports/range.ts'
import { rawFromQuery } from '../rollup/raw-from.ts'
import { firstDayQuery } from '../rollup/whole.ts'
import { refusesComparison } from './compare.ts'
import { figureText } from './figures.ts'
import { type Filters, type FilterUse, filterNote } from './filters.ts'
import { categoryOfQuestion, findQuestion } from './inventory.ts'
import { againstPhrase, questionText, sentence, suspectsPhrase, textsOf, trendPhrase, type Values } from './language.ts'
import { Missing, type Params, type Plan, type Question, type QuestionContext, type Site } from './question.ts'
import { isUnknownEvent } from './questions/events.ts'
import { keptOf, rawOf } from './raw.ts'
import { createReportRunner, type ReportReader, type Source } from './report-runner.ts'
import type { Viz, VizType } from './viz.ts'

/** The answer to one id (api.md §6). */
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
  | { status: 'error'; viz: null; code: ErrorCode; message: string }
)
type ErrorCode = 'unknown_question' | 'invalid_params' | 'handler_error'

export type Batch = {
  context: ReportContext
  signal: AbortSignal
  language: Language
  range: Range
  filters: Filters
  /** `previous`, `year`, `year_weekday` or FROM..TO. */
  compare: string
  plan: Plan
  site: Site
  params: Readonly<Record<string, unknown>>
  /** A clock in milliseconds, for Server-Timing. */
  now: () => number
  /** Called with unexpected errors; the answer does not show their text. */
  onError: (id: string, error: unknown) => void
}

const paramText = v.pipe(v.string(), v.minLength(1), v.maxLength(1024))

/** The parameters given for a question, or the name of an invalid one. */
const readParams = ({ params: names }: Question, given: unknown): Params | string => {
  if (given === undefined || given === null) return {}
  if (typeof given !== 'object' || Array.isArray(given)) return 'params'
  const entries = Object.entries(given)
  const invalid = entries.find(
    ([name, value]) =>
      !names.some(known => known === name) ||
      !v.is(paramText, value) ||
      (name === 'country' && !/^[A-Za-z]{2}$/.test(String(value))),
  )
  // Pages are stored without a trailing slash.
  return invalid === undefined
    ? Object.fromEntries(
        entries.map(([name, value]) => [name, name === 'page' ? String(value).replace(/(?<=.)\/$/, '') : value]),
      )
    : invalid[0]
}

/** In these two payloads the summary is also the message. */
const withMessage = (type: VizType, viz: object, summary: string): object =>
  type === 'status' || type === 'recommendation' ? { ...viz, message: summary } : viz

const errorAnswer = (code: ErrorCode, message: string) => ({
  status: 'error' as const,
  code,
  message,
  viz: null,
  source: null,
  summary: message,
})

/** What is said of days before counting began. */
export const beginning = (language: Language, day: Day): string =>
  sentence(language, textsOf(language).begun, { date: { date: dayText(day) } })

/** Reads on first use and returns the same afterwards. */
const readOnce = <Result>(read: () => Promise<Result>): (() => Promise<Result>) => {
  let result: Promise<Result> | null = null
  return () => (result ??= read())
}

/** The context shared by all questions of a batch; only the parameters differ. */
const sharedContext = (
  { context, language, range, filters, compare, site }: Batch,
  firstRawDay: () => Promise<Day>,
  { firstDay, firstWhole }: Pick<QuestionContext, 'firstDay' | 'firstWhole'>,
): Omit<QuestionContext, 'params' | keyof ReportReader> => {
  const now = toSeconds(context.clock())
  const present = presentAt(context.zone, now)
  const { today } = present
  const comparable = otherRange(range, compare, present).from >= firstWhole
  const end = context.zone.startOf(addDays(range.to, 1)) - 1
  return {
    range,
    filters,
    compare,
    comparable,
    firstDay,
    firstWhole,
    today,
    until: Math.min(now, end),
    site,
    language,
    label: key => textsOf(language).labels[key],
    country: code => figureText(language.tag, { country: code }),
    trend: trend => trendPhrase(language, trend, compare, comparable),
    suspects: visits => suspectsPhrase(language, visits),
    rawRange: async () => rawOf(range, await firstRawDay()),
    keptRange: async () => keptOf(range, await firstRawDay()),
  }
}

/** Answers questions in one language over one range. Each question and report runs once per batch. */
export const createAnswers = (batch: Batch) => {
  const { context, signal, language, range, filters, compare, plan, params, now, onError } = batch
  const runner = createReportRunner(context, { language: language.tag, signal }, batch, now)
  const firstRawDay = readOnce(async () => (await context.read([bindParameters(rawFromQuery, {})]))[0][0]?.day ?? 0)
  const firstDay = readOnce(async () => (await context.read([bindParameters(firstDayQuery, {})]))[0][0]?.day ?? 0)
  const wholeDays = readOnce(() => readFirstWholeDays(context.read))
  const texts = textsOf(language)
  const against = againstPhrase(language, compare)
  const format = (text: string, values: Values = {}): string => sentence(language, text, { against, ...values })

  /** The day that counting began, if it was after the days that a report was read for: these are unknown, not empty. */
  const begun = async (question: Question, { params: read }: Source): Promise<Day | null> => {
    const ofOrders = categoryOfQuestion(question).id === 'revenue'
    const day = Math.min(await firstDay(), ofOrders ? (await wholeDays()).orders : Number.POSITIVE_INFINITY)
    return read.from !== undefined && range.to < day ? day : null
  }

  /** Why the reports refused a question's parameters. Filters need single visits, which are kept for a limited time. */
  const invalidReport = async (error: ApiError): Promise<string> => {
    const first = await firstRawDay()
    return Object.keys(filters).length > 0 && (range.from < first || refusesComparison(error))
      ? format(texts.errors.raw_gone, { date: { date: dayText(first) } })
      : texts.errors.invalid_report
  }

  const failure = async (id: string, given: Params, error: unknown) => {
    if (error instanceof Missing) {
      const { reason, hint } = error
      const status = 'coming_soon' as const
      return { status, reason, hint: texts.hints[hint], viz: null, source: null, summary: texts.reasons[reason] }
    }
    if (isUnknownEvent(error))
      return errorAnswer('invalid_params', format(texts.errors.unknown_event, { event: given.event ?? '' }))
    if (error instanceof ApiError && error.status === 400)
      return errorAnswer('invalid_params', await invalidReport(error))
    if (signal.aborted) throw error
    onError(id, error)
    return errorAnswer('handler_error', texts.errors.handler_error)
  }

  const answerQuestion = async (question: Question): Promise<Envelope> => {
    const { id, confidence } = question
    const head = { id, question: questionText(language, id, range), plan: question.plan, confidence }
    if (plan === 'free' && question.plan === 'paid') return { ...head, ...(await failure(id, {}, new Missing('plan'))) }
    const given = readParams(question, params[id])
    if (typeof given === 'string')
      return { ...head, ...errorAnswer('invalid_params', format(texts.errors.invalid_params, { name: given })) }
    const use: FilterUse = { reports: new Set(), left: [] }
    try {
      const { viz, source, values, empty } = await question.answer({
        ...sharedContext(batch, firstRawDay, { firstDay: await firstDay(), firstWhole: (await wholeDays()).visits }),
        ...runner.readFor(use),
        params: given,
      })
      const began = await begun(question, source)
      const sentence = format(empty === undefined ? texts.questions[id].summary : texts.empty[empty], values)
      const summary = began === null ? `${sentence}${filterNote(language, filters, use)}` : beginning(language, began)
      // question() has already checked the payload against the type.
      const payload = { type: question.viz, ...withMessage(question.viz, viz, summary) } as Viz<VizType>
      return { ...head, status: 'ok', viz: payload, source, summary }
    } catch (error) {
      return { ...head, ...(await failure(id, given, error)) }
    }
  }

  const answerFirst = async (id: string): Promise<Envelope> => {
    const question = findQuestion(id)
    if (question !== undefined) return answerQuestion(question)
    const error = errorAnswer('unknown_question', format(texts.errors.unknown_question, { id }))
    return { id, question: null, plan: null, confidence: null, ...error }
  }

  const answers = new Map<string, Promise<Envelope>>()
  const answer = (id: string): Promise<Envelope> => {
    const answered = answers.get(id) ?? answerFirst(id)
    answers.set(id, answered)
    return answered
  }

  return { answer, timings: runner.timings }
}
