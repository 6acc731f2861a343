import { IntlMessageFormat, type Formatters } from 'intl-messageformat'
import de from '../../data/advisor/de.json'
import en from '../../data/advisor/en.json'
import es from '../../data/advisor/es.json'
import fr from '../../data/advisor/fr.json'
import { dateFormat, numberFormat, pluralRules } from '../lib/formats.ts'
import { createLruCache } from '../lib/lru-cache.ts'
import type { Range } from '../reports/range.ts'
import type { Trend } from './chance.ts'
import { figureText, type Figure } from './figures.ts'
import { spanOf } from './phrases.ts'

/** The texts of a language. English defines the keys. */
export type Texts = typeof en
export type CategoryId = keyof Texts['categories']
export type QuestionId = keyof Texts['questions']
export type LabelKey = keyof Texts['labels']
export type EmptyKey = keyof Texts['empty']
export type NoteKey = keyof Texts['notes']
export type HintKey = keyof Texts['hints']
export type Values = Readonly<Record<string, string | number | null | Figure>>

const languages: Readonly<Record<string, Texts>> = { en, de, fr, es }

/** The languages that the advisor supports. */
export const languageNames = Object.keys(languages)

export type Language = {
  /** The language of the texts: en, de, fr or es. */
  name: string
  /** The locale of the formats, which may include a region, such as en-GB. */
  tag: string
  texts: Texts
}

export const english: Language = { name: 'en', tag: 'en', texts: en }

/** The tag without extensions, which would change digits or calendars; null if it is not a valid tag. */
const baseName = (tag: string): string | null => {
  try {
    return new Intl.Locale(tag).baseName
  } catch {
    return null
  }
}

/** The first supported language of the list, else English. */
export const chooseLanguage = (wishes: readonly (string | null | undefined)[]): Language => {
  for (const wish of wishes) {
    const tag = (wish ?? '').replaceAll('_', '-')
    const name = tag.split('-', 1)[0]?.toLowerCase() ?? ''
    const texts = Object.hasOwn(languages, name) ? languages[name] : undefined
    if (texts !== undefined)
      return { name, tag: Intl.DateTimeFormat.supportedLocalesOf(baseName(tag) ?? name)[0] ?? name, texts }
  }
  return english
}

/** Enough for the messages of all languages. */
const compiled = createLruCache<string, IntlMessageFormat>(2000)

/** `undefined` would mean the system's language, which is never wanted here. */
const listed = (languages: Intl.LocalesArgument): string[] => [languages ?? 'en'].flat().map(String)

/** Shared by all messages; by default each message creates its own formatters. */
const formatters: Formatters = {
  getNumberFormat: (languages, options) => numberFormat(listed(languages), options ?? {}),
  getDateTimeFormat: (languages, options) => dateFormat(listed(languages), options ?? {}),
  getPluralRules: (languages, options) => pluralRules(listed(languages), options ?? {}),
}

const compile = (text: string, tag: string): IntlMessageFormat => {
  const key = `${tag} ${text}`
  const message = compiled.get(key) ?? new IntlMessageFormat(text, tag, undefined, { formatters })
  compiled.set(key, message)
  return message
}

const plain = (tag: string, value: Values[string]): string | number =>
  typeof value === 'number' ? value : typeof value === 'string' ? value : value === null ? '–' : figureText(tag, value)

/** Formats a sentence with its values. */
export const sentence = ({ tag }: Language, text: string, values: Values = {}): string =>
  String(
    compile(text, tag).format(
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, plain(tag, value)])),
    ),
  )

/** The phrase for a range, such as "from March 1 to March 30, 2026". */
export const rangePhrase = (language: Language, range: Range): string =>
  sentence(language, language.texts.range, spanOf(language.tag, range))

export const questionText = (language: Language, id: QuestionId, range: Range): string =>
  sentence(language, language.texts.questions[id].question, { range: rangePhrase(language, range) })

/** How a batch names the range that it compares with. */
export const compareKind = (compare: string): string => (/^(?:previous|year)$/.test(compare) ? compare : 'other')

/** The phrase for the range compared with, such as "in the previous period". */
export const againstPhrase = (language: Language, compare: string): string =>
  sentence(language, language.texts.against, { compare: compareKind(compare) })

const directionOf = ({ current, previous, chance }: { current: number; previous: number; chance: boolean }): string =>
  current === previous ? 'same' : previous === 0 ? 'new' : chance ? 'about' : current > previous ? 'up' : 'down'

/** ", up 12% on the previous period", to end a sentence with; empty if there is nothing to compare. Not `comparable`: nothing was recorded. */
export const trendPhrase = (
  language: Language,
  { current, previous, change, chance }: Trend,
  compare = 'previous',
  comparable = true,
): string => {
  if (current === null || previous == null || (current === 0 && previous === 0)) return ''
  return sentence(language, language.texts.trend, {
    direction: comparable ? directionOf({ current, previous, chance }) : 'first',
    change: { percent: Math.abs(change ?? 0) },
    compare: compareKind(compare),
    against: againstPhrase(language, compare),
  })
}
