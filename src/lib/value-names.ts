// The names of channels, devices and countries in each language: data/names. The first is the one that is shown.
import de from '../../data/names/de.json'
import en from '../../data/names/en.json'
import es from '../../data/names/es.json'
import fr from '../../data/names/fr.json'

type Kind = keyof typeof en
type Names = Readonly<Record<Kind, Readonly<Record<string, readonly string[]>>>>

const names: Readonly<Record<string, Names>> = { en, de, fr, es }

/** The languages that have names of their own. */
export const nameLanguages = Object.keys(names)

/** The names of a value in the language of a tag, and its synonyms; none in other languages. */
export const namesOf = (kind: Kind, value: string, tag: string): readonly string[] => {
  const [language = ''] = tag.toLowerCase().split('-', 1)
  const known = Object.hasOwn(names, language) ? names[language]?.[kind] : undefined
  return known !== undefined && Object.hasOwn(known, value) ? (known[value] ?? []) : []
}

/** The shown names in a language, as the dashboard's texts have them: `device_mobile`. */
export const shownNames = (language: string): Record<string, string> =>
  Object.fromEntries(
    (['channel', 'device'] as const).flatMap(kind =>
      Object.entries(names[language]?.[kind] ?? {}).map(([value, [shown = value]]) => [`${kind}_${value}`, shown]),
    ),
  )
