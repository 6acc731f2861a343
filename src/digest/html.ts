// A digest as HTML for mail programs: tables, inline styles, nothing from elsewhere. The style block is for those that
// know dark mode; without it everything is still readable.

import { escapeHtml } from '../lib/escape-html.ts'
import { type ChartView, drawChart } from './chart.ts'
import type { ChangeView, DigestView, FigureView, LinkedText, RowView, TableView } from './shapes.ts'

const colors = {
  paper: ['#f4f5f7', '#101215'],
  card: ['#ffffff', '#191c21'],
  ink: ['#1a1d21', '#e9ebee'],
  faint: ['#596069', '#a2aab4'],
  line: ['#e3e6ea', '#2c3138'],
  accent: ['#2456c9', '#86aaff'],
  good: ['#12703a', '#62cf8f'],
  bad: ['#b3261e', '#ff9289'],
} as const
type Color = keyof typeof colors

const dark = (selector: string, property: string, color: Color): string =>
  `.${selector}{${property}:${colors[color][1]} !important}`

const styles = [
  ':root{color-scheme:light dark;supported-color-schemes:light dark}',
  '@media (prefers-color-scheme:dark){',
  dark('paper', 'background-color', 'paper'),
  dark('card', 'background-color', 'card'),
  dark('card', 'border-color', 'line'),
  dark('rule', 'border-color', 'line'),
  ...(['ink', 'faint', 'accent', 'good', 'bad'] as const).map(color => dark(color, 'color', color)),
  '.bar{fill:#4a6bb5 !important}',
  dark('line', 'stroke', 'ink'),
  dark('part', 'background-color', 'accent'),
  '.button{background-color:#86aaff !important;color:#0d1a38 !important}',
  '}',
  '@media (max-width:480px){.outer{padding:12px 8px !important}.inner{padding:16px 14px !important}}',
].join('')

const font = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const table =
  '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="border-collapse:separate">'

const styled = (color: Color, more: string): string => `class="${color}" style="color:${colors[color][0]};${more}"`

const card = (content: string): string =>
  `<tr><td style="padding:0 0 16px">${table}<tr><td class="card inner" style="background-color:${colors.card[0]};` +
  `border:1px solid ${colors.line[0]};border-radius:10px;padding:20px 22px">${content}</td></tr></table></td></tr>`

const heading = (text: string): string =>
  `<h2 ${styled('ink', 'margin:0 0 10px;font-size:16px;line-height:1.3;font-weight:600')}>${escapeHtml(text)}</h2>`

const link = ({ text, url }: LinkedText, style: string): string =>
  url === null
    ? `<span ${styled('ink', style)}>${escapeHtml(text)}</span>`
    : `<a href="${escapeHtml(url)}" ${styled('accent', style)}>${escapeHtml(text)}</a>`

const change = ({ arrow, percent, words, verdict }: ChangeView, withWords: boolean): string => {
  const color = verdict === 'none' ? 'faint' : verdict
  const first =
    percent === '' ? '' : `<span ${styled(color, 'white-space:nowrap')}>${arrow} ${escapeHtml(percent)}</span>`
  const isWordy = words !== '' && (withWords || percent === '')
  return `${first}${isWordy ? `${first === '' ? '' : ' · '}<span ${styled('faint', '')}>${escapeHtml(words)}</span>` : ''}`
}

/** A sentence that is a link, as on the dashboard. */
const sentence = ({ text, url }: LinkedText): string =>
  url === null
    ? `<span ${styled('ink', '')}>${escapeHtml(text)}</span>`
    : `<a href="${escapeHtml(url)}" ${styled('ink', 'text-decoration:none')}>${escapeHtml(text)}&#160;` +
      `<span ${styled('accent', '')}>→</span></a>`

const changesCard = ({ changesTitle, changes }: DigestView): string =>
  changes.length === 0
    ? ''
    : card(
        heading(changesTitle) +
          changes.map(one => `<p style="margin:0 0 8px;font-size:15px;line-height:1.45">${sentence(one)}</p>`).join(''),
      )

const tile = ({ label, value, change: changed }: FigureView): string =>
  `<td width="50%" valign="top" style="padding:8px 8px 8px 0"><div ${styled('faint', 'font-size:13px;line-height:1.3')}>` +
  `${escapeHtml(label)}</div><div ${styled('ink', 'font-size:24px;line-height:1.3;font-weight:600')}>${escapeHtml(value)}</div>` +
  `<div style="font-size:13px;line-height:1.35">${change(changed, true)}</div></td>`

/** Two in a row, which is readable on a telephone as well. */
const figuresCard = ({ figuresTitle, figures }: DigestView): string => {
  const rows = figures.flatMap((_, index) => (index % 2 === 0 ? [figures.slice(index, index + 2)] : []))
  return card(
    `${heading(figuresTitle)}${table}${rows.map(row => `<tr>${row.map(tile).join('')}</tr>`).join('')}</table>`,
  )
}

const chartCard = (chart: ChartView | null): string => {
  if (chart === null) return ''
  const [first, last] = chart.ends
  const small = 'font-size:12px;line-height:1.5'
  return card(
    `${heading(chart.title)}${drawChart(chart)}${table}<tr><td ${styled('faint', small)}>${escapeHtml(first)}</td>` +
      `<td align="right" ${styled('faint', small)}>${escapeHtml(last)}</td></tr></table>` +
      `<p ${styled('ink', 'margin:8px 0 0;font-size:13px;line-height:1.45')}>${escapeHtml(chart.extremes)}</p>` +
      (chart.legend === '' ? '' : `<p ${styled('faint', `margin:4px 0 0;${small}`)}>${escapeHtml(chart.legend)}</p>`),
  )
}

const row = ({ name, note, value, change: changed, part }: RowView): string => {
  const cell = 'padding:7px 0;font-size:14px;line-height:1.35'
  const border = `border-top:1px solid ${colors.line[0]}`
  const bar =
    part === 0
      ? ''
      : `<div style="margin-top:4px;height:3px;line-height:3px;font-size:0"><div class="part" style="width:${Math.max(1, Math.round(part * 100))}%;` +
        `height:3px;border-radius:2px;background-color:${colors.accent[0]}">&nbsp;</div></div>`
  const second =
    note === '' ? '' : `<div ${styled('faint', 'font-size:12px;line-height:1.35')}><bdi>${escapeHtml(note)}</bdi></div>`
  return (
    `<tr><td class="rule" valign="top" style="${cell};${border};word-break:break-word;overflow-wrap:anywhere">` +
    `<div ${styled('ink', '')}><bdi>${escapeHtml(name)}</bdi></div>${second}${bar}</td>` +
    `<td class="rule ink" valign="top" align="right" style="color:${colors.ink[0]};${cell};${border};padding-left:12px;white-space:nowrap">${escapeHtml(value)}</td>` +
    `<td class="rule" valign="top" align="right" width="76" style="${cell};${border};padding-left:10px;font-size:13px">${change(changed, false)}</td></tr>`
  )
}

const tableCard = ({ title, column, rows }: TableView): string =>
  card(
    `${table}<tr><td>${heading(title)}</td><td colspan="2" align="right" valign="top" ` +
      `${styled('faint', 'font-size:12px;line-height:1.9')}>${escapeHtml(column)}</td></tr>${rows.map(row).join('')}</table>`,
  )

const notesCard = ({ notesTitle, notes }: DigestView): string =>
  notes.length === 0
    ? ''
    : card(
        heading(notesTitle) +
          notes
            .map(
              note => `<p ${styled('ink', 'margin:0 0 6px;font-size:14px;line-height:1.45')}>${escapeHtml(note)}</p>`,
            )
            .join(''),
      )

const button = ({ link: target }: DigestView): string =>
  target === null || target.url === null
    ? ''
    : `<tr><td align="center" style="padding:4px 0 20px"><a class="button" href="${escapeHtml(target.url)}" style="display:inline-block;` +
      `padding:11px 20px;border-radius:8px;background-color:${colors.accent[0]};color:#ffffff;font-size:15px;font-weight:600;` +
      `text-decoration:none">${escapeHtml(target.text)}</a></td></tr>`

const foot = ({ footer, attribution, unsubscribe }: DigestView): string =>
  `<tr><td align="center" ${styled('faint', 'padding:0 12px 8px;font-size:12px;line-height:1.5')}>${escapeHtml(footer)}` +
  `${[attribution, unsubscribe].map(one => (one === null ? '' : `<br>${link(one, 'font-size:12px')}`)).join('')}</td></tr>`

const below = (text: string): string =>
  text === ''
    ? ''
    : `<div ${styled('faint', 'margin-top:4px;font-size:13px;line-height:1.4')}>${escapeHtml(text)}</div>`

const head = ({ site, title, compared, filtered }: DigestView): string =>
  `<tr><td style="padding:4px 4px 16px">${site === null ? '' : `<div ${styled('faint', 'font-size:14px;line-height:1.4')}>${escapeHtml(site)}</div>`}` +
  `<h1 ${styled('ink', 'margin:0;font-size:22px;line-height:1.25;font-weight:600')}>${escapeHtml(title)}</h1>` +
  `${below(compared)}${below(filtered)}</td></tr>`

/** A whole document. */
export const htmlOf = (view: DigestView): string =>
  [
    `<!DOCTYPE html><html lang="${view.language}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
    `<title>${escapeHtml(view.subject)}</title><style>${styles}</style></head>`,
    `<body class="paper" style="margin:0;padding:0;background-color:${colors.paper[0]};${font}">`,
    `${table}<tr><td class="paper outer" align="center" style="background-color:${colors.paper[0]};padding:24px 16px;${font}">`,
    table.replace('border-collapse:separate', 'border-collapse:separate;max-width:640px;text-align:left'),
    head(view),
    changesCard(view),
    figuresCard(view),
    chartCard(view.chart),
    ...view.tables.map(tableCard),
    notesCard(view),
    button(view),
    foot(view),
    '</table></td></tr></table></body></html>',
    '',
  ].join('\n')
