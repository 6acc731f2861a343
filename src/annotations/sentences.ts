import de from '../../data/annotations/de.json'
import en from '../../data/annotations/en.json'
import es from '../../data/annotations/es.json'
import fr from '../../data/annotations/fr.json'
import { chooseLanguage, type LanguageName, message, stored, type Values } from '../lib/texts.ts'

/** What the service notes by itself; English defines the keys. */
export const automaticKinds = [
  'imported',
  'timezone',
  'retention',
  'no_visits',
  'silent',
  'setting',
  'version',
  'suspect',
] as const
export type AutomaticKind = (typeof automaticKinds)[number]

const languages: Readonly<Record<LanguageName, Readonly<Record<AutomaticKind, string>>>> = { en, de, fr, es }

/** The sentence in the language of a tag. */
export const sentenceOf = (kind: AutomaticKind, values: Values, tag: string): string => {
  const language = chooseLanguage([tag])
  return message(language, languages[language.name][kind], stored(values))
}
