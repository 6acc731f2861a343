import brandsText from '../../../data/brands.txt'
import browsersText from '../../../data/browsers.txt'
import systemsText from '../../../data/operating-systems.txt'
import { dataRows } from '../../lib/data-rows.ts'

// Maps the parser's names, which may be spelled as the sender wrote them, to the names that people expect.
// Other names are unknown, so that nobody can fill reports with invented ones.

/** The lines of a file: our name, what is in brackets behind it, and further names. */
const linesOf = (text: string) =>
  dataRows(text).map(([line = '']) => {
    const [written = '', ...aliases] = line.split(/[=,]/).map(cell => cell.trim())
    const [, name = '', detail] = /^(.*?)(?: \((.*)\))?$/.exec(written) ?? []
    return { name, detail, aliases }
  })

const namesIn = (text: string): ReadonlyMap<string, string> =>
  new Map(
    linesOf(text).flatMap(({ name, aliases }) => [name, ...aliases].map(alias => [alias.toLowerCase(), name] as const)),
  )

/** From the parser's name, in lower case, to ours. */
export const browserNames = namesIn(browsersText)

/** From the parser's name, in lower case, to ours. */
export const osNames = namesIn(systemsText)

/** The device of a system, by its name, where the system decides it. */
export const osDevices: ReadonlyMap<string, string | undefined> = new Map(
  linesOf(systemsText).map(({ name, detail }) => [name, detail]),
)

/** From a brand in client hints to the browser's name. */
export const brandNames: ReadonlyMap<string, string> = new Map(
  dataRows(brandsText).map(([brand = '', name = '']) => [brand, name]),
)
