import de from '../../data/digest/de.json'
import en from '../../data/digest/en.json'
import es from '../../data/digest/es.json'
import fr from '../../data/digest/fr.json'
import { chooseLanguage, type Language, type LanguageName, message, type Values } from '../lib/texts.ts'

export type DigestTextKey = keyof typeof en
const languages: Readonly<Record<LanguageName, typeof en>> = { en, de, fr, es }

/** The texts of digests, and the language of what the advisor adds to them. */
export type DigestTexts = {
  language: Language
  t: (key: DigestTextKey, values?: Values) => string
  /** Undefined if there is no such text. */
  maybe: (key: string) => string | undefined
}

export const textsOf = (tag: string): DigestTexts => {
  const language = chooseLanguage([tag])
  const texts = languages[language.name]
  return {
    language,
    t: (key, values) => message(language, texts[key], values),
    maybe: key => (texts as Readonly<Record<string, string>>)[key],
  }
}
