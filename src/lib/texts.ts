// Texts in the languages of the product: which of them a caller gets, and a text filled with its values.
import { type Formatters, IntlMessageFormat } from 'intl-messageformat'
import { dateFormat, numberFormat, pluralRules } from './formats.ts'
import { createLruCache } from './lru-cache.ts'

export const languageNames = ['en', 'de', 'fr', 'es'] as const
export type LanguageName = (typeof languageNames)[number]

export type Language = {
  /** The language of the texts. */
  name: LanguageName
  /** The locale of the formats, which may include a region, such as en-GB. */
  tag: string
}

export const english: Language = { name: 'en', tag: 'en' }

/** The language of a tag such as `de-AT`, `de_AT` or `de_AT.UTF-8`; undefined if there are no texts in it. */
export const languageNameOf = (tag: string): LanguageName | undefined => {
  const [language] = tag.toLowerCase().split(/[-_.]/, 1)
  return languageNames.find(name => name === language)
}

/** The tag without extensions, which would change digits or calendars; null if it is not a valid tag. */
const baseName = (tag: string): string | null => {
  try {
    return new Intl.Locale(tag.replaceAll('_', '-')).baseName
  } catch {
    return null
  }
}

/** The first language of the tags that there are texts in, else English. */
export const chooseLanguage = (tags: readonly (string | null | undefined)[]): Language => {
  for (const tag of tags) {
    const name = languageNameOf(tag ?? '')
    if (name !== undefined)
      return { name, tag: Intl.DateTimeFormat.supportedLocalesOf(baseName(tag ?? '') ?? name)[0] ?? name }
  }
  return english
}

/** `undefined` would mean the system's language, which is never wanted here. */
const listed = (languages: Intl.LocalesArgument): string[] => [languages ?? 'en'].flat().map(String)

/** Shared by all messages; by default each message creates its own formatters. */
const formatters: Formatters = {
  getNumberFormat: (languages, options) => numberFormat(listed(languages), options ?? {}),
  getDateTimeFormat: (languages, options) => dateFormat(listed(languages), options ?? {}),
  getPluralRules: (languages, options) => pluralRules(listed(languages), options ?? {}),
}

/** Enough for the messages of all languages. */
const compiled = createLruCache<string, IntlMessageFormat>(2000)

/** A text of ICU MessageFormat, or what its parser made of it: the bundle for browsers has no parser. */
export type Text = string | ReturnType<IntlMessageFormat['getAst']>

/** Elements of HTML, which some texts name, are text. */
const compile = (text: Text, tag: string): IntlMessageFormat => {
  if (typeof text !== 'string') return new IntlMessageFormat(text, tag, undefined, { formatters })
  const key = `${tag} ${text}`
  const known = compiled.get(key)
  if (known !== undefined) return known
  const message = new IntlMessageFormat(text, tag, undefined, { formatters, ignoreTag: true })
  compiled.set(key, message)
  return message
}

export type Values = Readonly<Record<string, string | number>>

/**
 * A text, filled with its values.
 * @throws FormatError if a value is missing
 */
export const message = ({ tag }: Language, text: Text, values: Values = {}): string =>
  typeof text === 'string' && !text.includes('{') ? text : String(compile(text, tag).format(values))

/** Values from the file or an archive: one that is missing leaves a gap instead of failing the whole answer. */
export const stored = (values: Values): Values => new Proxy(values, { has: () => true })
