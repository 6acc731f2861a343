// What an answer says besides its figures: what it is filtered by, and the row of a product or coupon that was named.
import { listFormat } from '../../lib/formats.ts'
import { type Language, message } from '../../lib/texts.ts'
import { labelOf } from '../../reports/filters/closed.ts'
import { gap, readFilterText } from '../../reports/filters/syntax.ts'
import type { Envelope } from '../answers.ts'
import { figureText } from '../figures.ts'
import type { Filters } from '../filters.ts'
import { textsOf } from '../language.ts'
import { askTexts } from './texts.ts'

/** Country “Germany”. */
const filterText = (language: Language, key: string, values: readonly { text: string }[]): string => {
  const names: Readonly<Record<string, string>> = textsOf(language).filters
  const shown = values.map(({ text: value }) =>
    message(language, askTexts(language).quoted, { text: labelOf(key, value.replaceAll(gap, '*'), language.tag) }),
  )
  return `${names[key] ?? key} ${listFormat(language.tag, { type: 'disjunction' }).format(shown)}`
}

/** Ends the sentence of an answer with the filters that its report took, and the days that it compares with. */
export const withFilters = (
  language: Language,
  answer: Envelope,
  filters: Filters,
  compare: string | null,
): Envelope => {
  const applied = Object.entries(filters).filter(([key, value]) => answer.source?.params[key] === value)
  if (answer.status !== 'ok') return answer
  const texts = askTexts(language)
  const read = applied.map(([key, value]) => ({ key, ...readFilterText(key, value) }))
  /** What is counted, or what is left out. */
  const counted = (text: string, which: boolean): string[] => {
    const filters = read.filter(({ included }) => included === which)
    const shown = filters.map(({ key, values }) => filterText(language, key, values))
    const list = listFormat(language.tag, { type: 'conjunction' }).format(shown)
    return shown.length === 0 ? [] : [message(language, text, { filters: list })]
  }
  const [from, to] = compare?.split('..') ?? []
  const days =
    to === undefined || answer.source?.params.compare !== compare
      ? []
      : [from, to].map(date => figureText(language.tag, { date: date ?? '' }))
  const more = [
    ...counted(texts.only, true),
    ...counted(texts.leftOut, false),
    ...(days.length === 0 ? [] : [message(language, texts.against, { from: days[0] ?? '', to: days[1] ?? '' })]),
  ]
  return { ...answer, summary: [answer.summary, ...more].join(' ') }
}

/** The columns of tables that hold what a text can name. */
const named = { product: 'product', coupon: 'code' } as const

/** An answer about the row of what the text names; null if its table has none. */
export const withRow = (
  language: Language,
  answer: Envelope,
  key: keyof typeof named,
  name: string,
): Envelope | null => {
  if (answer.status !== 'ok' || answer.viz.type !== 'table') return null
  const { viz } = answer
  const column = named[key]
  const row = viz.rows.find(one => String(one[column] ?? '').toLowerCase() === name.toLowerCase())
  if (row === undefined) return null
  const currency = viz.currency ?? null
  const figures = viz.columns
    .filter(({ key: other }) => other !== column)
    .map(({ key: other, label, unit }) => {
      const value = row[other] ?? null
      const shown =
        typeof value !== 'number'
          ? value
          : unit === 'currency'
            ? figureText(language.tag, { money: value, currency })
            : figureText(language.tag, { decimal: value })
      return `${label} ${shown ?? '–'}`
    })
  const summary = `${message(language, askTexts(language).quoted, { text: name })}: ${figures.join(', ')}.`
  return { ...answer, summary, viz: { ...viz, rows: [row] } }
}
