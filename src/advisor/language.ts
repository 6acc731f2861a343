import de from '../../data/advisor/de.json'
import en from '../../data/advisor/en.json'
import es from '../../data/advisor/es.json'
import fr from '../../data/advisor/fr.json'
import { type Language, type LanguageName, message } from '../lib/texts.ts'
import { ratio } from '../reports/numbers.ts'
import type { Range } from '../reports/range.ts'
import { chanceKind, type Trend } from './chance.ts'
import { type Figure, figureText } from './figures.ts'
import { spanOf } from './phrases.ts'

/** The texts of a language. English defines the keys. */
export type Texts = typeof en
export type CategoryId = keyof Texts['categories']
export type QuestionId = keyof Texts['questions']
export type LabelKey = keyof Texts['labels']
export type EmptyKey = keyof Texts['empty']
export type NoteKey = keyof Texts['notes']
export type HintKey = keyof Texts['hints']
export type Values = Readonly<Record<string, string | number | null | Figure>>

const languages: Readonly<Record<LanguageName, Texts>> = { en, de, fr, es }

/** What answers call figures, in every language. */
export const allLabels = (): string[] => Object.values(languages).flatMap(({ labels }) => Object.values(labels))

export const textsOf = ({ name }: Language): Texts => languages[name]

const plain = (tag: string, value: Values[string]): string | number =>
  typeof value === 'number' ? value : typeof value === 'string' ? value : value === null ? '–' : figureText(tag, value)

/** A sentence with its values, figures written as the language does. */
export const sentence = (language: Language, text: string, values: Values = {}): string =>
  message(
    language,
    text,
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, plain(language.tag, value)])),
  )

/** The phrase for a range, such as "from March 1 to March 30, 2026". */
export const rangePhrase = (language: Language, range: Range): string =>
  sentence(language, textsOf(language).range, spanOf(language.tag, range))

export const questionText = (language: Language, id: QuestionId, range: Range): string =>
  sentence(language, textsOf(language).questions[id].question, { range: rangePhrase(language, range) })

/** How a batch names the range that it compares with. */
export const compareKind = (compare: string): string =>
  compare === 'previous' ? compare : compare.startsWith('year') ? 'year' : 'other'

/** The phrase for the range compared with, such as "in the previous period". */
export const againstPhrase = (language: Language, compare: string): string =>
  sentence(language, textsOf(language).against, { compare: compareKind(compare) })

const directionOf = ({ current, previous, chance }: { current: number; previous: number; chance: boolean }): string => {
  if (current === previous) return 'same'
  if (previous === 0) return 'new'
  return chance ? chanceKind(current, previous) : current > previous ? 'up' : 'down'
}

/** ", up 12% on the previous period", to end a sentence with; empty if there is nothing to compare. Not `comparable`: nothing was recorded. */
export const trendPhrase = (
  language: Language,
  { current, previous, change, chance, before }: Trend,
  compare = 'previous',
  comparable = true,
): string => {
  if (current === null || previous == null || (current === 0 && previous === 0)) return ''
  return sentence(language, textsOf(language).trend, {
    direction: comparable ? directionOf({ current, previous, chance }) : 'first',
    change: { percent: Math.abs(change ?? 0) },
    before: figureText(language.tag, before ?? { decimal: previous }),
    compare: compareKind(compare),
    against: againstPhrase(language, compare),
  })
}

/** Visits of a range, those of them that look automated, and whether these are in no figure. */
export type SuspectVisits = { visits: number; suspect: number; leftOut: boolean }

/** The sentence on visits that look automated, after a space; empty if there is none. */
export const suspectsPhrase = (language: Language, { visits, suspect, leftOut }: SuspectVisits): string => {
  if (suspect === 0) return ''
  const values = { suspect, visits, share: { percent: ratio(suspect, visits) }, left_out: String(leftOut) }
  return ` ${sentence(language, textsOf(language).suspects, values)}`
}
