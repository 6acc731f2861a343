import de from '../../data/definitions/de.json'
import en from '../../data/definitions/en.json'
import es from '../../data/definitions/es.json'
import fr from '../../data/definitions/fr.json'
import { chooseLanguage, type LanguageName } from '../lib/texts.ts'

/** What is explained; English defines the keys. */
export type Metric = keyof typeof en

const languages: Readonly<Record<LanguageName, Readonly<Record<Metric, string>>>> = { en, de, fr, es }

/** Of a metric whose meaning changes; it gets the next one. */
const versions: Readonly<Partial<Record<Metric, number>>> = { days: 2, sessions_per_day: 2 }

/** One sentence in the language, by default English, and the version of the meaning. */
export const define = (metric: Metric, language: string): { version: number; text: string } => ({
  version: versions[metric] ?? 1,
  text: languages[chooseLanguage([language]).name][metric],
})

/** Everything that is explained, in the language. */
export const definitionsIn = (language: string): Readonly<Record<string, { version: number; text: string }>> =>
  Object.fromEntries(Object.keys(en).map(metric => [metric, define(metric as Metric, language)]))
