import de from '../../data/annotations/de.json'
import en from '../../data/annotations/en.json'
import es from '../../data/annotations/es.json'
import fr from '../../data/annotations/fr.json'

/** What the service notes by itself; English defines the keys. */
export const automaticKinds = [
  'imported',
  'timezone',
  'retention',
  'no_visits',
  'silent',
  'setting',
  'version',
] as const
export type AutomaticKind = (typeof automaticKinds)[number]

const languages: Readonly<Record<string, Readonly<Record<AutomaticKind, string>>>> = { en, de, fr, es }

/** The sentence in a language, by default English. */
export const sentenceOf = (
  kind: AutomaticKind,
  values: Readonly<Record<string, string | number>>,
  language: string,
): string =>
  (languages[language.split('-', 1).join('').toLowerCase()] ?? en)[kind].replace(/\{(\w+)\}/g, (_, name: string) =>
    String(values[name] ?? ''),
  )
