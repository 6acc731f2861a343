import { memoize } from './lru-cache.ts'

/** Enough for what some languages need; which of them are asked for, callers decide. */
const cacheSize = 200

/**
 * Keeps what a constructor of `Intl` makes. Each takes some 100 µs to make and tens of KiB of the system's memory, of which the
 * garbage collector knows nothing: created for each figure, a few hundred answers took a gigabyte.
 */
const cached = <Options extends object, Format extends object>(
  make: (languages: string[], options: Options) => Format,
) => {
  const kept = memoize(cacheSize, (key): Format => {
    const [languages, options]: [string[], Options] = JSON.parse(key)
    return make(languages, options)
  })
  return (languages: string | readonly string[], options: Options): Format =>
    kept(JSON.stringify([[languages].flat(), options]))
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
