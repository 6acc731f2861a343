// What a text says: its language, the days and filters that it names, and which questions it may ask.
import patternTexts from '../../../data/advisor/ask/questions.json'
import { plainHost } from '../../lib/plain-host.ts'
import type { Day } from '../../lib/time.ts'
import { gap } from '../../reports/filters/syntax.ts'
import { categoryOfQuestion, findQuestion } from '../inventory.ts'
import type { Span } from './lexicon.ts'
import { withNames } from './named-spans.ts'
import { type Names, noNames } from './names.ts'
import { type Period, readPeriod } from './period.ts'
import { createPeriodWords } from './period-words.ts'
import { readNegations, readParts } from './slots.ts'
import { keptBy, type Match, rankSubjects, usedBy } from './subject.ts'
import { type Token, tokenize } from './text.ts'
import { lexiconOf } from './vocabulary.ts'

// The filters that a text names: what its subject leaves over of countries, devices, sources and so on.

const filterOfConcept: Readonly<Record<string, string>> = patternTexts.filters

/** Keys of reports; the vocabulary has others for its own use. */
const keys = [
  'country',
  'language',
  'device',
  'channel',
  'source',
  'browser',
  'os',
  'host',
  'page',
  'event',
  'utm_campaign',
  'city',
  'product',
  'coupon',
  'goal',
]

/** The filter that a span names, as `key=value`. */
const filterOf = ({ concepts }: Span, isLanguage: boolean): string | null => {
  const named = concepts.filter(concept => keys.some(key => concept.startsWith(`${key}=`)))
  const first = isLanguage ? 'language=' : 'country='
  const explicit = named.find(one => one.startsWith(first)) ?? named[0]
  if (explicit !== undefined) return explicit
  return concepts.map(concept => filterOfConcept[concept]).find(one => one !== undefined) ?? null
}

/** The values of one filter, of which any will do, and the spans that name them. */
type Named = { values: Set<string>; spans: Span[]; negated: boolean }

/** As a filter has it; of a pattern the gaps are any text. */
const escaped = (text: string): string => text.replace(/^!|[,*\\]/g, '\\$&').replaceAll(gap, '*')

/** Filters by key, of the spans that the subjects do not stand for themselves. */
const filtersOf = (
  spans: readonly Span[],
  parts: readonly { match: Match; spans: readonly Span[] }[],
  negated: ReadonlySet<Span>,
  isLanguage: boolean,
): ReadonlyMap<string, Named> => {
  const filters = new Map<string, Named>()
  const stoodFor = new Set(
    parts.flatMap(({ match, spans: own }) => {
      const kept = keptBy(match, own)
      return usedBy(match, own).filter(span => !kept.includes(span))
    }),
  )
  for (const span of spans) {
    const isNegated = negated.has(span)
    if (stoodFor.has(span) && !isNegated) continue
    const filter = filterOf(span, isLanguage)
    if (filter === null) continue
    const at = filter.indexOf('=')
    const key = filter.slice(0, at)
    const named = filters.get(key) ?? { values: new Set(), spans: [], negated: isNegated }
    // A filter cannot both take and leave out values: what is left out counts.
    if (named.negated !== isNegated && !isNegated) continue
    if (named.negated !== isNegated) named.values.clear()
    named.negated = isNegated
    named.values.add(escaped(filter.slice(at + 1)))
    named.spans.push(span)
    filters.set(key, named)
  }
  return filters
}

export type Understood = {
  language: string
  period: Period | null
  /** What to compare with, as reports take it; null if the text does not say. */
  compare: string | null
  /** Filters by key; several values of one key are alternatives, separated by commas. */
  filters: Readonly<Record<string, string>>
  /** The typed words of each filter. */
  filterWords: Readonly<Record<string, readonly string[]>>
  /** Words that were not understood, as they were typed. */
  words: readonly string[]
  /** Questions and topics, the best first. */
  matches: readonly Match[]
  /** Of a text that asks two things, the question for each. */
  parts: readonly Match[]
  /** Why there can be no answer whatever the subject is: a topic. */
  refused: string | null
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

const ranks = ['most', 'least', 'first', 'number_one', 'bestseller']

const isPeriod = (concept: string): boolean => concept.startsWith('p:')
const isPath = (word: string): boolean => word.startsWith('/')
const isHost = (word: string): boolean => /^[\p{L}\d-]+(\.[\p{L}\d-]+)*\.\p{L}{2,}$/u.test(word)
/** Names of events: newsletter_signup. */
const isName = (word: string): boolean => /^[a-z\d]+(?:_[a-z\d]+)+$/.test(word) && !word.startsWith('utm_')

/** What a host stands for: the site, one of several hosts of the site, or a source. */
const conceptOfHost = (word: string, ownHosts: readonly string[]): string => {
  const own = new Set(ownHosts.map(plainHost))
  const host = plainHost(word)
  if (!own.has(host)) return `source=${word}`
  return own.size > 1 ? `host=${host}` : 'site'
}
const isNumber = (word: string): boolean => /^[\d.,:/%-]+(?:st|nd|rd|th|er|ere|e|eme|o|a|º|ª)?$/.test(word)

/** Paths, hosts and numbers are known in every language; the site's own host is the site, of several the filter. */
const literal =
  (tokens: readonly Token[], ownHosts: readonly string[]) =>
  (span: Span): Span => {
    const { raw, word } = tokens[span.start] ?? { raw: '', word: '' }
    if (span.known) return span
    if (isPath(word)) return { ...span, known: true, concepts: [`page=${raw}`] }
    if (isHost(word)) return { ...span, known: true, concepts: [conceptOfHost(word, ownHosts)] }
    if (isName(word)) return { ...span, known: true, concepts: [`event=${word}`] }
    return isNumber(word) ? { ...span, known: true } : span
  }

/** A word of one language is often a word of another with a typo. */
const certaintyOf = ({ known, corrected }: Span): number => (known ? (corrected === true ? 0.5 : 1) : 0)

const says = (span: Span | undefined, concept: string): boolean => span?.concepts.includes(concept) === true

/** "How many visitors does amazon.com have" asks for what only that site knows; "did it bring me any" does not. */
const withoutOtherSites = (spans: readonly Span[], tokens: readonly Token[]): Span[] => {
  const brought = spans.some(span => says(span, 'bring') || says(span, 'find'))
  return spans.map((span, at) => {
    const isOther =
      isHost(tokens[span.start]?.word ?? '') && span.concepts.some(concept => concept.startsWith('source='))
    const owned = says(spans[at - 1], 'p:owning') || says(spans[at + 1], 'p:owned')
    return isOther && owned && !brought ? { ...span, concepts: ['unmeasured'] } : span
  })
}

type Reading = { language: string; spans: readonly Span[]; known: number }

const readIn =
  (tokens: readonly Token[], ownHosts: readonly string[]) =>
  (language: string): Reading => {
    const read = lexiconOf(language)
      .spans(tokens.map(({ word }) => (isPath(word) || isHost(word) || isName(word) ? '' : word)))
      .map(literal(tokens, ownHosts))
    const spans = withoutOtherSites(read, tokens)
    const known = spans.reduce((sum, span) => sum + certaintyOf(span) * (span.end - span.start), 0)
    return { language, spans, known }
  }

/** The language that knows most of the words; of several the first. */
const bestReading = (tokens: readonly Token[], languages: readonly string[], ownHosts: readonly string[]): Reading =>
  languages.map(readIn(tokens, ownHosts)).reduce((best, other) => (other.known > best.known ? other : best))

const ofVisits = ['country', 'language', 'device', 'browser', 'os']

/** Orders are not known by what visits have: such questions are a topic that nothing answers. */
const withoutRevenueBy = (matches: readonly Match[], keys: readonly string[]): readonly Match[] => {
  const [best] = matches
  const question = best === undefined ? undefined : findQuestion(best.id)
  if (best === undefined || question === undefined || !keys.some(key => ofVisits.includes(key))) return matches
  return categoryOfQuestion(question).id === 'revenue' ? [{ ...best, id: 'revenue_by' }, ...matches] : matches
}

/** "Más que el mes pasado" is more, not most. */
const isOfSubject =
  (compare: string | null) =>
  (concept: string, _: number, all: readonly string[]): boolean =>
    !isPeriod(concept) && !(compare !== null && concept === 'most' && all.includes('more'))

/** After "next": what has not come yet. */
const isTime = (concept: string): boolean =>
  /^p:(?:day|week|month|quarter|year|weekend|seasons=.*|month=.*|weekday=.*)$/.test(concept)

/** Joints of two subjects, which no period uses: "visitors and orders". */
const isJoint = (span: Span): boolean => says(span, 'p:and') && says(span, 'pair')

/** Understands a text in one of the languages; where several fit, the first counts. */
export const understand = (
  text: string,
  today: Day,
  languages: readonly string[],
  ownHosts: readonly string[] = [],
  names: Names = noNames,
): Understood => {
  const tokens = tokenize(text)
  const { language, spans: read } = bestReading(tokens, languages, ownHosts)
  const spans = withNames(read, tokens, names)
  const compares = spans.some(
    span => (says(span, 'p:than') && span.end > span.start + 1) || upwards.some(concept => says(span, concept)),
  )
  const words = tokens.map(({ word }) => word)
  const { period, compare, compared } = readPeriod(createPeriodWords(spans, words, today), compares)
  const speaking = spans.some(({ concepts }) => concepts.includes('p:speaking'))
  const isEntity = (span: Span): boolean => filterOf(span, speaking) !== null
  const left = spans.filter(span => period?.used.includes(span) !== true && !compared.includes(span))
  const { negated, bound, unbound } = readNegations(left, isEntity)
  const plain = new Map<Span, Span>(
    left.map(span => [
      span,
      { ...span, concepts: negated.has(span) || bound.has(span) ? [] : span.concepts.filter(isOfSubject(compare)) },
    ]),
  )
  const subject = [...plain.values()]
  const ranked = rankSubjects(subject)
  const joints = new Set(left.filter(isJoint).map(span => plain.get(span)))
  const parts = readParts(
    subject,
    span => joints.has(span),
    span => isEntity(span),
  )
  const [best] = ranked
  const chosen = parts ?? (best === undefined ? [] : [{ match: best, spans: subject }])
  const found = filtersOf(
    left.map(span => (negated.has(span) ? span : (plain.get(span) ?? span))),
    chosen,
    negated,
    speaking,
  )
  const matches = withoutRevenueBy(ranked, [...found.keys()])
  const explains = (concept: string): boolean => chosen.some(({ match }) => match.pattern.concepts.has(concept))
  const isRow = [...found].some(([key, { negated: not }]) => not && (key === 'product' || key === 'coupon'))
  const isUnbound = isRow || unbound.some(({ concepts }) => !concepts.some(explains))
  const isUncompared =
    compare === null && left.some(span => says(span, 'compare')) && !['compare', ...upwards].some(explains)
  const isFuture = spans.some((span, at) => says(span, 'p:next') && spans[at + 1]?.concepts.some(isTime) === true)
  /** Numbers that belong to no period; "the top 10" are listed anyway. */
  const isUnusedNumber = (at: number): boolean =>
    /^\d/.test(words[subject[at]?.start ?? -1] ?? '') &&
    subject[at]?.concepts.length === 0 &&
    ![at - 1, at + 1].some(next => subject[next]?.concepts.some(concept => ranks.includes(concept)))
  const typed = ({ start, end }: Span): string =>
    tokens
      .slice(start, end)
      .map(({ raw }) => raw)
      .join(' ')
  return {
    language,
    period,
    compare,
    filters: Object.fromEntries(
      [...found].map(([key, { values, negated: not }]) => [key, `${not ? '!' : ''}${[...values].join(',')}`]),
    ),
    filterWords: Object.fromEntries([...found].map(([key, { spans: named }]) => [key, named.map(typed)])),
    words: subject.filter((span, at) => !span.known || isUnusedNumber(at)).map(typed),
    matches,
    parts: parts?.map(({ match }) => match) ?? [],
    refused: isFuture ? 'forecast' : isUnbound ? 'negation' : isUncompared ? 'comparison' : null,
  }
}
