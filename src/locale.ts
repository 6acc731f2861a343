import { lru } from 'tiny-lru'

/** Remembers what was made of the texts that come again and again. */
const remembering = (make: (text: string) => string | null): ((text: string) => string | null) => {
  const known = lru<string | null>(1000)
  return text => {
    const found = known.get(text)
    if (found !== undefined) return found
    const made = make(text)
    known.set(text, made)
    return made
  }
}

/** The canonical form of a BCP 47 tag; null for anything else. */
export const canonicalLanguage = remembering(tag => {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null
  } catch {
    return null
  }
})

/** A time zone that the runtime knows, as it was named; null for anything else. */
export const zoneName = remembering(name => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) && name
  } catch {
    return null
  }
})

/** The first language of an Accept-Language header. */
export const acceptedLanguage = (header: string | undefined): string | null =>
  header === undefined ? null : canonicalLanguage(header.slice(0, 100).split(/[,;]/, 1)[0]?.trim() ?? '')
