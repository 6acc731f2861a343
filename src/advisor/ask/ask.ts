import { setImmediate } from 'node:timers/promises'
import patternTexts from '../../../data/advisor/ask/questions.json'
import { ApiError } from '../../http/errors.ts'
import { presentAt } from '../../lib/calendar.ts'
import { listFormat } from '../../lib/formats.ts'
import { chooseLanguage, type Language, languageNames, message } from '../../lib/texts.ts'
import { dayText, toSeconds } from '../../lib/time.ts'
import { readBodyFilters } from '../../reports/filters/read.ts'
import { bindParameters } from '../../reports/pool.ts'
import { type Range, readRange } from '../../reports/range.ts'
import { firstDayQuery } from '../../rollup/whole.ts'
import { type Batch, createAnswers, type Envelope } from '../answers.ts'
import type { Filters } from '../filters.ts'
import { findQuestion } from '../inventory.ts'
import { type QuestionId, questionText } from '../language.ts'
import { answersOf, least, readingsOf } from './choice.ts'
import { answerReport, isReport } from './report-answers.ts'
import { withFilters, withRow } from './said.ts'
import { namesOfSite } from './site-names.ts'
import type { Match } from './subject.ts'
import { askTexts } from './texts.ts'
import { type Understood, understand } from './understand.ts'
import { isLoaded, lexiconOf } from './vocabulary.ts'

// What to ask instead, or where to look.

/** A question, or the report or command that shows what no question asks. */
type Nearest = { id?: string; report?: string; command?: string; question: string }
type Place = { id?: QuestionId; report?: string; command?: string; text?: string }

const maxNearest = 3
/** Weaker matches have nothing to do with the text. */
const minScore = 0.2
const usual = ['q2', 'q41', 'q23', 'q101']

/** By topic: reports (`dimensions/hour`), commands (`shop reconcile`) and questions. */
const ofTopics: Readonly<Record<string, readonly string[]>> = patternTexts.nearest

const placeOf = (name: string): Place => {
  const question = findQuestion(name)
  if (question !== undefined) return { id: question.id }
  return isReport(name) ? { report: name, text: name } : { command: name, text: name }
}

/** The three nearest, without those that are answered. */
const nearestOf = (matches: readonly Match[], answered: readonly Match[]): Place[] => {
  const [best] = matches
  const names = [
    ...(answered.length > 0 || best === undefined ? [] : (ofTopics[best.id] ?? [])),
    ...matches.filter(({ id, score }) => score >= minScore && findQuestion(id) !== undefined).map(({ id }) => id),
    ...usual,
  ]
  const others = [...new Set(names)].filter(name => !answered.some(({ id }) => id === name))
  return others.slice(0, maxNearest).map(placeOf)
}

/** A question in plain words, and what it is answered with. */
export type AskBatch = Omit<Batch, 'language' | 'range' | 'filters' | 'compare' | 'params'> & {
  text: string
  /** Used if the words name no period; by default the last 30 days. */
  days: { from?: string | undefined; to?: string | undefined }
  /** For texts that fit several languages, most wanted first. */
  languages: readonly (string | null | undefined)[]
  /** The language of the answer; by default that of the words. */
  answerIn?: string | undefined
}

export type Reading = { id: string; question: string | null; summary: string }

export type Asked = {
  /** `period` is `custom` for other days than `this_week` and the like; `words` are those that had no effect. */
  understood: { range: Range; period: string; compare: string | null; filters: Filters; words: readonly string[] }
  /** Best first, at most three; none if the question is unknown. */
  answers: readonly (Envelope & { score: number })[]
  /** If it is not clear what is meant, the two or three questions that it may be, with what each would answer. */
  readings: readonly Reading[]
  /** Why there is no answer, or which words had no effect; null if there is nothing to say. */
  message: string | null
  nearest: readonly Nearest[]
  /** How many of the answers were asked for; the others are what else may be meant. */
  parts: number
  language: Language
}

/** The first value of a filter, as a parameter has it. */
const firstValue = (text: string): string => (/(?:\\.|[^,\\])+/.exec(text)?.[0] ?? '').replace(/\\(.)/g, '$1')

/** Filters that a question takes as its parameters, and the rest. */
const parametersOf = (id: string, filters: Filters): { params: Filters; rest: Filters } => {
  const names: readonly string[] = findQuestion(id)?.params.filter(name => name !== 'country') ?? []
  const entries = Object.entries(filters)
  return {
    params: Object.fromEntries(
      entries.filter(([key]) => names.includes(key)).map(([key, value]) => [key, firstValue(value)]),
    ),
    rest: Object.fromEntries(entries.filter(([key]) => !names.includes(key))),
  }
}

/** The filters that reports understand: a language of the lexicon may be none of theirs. */
const readable = (filters: Filters): Filters =>
  Object.entries(filters).reduce((read, [key, value]) => {
    try {
      return { ...read, ...readBodyFilters({ [key]: value }, 'en') }
    } catch (error) {
      if (error instanceof ApiError) return read
      throw error
    }
  }, {})

/** The product or coupon that a text names: rows of answers, not filters. */
const nameOf = ({ product, coupon }: Filters): ['product' | 'coupon', string] | null =>
  product !== undefined
    ? ['product', firstValue(product)]
    : coupon !== undefined
      ? ['coupon', firstValue(coupon)]
      : null

/** The typed words of filters that an answer's report does not take. */
const unapplied = ({ filterWords }: Understood, filters: Filters, { id, status, source }: Envelope): string[] => {
  if (status !== 'ok') return []
  const { rest } = parametersOf(id, filters)
  // A funnel is in the path of its report.
  const isApplied = (key: string): boolean =>
    source?.params[key] !== undefined || (key === 'funnel' && id === 'funnels')
  return Object.keys(rest).flatMap(key => (isApplied(key) ? [] : (filterWords[key] ?? [])))
}

const messageOf = (
  language: Language,
  { matches, refused, corrected }: Understood,
  words: readonly string[],
  { answered, asked }: { answered: boolean; asked: boolean },
  near: readonly Nearest[],
) => {
  const texts = askTexts(language)
  const list = (all: readonly string[]) =>
    listFormat(language.tag, { type: 'conjunction' }).format(
      all.map(one => message(language, texts.quoted, { text: one })),
    )
  const notes = [
    ...corrected.map(([typed, known]) => message(language, texts.corrected, { typed, known })),
    ...(words.length === 0 ? [] : [message(language, texts.ignored, { words: list(words) })]),
  ]
  if (answered) return notes.length === 0 ? null : notes.join(' ')
  if (asked) return [texts.unclear, ...notes].join(' ')
  const [best] = matches
  const topic = refused ?? (best !== undefined && best.score >= least ? best.id : '')
  const why = texts.topics[topic]
  const nearest = message(language, texts.nearest, { questions: list(near.map(({ question }) => question)) })
  return [texts.unknown, why, nearest].filter(Boolean).join(' ')
}

/** Days without a first one begin where counting did. */
const fromFirstDay = async ({ read }: Batch['context'], { from, to }: Range): Promise<Range> => {
  const [[counted]] = await read([bindParameters(firstDayQuery, {})])
  return { from: Math.min(Math.max(from, counted?.day ?? to), to), to }
}

/** Each takes some 50 ms when first used; other requests go on in between. */
const loadLexicons = async (): Promise<void> => {
  for (const name of languageNames) if (!isLoaded(name)) await setImmediate(lexiconOf(name))
}

/**
 * Answers a question in plain words, in the language of the words.
 * @throws ApiError 400 for invalid `days`
 */
export const ask = async (batch: AskBatch): Promise<Asked> => {
  const { context, text, days, languages, answerIn } = batch
  const now = toSeconds(context.clock())
  const present = presentAt(context.zone, now)
  const wanted = languages.map(one => chooseLanguage([one]).name).filter((_, index) => languages[index] != null)
  await loadLexicons()
  const understood = understand(
    text,
    present,
    [...new Set([...wanted, ...languageNames])],
    batch.site.hosts,
    await namesOfSite(context.read, present.today),
  )
  const given = readRange(days, context.zone, now)
  const { period, matches } = understood
  const filters = readable(understood.filters)
  const range =
    period === null ? given : period.isOpen === true ? await fromFirstDay(context, period.range) : period.range
  const spoken = languages.find(one => one != null && chooseLanguage([one]).name === understood.language)
  const language = chooseLanguage([answerIn, spoken, understood.language])
  const asked = readingsOf(understood)
  const chosen = asked.length > 0 ? asked : answersOf(understood)
  const named = nameOf(understood.filters)
  const found = await Promise.all(
    chosen.map(async ({ id, score }) => {
      const { params, rest } = parametersOf(id, filters)
      const compare = understood.compare ?? 'previous'
      const answering = { ...batch, language, range, filters: rest, compare, params: { [id]: params } }
      const whole = isReport(id)
        ? await answerReport(answering, id, filters)
        : await createAnswers(answering).answer(id)
      const row = named === null ? null : withRow(language, whole, ...named)
      const shown = withFilters(language, row ?? whole, filters, understood.compare)
      return { ...shown, score: Math.round(score * 100) / 100, unnamed: named !== null && row === null }
    }),
  )
  const [first] = found
  const answers = asked.length > 0 ? [] : found
  const words = [
    ...understood.words,
    ...(answers.length === 0 ? [] : understood.unused),
    ...(first === undefined ? [] : unapplied(understood, filters, first)),
    ...(first?.unnamed === true && named !== null ? (understood.filterWords[named[0]] ?? []) : []),
  ]
  const nearest = nearestOf(matches, chosen).map(({ text: name, id, ...place }) => ({
    ...place,
    ...(id === undefined ? {} : { id }),
    question: id === undefined ? (askTexts(language).places[name ?? ''] ?? '') : questionText(language, id, range),
  }))
  return {
    understood: {
      range,
      period: period?.name ?? (days.from === undefined && days.to === undefined ? 'last_30_days' : 'custom'),
      compare: understood.compare,
      filters,
      words,
    },
    answers: answers.map(({ unnamed: _, ...answer }) => answer),
    readings: asked.length === 0 ? [] : found.map(({ id, question, summary }) => ({ id, question, summary })),
    message: messageOf(language, understood, words, { answered: answers.length > 0, asked: asked.length > 0 }, nearest),
    nearest,
    parts: Math.max(understood.parts.length, 1),
    language,
  }
}

/** As the API and the command line show it. */
export const askedBody = ({ understood: { range, ...understood }, language, parts: _, ...asked }: Asked) => ({
  understood: {
    from: dayText(range.from),
    to: dayText(range.to),
    ...understood,
    filters: { ...understood.filters },
    words: [...understood.words],
  },
  ...asked,
  answers: [...asked.answers],
  readings: [...asked.readings],
  nearest: [...asked.nearest],
  language: language.name,
})
