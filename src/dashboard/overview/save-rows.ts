// Rows of a breakdown as a file for a spreadsheet.
import { csvLine } from '../../lib/csv.ts'
import type { Span } from '../app/days.ts'
import type { Breakdown, Row } from './breakdown.ts'

export const saveRows = ({ id }: Breakdown, { from, to }: Span, rows: readonly Row[]): void => {
  const keys = [...new Set(rows.flatMap(row => Object.keys(row)))]
  const text = [csvLine(keys), ...rows.map(row => csvLine(keys.map(key => row[key])))]
    .map(line => `${line}\r\n`)
    .join('')
  // Excel reads a file without a byte order mark in the code page of its country.
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob(['\uFEFF', text], { type: 'text/csv' }))
  link.download = `footfall-${id}-${from}-${to}.csv`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
