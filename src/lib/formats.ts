import { memoize } from './lru-cache.ts'

/** Enough for several languages. Callers limit which ones can be requested. */
const cacheSize = 200

/**
 * Caches the objects of an `Intl` constructor. Each takes about 100 µs and tens of KiB of native memory, which the
 * garbage collector does not account for: without a cache, a few hundred responses took a gigabyte.
 */
const cached = <Options extends object, Format extends object>(
  create: (languages: string[], options: Options) => Format,
) => {
  const formatOf = memoize(cacheSize, (key): Format => {
    const [languages, options]: [string[], Options] = JSON.parse(key)
    return create(languages, options)
  })
  return (languages: string | readonly string[], options: Options): Format =>
    formatOf(JSON.stringify([[languages].flat(), options]))
}

export const numberFormat = cached(
  (languages, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(languages, options),
)
export const dateFormat = cached(
  (languages, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(languages, options),
)
export const listFormat = cached(
  (languages, options: Intl.ListFormatOptions) => new Intl.ListFormat(languages, options),
)
export const displayNames = cached(
  (languages, options: Intl.DisplayNamesOptions) => new Intl.DisplayNames(languages, options),
)
export const pluralRules = cached(
  (languages, options: Intl.PluralRulesOptions) => new Intl.PluralRules(languages, options),
)
