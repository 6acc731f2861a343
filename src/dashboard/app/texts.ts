// One dictionary per language; the English one defines the keys.
import de from '../../../data/dashboard/de.json'
import en from '../../../data/dashboard/en.json'
import es from '../../../data/dashboard/es.json'
import fr from '../../../data/dashboard/fr.json'

export type TextKey = keyof typeof en
type Dictionary = Readonly<Record<TextKey, string>>
export type Values = Readonly<Record<string, string | number>>
export type Translate = ((key: TextKey, values?: Values) => string) & {
  /** A text whose key may not exist. */
  maybe: (key: string, fallback: string, values?: Values) => string
}

export const dictionaries: Readonly<Record<string, Dictionary>> = { en, de, fr, es }
export const languages: readonly { id: string; name: string }[] = [
  { id: 'en', name: 'English' },
  { id: 'de', name: 'Deutsch' },
  { id: 'fr', name: 'Français' },
  { id: 'es', name: 'Español' },
]

/** The first of the browser's languages that has a dictionary. */
export const preferredLanguage = (preferred: readonly string[]): string =>
  preferred.map(tag => tag.slice(0, 2).toLowerCase()).find(tag => tag in dictionaries) ?? 'en'

/** The locale for numbers and dates: the browser's regional variant of the language, if it has one. */
export const localeFor = (language: string, preferred: readonly string[]): string =>
  preferred.find(tag => tag.toLowerCase().startsWith(language)) ?? language

/** `{n}` in a text becomes the value, or `n_text` where that is given; `key_one` is the singular for the number `n`. */
export const translator = (language: string): Translate => {
  const texts: Readonly<Record<string, string>> = dictionaries[language] ?? en
  const plural = new Intl.PluralRules(language)
  const find = (key: string, { n }: Values): string | undefined =>
    (typeof n === 'number' && plural.select(n) === 'one' ? texts[`${key}_one`] : undefined) ?? texts[key]
  const fill = (text: string, values: Values): string =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[`${name}_text`] ?? values[name] ?? ''))
  const maybe = (key: string, fallback: string, values: Values = {}): string =>
    fill(find(key, values) ?? fallback, values)
  return Object.assign((key: TextKey, values?: Values) => maybe(key, key, values), { maybe })
}
