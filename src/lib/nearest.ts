/** The number of characters to insert, delete, replace, or exchange with the next one (optimal string alignment). */
const distance = (first: string, second: string): number => {
  const [a, b] = [[...first], [...second]]
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [index, letter] of a.entries()) {
    const next = [index + 1]
    for (const [column, other] of b.entries()) {
      const change = (row[column] ?? 0) + Number(letter !== other)
      const isExchanged = letter === b[column - 1] && other === a[index - 1]
      const exchange = isExchanged ? (before[column - 1] ?? 0) + 1 : Infinity
      next.push(Math.min(change, exchange, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    before = row
    row = next
  }
  return row[b.length] ?? 0
}

/** The most similar name, with a distance of at most `maxEdits`. */
export const nearest = (name: string, names: readonly string[], maxEdits = 3): string | undefined =>
  names
    .map(candidate => ({ candidate, edits: distance(name, candidate) }))
    .filter(({ edits }) => edits <= maxEdits)
    .sort((a, b) => a.edits - b.edits)[0]?.candidate

const maxPrefixes = 2

/** The most similar of the names, best first: those that begin like the text or the text like them, and near ones. */
export const nearestOf = (text: string, names: readonly string[], count: number): string[] => {
  const wanted = text.toLowerCase()
  const maxEdits = Math.min(3, Math.ceil(wanted.length / 4))
  return names
    .map(name => {
      const given = name.toLowerCase()
      const begins = wanted.length > 1 && given.length > 1 && (given.startsWith(wanted) || wanted.startsWith(given))
      return { name, edits: Math.min(distance(wanted, given), begins ? maxPrefixes : Infinity) }
    })
    .filter(({ edits }) => edits <= maxEdits)
    .sort((a, b) => a.edits - b.edits)
    .slice(0, count)
    .map(({ name }) => name)
}
