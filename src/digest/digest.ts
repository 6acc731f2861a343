import type { Grant } from '../http/access.ts'
import { toSeconds } from '../lib/time.ts'
import type { Message } from '../mail/compose.ts'
import type { ReportContext } from '../reports/context.ts'
import type { Range } from '../reports/range.ts'
import type { Filters } from '../reports/segment.ts'
import { readContent } from './content.ts'
import { htmlOf } from './html.ts'
import type { DigestPeriod } from './period.ts'
import type { ChangeView, DigestView, FigureView, LinkedText, TableView } from './shapes.ts'
import { textsOf } from './texts.ts'
import { viewOf } from './view.ts'

// A digest as plain text, for mail programs without HTML and for terminals.

const nameWidth = 46

const changeText = ({ arrow, percent, words }: ChangeView): string => {
  if (percent === '') return words
  return `${arrow} ${percent}${words === '' ? '' : ` (${words})`}`
}

const heading = (title: string): string[] => ['', title.toLocaleUpperCase('en'), '']

const figureLines = (figures: readonly FigureView[]): string[] => {
  const labels = Math.max(...figures.map(({ label }) => label.length))
  const values = Math.max(...figures.map(({ value }) => value.length))
  return figures.map(({ label, value, change }) =>
    `${label.padEnd(labels)}  ${value.padStart(values)}  ${changeText(change)}`.trimEnd(),
  )
}

const cut = (text: string): string => (text.length <= nameWidth ? text : `${text.slice(0, nameWidth - 1)}…`)

const tableLines = ({ title, column, rows }: TableView): string[] => {
  const values = Math.max(...rows.map(({ value }) => value.length))
  const names = Math.max(...rows.map(({ name }) => cut(name).length))
  const lines = rows.flatMap(({ name, note, value, change }) => [
    `${cut(name).padEnd(names)}  ${value.padStart(values)}  ${changeText({ ...change, words: change.percent === '' ? change.words : '' })}`.trimEnd(),
    ...(note === '' ? [] : [`  ${cut(note)}`]),
  ])
  return [...heading(column === '' ? title : `${title} (${column})`), ...lines]
}

const linked = ({ text, url }: LinkedText): string => (url === null ? text : `${text}\n${url}`)

/** Lines of text; every figure is also in the HTML. */
const textOf = (view: DigestView): string => {
  const { site, title, compared, filtered, changes, figures, chart, tables, notes, link, footer, attribution } = view
  return [
    site === null ? title : `${site}: ${title}`,
    ...(compared === '' ? [] : [compared]),
    ...(filtered === '' ? [] : [filtered]),
    ...(changes.length === 0 ? [] : [...heading(view.changesTitle), ...changes.map(({ text }) => `- ${text}`)]),
    ...heading(view.figuresTitle),
    ...figureLines(figures),
    ...(chart === null
      ? []
      : [...heading(chart.title), `${chart.ends[0]} ${chart.sparkline} ${chart.ends[1]}`, chart.extremes]),
    ...tables.flatMap(tableLines),
    ...(notes.length === 0 ? [] : [...heading(view.notesTitle), ...notes.map(note => `- ${note}`)]),
    ...(link === null ? [] : ['', linked(link)]),
    '',
    '-- ',
    footer,
    ...(attribution === null ? [] : [linked(attribution)]),
    ...(view.unsubscribe === null ? [] : [linked(view.unsubscribe)]),
    '',
  ].join('\n')
}

export type DigestOptions = {
  context: ReportContext
  period: DigestPeriod
  range: Range
  /** Such as de or en-GB. */
  language: string
  /** The name of the site; null for the host with most sessions. */
  name: string | null
  /** The address of the dashboard; null if it is not known. */
  dashboard: string | null
  signal: AbortSignal
  /** What the reader has chosen to see; by default everything. */
  filters?: Filters
  /** What the reader may see; by default what an owner may. */
  reader?: Grant
  /** Where the reader ends these messages. */
  unsubscribe?: string
}

type Digest = Message & Required<Pick<Message, 'html'>>

/** A digest as a message: its subject, its text, and the same as HTML. */
export const makeDigest = async ({ language, unsubscribe, ...options }: DigestOptions): Promise<Digest> => {
  const { context, name, dashboard } = options
  const texts = textsOf(language)
  const content = await readContent({ ...options, texts })
  const { zone, clock } = context
  const today = zone.dayOf(toSeconds(clock()))
  const view = viewOf(content, { texts, timeZone: zone.name, today, name, dashboard, unsubscribe: unsubscribe ?? null })
  const message = { subject: view.subject, text: textOf(view), html: htmlOf(view) }
  return unsubscribe === undefined ? message : { ...message, unsubscribe }
}
