import { listFormat } from '../lib/formats.ts'
import type { Language } from '../lib/texts.ts'
import { isPropertyFilter } from '../reports/filters/table.ts'
import { type NoteKey, sentence, textsOf } from './language.ts'
import type { ReportName } from './reports.ts'

/** The filters of a batch, as in the query of a report: key → value. */
export type Filters = Readonly<Record<string, string>>

/** The reports that one question ran, and the filters that one of them did not take. */
export type FilterUse = { reports: Set<ReportName>; left: { key: string; note: NoteKey }[] }

type Values = Readonly<Record<string, unknown>>

/** What a question sets within the batch's filter: pages found among those of the filter, and "any campaign". */
const refined: readonly string[] = ['page', 'utm_campaign']

const takes = (entries: Values, key: string): boolean => (isPropertyFilter(key) ? 'property' : key) in entries

/** The filters that a report takes. The others are recorded in `use`. */
export const applicable = (
  name: ReportName,
  entries: Values,
  query: Values,
  filters: Filters,
  use: FilterUse,
): Filters => {
  // Whether there is a shop depends on no visit.
  if (name === 'revenueStatus') return {}
  use.reports.add(name)
  const orders = name.startsWith('revenue')
  const given = Object.entries(filters)
  for (const [key, value] of given) {
    if (!takes(entries, key)) use.left.push({ key, note: orders ? 'orders' : 'figures' })
    else if (query[key] !== undefined && query[key] !== value && !refined.includes(key))
      use.left.push({ key, note: 'fixed' })
  }
  return Object.fromEntries(given.filter(([key]) => takes(entries, key) && query[key] === undefined))
}

/** The sentence that names the filters that did not apply to an answer, after a space; empty if all of them did. */
export const filterNote = (language: Language, filters: Filters, { reports, left }: FilterUse): string => {
  const texts = textsOf(language)
  const { tag } = language
  const unused = reports.size > 0 ? left : Object.keys(filters).map(key => ({ key, note: 'fixed' as const }))
  const [first] = unused
  if (first === undefined) return ''
  const names: Readonly<Record<string, string>> = texts.filters
  const listed = [...new Set(unused.map(({ key }) => names[key.replace(/\..*/, '')] ?? key))]
  const note = unused.every(({ note }) => note === first.note) ? first.note : 'figures'
  const values = { filters: listFormat(tag, { type: 'conjunction' }).format(listed) }
  return ` ${sentence(language, texts.notes[note], values)}`
}
