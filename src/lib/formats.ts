import { createLruCache } from './lru-cache.ts'

/** Enough for several languages. Callers limit which ones can be requested. */
const cacheSize = 200

/**
 * Caches the objects of an `Intl` constructor. Each takes about 100 µs and tens of KiB of native memory, which the
 * garbage collector does not account for: without a cache, a few hundred responses took a gigabyte.
 */
const cached = <Options extends object, Format extends object>(
  create: (languages: string[], options: Options) => Format,
) => {
  const formats = createLruCache<string, Format>(cacheSize)
  return (languages: string | readonly string[], options: Options): Format => {
    const key = JSON.stringify([languages, options])
    const known = formats.get(key)
    if (known !== undefined) return known
    const format = create([languages].flat(), options)
    formats.set(key, format)
    return format
  }
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
