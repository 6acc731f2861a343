/** Levenshtein's distance: how many letters must be put in, left out or changed. */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...a].entries()) {
    const next = [index + 1]
    for (const [column, other] of [...b].entries()) {
      const change = (row[column] ?? 0) + Number(letter !== other)
      next.push(Math.min(change, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

/** The name that was probably meant, at most three letters away. */
export const nearest = (name: string, names: readonly string[]): string | undefined =>
  names
    .map(other => ({ other, far: distance(name, other) }))
    .filter(({ far }) => far <= 3)
    .sort((a, b) => a.far - b.far)[0]?.other
