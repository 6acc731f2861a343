// The site's own names, found in a text by their words: pages, sections, campaigns, events, goals, products, cities.
import { gap } from '../../reports/filters/syntax.ts'
import { fold } from './text.ts'

/** `value` is that of a filter, `text` what it is called. */
export type Name = { kind: string; value: string; text: string }

export type Names = {
  /** What the longest name at a place stands for, and how many words it has. */
  at: (words: readonly string[], start: number) => { names: readonly Name[]; length: number } | null
  /** Names that hold all of these words, the most frequent first. */
  holding: (words: readonly string[]) => readonly Name[]
}

/** A section has at least so many pages. */
const minSection = 3
const minWord = 3

/** Singular and plural are one word. */
const stem = (word: string): string => (word.length > minWord ? word.replace(/s$/, '') : word)
const wordsOf = (text: string): string[] => (fold(text).match(/[\p{L}\p{N}]+/gu) ?? []).map(stem)

const pathOf = (page: string): string => page.slice(Math.max(page.indexOf('/'), 0))
const segmentsOf = (page: string): string[] => pathOf(page).split('/').filter(Boolean)

/** A page is called by its path's last part, and by its title, or what is before a mark in it. */
const namesOfPage = ({ value, title }: { value: string; title: string }): Name[] =>
  [segmentsOf(value).at(-1) ?? '', title, title.split(/ [-|–] |: /)[0] ?? '']
    .filter(text => text !== '')
    .map(text => ({ kind: 'page', value, text }))

const sectionsOf = (pages: readonly { value: string }[]): Name[] => {
  const counts = new Map<string, number>()
  for (const { value } of pages) {
    const [first, second] = segmentsOf(value)
    if (first !== undefined && second !== undefined) counts.set(first, (counts.get(first) ?? 0) + 1)
  }
  return [...counts]
    .filter(([, count]) => count >= minSection)
    .map(([text]) => ({ kind: 'page', value: `/${text}${gap}`, text }))
}

/** An index of names; pages have the most frequent first. */
export const createNames = (pages: readonly { value: string; title: string }[], others: readonly Name[]): Names => {
  const phrases = new Map<string, { words: readonly string[]; names: Name[] }[]>()
  const byWord = new Map<string, Set<Name>>()
  const sections = sectionsOf(pages)
  for (const name of [...sections, ...others, ...pages.flatMap(namesOfPage)]) {
    const words = wordsOf(name.text)
    const [first] = words
    if (first === undefined) continue
    const known = phrases.get(first) ?? []
    const same = known.find(one => one.words.join(' ') === words.join(' '))
    if (same === undefined) known.push({ words, names: [name] })
    else same.names.push(name)
    phrases.set(first, known)
    for (const word of words) byWord.set(word, (byWord.get(word) ?? new Set()).add(name))
  }

  const at: Names['at'] = (given, start) => {
    const fitting = (phrases.get(stem(given[start] ?? '')) ?? []).filter(({ words }) =>
      words.every((word, index) => word === stem(given[start + index] ?? '')),
    )
    const longest = fitting.reduce((most, { words }) => Math.max(most, words.length), 0)
    const found = fitting.find(({ words }) => words.length === longest)
    return found === undefined ? null : { names: found.names, length: longest }
  }

  const holding: Names['holding'] = given => {
    const words = given.map(stem)
    const [first, ...rest] = words.map(word => byWord.get(word) ?? new Set<Name>())
    if (first === undefined || words.some(word => word.length < minWord)) return []
    return [...first].filter(name => rest.every(set => set.has(name)))
  }
  return { at, holding }
}

export const noNames: Names = createNames([], [])
