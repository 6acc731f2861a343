// The parts of a digest as texts in one language, before they become plain text or HTML.
import type { ChartView } from './chart.ts'

/** `arrow` is empty for a figure that did not change, and without a comparison; `words` then are, too. */
export type ChangeView = { arrow: string; percent: string; words: string; verdict: 'good' | 'bad' | 'none' }
export type FigureView = { label: string; value: string; change: ChangeView }
/** `part`: the share of the longest row, for a bar. */
export type RowView = { name: string; note: string; value: string; change: ChangeView; part: number }
export type TableView = { title: string; column: string; rows: RowView[] }
export type LinkedText = { text: string; url: string | null }

export type DigestView = {
  language: string
  site: string | null
  subject: string
  title: string
  compared: string
  /** What the reader has chosen to see, as a sentence; empty for everything. */
  filtered: string
  changesTitle: string
  changes: LinkedText[]
  figuresTitle: string
  figures: FigureView[]
  chart: ChartView | null
  tables: TableView[]
  notesTitle: string
  notes: string[]
  link: LinkedText | null
  footer: string
  attribution: LinkedText | null
  unsubscribe: LinkedText | null
}
