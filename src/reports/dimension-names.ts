import { dateFormat, displayNames } from '../lib/formats.ts'

/** A readable name for a value of a dimension. */
export type Names = (key: string) => string

/** UN M49 codes: the runtime has names of continents under these. Of Antarctica it has that of the territory. */
const continents: Readonly<Record<string, string>> = {
  AF: '002',
  AN: 'AQ',
  AS: '142',
  EU: '150',
  NA: '003',
  SA: '005',
  OC: '009',
}

/** 2024-01-01 was a Monday; Intl formats weekday names from dates. */
const weekdayDate = (key: string): Date => new Date(Date.UTC(2024, 0, Number(key)))

const display = (language: string, type: 'region' | 'language', code: string, fallback: string): string => {
  try {
    return displayNames([language, 'en'], { type }).of(code) ?? fallback
  } catch {
    return fallback
  }
}

const formatters: Readonly<Record<string, (language: string) => Names>> = {
  country: language => key => display(language, 'region', key, key),
  continent: language => key => display(language, 'region', continents[key] ?? key, key),
  language: language => key => display(language, 'language', key, key),
  weekday: language => key =>
    dateFormat([language, 'en'], { weekday: 'long', timeZone: 'UTC' }).format(weekdayDate(key)),
  screen: () => key => key.replace('-', '–'),
  hour: () => key => `${key}:00`,
}

const isLanguage = (tag: string): boolean => {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

/** Names of a dimension's values in a language; null if the language tag is invalid. */
export const dimensionNames = (type: string, language: string): Names | null =>
  isLanguage(language) ? (formatters[type]?.(language) ?? (key => key)) : null
