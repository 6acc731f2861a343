// A digest as plain text, for mail programs without HTML and for terminals.
import type { ChangeView, DigestView, FigureView, LinkedText, TableView } from './shapes.ts'

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
export const textOf = (view: DigestView): string => {
  const { site, title, compared, changes, figures, chart, tables, notes, link, footer, attribution } = view
  return [
    site === null ? title : `${site}: ${title}`,
    ...(compared === '' ? [] : [compared]),
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
    '',
  ].join('\n')
}
