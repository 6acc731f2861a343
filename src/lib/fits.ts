/** Stands for any characters in a pattern: no stored text holds control characters. */
export const gap = '\u001f'

/**
 * Whether a text fits a pattern with gaps. Each part is looked for once, after the one before it: the time grows with
 * the length of the text only, whatever the pattern.
 */
export const fits = (text: string, pattern: string): boolean => {
  const parts = pattern.split(gap)
  const [first = '', last = ''] = [parts[0], parts.at(-1)]
  if (parts.length === 1) return text === pattern
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at <= text.length - last.length
}
