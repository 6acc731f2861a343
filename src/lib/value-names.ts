// The names of channels, devices, suspect visits and countries in each language: data/names. The first is the one that is shown.
import de from '../../data/names/de.json'
import en from '../../data/names/en.json'
import es from '../../data/names/es.json'
import fr from '../../data/names/fr.json'
import { type LanguageName, languageNameOf } from './texts.ts'

type Kind = keyof typeof en
type Names = Readonly<Record<Kind, Readonly<Record<string, readonly string[]>>>>

const names: Readonly<Record<LanguageName, Names>> = { en, de, fr, es }

/** The names of a value in the language of a tag, and its synonyms; none in other languages. */
export const namesOf = (kind: Kind, value: string, tag: string): readonly string[] => {
  const language = languageNameOf(tag)
  const known: Names[Kind] = language === undefined ? {} : names[language][kind]
  return Object.hasOwn(known, value) ? (known[value] ?? []) : []
}

/** The shown names in a language, as the dashboard's texts have them: `device_mobile`. */
export const shownNames = (language: LanguageName): Record<string, string> =>
  Object.fromEntries(
    (['channel', 'device'] as const).flatMap(kind =>
      Object.entries(names[language][kind]).map(([value, [shown = value]]) => [`${kind}_${value}`, shown]),
    ),
  )
