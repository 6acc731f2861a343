// The report of an import as text.
import { type SkipReason, skipReasons } from './read.ts'
import type { HistoryReport, Month } from './report.ts'

const maxNames = 5

const counted = (count: number): string => count.toLocaleString('en')

const skipTexts: Record<SkipReason, string> = {
  own_data: 'have data already and stay as they are',
  not_over: 'are not over yet',
  later_than_visits: 'come after the first day with single visits, where sums would end the filters of earlier days',
  without_totals: 'have no totals',
}

const lackTexts: Readonly<Record<string, string>> = {
  hours: 'hours',
  visits: 'visits (estimated)',
  bounces: 'bounces (counted as 0)',
  times: 'time on pages',
  entry_pages: 'entry and exit pages',
  sources: 'sources',
  places: 'countries',
  devices: 'devices and browsers',
}

/** Of single visits, the time on a page is that until the next view or event. */
const lackText = (name: string, grain: HistoryReport['grain']): string =>
  name === 'times' && grain === 'visits' ? 'time on pages (estimated by what comes next)' : (lackTexts[name] ?? name)

const row = (name: string, text: string): string => `${name.padEnd(16)}${text}`

const list = (given: Readonly<Record<string, number | string>>): string =>
  Object.entries(given)
    .map(([name, value]) => `${name} ${typeof value === 'number' ? counted(value) : value}`)
    .join(', ')

const monthLines = (months: readonly Month[]): string[] => {
  const figures = ['visitors', 'visits', 'views'] as const
  const cells = (texts: readonly string[]): string =>
    texts.map((text, index) => (index === 0 ? text.padEnd(9) : text.padStart(12))).join('')
  if (months.length === 0) return []
  return [
    '',
    `${' '.repeat(9)}${'in the source'.padStart(36)}${'here'.padStart(36)}`,
    cells(['month', ...figures, ...figures]),
    ...months.flatMap(({ month, source, here, reasons }) => [
      cells([month, ...figures.map(name => counted(source[name])), ...figures.map(name => counted(here[name]))]),
      ...reasons.map(reason => `${' '.repeat(9)}${reason}`),
    ]),
    '',
  ]
}

const renamedLines = (renamed: HistoryReport['renamed']): string[] =>
  ['page', 'event'].flatMap(kind => {
    const ofKind = renamed.filter(one => one.kind === kind)
    const shown = ofKind.slice(0, maxNames).map(({ given, kept }) => `${given.slice(0, 80)} → ${kept.slice(0, 80)}`)
    return ofKind.length === 0
      ? []
      : [row('Renamed', `${counted(ofKind.length)} ${kind}${ofKind.length === 1 ? '' : 's'}: ${shown.join(', ')}`)]
  })

/** @param isPreview whether nothing was written */
export const describe = (report: HistoryReport, isPreview: boolean): string[] => [
  row(
    isPreview ? 'Preview' : report.days === 0 ? 'Recognised' : 'Imported',
    `${report.title}, ${report.grain === 'sums' ? 'sums of days' : 'single visits'}`,
  ),
  ...report.files.map(({ file, table, recognised_by: by, rows }) =>
    row(
      'File',
      table === ''
        ? `${file}: a table that is not known, passed over`
        : `${file}: ${table}, ${counted(rows)} rows (by ${by.join(', ')})`,
    ),
  ),
  ...(report.ignored_files.length > 0 ? [row('Passed over', report.ignored_files.join(', '))] : []),
  ...(report.empty_files.length > 0 ? [row('Empty', report.empty_files.join(', '))] : []),
  row(
    'Days',
    report.first_day === null
      ? 'none'
      : `${counted(report.days)}, ${report.first_day} to ${report.last_day ?? ''}, in ${report.timezone}`,
  ),
  ...Object.entries(report.skipped_days).map(([reason, days]) =>
    row('Left out', `${days}: ${skipReasons.map(name => (name === reason ? skipTexts[name] : '')).join('')}`),
  ),
  ...monthLines(report.months),
  ...(report.repeated_rows > 0 ? [row('Repeated', `${counted(report.repeated_rows)} rows, counted once`)] : []),
  ...Object.entries(report.not_imported).map(([what, rows]) => row('Not imported', `${counted(rows)} ${what}`)),
  ...(Object.keys(report.not_counted).length > 0 ? [row('Not counted', list(report.not_counted))] : []),
  ...(Object.keys(report.unknown).length > 0
    ? [row('Unknown', `${list(report.unknown)}: the rest of the totals`)]
    : []),
  ...(report.estimated.length > 0 ? [row('Estimated', report.estimated.join(', '))] : []),
  ...Object.entries(report.refused_breakdowns).map(([name, days]) =>
    row('Refused', `${name} of ${days}: it has more than the day's totals, so all of it is unknown`),
  ),
  ...(report.views_beyond_totals > 0
    ? [
        row(
          'Views',
          `${counted(report.views_beyond_totals)} in breakdowns beyond the totals, of visits across midnight`,
        ),
      ]
    : []),
  ...renamedLines(report.renamed),
  ...(report.lacks.length > 0
    ? [row('Not known', report.lacks.map(name => lackText(name, report.grain)).join(', '))]
    : []),
  ...report.remarks.map(remark => row('Note', remark)),
]

const maxReasons = 14

/** At most 20 lines. */
export const refusalLines = ({ refused, refused_rows: rows }: HistoryReport): string[] =>
  rows === 0
    ? []
    : [
        `${counted(rows)} ${rows === 1 ? 'row was' : 'rows were'} refused:`,
        ...refused
          .slice(0, maxReasons)
          .map(
            ({ reason, rows: count, lines }) => `  ${lines.join(', ')}${count > lines.length ? ', …' : ''}: ${reason}.`,
          ),
        ...(refused.length > maxReasons ? [`  and for ${counted(refused.length - maxReasons)} more reasons.`] : []),
      ]
