// What the asker says where no question answers.
import de from '../../../data/advisor/ask/de.json'
import en from '../../../data/advisor/ask/en.json'
import es from '../../../data/advisor/ask/es.json'
import fr from '../../../data/advisor/ask/fr.json'
import type { Language, LanguageName } from '../../lib/texts.ts'

export type TopicTexts = {
  unknown: string
  nearest: string
  ignored: string
  /** A text in quotation marks. */
  quoted: string
  /** Why a topic is not answered. */
  topics: Readonly<Record<string, string>>
  /** Reports and commands that show what no question asks. */
  places: Readonly<Record<string, string>>
}

const texts: Readonly<Record<LanguageName, TopicTexts>> = {
  en: en.texts,
  de: de.texts,
  fr: fr.texts,
  es: es.texts,
}

export const topicTexts = ({ name }: Language): TopicTexts => texts[name]
