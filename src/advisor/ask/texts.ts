// What the asker says where no question answers.
import de from '../../../data/advisor/ask/de.json'
import en from '../../../data/advisor/ask/en.json'
import es from '../../../data/advisor/ask/es.json'
import fr from '../../../data/advisor/ask/fr.json'
import type { Language, LanguageName } from '../../lib/texts.ts'

type AskTexts = {
  unknown: string
  nearest: string
  /** Before two or three questions that may be meant. */
  unclear: string
  ignored: string
  /** A word with a typo, and what it was taken for. */
  corrected: string
  /** A text in quotation marks. */
  quoted: string
  /** The filters of an answer, those that leave out, and the days compared with. */
  only: string
  leftOut: string
  against: string
  /** Why a topic is not answered. */
  topics: Readonly<Record<string, string>>
  /** Reports and commands that show what no question asks, what they say, and the names of their first columns. */
  places: Readonly<Record<string, string>>
  reports: Readonly<Record<string, string>>
  columns: Readonly<Record<string, string>>
}

const texts: Readonly<Record<LanguageName, AskTexts>> = {
  en: en.texts,
  de: de.texts,
  fr: fr.texts,
  es: es.texts,
}

export const askTexts = ({ name }: Language): AskTexts => texts[name]
