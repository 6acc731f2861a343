export type Values = Readonly<Record<string, unknown>>

const bracketed = /^([^[]+)\[([^\]]*)\]/

/** A list if all keys are numeric (`a[]`, `a[0]`), else an object (`a[k]`). */
const assemble = (members: ReadonlyMap<string, string>): unknown => {
  const keys = [...members.keys()]
  return keys.every(key => /^\d+$/.test(key)) ? [...members.values()] : Object.fromEntries(members)
}

/**
 * Parses a query string or form as PHP does: `a=1&a=2` is 2, `a[]=1` a list, `a[k]=1` an object. Deeper levels of
 * nesting are ignored. The result has no prototype, so that keys such as `__proto__` are harmless.
 */
export const readParameters = (pairs: Iterable<readonly [string, string]>): Values => {
  const values = new Map<string, string | Map<string, string>>()
  for (const [key, value] of pairs) {
    const [, name, member] = bracketed.exec(key) ?? []
    if (name === undefined || member === undefined) {
      values.set(key, value)
      continue
    }
    const existing = values.get(name)
    const members = existing instanceof Map ? existing : new Map<string, string>()
    values.set(name, members.set(member === '' ? String(members.size) : member, value))
  }
  const result: Record<string, unknown> = Object.create(null)
  for (const [name, value] of values) result[name] = value instanceof Map ? assemble(value) : value
  return result
}
