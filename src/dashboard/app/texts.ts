// One dictionary a language; the English one is the list of keys.
import de from '../../../data/dashboard/de.json'
import en from '../../../data/dashboard/en.json'
import es from '../../../data/dashboard/es.json'
import fr from '../../../data/dashboard/fr.json'

export type TextKey = keyof typeof en
export type Dictionary = Readonly<Record<TextKey, string>>
export type Values = Readonly<Record<string, string | number>>
export type Translate = ((key: TextKey, values?: Values) => string) & {
  maybe: (key: string, fallback: string) => string
}

const dictionaries: Readonly<Record<string, Dictionary>> = { en, de, fr, es }
export const languages: readonly { id: string; name: string }[] = [
  { id: 'en', name: 'English' },
  { id: 'de', name: 'Deutsch' },
  { id: 'fr', name: 'Français' },
  { id: 'es', name: 'Español' },
]

/** The language for texts, by the browser's wishes. */
export const preferredLanguage = (wishes: readonly string[]): string =>
  wishes.map(wish => wish.slice(0, 2).toLowerCase()).find(wish => wish in dictionaries) ?? 'en'

/** The locale for numbers and dates: the browser's own variety of the language where it has one. */
export const localeFor = (language: string, wishes: readonly string[]): string =>
  wishes.find(wish => wish.toLowerCase().startsWith(language)) ?? language

/** `{n}` in a text becomes the value; a key with `_one` beside it is chosen by the number `n`. */
export const translator = (language: string): Translate => {
  const texts: Readonly<Record<string, string>> = dictionaries[language] ?? en
  const plural = new Intl.PluralRules(language)
  const find = (key: string, values: Values): string => {
    const one = typeof values.n === 'number' && plural.select(values.n) === 'one' ? texts[`${key}_one`] : undefined
    return one ?? texts[key] ?? key
  }
  const translate = (key: TextKey, values: Values = {}): string =>
    find(key, values).replace(/\{(\w+)\}/g, (_, name: string) => String(values[`${name}_text`] ?? values[name] ?? ''))
  return Object.assign(translate, { maybe: (key: string, fallback: string) => texts[key] ?? fallback })
}
