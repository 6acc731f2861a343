// The words of a language and the concepts they stand for.
import { memoize } from '../../lib/lru-cache.ts'
import { createPhrases } from './phrases.ts'

// Words of a lexicon with a typo of one letter.

/** Shorter words are not corrected: too many words differ from them by a letter. */
const minTypo = 5
const maxWord = 40
/** Words that end at most so many letters after a known stem are inflections of it. */
const maxEnding = 2

/** Whether two words differ by one letter: added, missing, replaced, or two swapped. */
const isTypo = (a: string, b: string): boolean => {
  if (Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start += 1
  const [x, y] = [a.slice(start), b.slice(start)]
  return (
    a !== b &&
    (x.slice(1) === y ||
      x === y.slice(1) ||
      x.slice(1) === y.slice(1) ||
      (x[0] === y[1] && x[1] === y[0] && x.slice(2) === y.slice(2)))
  )
}

/** A typo leaves a word's first or last letter, and nearly its length. */
const wordBuckets = (word: string, length: number): string[] => [
  `${word.slice(0, 1)}${length}`,
  `${length}${word.slice(-1)}`,
]
/** Of stems only typos after the first letter are looked for. */
const stemBucket = (word: string): string => word.slice(0, 1)

const bucketsOf = (words: Iterable<string>, bucketsFor: (word: string) => string[]): Map<string, string[]> => {
  const buckets = new Map<string, string[]>()
  for (const word of words) {
    if (word.length < minTypo) continue
    for (const bucket of bucketsFor(word)) {
      const known = buckets.get(bucket)
      if (known === undefined) buckets.set(bucket, [word])
      else known.push(word)
    }
  }
  return buckets
}

/** Corrects a word to a known one, or to the longest known stem that it begins with; null if it is neither. */
const createCorrection = (words: Iterable<string>, stems: Iterable<string>): ((word: string) => string | null) => {
  const byWord = bucketsOf(words, word => wordBuckets(word, word.length))
  const byStem = bucketsOf(stems, stem => [stemBucket(stem)])

  /** The last letter of a stem has to be right if others follow: "repaint" is no form of "repair". */
  const isStemOf = (word: string, stem: string): boolean =>
    stem.length <= word.length + 1 &&
    word.length <= stem.length + maxEnding + 1 &&
    [-1, 0, 1].some(more => {
      const start = word.slice(0, stem.length + more)
      return (start === word || start.endsWith(stem.slice(-1))) && isTypo(start, stem)
    })

  return word => {
    // A code such as WINTER20 is no word.
    if (word.length < minTypo || word.length > maxWord || /\d/.test(word)) return null
    const candidates = [0, -1, 1].flatMap(more =>
      wordBuckets(word, word.length + more).flatMap(bucket => byWord.get(bucket) ?? []),
    )
    const whole = candidates.find(known => isTypo(word, known))
    const close = (byStem.get(stemBucket(word)) ?? []).filter(stem => isStemOf(word, stem))
    return whole ?? close.sort((a, b) => b.length - a.length)[0] ?? null
  }
}

/**
 * What a stretch of words stands for: several concepts if it is ambiguous, none if it says nothing of the subject.
 * `corrected` is the word that it is known as but for a typo; `named` if it is a name of the site.
 */
export type Span = {
  start: number
  end: number
  concepts: readonly string[]
  known: boolean
  corrected?: string
  named?: boolean
}

export type Lexicon = { spans: (words: readonly string[]) => Span[] }

/** Concept of words that say nothing of the subject. */
export const filler = '-'

const minPart = 3
/** Stems are too short to be found in shorter parts of a compound. */
const minStemPart = 4
const minCompound = 8
const maxCompound = 40
/** Corrections kept for each language. */
const cacheSize = 500

/**
 * A lexicon of phrases by concept, folded. `ordinary` words are none of these, and no typos of them. `joints` are the letters that may join the parts of a compound word; without
 * them words are not split.
 */
export const createLexicon = (
  all: Iterable<readonly [phrase: string, concept: string]>,
  joints: readonly string[],
  ordinary: ReadonlySet<string>,
): Lexicon => {
  const phrases = createPhrases(all)
  const correct = memoize(cacheSize, createCorrection(phrases.words, phrases.stems))

  const spanAt = (given: readonly string[], start: number): Span | null => {
    const found = phrases.at(given, start)
    if (found === null) return null
    const concepts = found.concepts.filter(concept => concept !== filler)
    return { start, end: start + found.words, concepts, known: true }
  }

  const isPart = (word: string): boolean =>
    word.length >= minPart && (phrases.isWord(word) || (word.length >= minStemPart && phrases.at([word], 0) !== null))

  /** The two parts of a compound word that are both known, such as Newsletter and anmeldung. */
  const split = (word: string): [string, string] | null => {
    if (joints.length === 0 || word.length < minCompound || word.length > maxCompound) return null
    for (let at = word.length - minPart; at >= minPart; at -= 1) {
      const [head, tail] = [word.slice(0, at), word.slice(at)]
      if (!isPart(tail)) continue
      const joint = joints.find(one => head.endsWith(one) && isPart(head.slice(0, head.length - one.length)))
      if (joint !== undefined) return [head.slice(0, head.length - joint.length), tail]
    }
    return null
  }

  const partsAt = (word: string, at: number): Span[] =>
    (split(word) ?? []).flatMap(part => {
      const span = spanAt([part], 0)
      return span === null ? [] : [{ ...span, start: at, end: at + 1 }]
    })

  /** A word with a typo; a correction has to explain more of it than the stem that it begins with. */
  const typoAt = (given: readonly string[], at: number, letters: number): Span | null => {
    const known = ordinary.has(given[at] ?? '') ? null : correct(given[at] ?? '')
    const span = known === null || known.length <= letters + maxEnding ? null : spanAt(given.with(at, known), at)
    return span === null || known === null ? null : { ...span, corrected: known }
  }

  /** A stem leaves letters in a long word of which another known word may be made: Besucherverlauf. */
  const spansAt = (given: readonly string[], at: number): Span[] => {
    const word = given[at] ?? ''
    const found = phrases.at(given, at)
    const span = spanAt(given, at)
    const letters = found?.letters ?? 0
    if (span !== null && (span.end > at + 1 || word.length - letters <= maxEnding)) return [span]
    const parts = partsAt(word, at)
    if (parts.length > 0) return parts
    return [typoAt(given, at, letters) ?? span ?? { start: at, end: at + 1, concepts: [], known: false }]
  }

  const spans = (given: readonly string[]): Span[] => {
    const found: Span[] = []
    for (let at = 0; at < given.length; at = found.at(-1)?.end ?? given.length) found.push(...spansAt(given, at))
    return found
  }
  return { spans }
}
