// Words of a lexicon with a typo of one letter.

/** Shorter words are not corrected: too many words differ from them by a letter. */
const minTypo = 5
const maxWord = 40

/** Whether two words differ by one letter: added, missing, replaced, or two swapped. */
const isTypo = (a: string, b: string): boolean => {
  if (Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start += 1
  const [x, y] = [a.slice(start), b.slice(start)]
  return (
    x.slice(1) === y ||
    x === y.slice(1) ||
    x.slice(1) === y.slice(1) ||
    (x[0] === y[1] && x[1] === y[0] && x.slice(2) === y.slice(2))
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
export const createCorrection = (
  words: Iterable<string>,
  stems: Iterable<string>,
): ((word: string) => string | null) => {
  const byWord = bucketsOf(words, word => wordBuckets(word, word.length))
  const byStem = bucketsOf(stems, stem => [stemBucket(stem)])

  /** The last letter of a stem has to be right if others follow: "repaint" is no form of "repair". */
  const isStemOf = (word: string, stem: string): boolean =>
    stem.length <= word.length + 1 &&
    [-1, 0, 1].some(more => {
      const start = word.slice(0, stem.length + more)
      return (start === word || start.endsWith(stem.slice(-1))) && isTypo(start, stem)
    })

  return word => {
    if (word.length < minTypo || word.length > maxWord) return null
    const candidates = [0, -1, 1].flatMap(more =>
      wordBuckets(word, word.length + more).flatMap(bucket => byWord.get(bucket) ?? []),
    )
    const whole = candidates.find(known => isTypo(word, known))
    const close = (byStem.get(stemBucket(word)) ?? []).filter(stem => isStemOf(word, stem))
    return whole ?? close.sort((a, b) => b.length - a.length)[0] ?? null
  }
}
