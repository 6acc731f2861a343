/** A tree of the keys to keep; an empty map keeps everything below it. */
export type Fields = ReadonlyMap<string, Fields>

type MutableFields = Map<string, MutableFields>

/** Iterative, since clients choose the length of the path. */
const addPath = (tree: MutableFields, path: readonly string[]): void => {
  let node = tree
  for (const key of path) {
    const existing = node.get(key)
    // A parent that is kept as a whole stays whole.
    if (existing?.size === 0) return
    const branch: MutableFields = existing ?? new Map()
    node.set(key, branch)
    node = branch
  }
  node.clear()
}

/** Parses `a,b.c` into a tree; null without names. Names are separated by commas and white space. */
export const readFields = (value: unknown): Fields | null => {
  const texts = Array.isArray(value) ? value.map(String) : typeof value === 'string' ? value.split(/[\s,]+/) : []
  const names = texts.map(text => text.trim()).filter(text => text !== '')
  const tree: MutableFields = new Map()
  for (const name of names) addPath(tree, name.split('.'))
  return tree.size === 0 ? null : tree
}

/** Keeps only the named keys, in lists those of each element. */
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
