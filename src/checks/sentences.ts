// What checks say: a key of data/checks with its values, put into words for the reader.
import de from '../../data/checks/de.json'
import en from '../../data/checks/en.json'
import es from '../../data/checks/es.json'
import fr from '../../data/checks/fr.json'
import { type Language, type LanguageName, message } from '../lib/texts.ts'

type Key = keyof typeof en
type Values = Readonly<Record<string, string | number | Sentence>>

/** Text that is the same in every language, as an error of the system, or a key with values, which may be sentences. */
export type Sentence = string | { key: Key; values: Values }

const languages: Readonly<Record<LanguageName, Readonly<Record<Key, string>>>> = { en, de, fr, es }

export const say = (key: Key, values: Values = {}): Sentence => ({ key, values })

export const wordsOf = (sentence: Sentence, language: Language): string => {
  if (typeof sentence === 'string') return sentence
  const values = Object.entries(sentence.values).map(([name, value]): [string, string | number] => [
    name,
    typeof value === 'object' ? wordsOf(value, language) : value,
  ])
  return message(language, languages[language.name][sentence.key], Object.fromEntries(values))
}
