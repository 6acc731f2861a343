// Which question a text asks: the concepts of its words are compared with patterns of concepts for each question.
import patternTexts from '../../../data/advisor/ask/questions.json'
import { lazy } from '../../lib/lazy.ts'
import type { Span } from './lexicon.ts'

/**
 * A part of a pattern: any of these concepts (`page=` is any page). `optional` ones (`?`) count if present and are not
 * missed otherwise. What fits `kept` ones (`+`) is a filter as well. `os= os=` are two systems: the second one `repeats`
 * once.
 */
type Element = { concepts: readonly string[]; optional: boolean; kept: boolean; weight: number; repeats: number }
type Pattern = {
  id: string
  elements: readonly Element[]
  /** The concepts of all elements. */
  concepts: ReadonlySet<string>
  /** The concepts of the elements that must be there. */
  demanded: ReadonlySet<string>
  /** Concepts of the elements that are filters as well. */
  kept: ReadonlySet<string>
  /** Concepts that a text must not have. */
  excluded: readonly string[]
}

/** A question or a topic that a text may ask for, with a score from 0 to 1. */
export type Match = { id: string; score: number; pattern: Pattern; weight: number; recall: number }

const weights: Readonly<Record<string, number>> = patternTexts.weights
const unknownWeight = 0.8
/** Of an unknown word after "how many": what is counted was not understood. */
const unknownCountWeight = 1.4

const weightOf = (concept: string): number => weights[concept] ?? 1
const most = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b), 0)

/** `page=/blog` fits `page=`. */
const familyOf = (concept: string): string => {
  const at = concept.indexOf('=')
  return at === -1 ? concept : concept.slice(0, at + 1)
}

const groups: Readonly<Record<string, string>> = patternTexts.groups

const elementOf = (text: string, index: number, all: readonly string[]): Element => {
  const concepts = text
    .replaceAll(/[+?]/g, '')
    .replaceAll(/@(\w+)/g, (_, name: string) => groups[name] ?? '')
    .split('|')
  return {
    concepts,
    optional: text.includes('?'),
    kept: text.startsWith('+'),
    weight: most(concepts.map(weightOf)),
    repeats: all.slice(0, index).filter(other => other === text).length,
  }
}

const patternOf =
  (id: string) =>
  (text: string): Pattern => {
    const parts = text.split(' ')
    const elements = parts.filter(part => !part.startsWith('!')).map(elementOf)
    return {
      id,
      elements,
      concepts: new Set(elements.flatMap(({ concepts }) => concepts)),
      demanded: new Set(elements.flatMap(({ concepts, optional }) => (optional ? [] : concepts))),
      kept: new Set(elements.flatMap(({ concepts, kept }) => (kept ? concepts : []))),
      excluded: parts.filter(part => part.startsWith('!')).map(part => part.slice(1)),
    }
  }

const patternsOf = (all: Readonly<Record<string, readonly string[]>>): Pattern[] =>
  Object.entries(all).flatMap(([id, texts]) => texts.map(patternOf(id)))
const patterns = lazy<readonly Pattern[]>(() => [
  ...patternsOf(patternTexts.questions),
  ...patternsOf(patternTexts.topics),
])

/**
 * Spans of the same concepts: what they stand for, the weight of all of them, and that if they only filter the answer
 * of a question.
 */
type Group = { families: readonly string[]; weight: number; filtering: number }
/** Events are subjects as well. */
const filterConcepts = new Set([
  ...['country=', 'language=', 'source=', 'browser=', 'os=', 'host=', 'page=', 'utm_campaign=', 'city=', 'segment='],
  ...Object.entries(patternTexts.filters)
    .filter(([, filter]) => !filter.startsWith('event='))
    .map(([concept]) => concept),
])
const filterWeight = 0.15

const fits = ({ concepts }: Span, wanted: ReadonlySet<string>): boolean =>
  concepts.some(concept => wanted.has(familyOf(concept)))

/** The spans that a match rests on. */
export const usedBy = ({ pattern }: Match, spans: readonly Span[]): Span[] =>
  spans.filter(span => fits(span, pattern.concepts))

/** Those among them that it cannot do without. */
export const demandedBy = ({ pattern }: Match, spans: readonly Span[]): Span[] =>
  spans.filter(span => fits(span, pattern.demanded))

/** Those among them that filter its answer as well. */
export const keptBy = ({ pattern }: Match, spans: readonly Span[]): Span[] =>
  spans.filter(span => fits(span, pattern.kept))

/** Words that say that there is less than one may think: always a part of what is asked. */
const diminishing = ['least', 'nobody']
/** Words of grammar among those of subjects. */
const grammatical = ['exist', 'often', 'when', 'of_visitors']
const minUnused = 0.8

/** Whether a word asks for something that neither the match nor any question of these ids has to do with. */
export const isForeign = (span: Span, { pattern }: Match, ids: readonly string[]): boolean => {
  const { concepts } = span
  if (fits(span, pattern.concepts) || concepts.length === 0) return false
  if (concepts.some(concept => diminishing.includes(concept))) return true
  const related = patterns().filter(({ id }) => ids.includes(id))
  return concepts.every(
    concept =>
      weightOf(concept) >= minUnused &&
      !grammatical.includes(concept) &&
      !related.some(({ concepts: own }) => own.has(concept)),
  )
}

/** The concepts of a text, by family. */
type Families = ReadonlyMap<string, ReadonlySet<string>>

const groupsOf = (spans: readonly Span[]): Group[] => {
  const found = new Map<string, Group>()
  for (const [index, { concepts, known }] of spans.entries()) {
    const families = concepts.map(familyOf)
    const unknown = spans[index - 1]?.concepts.includes('howmany') === true ? unknownCountWeight : unknownWeight
    const weight = known ? most(families.map(weightOf)) : unknown
    const key = families.join(' ')
    const filtering = families.some(family => filterConcepts.has(family)) ? Math.min(filterWeight, weight) : weight
    const before = found.get(key) ?? { weight: 0, filtering: 0 }
    found.set(key, { families, weight: weight + before.weight, filtering: filtering + before.filtering })
  }
  return [...found.values()]
}

/** How well a pattern fits: the harmonic mean of how much of the text it explains, and how much of it the text has. */
const match = (pattern: Pattern, said: readonly Group[], has: Families): Match | null => {
  if (pattern.excluded.some(concept => has.has(concept))) return null
  let [found, wanted, weight] = [0, 0, 0]
  for (const { concepts, optional, weight: own, repeats } of pattern.elements) {
    const fitting = concepts.filter(concept => has.has(concept))
    const different = fitting.reduce((sum, concept) => sum + (has.get(concept)?.size ?? 0), 0)
    const present = different > repeats ? most(fitting.map(weightOf)) : 0
    found += present
    weight += optional ? 0 : present
    wanted += present > 0 || optional ? present : own
  }
  if (weight === 0) return null
  let [explained, total] = [0, 0]
  for (const { families, weight: own, filtering } of said) {
    const isExplained = families.some(family => pattern.concepts.has(family))
    explained += isExplained ? own : 0
    total += isExplained ? own : filtering
  }
  const [precision, recall] = [explained / total, found / wanted]
  return { id: pattern.id, score: (2 * precision * recall * recall) / (precision + recall), pattern, weight, recall }
}

/** Whether a text has all that the pattern of a match demands. */
export const isComplete = ({ recall }: Match): boolean => recall === 1

/** Whether an id is that of a topic that no question answers. */
export const isTopic = (id: string): boolean => Object.hasOwn(patternTexts.topics, id)

/** The better score first; of equal ones the pattern that demands more. */
const compareMatches = (a: Match, b: Match): number => b.score - a.score || b.weight - a.weight

/** Questions and topics that a text may ask for, the best first, each once. */
export const rankSubjects = (spans: readonly Span[]): Match[] => {
  const said = groupsOf(spans)
  if (!said.some(({ weight }) => weight > 0)) return []
  const has = new Map<string, Set<string>>()
  for (const concept of spans.flatMap(({ concepts }) => concepts))
    has.set(familyOf(concept), (has.get(familyOf(concept)) ?? new Set()).add(concept))
  const best = new Map<string, Match>()
  for (const pattern of patterns()) {
    const found = match(pattern, said, has)
    const known = best.get(pattern.id)
    if (found !== null && (known === undefined || compareMatches(found, known) < 0)) best.set(pattern.id, found)
  }
  return [...best.values()].sort(compareMatches)
}
