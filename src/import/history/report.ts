// What an import did, or would do: for people and as JSON.

import * as v from 'valibot'
import { rangesText } from '../../archive/ranges.ts'
import { all, type Db, query } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { historyTitles } from '../../lib/histories.ts'
import { type Day, dayText, type Zone } from '../../lib/time.ts'
import { spanOf } from '../../rollup/derive.ts'
import sqlText from '../../sql/history-report.sql'
import type { Format } from './format.ts'
import { type SkipReason, skipReasons } from './read.ts'
import type { HistoryResult } from './run.ts'
import type { Totals } from './tally.ts'

const sql = statements(sqlText)

const number = v.number()
const monthsQuery = query(
  sql('import.months'),
  v.object({ import_id: number }),
  v.object({ month: number, visitors: number, visits: number, views: number }),
)

export type Month = { month: string; source: Totals; here: Totals; reasons: string[] }

const nothing: Totals = { visitors: 0, visits: 0, views: 0 }

const monthText = (month: number): string => dayText(month * 100).slice(0, 7)

/** The totals of single visits as the source counts them. */
const countVisits = ({ days, stage, tally }: HistoryResult, zone: Zone): Map<number, Totals> => {
  const months = new Map([...tally.months()].map(([month, totals]) => [month, { ...totals }]))
  const ofMonth = (month: number): Totals => {
    const totals = months.get(month) ?? { ...nothing }
    months.set(month, totals)
    return totals
  }
  for (const day of days) {
    const { start, end } = spanOf(zone, day)
    ofMonth(Math.floor(day / 100)).visits += stage.visits(start, end).length
  }
  for (const { month, visitors } of stage.visitorMonths()) ofMonth(month).visitors = visitors
  return months
}

const reasonsOf = (source: Totals, here: Totals, format: Format): string[] => [
  ...(source.visitors === here.visitors ? [] : ['a visitor of several days is one on each of them']),
  ...(source.visits === here.visits
    ? []
    : [
        format.cut === true
          ? 'a visit ends after 30 minutes without activity'
          : 'visits of events alone, without a page view, are not counted here',
      ]),
  ...(source.views === here.views ? [] : ['see the rows that were refused']),
]

const reconcile = (db: Db, result: HistoryResult, format: Format, zone: Zone): Month[] => {
  const here = new Map(all(db, monthsQuery, { import_id: result.id }).map(({ month, ...totals }) => [month, totals]))
  const source = format.grain === 'visits' ? countVisits(result, zone) : result.tally.months()
  return [...new Set([...source.keys(), ...here.keys()])]
    .sort((a, b) => a - b)
    .map(month => {
      const [theirs, ours] = [source.get(month) ?? nothing, here.get(month) ?? nothing]
      return { month: monthText(month), source: theirs, here: ours, reasons: reasonsOf(theirs, ours, format) }
    })
}

const skippedBy = (skipped: ReadonlyMap<Day, SkipReason>): Partial<Record<SkipReason, string>> =>
  Object.fromEntries(
    skipReasons.flatMap(reason => {
      const days = [...skipped].filter(([, why]) => why === reason).map(([day]) => day)
      return days.length === 0 ? [] : [[reason, rangesText(days)]]
    }),
  )

export type HistoryReport = ReturnType<typeof reportOf>

export const reportOf = (
  db: Db,
  zone: Zone,
  format: Format,
  result: HistoryResult,
  files: { ignored: string[]; empty: string[] },
) => {
  const { id, days, recognised, skipped, tally, notes, sourceZone } = result
  const { unknown, estimated, refused, clamped } = notes.all()
  const [first, last] = [days[0], days.at(-1)]
  return {
    id: id === 0 ? null : id,
    format: format.name,
    title: historyTitles[format.name],
    grain: format.grain,
    timezone: zone.name,
    source_timezone: sourceZone,
    files: recognised.map(({ file, table, columns, rows, passedOver }) => ({
      file,
      table,
      recognised_by: columns,
      rows,
      other_columns: passedOver,
    })),
    ignored_files: files.ignored,
    empty_files: files.empty,
    rows: tally.counts.rows,
    days: days.length,
    first_day: first === undefined ? null : dayText(first),
    last_day: last === undefined ? null : dayText(last),
    skipped_days: skippedBy(skipped),
    months: reconcile(db, result, format, zone),
    refused_rows: tally.refusedRows(),
    refused: tally.refused(),
    repeated_rows: tally.counts.repeated,
    not_imported: Object.fromEntries(tally.counts.left),
    not_counted: Object.fromEntries(tally.allOutcomes()),
    unknown: Object.fromEntries(unknown),
    estimated,
    refused_breakdowns: Object.fromEntries([...refused].map(([name, on]) => [name, rangesText(on)])),
    views_beyond_totals: clamped,
    renamed: tally.names(),
    lacks: format.lacks,
    remarks: format.remarks ?? [],
  }
}
