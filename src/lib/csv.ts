/** Spreadsheets run such cells as formulas, also with full-width characters; an apostrophe before it marks text. */
const formula = /^[=+\-@＝＋－＠\t\r\n]/

const cell = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value)
  const safe = typeof value === 'string' && formula.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** One record of a CSV file (RFC 4180), without the line break. */
export const csvLine = (values: readonly unknown[]): string => values.map(cell).join(',')
