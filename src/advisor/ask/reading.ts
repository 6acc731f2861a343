// The words of a text as spans, in the language that knows most of them.
import { plainHost } from '../../lib/plain-host.ts'
import type { Span } from './lexicon.ts'
import type { Token } from './text.ts'
import { lexiconOf } from './vocabulary.ts'

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
const certaintyOf = ({ known, corrected }: Span): number => (known ? (corrected !== undefined ? 0.5 : 1) : 0)

export const says = (span: Span | undefined, concept: string): boolean => span?.concepts.includes(concept) === true

/** "How many visitors does amazon.com have" asks for what only that site knows; "did it bring me any" does not. */
const withoutOtherSites = (spans: readonly Span[]): Span[] => {
  const brought = spans.some(span => says(span, 'bring') || says(span, 'find'))
  return spans.map((span, at) => {
    const isOther = span.concepts.some(concept => concept.startsWith('source='))
    const owned = says(spans[at - 1], 'p:owning') || says(spans[at + 1], 'p:owned')
    return isOther && owned && !brought ? { ...span, concepts: ['elsewhere'] } : span
  })
}

/** Somebody who looks at the site visits it. */
const withVisits = (spans: readonly Span[]): Span[] => {
  const isActor = spans.some(span => says(span, 'visitors'))
  return spans.map((span, at) => {
    const object = spans.slice(at + 1).find(({ known, concepts }) => !known || concepts.length > 0)
    return isActor && says(span, 'read') && says(object, 'site') ? { ...span, concepts: ['arrive'] } : span
  })
}

type Reading = { language: string; spans: readonly Span[]; known: number }

const readIn =
  (tokens: readonly Token[], ownHosts: readonly string[]) =>
  (language: string): Reading => {
    const read = lexiconOf(language)
      .spans(tokens.map(({ word }) => (isPath(word) || isHost(word) || isName(word) ? '' : word)))
      .map(literal(tokens, ownHosts))
    const spans = withVisits(withoutOtherSites(read))
    const known = spans.reduce((sum, span) => sum + certaintyOf(span) * (span.end - span.start), 0)
    return { language, spans, known }
  }

/** The language that knows most of the words; of several the first. */
export const bestReading = (
  tokens: readonly Token[],
  languages: readonly string[],
  ownHosts: readonly string[],
): Reading => languages.map(readIn(tokens, ownHosts)).reduce((best, other) => (other.known > best.known ? other : best))
