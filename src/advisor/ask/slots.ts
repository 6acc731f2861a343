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

/** Whether a span names the value of a filter. */
type IsEntity = (span: Span) => boolean

/** What each "not" or "without" leaves out, and those that leave out nothing that is known. */
export const readNegations = (
  spans: readonly Span[],
  isEntity: IsEntity,
): { negated: ReadonlySet<Span>; bound: ReadonlySet<Span>; unbound: readonly Span[] } => {
  const negated = new Set<Span>()
  const [bound, unbound] = [new Set<Span>(), [] as Span[]]
  for (const [at, span] of spans.entries()) {
    const except = says(span, 'p:except')
    if (!except && !says(span, 'p:not')) continue
    let next = at + 1
    while (spans[next] !== undefined && !isEntity(spans[next] as Span) && isBridge(spans[next] as Span)) next += 1
    if (spans[next] === undefined || !isEntity(spans[next] as Span)) {
      if (except) unbound.push(span)
      continue
    }
    negated.add(spans[next] as Span)
    bound.add(span)
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
    const parts = sides.map(side => ({ match: rankSubjects(side)[0], spans: side }))
    const found = parts.flatMap(({ match, spans: own }) =>
      match === undefined ||
      match.score < least ||
      isTopic(match.id) ||
      !usedBy(match, own).some(one => isContent(one) && !isEntity(one))
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

/** Why there is no answer whatever the subject is: days to come or without a date, or somebody unknown who does something. */
export const refusedBefore = (spans: readonly Span[]): string | null => {
  for (const [at, span] of spans.entries()) {
    const next = spans[at + 1]
    if (says(span, 'p:next') && next?.concepts.some(isTime) === true) return 'forecast'
    if (says(span, 'p:undated') && [1, 2].some(back => says(spans[at - back], 'p:in'))) return 'undated'
    // "Does rain bring more people"
    if (!span.known && says(next, 'bring')) return 'stranger'
  }
  return null
}
