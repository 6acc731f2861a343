/** What fits next to the description on a screen of 1440 pixels. */
const width = 58

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** On one line, with a space after `:` and `,`. */
const flat = (value: unknown): string => {
  if (!isObject(value)) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(flat).join(', ')}]`
  const members = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${flat(one)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

/** Fills lines with what fits, as scalars of one object are best read next to each other. */
const fill = (parts: readonly string[], indent: string): string => {
  const lines: string[] = []
  for (const [index, part] of parts.entries()) {
    const text = index === parts.length - 1 ? part : `${part},`
    const line = lines.at(-1)
    const joined = `${line} ${text}`
    if (line === undefined || line.includes('\n') || text.includes('\n') || indent.length + joined.length > width)
      lines.push(text)
    else lines[lines.length - 1] = joined
  }
  return lines.map(line => indent + line).join('\n')
}

/** JSON for readers: what fits is on one line. */
export const compactJson = (value: unknown, indent = ''): string => {
  const line = flat(value)
  if (!isObject(value) || indent.length + line.length <= width) return line
  const inner = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map(one => compactJson(one, inner))
    : Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${compactJson(one, inner)}`)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return `${open}\n${fill(parts, inner)}\n${indent}${close}`
}
