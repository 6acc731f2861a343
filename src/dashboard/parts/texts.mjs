// Parses the texts of the dashboard while the program is built: the page fills them without the parser, which is three
// quarters of the library.

import { readFileSync } from 'node:fs'
import { IntlMessageFormat } from 'intl-messageformat'

const parsed = text => {
  if (!text.includes('{')) return text
  return new IntlMessageFormat(text, 'en', undefined, { ignoreTag: true }).getAst()
}

/** The texts of a language, as JSON text. */
export const parseTexts = language => {
  const texts = JSON.parse(readFileSync(new URL(`../../../data/dashboard/${language}.json`, import.meta.url), 'utf8'))
  return JSON.stringify(Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, parsed(text)])))
}
