import * as v from 'valibot'
import { query } from '../../database/query.ts'
import { statements } from '../../database/statements.ts'
import { countSchema } from '../../http/schemas.ts'
import { weekday } from '../../lib/time.ts'
import sqlText from '../../sql/weekday-hours.sql'
import { rangeEntries } from '../asked-range.ts'
import { bindTotals, figureColumns, figures, rangeColumns, share, withShare } from '../breakdown.ts'
import { endedTimes } from '../clock-hours.ts'
import { comparedFields } from '../compared-rows.ts'
import { leastVisits } from '../few.ts'
import { hoursMissingEntry, missingHoursMeta, missingHoursQuery } from '../hours.ts'
import { fineMean } from '../numbers.ts'
import { bindParameters } from '../pool.ts'
import { report } from '../report.ts'
import { filterEntries, readSegment } from '../segment.ts'

const sql = statements(sqlText)

const hoursQuery = query(
  sql('dimensions.weekday-hour'),
  v.object({ ...rangeColumns, uneven: v.string() }),
  v.object({ day: v.number(), hour: v.number(), ...figureColumns }),
  { reads: ['hour_day'] },
)

const cellSchema = v.object({
  weekday: v.pipe(v.number(), v.description('1 is Monday.')),
  hour: v.pipe(v.number(), v.description('The hour on the clock, 0 to 23.')),
  ...figures,
  ...share,
  days: v.pipe(countSchema, v.description('Days of the range that are the weekday and on which the hour is over.')),
  sessions_per_day: v.pipe(v.nullable(v.number()), v.description('Visits of hours that are over ÷ days.')),
  ...comparedFields,
})
export type WeekdayHour = v.InferOutput<typeof cellSchema>

const zero = { visitors: 0, sessions: 0, views: 0, bounces: 0 }
const cells = [1, 2, 3, 4, 5, 6, 7].flatMap(day => Array.from({ length: 24 }, (_, hour) => ({ weekday: day, hour })))

export const weekdayHours = report({
  path: '/dimensions/weekday/hour',
  summary: 'Visits by weekday and hour: every hour of the week, from Monday 0:00 on',
  query: { ...rangeEntries, ...filterEntries },
  segment: readSegment,
  compared: { key: cell => `${cell.weekday} ${cell.hour}`, figure: ({ sessions }) => sessions },
  meta: hoursMissingEntry,
  data: v.array(cellSchema),
  metrics: ['visitors', 'sessions', 'views', 'bounces', 'share', 'days', 'sessions_per_day'],
  run: async ({ narrowed, range, since, read, context: { zone }, now }) => {
    const times = endedTimes({ range, since, zone, now })
    const { from, to } = range
    const [rows, all, missing] = await read([
      bindParameters(hoursQuery, { from, to, uneven: JSON.stringify(times.oddDays) }),
      bindTotals(range),
      bindParameters(missingHoursQuery, { from, to }),
    ])
    const byCell = Map.groupBy(rows, row => `${weekday(row.day)} ${Number(times.hourKey(row))}`)
    const summed = cells.map(cell =>
      (byCell.get(`${cell.weekday} ${cell.hour}`) ?? []).reduce(
        (sum, row) => ({
          ...sum,
          visitors: sum.visitors + row.visitors,
          sessions: sum.sessions + row.sessions,
          views: sum.views + row.views,
          bounces: sum.bounces + row.bounces,
          ended: sum.ended + (times.isHourOver(row) ? row.sessions : 0),
        }),
        { ...cell, ...zero, ended: 0 },
      ),
    )
    const shown = summed.map(cell => (narrowed && cell.sessions < leastVisits ? { ...cell, ...zero, ended: 0 } : cell))
    const data = withShare(shown, all).map(({ ended, ...cell }) => {
      const days = times.daysWithHour(String(cell.hour).padStart(2, '0'), cell.weekday)
      return { ...cell, days, sessions_per_day: fineMean(ended, days) }
    })
    return { data, meta: missingHoursMeta(missing) }
  },
})
