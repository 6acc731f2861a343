// The filters that a text names: what its subject leaves over of countries, devices, sources and so on.
import patternTexts from '../../../data/advisor/ask/questions.json'
import type { Span } from './lexicon.ts'
import { keptBy, type Match, usedBy } from './subject.ts'

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
type Named = { values: Set<string>; spans: Span[] }

/** Filters by key, of the spans that the subject does not stand for itself. Values are escaped. */
export const filtersOf = (
  spans: readonly Span[],
  subject: Match | undefined,
  isLanguage: boolean,
): ReadonlyMap<string, Named> => {
  const filters = new Map<string, Named>()
  const used = subject === undefined ? [] : usedBy(subject, spans)
  const kept = subject === undefined ? [] : keptBy(subject, spans)
  for (const span of spans) {
    if (used.includes(span) && !kept.includes(span)) continue
    const filter = filterOf(span, isLanguage)
    if (filter === null) continue
    const at = filter.indexOf('=')
    const key = filter.slice(0, at)
    const named = filters.get(key) ?? { values: new Set(), spans: [] }
    named.values.add(filter.slice(at + 1).replace(/^!|[,*\\]/g, '\\$&'))
    named.spans.push(span)
    filters.set(key, named)
  }
  return filters
}
