// The table of docs/performance.md: some of the rows of docs/benchmark.md, as they stand there.

const shown = [
  'durable hits, 64 connections: answered with 204',
  'durable hits at half the rate of 64 connections: p99',
  'hits at 1,000/s while backups are made: p99',
  'hits at 1,000/s while a purge goes on: p99',
  'hits at 1,000/s while reports run constantly: p99',
  'hits at 1,000/s while goals are made and counted over a year: p99',
  'hits at 1,000/s while a counter is asked 1,000 times/s: p99',
  'hits at 1,000/s while a history is imported: p99',
  'hits at 1,000/s while days are written as Parquet: p99',
  '/summary, 365 days: p50',
  '/pages, 365 days: p50',
  '/sources?group_by=channel, 365 days: p50',
  '/sources?group_by=channel, 365 days: p99',
  '/pages of one country and device, 90 days: p50',
  '/goals/report of one page and one event, 365 days: p50',
  '/pages of a goal by page, 90 days: p50',
  '/pages of a goal by event, 90 days: p50',
  '/funnels/ID/report of three steps, 90 days: p50',
  '/goals/ID/breakdown?by=page, 90 days: p50',
  '/goals/report with ten goals by patterns, 90 days: p50',
  '/paths?page=PAGE, 90 days: p50',
  '/paths?depth=4, 90 days: p50',
  '/paths?page=PAGE&include=both, 90 days: p50',
  '/revenue/by-landing, 365 days: p50',
  '112 questions in one batch, 365 days, without those that cross: p50',
  'all 116 questions in one batch, 365 days: p50',
  'database bytes per view, a year',
  'resident memory, idle for 2 s',
  'resident memory, after full load and a report',
  'resident memory on the year, idle for 2 s',
  'start to first 200, existing file',
  'start to first 200, file of a year',
  'import of recorded requests, rollups built afterwards',
  'first hit after a start, ids of the last 48 hours in the file: longest wait of any request',
]

const begin = '<!-- The rows between these lines are written by the benchmark. -->'
const end = '<!-- The end of these rows. -->'

/** What was measured, its value, its limit and the ratio, by the figure's name; of the ratio without its range. */
const cellsOf = benchmark =>
  new Map(
    [...benchmark.matchAll(/^\|(.+)\|$/gm)].map(([, row]) => {
      const [figure = '', value = '', limit = '', ratio = ''] = row.split('|').map(cell => cell.trim())
      return [figure, [figure, value, limit, ratio.replace(/ \[.*/, '')]]
    }),
  )

/** docs/performance.md with the figures of docs/benchmark.md; what a run has not measured has no row. */
export const withFigures = (performance, benchmark) => {
  const cells = cellsOf(benchmark)
  const rows = shown.flatMap(figure => (cells.has(figure) ? [`| ${cells.get(figure).join(' | ')} |`] : []))
  const head = ['| what | measured | limit in the same run | ratio |', '|---|---|---|---|']
  const [before, rest] = performance.split(begin)
  const after = rest?.split(end)[1]
  if (after === undefined) throw new Error('docs/performance.md has lost the lines between which the figures stand.')
  return `${before}${begin}\n\n${[...head, ...rows].join('\n')}\n\n${end}${after}`
}
