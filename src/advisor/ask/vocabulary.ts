// What the asker knows of each language: phrases for concepts, names of countries and languages, months and weekdays.
import de from '../../../data/advisor/ask/de.json'
import en from '../../../data/advisor/ask/en.json'
import es from '../../../data/advisor/ask/es.json'
import fr from '../../../data/advisor/ask/fr.json'
import ordinary from '../../../data/advisor/ask/ordinary.json'
import { listServices } from '../../channel/listed-services.ts'
import { browserNames as browsers } from '../../collection/enrich/agent-names.ts'
import { countryCodes } from '../../geoip/place.ts'
import { dateFormat, displayNames } from '../../lib/formats.ts'
import { lazy } from '../../lib/lazy.ts'
import { createLexicon, filler, type Lexicon } from './lexicon.ts'
import { fold } from './text.ts'

type Words = Readonly<Record<string, string>>
type Source = {
  fillers: string
  words: Words
  demonyms: Words
  speaking: string
  /** Words before or after the host of another site that ask for what only that site knows. */
  owning: { before: string; after: string }
  /** Words of the world outside: people in general, to live somewhere, what a town has. */
  world: Words
  period: Words
}

const sources: Readonly<Record<string, Source>> = { en, de, fr, es }
/** Words that people use and that look like a typo of one that the asker knows, see renew-ordinary.mjs. */
const ordinaryTexts: Words = ordinary

/** Each word begins with how many letters it has in common with the word before. */
const ordinaryWords = (language: string): Set<string> => {
  let word = ''
  const next = (text: string): string => {
    word = word.slice(0, Number(text[0])) + text.slice(1)
    return word
  }
  return new Set(ordinaryTexts[language]?.split(' ').map(next))
}

/** Letters that join the parts of German compounds: Kampagne-n-seite, Besuch-s-dauer. */
const joints: Readonly<Record<string, readonly string[]>> = { de: ['', 's', 'n', 'en', 'e', 'es'] }

type Entry = readonly [phrase: string, concept: string]

/** The words of a phrase as tokenize() gives them, stems kept. Umlauts may be written as two letters. */
const phrasesOf = (text: string): string[] => {
  const spelled = [text, text.replace(/[äöü]/g, letter => ({ ä: 'ae', ö: 'oe', ü: 'ue' })[letter] ?? letter)]
  return [
    ...new Set(
      spelled.map(one =>
        fold(one)
          .replace(/[^\p{L}\p{N}_*%]+/gu, ' ')
          .trim(),
      ),
    ),
  ].filter(one => one !== '')
}

const listed = (text: string, concept: string): Entry[] =>
  text.split(',').flatMap(phrase => phrasesOf(phrase.trim().toLowerCase()).map((one): Entry => [one, concept]))

const named = (name: string | undefined, concept: string): Entry[] =>
  name === undefined ? [] : phrasesOf(name.toLowerCase()).map((one): Entry => [one, concept])

const countries = (language: string): Entry[] =>
  countryCodes.flatMap(code => named(displayNames(language, { type: 'region' }).of(code), `country=${code}`))

const letters = [...'abcdefghijklmnopqrstuvwxyz']
const languageCodes = letters.flatMap(a => letters.map(b => a + b))
const languages = (language: string): Entry[] => {
  const names = displayNames(language, { type: 'language', fallback: 'none' })
  // Some languages are called like words of a question: in English "Ga", "Ewe" or "Fang".
  return languageCodes.flatMap(code => {
    const name = names.of(code)
    return name === undefined || name.length < 5 ? [] : named(name, `language=${code}`)
  })
}

const calendar = (language: string): Entry[] => [
  ...Array.from({ length: 12 }, (_, index) => {
    const date = Date.UTC(2024, index, 1)
    return (['long', 'short'] as const).flatMap(month => {
      const name = dateFormat(language, { month, timeZone: 'UTC' }).format(date)
      return named(name, `p:month=${index + 1}`)
    })
  }).flat(),
  ...Array.from({ length: 7 }, (_, index) =>
    named(
      dateFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, 0, index + 1)),
      `p:weekday=${index + 1}`,
    ),
  ).flat(),
]

const periods = (words: Words): Entry[] =>
  Object.entries(words).flatMap(([kind, text]) =>
    ['numbers', 'ordinals', 'seasons', 'feasts'].includes(kind)
      ? text.split(', ').flatMap(pair => {
          const [word = '', value = ''] = pair.split('=')
          return listed(word, `p:${kind}=${value}`)
        })
      : listed(text, `p:${kind}`),
  )

/** Source names of the lists in data/channels; short ones are often ordinary words. */
const minSource = 5
const services = lazy<readonly Entry[]>(() =>
  listServices()
    .filter(({ list }) => list === 'ai' || list === 'social' || list === 'search')
    .flatMap(({ name, host, list }) => [
      ...(name.length < minSource ? [] : named(name, `source=${host}`)),
      ...(list === 'ai' && name.length >= minSource ? named(name, `ai=${host}`) : []),
    ]),
)
const browserNames = lazy<readonly Entry[]>(() =>
  [...new Set(browsers.values())].flatMap(name => named(name, `browser=${name}`)),
)

const build = (language: string): Lexicon => {
  const source = sources[language] ?? en
  const own = Object.entries(source.words).flatMap(([concept, text]) => listed(text, concept))
  const fillers = source.fillers.split(' ').flatMap(word => listed(word, filler))
  const demonyms = Object.entries(source.demonyms).flatMap(([code, text]) => listed(text, `country=${code}`))
  const known = new Set([...own, ...fillers].map(([phrase]) => phrase))
  const others = [...services(), ...browserNames(), ...languages(language)].filter(([phrase]) => !known.has(phrase))
  return createLexicon(
    [
      ...own,
      ...fillers,
      ...demonyms,
      ...countries(language),
      ...calendar(language),
      ...periods(source.period),
      ...Object.entries(source.world).flatMap(([kind, text]) => listed(text, `p:${kind}`)),
      ...listed(source.speaking, 'p:speaking'),
      ...listed(source.owning.before, 'p:owning'),
      ...listed(source.owning.after, 'p:owned'),
      ...others,
    ],
    joints[language] ?? [],
    ordinaryWords(language),
  )
}

const built = new Map<string, Lexicon>()

export const isLoaded = (language: string): boolean => built.has(language)

/** The lexicon of a language; built when it is first used. */
export const lexiconOf = (language: string): Lexicon => {
  const lexicon = built.get(language) ?? build(language)
  built.set(language, lexicon)
  return lexicon
}
