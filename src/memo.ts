import QuickLRU from 'quick-lru'

/** Longer texts are worked out each time: what strangers send must not fill the memory. */
const longest = 512

/**
 * Keeps the answers of a pure function by its text, the last `size` of them and at most twice as many; the least used go
 * first. They are shared by all who ask, so nobody may change one.
 */
export const remember = <Value extends NonNullable<unknown> | null>(size: number, work: (text: string) => Value): (text: string) => Value => {
  const known = new QuickLRU<string, Value>({ maxSize: size })
  return text => {
    const found = known.get(text)
    if (found !== undefined) return found
    const value = work(text)
    if (text.length <= longest) known.set(text, value)
    return value
  }
}
