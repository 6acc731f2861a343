// One dictionary per language, loaded when it is shown; the English one defines the keys.
import type en from '../../../data/dashboard/en.json'

export type TextKey = keyof typeof en
type Dictionary = Readonly<Record<TextKey, string>>
export type Values = Readonly<Record<string, string | number>>
export type Translate = ((key: TextKey, values?: Values) => string) & {
  /** A text whose key may not exist. */
  maybe: (key: string, fallback: string, values?: Values) => string
}

/** The dictionaries that have been loaded. */
export const dictionaries: Record<string, Dictionary> = {}
export const languages: readonly { id: string; name: string }[] = [
  { id: 'en', name: 'English' },
  { id: 'de', name: 'Deutsch' },
  { id: 'fr', name: 'Français' },
  { id: 'es', name: 'Español' },
]

/** The first of the browser's languages that has a dictionary. */
export const preferredLanguage = (preferred: readonly string[]): string =>
  preferred.map(tag => tag.slice(0, 2).toLowerCase()).find(tag => languages.some(({ id }) => id === tag)) ?? 'en'

/** Loads the texts of a language, from the address that the page names. */
export const loadTexts = async (language: string): Promise<void> => {
  if (dictionaries[language] !== undefined) return
  const response = await fetch(document.documentElement.getAttribute(`data-texts-${language}`) ?? '')
  if (!response.ok) throw new Error(`the texts of the page answered ${response.status}`)
  dictionaries[language] = (await response.json()) as Dictionary
}

/** The locale for numbers and dates: the browser's regional variant of the language, if it has one. */
export const localeFor = (language: string, preferred: readonly string[]): string =>
  preferred.find(tag => tag.toLowerCase().startsWith(language)) ?? language

/** `{n}` in a text becomes the value, or `n_text` where that is given; `key_one` is the singular for the number `n`. */
export const translator = (language: string): Translate => {
  const texts: Readonly<Record<string, string>> = dictionaries[language] ?? {}
  const plural = new Intl.PluralRules(language)
  const find = (key: string, { n }: Values): string | undefined =>
    (typeof n === 'number' && plural.select(n) === 'one' ? texts[`${key}_one`] : undefined) ?? texts[key]
  const fill = (text: string, values: Values): string =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[`${name}_text`] ?? values[name] ?? ''))
  const maybe = (key: string, fallback: string, values: Values = {}): string =>
    fill(find(key, values) ?? fallback, values)
  return Object.assign((key: TextKey, values?: Values) => maybe(key, key, values), { maybe })
}
