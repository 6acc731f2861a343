/** Keys to keep, each with those below it; an empty map keeps everything below. */
export type Fields = ReadonlyMap<string, Fields>

type Draft = Map<string, Draft>

/** A loop instead of a recursion, as clients decide how long the path is. */
const plant = (tree: Draft, path: readonly string[]): void => {
  let place = tree
  for (const key of path) {
    const known = place.get(key)
    // A parent named as a whole stays whole.
    if (known?.size === 0) return
    const branch: Draft = known ?? new Map()
    place.set(key, branch)
    place = branch
  }
  place.clear()
}

/** `a,b.c` as a tree; null when nothing is named. Names are separated by commas and white space. */
export const readFields = (value: unknown): Fields | null => {
  const texts = Array.isArray(value) ? value.map(String) : typeof value === 'string' ? value.split(/[\s,]+/) : []
  const names = texts.map(text => text.trim()).filter(text => text !== '')
  const tree: Draft = new Map()
  for (const name of names) plant(tree, name.split('.'))
  return tree.size === 0 ? null : tree
}

/** The data with the named keys only; in lists, of each element. */
export const prune = (data: unknown, fields: Fields): unknown => {
  if (fields.size === 0 || typeof data !== 'object' || data === null) return data
  if (Array.isArray(data)) return data.map(element => prune(element, fields))
  return Object.fromEntries(
    Object.entries(data).flatMap(([key, value]) => {
      const below = fields.get(key)
      return below === undefined ? [] : [[key, prune(value, below)]]
    }),
  )
}
