import { memoize } from './lru-cache.ts'

/** Texts that come again and again are looked at once. */
const cacheSize = 1000

/** The canonical form of a BCP 47 tag; null for anything else. */
export const canonicalLanguage = memoize(cacheSize, (tag): string | null => {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null
  } catch {
    return null
  }
})

/** A time zone that the runtime knows, as it was named; null for anything else. */
export const zoneName = memoize(cacheSize, (name): string | null => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) && name
  } catch {
    return null
  }
})

/** The first language of an Accept-Language header. */
export const acceptedLanguage = (header: string | undefined): string | null =>
  header === undefined ? null : canonicalLanguage(header.slice(0, 100).split(/[,;]/, 1)[0]?.trim() ?? '')
