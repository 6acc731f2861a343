// Parses the texts of the dashboard while the program is built: the page fills them without the parser, which is three
// quarters of the library.

import { readFileSync } from 'node:fs'
import { IntlMessageFormat } from 'intl-messageformat'

/** Numbers that the parser gives to kinds of elements. */
const [literal, argument, pound] = [0, 1, 7]

/**
 * What the parser made of a text in less room, as the first load has every text: a string for words, `[name]` for a value, 0
 * for the number of a plural. src/dashboard/app/texts.ts unpacks it.
 */
const pack = elements =>
  elements.map(({ type, ...element }) => {
    if (type === literal) return element.value
    if (type === argument) return [element.value]
    if (type === pound) return 0
    const { options } = element
    if (options === undefined) return { type, ...element }
    const packed = Object.entries(options).map(([name, { value }]) => [name, pack(value)])
    return { type, ...element, options: Object.fromEntries(packed) }
  })

const parsed = text => {
  if (!text.includes('{')) return text
  return pack(new IntlMessageFormat(text, 'en', undefined, { ignoreTag: true }).getAst())
}

/** The texts of a language, as JSON text. */
export const parseTexts = language => {
  const texts = JSON.parse(readFileSync(new URL(`../../../data/dashboard/${language}.json`, import.meta.url), 'utf8'))
  return JSON.stringify(Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, parsed(text)])))
}
