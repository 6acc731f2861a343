// Finds questions by what somebody types, with a slip of the finger or two.

const wordsOf = (text: string): string[] => text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').split(/[^\p{L}\p{N}]+/u).filter(word => word !== '')

/** Whether two words differ by at most so many letters (added, left out, changed or swapped). */
const isNear = (a: string, b: string, most: number): boolean => {
  if (Math.abs(a.length - b.length) > most) return false
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, (before[j - 2] ?? 0) + 1)
      next.push(cost)
    }
    before = row
    row = next
  }
  return (row[b.length] ?? most + 1) <= most
}

const scoreWord = (wanted: string, word: string): number => {
  if (word === wanted) return 4
  if (word.startsWith(wanted)) return 3
  if (wanted.length >= 4 && word.includes(wanted)) return 2
  const slips = wanted.length >= 8 ? 2 : wanted.length >= 4 ? 1 : 0
  if (slips === 0) return 0
  return isNear(wanted, word, slips) || (word.length > wanted.length && isNear(wanted, word.slice(0, wanted.length), slips)) ? 1 : 0
}

/** Those in which every typed word is found, best first. */
export const searchBy = <T>(all: readonly T[], textsOf: (one: T) => readonly string[], typed: string): T[] => {
  const wanted = wordsOf(typed)
  if (wanted.length === 0) return [...all]
  return all.map(one => {
    const words = textsOf(one).flatMap(wordsOf)
    const scores = wanted.map(word => Math.max(0, ...words.map(candidate => scoreWord(word, candidate))))
    return { one, score: scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0) }
  }).filter(({ score }) => score > 0).sort((a, b) => b.score - a.score).map(({ one }) => one)
}
