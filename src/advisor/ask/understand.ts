// What a text says: its language, the days and filters that it names, and which questions it may ask.
import type { Day } from '../../lib/time.ts'
import { categoryOfQuestion, findQuestion } from '../inventory.ts'
import { createPeriodWords } from './period-words.ts'
import { readPeriod, type Period } from './period.ts'
import type { Span } from './lexicon.ts'
import { filtersOf } from './filters.ts'
import { rankSubjects, type Match } from './subject.ts'
import { tokenize, type Token } from './text.ts'
import { lexiconOf } from './vocabulary.ts'

export type Understood = {
  language: string
  period: Period | null
  /** Filters by key; several values of one key are alternatives, separated by commas. */
  filters: Readonly<Record<string, string>>
  /** The typed words of each filter. */
  filterWords: Readonly<Record<string, readonly string[]>>
  /** Words that were not understood, as they were typed. */
  words: readonly string[]
  /** Questions and topics, the best first. */
  matches: readonly Match[]
}

const upwards = [
  'more',
  'less',
  'grow',
  'compare',
  'change',
  'good',
  'bad',
  'worse',
  'lost',
  'decline',
  'crash',
  'spike',
]

const isPeriod = (concept: string): boolean => concept.startsWith('p:')
const isPath = (word: string): boolean => word.startsWith('/')
const isHost = (word: string): boolean => /^[\p{L}\d-]+(\.[\p{L}\d-]+)*\.\p{L}{2,}$/u.test(word)
/** Names of events: newsletter_signup. */
const isName = (word: string): boolean => /^[a-z\d]+(?:_[a-z\d]+)+$/.test(word) && !word.startsWith('utm_')
const isNumber = (word: string): boolean => /^[\d.,:/%-]+(?:st|nd|rd|th|er|o|a)?$/.test(word)

/** Paths, hosts and numbers are known in every language. */
const literal = (span: Span, { raw, word }: Token): Span => {
  if (span.known) return span
  if (isPath(word)) return { ...span, known: true, concepts: [`page=${raw}`] }
  if (isHost(word)) return { ...span, known: true, concepts: [`source=${word}`] }
  if (isName(word)) return { ...span, known: true, concepts: [`event=${word}`] }
  return isNumber(word) ? { ...span, known: true } : span
}

type Reading = { language: string; spans: readonly Span[]; known: number }

const readIn =
  (tokens: readonly Token[]) =>
  (language: string): Reading => {
    const spans = lexiconOf(language)
      .spans(tokens.map(({ word }) => (isPath(word) || isHost(word) || isName(word) ? '' : word)))
      .map(span => literal(span, tokens[span.start] ?? { raw: '', word: '' }))
    const known = spans.reduce((sum, span) => sum + (span.known ? span.end - span.start : 0), 0)
    return { language, spans, known }
  }

/** The language that knows most of the words; of several the first. */
const bestReading = (tokens: readonly Token[], languages: readonly string[]): Reading =>
  languages.map(readIn(tokens)).reduce((best, other) => (other.known > best.known ? other : best))

const ofVisits = ['country', 'language', 'device', 'browser', 'os']

/** Orders are not known by what visits have: such questions are a topic that nothing answers. */
const withoutRevenueBy = (matches: readonly Match[], keys: readonly string[]): readonly Match[] => {
  const [best] = matches
  const question = best === undefined ? undefined : findQuestion(best.id)
  if (best === undefined || question === undefined || !keys.some(key => ofVisits.includes(key))) return matches
  return categoryOfQuestion(question).id === 'revenue' ? [{ ...best, id: 'revenue_by' }, ...matches] : matches
}

/** Understands a text in one of the languages; where several fit, the first counts. */
export const understand = (text: string, today: Day, languages: readonly string[]): Understood => {
  const tokens = tokenize(text)
  const { language, spans } = bestReading(tokens, languages)
  const compares = spans.some(({ concepts }) => concepts.some(concept => upwards.includes(concept)))
  const words = tokens.map(({ word }) => word)
  const period = readPeriod(createPeriodWords(spans, words, today), compares)
  const subject = spans
    .filter(span => period?.used.includes(span) !== true)
    .map(span => ({ ...span, concepts: span.concepts.filter(concept => !isPeriod(concept)) }))
  const speaking = spans.some(({ concepts }) => concepts.includes('p:speaking'))
  const ranked = rankSubjects(subject)
  const found = filtersOf(subject, ranked[0], speaking)
  const matches = withoutRevenueBy(ranked, [...found.keys()])
  const typed = ({ start, end }: Span): string =>
    tokens
      .slice(start, end)
      .map(({ raw }) => raw)
      .join(' ')
  return {
    language,
    period,
    filters: Object.fromEntries([...found].map(([key, { values }]) => [key, [...values].join(',')])),
    filterWords: Object.fromEntries([...found].map(([key, { spans: named }]) => [key, named.map(typed)])),
    words: subject.filter(span => !span.known).map(typed),
    matches,
  }
}
