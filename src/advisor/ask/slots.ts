// What is read of a text before its subject: what it leaves out, and whether it asks two things.
import type { Span } from './lexicon.ts'
import { says } from './reading.ts'
import { demandedBy, isComplete, isTopic, type Match, rankSubjects, usedBy } from './subject.ts'

/** Words that may stand between "not" and what it leaves out: fillers, and what only says of which kind that is. */
const bridges = new Set(
  'from who find arrive use site page post source channel country city device campaign visitors visits views any count read bring'.split(
    ' ',
  ),
)
const isBridge = ({ known, concepts }: Span): boolean =>
  known && concepts.every(concept => concept.startsWith('p:') || bridges.has(concept))
const isSilent = ({ known, concepts }: Span): boolean => known && concepts.every(concept => concept.startsWith('p:'))

/** Whether a span names the value of a filter. */
type IsEntity = (span: Span) => boolean

/**
 * What each "not" or "without" leaves out, and those that leave out nothing that is known. A question that begins with
 * one ("didn't anybody come") asks for what is there, as one does that ends with "or not".
 */
export const readNegations = (
  spans: readonly Span[],
  isEntity: IsEntity,
): { negated: ReadonlySet<Span>; bound: ReadonlySet<Span>; unbound: readonly Span[] } => {
  const negated = new Set<Span>()
  const [bound, unbound] = [new Set<Span>(), [] as Span[]]
  for (const [at, span] of spans.entries()) {
    if (!says(span, 'p:except') && !says(span, 'p:not')) continue
    let next = at + 1
    while (spans[next] !== undefined && !isEntity(spans[next] as Span) && isBridge(spans[next] as Span)) next += 1
    if (spans[next] === undefined || !isEntity(spans[next] as Span)) {
      const isTag = says(spans[at - 1], 'pair') || spans.slice(0, at).every(isSilent)
      if (!isTag || says(span, 'p:except')) unbound.push(span)
      continue
    }
    negated.add(spans[next] as Span)
    // "Not counting phones" asks for no count.
    for (const between of spans.slice(at, next)) if (between === span || says(between, 'count')) bound.add(between)
    // "Not from Germany or Austria"
    for (let more = next + 1; says(spans[more], 'pair') || says(spans[more], 'p:and'); more += 2) {
      const other = spans[more + 1]
      if (other === undefined || !isEntity(other)) break
      negated.add(other)
    }
  }
  return { negated, bound, unbound }
}

const least = 0.55

/** Whether one question needs what stands on both sides. */
const spansBoth = (match: Match | undefined, left: readonly Span[], right: readonly Span[]): boolean =>
  match !== undefined && isComplete(match) && [left, right].every(side => demandedBy(match, side).some(isContent))

/** Words that ask nothing by themselves. */
const weak = new Set('from who find arrive use any count read bring howmany most least more good'.split(' '))
const isContent = ({ concepts }: Span): boolean => concepts.length > 0 && !concepts.every(one => weak.has(one))

/** The two subjects of "visitors and orders", with their spans; null if the text asks one thing. */
export const readParts = (
  spans: readonly Span[],
  isJoint: (span: Span) => boolean,
  isEntity: IsEntity,
): { match: Match; spans: readonly Span[] }[] | null => {
  for (const [at, span] of spans.entries()) {
    if (!isJoint(span)) continue
    const sides = [spans.slice(0, at), spans.slice(at + 1)]
    const [left = [], right = []] = sides
    const asksTwice = sides.every(side => side.some(one => says(one, 'howmany')))
    const parts = sides.map(side => ({ match: rankSubjects(side)[0], spans: side }))
    const found = parts.flatMap(({ match, spans: own }) =>
      match === undefined ||
      match.score < least ||
      isTopic(match.id) ||
      !usedBy(match, own).some(one => isContent(one) && (asksTwice || !isEntity(one)))
        ? []
        : [{ match, spans: own }],
    )
    const [first, second] = found
    if (first === undefined || second === undefined || first.match.id === second.match.id) continue
    return spansBoth(rankSubjects(spans)[0], left, right) ? null : found
  }
  return null
}

const isTime = (concept: string): boolean =>
  /^p:(?:day|week|month|quarter|year|weekend|seasons=.*|feasts=.*|month=.*|weekday=.*)$/.test(concept)

const isPlace = ({ concepts }: Span): boolean => concepts.some(one => /^(?:country|city)=/.test(one))
const isHome = (span: Span): boolean => says(span, 'p:live')

/** The place that a span says somebody lives in. */
const homeOf = (spans: readonly Span[], at: number): Span | undefined =>
  spans.slice(at + 1).find(span => !isSilent(span) || isPlace(span))

/** "Living in Hamburg" is where a visit came from, as "from Hamburg"; without a place the country is asked for. */
export const withHomes = (spans: readonly Span[]): Span[] =>
  spans.map((span, at) => {
    if (!isHome(span)) return span
    const home = homeOf(spans, at)
    if (home !== undefined && isPlace(home)) return { ...span, concepts: ['p:live'] }
    return spans.some(one => says(one, 'where')) ? { ...span, concepts: ['p:live', 'where_world'] } : span
  })

/** "How many people live in Hamburg" and "how many people has Hamburg" ask nothing of the site; "from Hamburg" does. */
const isOfWorld = (spans: readonly Span[]): boolean =>
  spans.some(span => says(span, 'p:people')) &&
  spans.some(
    (span, at) =>
      isPlace(span) &&
      (spans.some(isHome) ||
        says(spans[at - 1], 'p:has') ||
        (says(spans[at + 1], 'p:has') && !says(spans[at - 1], 'p:in') && !says(spans[at - 1], 'p:since'))),
  ) &&
  spans.every(
    span => isSilent(span) || isPlace(span) || says(span, 'p:people') || isHome(span) || says(span, 'howmany'),
  )

const passing = new Set(['howmany', 'visitors', 'site', 'shop'])

/** "How many people drink", "how many inhabitants has Vienna": what is counted or done is all that was not understood. */
const isUncounted = (spans: readonly Span[]): boolean => {
  const at = spans.findIndex(span => says(span, 'howmany'))
  const isPassed = (span: Span): boolean =>
    span.known && span.concepts.every(one => passing.has(one) || one.startsWith('p:'))
  const counted = spans.slice(at + 1).find(span => !isPassed(span))
  return at !== -1 && counted?.known === false && spans.every(span => !span.known || isPassed(span) || isPlace(span))
}

/**
 * Why there is no answer whatever the subject is: days to come or without a date, somebody unknown who does something,
 * something unknown that is counted, or the world outside.
 */
export const refusedBefore = (spans: readonly Span[], isEntity: IsEntity): string | null => {
  if (isOfWorld(spans) || isUncounted(spans)) return 'elsewhere'
  for (const [at, span] of spans.entries()) {
    const next = spans[at + 1]
    if (says(span, 'p:next') && next?.concepts.some(isTime) === true) return 'forecast'
    if (says(span, 'p:undated') && [1, 2].some(back => says(spans[at - back], 'p:in'))) return 'undated'
    // "Does rain bring more people"; a "reddit thread" is Reddit.
    const before = spans[at - 1]
    if (!span.known && says(next, 'bring') && (before === undefined || !isEntity(before))) return 'stranger'
  }
  return null
}
