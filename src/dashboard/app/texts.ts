// One dictionary per language, loaded when it is shown; the English one defines the keys.
import type en from '../../../data/dashboard/en.json'
import { chooseLanguage, languageNameOf, message, stored, type Text, type Values } from '../../lib/texts.ts'

export type TextKey = keyof typeof en
type Dictionary = Readonly<Record<TextKey, Text>>
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

type Elements = Exclude<Text, string>

/** As src/dashboard/parts/texts.mjs packs them. */
type Packed =
  | string
  | readonly [string]
  | 0
  | (Omit<Elements[number], 'options'> & { options?: Record<string, Packed[]> })

const unpack = (elements: readonly Packed[]): Elements =>
  elements.map(element => {
    if (typeof element === 'string') return { type: 0, value: element }
    if (element === 0) return { type: 7 }
    if (!('type' in element)) return { type: 1, value: element[0] }
    if (element.options === undefined) return element
    const options = Object.entries(element.options).map(([name, value]) => [name, { value: unpack(value) }])
    return { ...element, options: Object.fromEntries(options) }
  }) as Elements

/** Loads the texts of a language, from the address that the page names. */
export const loadTexts = async (language: string): Promise<void> => {
  if (dictionaries[language] !== undefined) return
  const response = await fetch(document.documentElement.getAttribute(`data-texts-${language}`) ?? '')
  if (!response.ok) throw new Error(`the texts of the page answered ${response.status}`)
  const texts: Record<string, string | Packed[]> = await response.json()
  dictionaries[language] = Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, typeof text === 'string' ? text : unpack(text)]),
  ) as Dictionary
}

/** The locale for numbers and dates: the browser's regional variant of the language, if it has one. */
export const localeFor = (language: string, preferred: readonly string[]): string =>
  chooseLanguage([...preferred.filter(tag => languageNameOf(tag) === language), language]).tag

/** @param locale which also writes the numbers in texts */
export const translator = (locale: string): Translate => {
  const language = chooseLanguage([locale])
  const texts: Readonly<Record<string, Text>> = dictionaries[language.name] ?? {}
  const maybe = (key: string, fallback: string, values: Values = {}): string => {
    const text = texts[key]
    return text === undefined ? fallback : message(language, text, stored(values))
  }
  return Object.assign((key: TextKey, values?: Values) => maybe(key, key, values), { maybe })
}
