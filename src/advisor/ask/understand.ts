// What a text says: its language, the days and filters that it names, and which questions it may ask.
import patternTexts from '../../../data/advisor/ask/questions.json'
import type { Present } from '../../lib/calendar.ts'
import { gap } from '../../reports/filters/syntax.ts'
import { categoryOfQuestion, findQuestion } from '../inventory.ts'
import type { Span } from './lexicon.ts'
import { withNames } from './named-spans.ts'
import { type Names, noNames } from './names.ts'
import { type Period, readPeriod } from './period.ts'
import { createPeriodWords } from './period-words.ts'
import { bestReading, says } from './reading.ts'
import { isReport } from './report-answers.ts'
import { readNegations, readParts, refusedBefore, withHomes } from './slots.ts'
import { isForeign, isTopic, keptBy, type Match, rankSubjects, usedBy } from './subject.ts'
import { tokenize } from './text.ts'

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
  'funnel',
  'segment',
]

/** The filter that a span names, as `key=value`. */
const filterOf = ({ concepts }: Span, isLanguage: boolean): string | null => {
  const named = concepts.filter(concept => keys.some(key => concept.startsWith(`${key}=`)))
  const first = isLanguage ? 'language=' : 'country='
  const explicit = named.find(one => one.startsWith(first)) ?? named[0]
  if (explicit !== undefined) return explicit
  return concepts.map(concept => filterOfConcept[concept]).find(one => one !== undefined) ?? null
}

/** A subject, and the words that it was chosen by. */
type Part = { match: Match; spans: readonly Span[] }

/** The values of one filter, of which any will do, and the spans that name them. */
type Named = { values: Set<string>; spans: Span[]; negated: boolean }

/** As a filter has it; of a pattern the gaps are any text. */
const escaped = (text: string): string => text.replace(/^!|[,*\\]/g, '\\$&').replaceAll(gap, '*')

/** Filters by key, of the spans that the subjects do not stand for themselves. */
const filtersOf = (
  spans: readonly Span[],
  parts: readonly Part[],
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
  /** Words that are known, but have no effect on what is answered. */
  unused: readonly string[]
  /** Words with a typo, and what they were taken for. */
  corrected: readonly (readonly [typed: string, known: string])[]
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

/** Joints of two subjects, which no period uses: "visitors and orders". */
const isJoint = (span: Span): boolean => says(span, 'p:and') && says(span, 'pair')

const silent = ['site', 'shop', 'any', 'from', 'use']
const isSilent = ({ concepts, known }: Span): boolean => known && concepts.every(concept => silent.includes(concept))
const visitors: readonly Span[] = [{ start: 0, end: 0, concepts: ['visitors'], known: true }]

/** Whether a word is of another subject than those that were chosen. */
const isUnexplained = (span: Span, chosen: readonly Part[]): boolean =>
  chosen.length > 0 &&
  chosen.every(({ match }) => {
    const question = findQuestion(match.id)
    const near = question === undefined ? [] : categoryOfQuestion(question).questions.map(({ id }) => id)
    return isForeign(span, match, near)
  })

/** Whether something is "not working" is asked as whether it is. */
const isYesOrNo = ({ match }: Part): boolean => ['status', 'anomaly'].includes(findQuestion(match.id)?.viz ?? '')

/** Understands a text in one of the languages; where several fit, the first counts. */
export const understand = (
  text: string,
  present: Present,
  languages: readonly string[],
  ownHosts: readonly string[] = [],
  names: Names = noNames,
): Understood => {
  const tokens = tokenize(text)
  const { language, spans: read } = bestReading(tokens, languages, ownHosts)
  const spans = withHomes(withNames(read, tokens, names))
  const compares = spans.some(
    span => (says(span, 'p:than') && span.end > span.start + 1) || upwards.some(concept => says(span, concept)),
  )
  const words = tokens.map(({ word }) => word)
  const { period, compare, compared } = readPeriod(createPeriodWords(spans, words, present), compares)
  const speaking = spans.some(({ concepts }) => concepts.includes('p:speaking'))
  const isEntity = (span: Span): boolean => filterOf(span, speaking) !== null
  // Black Friday is a period, and what a question asks about.
  const left = spans.filter(
    span => says(span, 'blackfriday') || (period?.used.includes(span) !== true && !compared.includes(span)),
  )
  const { negated, bound, unbound } = readNegations(left, isEntity)
  const plain = new Map<Span, Span>(
    left.map(span => [
      span,
      { ...span, concepts: negated.has(span) || bound.has(span) ? [] : span.concepts.filter(isOfSubject(compare)) },
    ]),
  )
  const subject = [...plain.values()]
  // Days alone, as in "how was Easter", ask for visitors.
  const ranked = rankSubjects(subject.length > 0 && subject.every(isSilent) && period !== null ? visitors : subject)
  const joints = new Set(left.filter(isJoint).map(span => plain.get(span)))
  const parts = readParts(
    subject,
    span => joints.has(span),
    span => isEntity(span),
  )
  const best = ranked[0]
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
  const isUnused = (concept: string): boolean => left.some(span => says(span, concept)) && !explains(concept)
  const yesOrNo = chosen.every(isYesOrNo)
  const isUnbound =
    isRow ||
    (isUnused('nobody') && !yesOrNo && !explains('least')) ||
    unbound.some(span => !span.concepts.some(explains) && !(yesOrNo && says(span, 'p:not')))
  const isUncompared =
    compare === null && left.some(span => says(span, 'compare')) && !['compare', ...upwards].some(explains)
  // Visits do not know who buys.
  const isBuyer = (span: Span): boolean =>
    says(span, 'customers') && !chosen.some(({ match }) => match.pattern.id.startsWith('q1') || isTopic(match.id))
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
  // Why a topic is not answered says more than that a "not" was not understood.
  const isExplained = best !== undefined && isTopic(best.id) && !isReport(best.id)
  return {
    language,
    period,
    compare,
    filters: Object.fromEntries(
      [...found].map(([key, { values, negated: not }]) => [key, `${not ? '!' : ''}${[...values].join(',')}`]),
    ),
    filterWords: Object.fromEntries([...found].map(([key, { spans: named }]) => [key, named.map(typed)])),
    words: subject.filter((span, at) => !span.known || isUnusedNumber(at) || isBuyer(span)).map(typed),
    unused: subject.filter(span => !isEntity(span) && isUnexplained(span, chosen)).map(typed),
    corrected: spans.flatMap(span => (span.corrected === undefined ? [] : [[typed(span), span.corrected] as const])),
    matches,
    parts: parts?.map(({ match }) => match) ?? [],
    refused:
      refusedBefore(spans, isEntity) ??
      (isUnbound && !isExplained ? 'negation' : isUncompared ? 'comparison' : isUnused('actor') ? 'actor' : null),
  }
}
