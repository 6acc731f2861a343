import { memoize } from './lru-cache.ts'

const cacheSize = 1000

/** The canonical form of a BCP 47 tag; null for anything else. */
export const canonicalLanguage = memoize(cacheSize, (tag): string | null => {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null
  } catch {
    return null
  }
})

/** The name of a supported time zone, unchanged; null for anything else. */
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
