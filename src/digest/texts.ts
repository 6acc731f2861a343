import { chooseLanguage, sentence, type Language, type Values } from '../advisor/language.ts'
import de from '../../data/digest/de.json'
import en from '../../data/digest/en.json'
import es from '../../data/digest/es.json'
import fr from '../../data/digest/fr.json'

export type DigestTextKey = keyof typeof en
const languages: Readonly<Record<string, typeof en>> = { en, de, fr, es }

/** The texts of digests, and the language of what the advisor adds to them. */
export type DigestTexts = {
  language: Language
  t: (key: DigestTextKey, values?: Values) => string
  /** Undefined if there is no such text. */
  maybe: (key: string) => string | undefined
}

export const textsOf = (tag: string): DigestTexts => {
  const language = chooseLanguage([tag])
  const texts: Readonly<Record<string, string>> = languages[language.name] ?? en
  return {
    language,
    t: (key, values) => sentence(language, texts[key] ?? en[key], values),
    maybe: key => texts[key],
  }
}
