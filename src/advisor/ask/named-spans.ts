// Puts the site's own names over the words of the lexicon that they are made of.
import { gap } from '../../reports/filters/syntax.ts'
import type { Span } from './lexicon.ts'
import type { Name, Names } from './names.ts'
import type { Token } from './text.ts'

/** Words that say which kind of name is meant; where several could be, the first kind whose word the text has. */
const cues: readonly (readonly [kind: string, concepts: readonly string[]])[] = [
  ['utm_campaign', ['campaign', 'ads', 'utm', 'google_ads', 'facebook_ads']],
  ['coupon', ['coupon', 'use_coupon', 'discount']],
  ['product', ['product', 'sell', 'buy', 'order', 'revenue', 'units', 'bestseller', 'what_sold']],
  ['event', ['event']],
  ['goal', ['goal']],
  ['funnel', ['funnel', 'abandon']],
  ['segment', ['segment']],
  ['p:noted', ['p:since']],
  ['page', ['page', 'post', 'landing', 'read', 'views', 'title']],
  ['city', ['city']],
  ['source', ['source', 'channel']],
]
/** Where no word says which kind is meant. */
const usual = [
  'segment',
  'utm_campaign',
  'city',
  'coupon',
  'goal',
  'funnel',
  'event',
  'page',
  'product',
  'source',
  'p:noted',
]
/** Words right before or after a name that make it one though it is an ordinary word. */
const strongCues: Readonly<Record<string, readonly string[]>> = {
  utm_campaign: ['campaign'],
  coupon: ['coupon'],
  product: ['product', 'units'],
  event: ['event'],
  goal: ['goal'],
  funnel: ['funnel'],
  segment: ['segment'],
  page: ['page', 'post'],
  city: ['city'],
}

/** What cannot be known gives way to a name of the site: a club may have a page for members. */
const yielding = ['actor', 'elsewhere', 'search_engines', 'mail_opened', 'p:undated']

const isOne = (span: Span | undefined, concepts: readonly string[]): boolean =>
  span?.concepts.some(concept => concepts.includes(concept)) === true
const isFiller = ({ known, concepts }: Span): boolean =>
  known && concepts.every(concept => concept.startsWith('p:') || concept === 'from')

/** The name among several that the text means. */
const meant = (names: readonly Name[], spans: readonly Span[], kinds?: readonly string[]): Name | undefined => {
  const fitting = names.filter(({ kind }) => kinds === undefined || kinds.includes(kind))
  const cued = cues.filter(([, concepts]) => spans.some(span => isOne(span, concepts))).map(([kind]) => kind)
  const order = [...cued, ...usual]
  return fitting.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))[0]
}

/** The words beside a stretch of spans, but for fillers. */
const beside = (spans: readonly Span[], from: number, to: number): (Span | undefined)[] => {
  const after = spans[to]
  return [
    spans.slice(0, from).findLast(span => !isFiller(span)),
    after !== undefined && isFiller(after) ? spans[to + 1] : after,
  ]
}

/** The kinds of names that the words beside a stretch of spans ask for. */
const cuedBeside = (spans: readonly Span[], from: number, to: number): string[] =>
  Object.entries(strongCues)
    .filter(([, concepts]) => beside(spans, from, to).some(span => isOne(span, concepts)))
    .map(([kind]) => kind)

const isSite = (span: Span): boolean =>
  span.concepts.every(concept => concept === 'site' || concept.startsWith('p:')) && span.known

/** Words that stand for the site as a whole, unless it has a section of that name. */
const isSection = ({ kind, value }: Name): boolean =>
  kind === 'page' &&
  value.endsWith(gap) &&
  !['shop', 'store', 'tienda', 'boutique', 'site', 'web'].includes(value.slice(1, -1))

const spanOf = (start: number, end: number, { kind, value }: Name): Span => ({
  start,
  end,
  concepts: [`${kind}=${value}`],
  known: true,
  named: true,
})

/** Whole names: of several words of which one is not in the lexicon, or after a word that says what they are. */
const withWholeNames = (spans: readonly Span[], tokens: readonly Token[], names: Names): Span[] => {
  const words = tokens.map(({ word }) => word)
  const found: Span[] = []
  for (let at = 0; at < spans.length; at += 1) {
    const span = spans[at] as Span
    if ((found.at(-1)?.end ?? 0) > span.start && found.at(-1)?.named === true) continue
    const whole = isSite(span) && span.end > span.start + 1
    const name = names.at(words, whole ? span.end - 1 : span.start)
    const end = (whole ? span.end - 1 : span.start) + (name?.length ?? 0)
    const last = spans.findIndex(one => one.end === end)
    if (name === null || last < at) {
      found.push(span)
      continue
    }
    const covered = spans.slice(at, last + 1)
    const isNew = covered.some(one => !one.known || one.corrected !== undefined || isOne(one, yielding))
    const kinds = cuedBeside(spans, at, last + 1)
    // Titles of pages are made of ordinary words; a campaign of two words is hardly anything else.
    const several = covered.length > 1 ? name.names.filter(({ kind }) => kind !== 'page') : []
    const one =
      meant(name.names, spans, kinds) ??
      meant(isNew ? name.names : several, spans) ??
      name.names.find(other => covered.length === 1 && isSite(span) && isSection(other))
    if (one === undefined) {
      found.push(span)
      continue
    }
    found.push(spanOf(span.start, end, one))
    at = last
  }
  return found
}

/** What pages have in common that hold a word: a pattern. */
const commonPattern = (word: string, pages: readonly Name[]): string =>
  pages.every(({ value }) => value.includes(word)) ? `${gap}${word}${gap}` : (pages[0]?.value ?? '')

/** Words that are in no lexicon but in a name: "the kiln story". */
const withPartsOfNames = (spans: readonly Span[], tokens: readonly Token[], names: Names): Span[] => {
  const found: Span[] = []
  for (let at = 0; at < spans.length; at += 1) {
    const span = spans[at] as Span
    let end = at
    while (
      spans[end] !== undefined &&
      spans[end]?.named !== true &&
      (!spans[end]?.known || spans[end]?.corrected !== undefined)
    )
      end += 1
    const covered = spans.slice(at, Math.max(end, at + 1))
    const words = tokens.slice(span.start, covered.at(-1)?.end).map(({ word }) => word)
    const holding = end > at ? names.holding(words) : []
    const one = meant(holding, spans)
    if (one === undefined) {
      found.push(span)
      continue
    }
    const pages = [...new Set(holding.filter(({ kind }) => kind === 'page'))]
    const several = one.kind === 'page' && new Set(pages.map(({ value }) => value)).size > 1
    const [word = ''] = words
    const value = several && words.length === 1 ? commonPattern(word, pages) : one.value
    found.push(spanOf(span.start, covered.at(-1)?.end ?? span.end, { ...one, value }))
    at = end - 1
  }
  return found
}

/** Of "the page workshops" only the page counts: that it is one, its name says. */
const withoutCues = (spans: readonly Span[]): Span[] =>
  spans.map((span, at) => {
    // "The post about matcha": what is between says nothing.
    const next = spans.slice(at + 1).find(one => !isFiller(one))
    const isCue =
      isOne(span, strongCues.page ?? []) &&
      [spans[at - 1], next].some(one => one?.named === true && one.concepts[0]?.startsWith('page=') === true)
    return isCue ? { ...span, concepts: [] } : span
  })

export const withNames = (spans: readonly Span[], tokens: readonly Token[], names: Names): Span[] =>
  withoutCues(withPartsOfNames(withWholeNames(spans, tokens, names), tokens, names))
