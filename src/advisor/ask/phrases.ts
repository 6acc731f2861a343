// Phrases that stand for concepts, found by the words that they begin with.

/** A phrase: its words, which of them are stems (`visit*`), and what it stands for. */
type Phrase = { words: readonly string[]; stems: readonly boolean[]; concept: string; letters: number }

/** The concepts of the longest phrase at a place, and how many words and letters it has. */
type Found = { concepts: readonly string[]; words: number; letters: number }

const minStem = 3
const maxWord = 40

const parse = (text: string, concept: string): Phrase => {
  const parts = text.split(' ')
  const words = parts.map(part => (part.endsWith('*') ? part.slice(0, -1) : part))
  return { words, stems: parts.map(part => part.endsWith('*')), concept, letters: words.join('').length }
}

const push = (map: Map<string, Phrase[]>, key: string, phrase: Phrase): void => {
  const list = map.get(key)
  if (list === undefined) map.set(key, [phrase])
  else list.push(phrase)
}

const fits = ({ words, stems }: Phrase, given: readonly string[], start: number): boolean =>
  words.every((word, index) => {
    const other = given[start + index]
    if (other === undefined) return false
    return index === 0 || (stems[index] === true ? other.startsWith(word) : other === word)
  })

/** More words count before more letters. */
const rank = ({ words, letters }: Phrase): number => words.length * 1000 + letters

/** Phrases by concept, folded. */
export const createPhrases = (all: Iterable<readonly [phrase: string, concept: string]>) => {
  const words = new Map<string, Phrase[]>()
  const stems = new Map<string, Phrase[]>()
  for (const [text, concept] of all) {
    const phrase = parse(text, concept)
    push(phrase.stems[0] === true ? stems : words, phrase.words[0] ?? '', phrase)
  }

  const beginningWith = (word: string): Phrase[] => {
    const found = [...(words.get(word) ?? [])]
    for (let length = minStem; length <= Math.min(word.length, maxWord); length += 1)
      found.push(...(stems.get(word.slice(0, length)) ?? []))
    return found
  }

  /** The longest phrases at a place; null if there is none. */
  const at = (given: readonly string[], start: number): Found | null => {
    const found = beginningWith(given[start] ?? '').filter(phrase => fits(phrase, given, start))
    const best = found.reduce((most, phrase) => Math.max(most, rank(phrase)), 0)
    const longest = found.filter(phrase => rank(phrase) === best)
    const [first] = longest
    if (first === undefined) return null
    return {
      concepts: [...new Set(longest.map(({ concept }) => concept))],
      words: first.words.length,
      letters: first.letters,
    }
  }

  /** Whether a word alone is a phrase. */
  const isWord = (word: string): boolean => words.get(word)?.some(phrase => phrase.words.length === 1) === true

  return { at, isWord, words: words.keys(), stems: stems.keys() }
}
