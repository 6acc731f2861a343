/** Keys to keep, each with those below it; an empty map keeps everything below. */
export type Fields = ReadonlyMap<string, Fields>

type Draft = Map<string, Draft>

const plant = (tree: Draft, path: readonly string[]): void => {
  const [key, ...further] = path
  if (key === undefined) return
  const known = tree.get(key)
  // A parent named as a whole stays whole.
  if (known?.size === 0) return
  const branch: Draft = known ?? new Map()
  if (further.length === 0) branch.clear()
  tree.set(key, branch)
  plant(branch, further)
}

/** `a,b.c` as a tree; null when nothing is named. Commas and white space part the names. */
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
  return Object.fromEntries(Object.entries(data).flatMap(([key, value]) => {
    const below = fields.get(key)
    return below === undefined ? [] : [[key, prune(value, below)]]
  }))
}
