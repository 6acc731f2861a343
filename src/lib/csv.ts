import { dropControls } from './controls.ts'

/** Spreadsheets run such cells as formulas, also with full-width characters; an apostrophe before it marks text. */
const formula = /^[\s"]*[=+\-@＝＋－＠]|^[\t\r\n]/
/** Where the separator is a semicolon, one in a text begins a cell, whatever quotes are around it. */
const formulaAfterSemicolon = /;(?=[\s"]*[=+\-@＝＋－＠])/g
const negative = /^-\d+(?:\.\d+)?$/

const guarded = (text: string): string => {
  if (negative.test(text)) return text
  const plain = dropControls(text).replace(formulaAfterSemicolon, ";'")
  return formula.test(text) || formula.test(plain) ? `'${plain}` : plain
}

const cell = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const safe = guarded(text)
  return /[",;\t\r\n]/.test(text) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** One record of a CSV file (RFC 4180), without the line break. Numbers stay numbers, also negative ones in texts. */
export const csvLine = (values: readonly unknown[]): string => values.map(cell).join(',')
