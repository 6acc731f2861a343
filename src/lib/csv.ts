/** Spreadsheets take a cell that begins so for a formula, in full-width signs as well; an apostrophe makes it the text that it is. */
const formula = /^[=+\-@＝＋－＠\t\r\n]/

const cell = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value)
  const safe = typeof value === 'string' && formula.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** One line of a CSV file (RFC 4180), without its end. */
export const csvLine = (values: readonly unknown[]): string => values.map(cell).join(',')
