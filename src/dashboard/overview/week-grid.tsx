// Sessions by weekday and hour, as a table in colours.
import { useEffect, useState } from 'preact/hooks'
import { weekdaysFrom } from '../../lib/calendar.ts'
import type { WeekdayHour } from '../../reports/of/weekday-hours.ts'
import { useApp } from '../app/app-context.ts'
import { filterParams } from '../app/url.ts'
import { useReport } from '../app/use-report.ts'
import { Explain } from '../parts/explain.tsx'
import { Loaded } from '../parts/status.tsx'
import { NoRows } from './no-rows.tsx'

const hours = Array.from({ length: 24 }, (_, hour) => hour)
const keyOf = (weekday: number, hour: number): string => `${weekday} ${hour}`
const hourKey = (hour: number): string => String(hour).padStart(2, '0')
const explained = [
  { key: 'sessions', label: 'sessions' },
  { key: 'sessions_per_day', label: 'sessions_per_day' },
] as const

/** Whether 24 columns have no room: then the hours are rows. */
const useNarrow = (): boolean => {
  const query = '(max-width: 40rem)'
  const [narrow, setNarrow] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const list = matchMedia(query)
    const change = (): void => setNarrow(list.matches)
    list.addEventListener('change', change)
    return () => list.removeEventListener('change', change)
  }, [])
  return narrow
}

const Grid = ({ cells }: { cells: readonly WeekdayHour[] }) => {
  const { t, f, weekStart } = useApp()
  const weekdays = weekdaysFrom(weekStart)
  const narrow = useNarrow()
  const byKey = new Map(cells.map(cell => [keyOf(cell.weekday, cell.hour), cell]))
  const max = Math.max(...cells.map(cell => cell.sessions_per_day ?? 0)) || 1
  const nameOf = {
    weekday: (day: number) => f.slot('weekday', String(day), true),
    hour: (hour: number) => String(hour),
  }
  const [rows, columns] = narrow ? [hours, weekdays] : [weekdays, hours]
  const [rowKind, columnKind] = narrow ? (['hour', 'weekday'] as const) : (['weekday', 'hour'] as const)
  return (
    <table class={narrow ? 'week tall' : 'week'}>
      <caption class="visually-hidden">{t('by_week_long')}</caption>
      <thead>
        <tr>
          <td />
          {columns.map(column => (
            <th key={column} scope="col">
              {nameOf[columnKind](column)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(row => (
          <tr key={row}>
            <th scope="row">{nameOf[rowKind](row)}</th>
            {columns.map(column => {
              const [weekday, hour] = narrow ? [column, row] : [row, column]
              const { sessions = 0, sessions_per_day: average } = byKey.get(keyOf(weekday, hour)) ?? {}
              const text = t('slot_sessions', {
                name: `${f.slot('weekday', String(weekday))} ${f.slot('hour', hourKey(hour))}`,
                average: f.fine(average ?? 0),
                n: f.count(sessions),
              })
              const shade = Math.round(((average ?? 0) / max) * 100)
              return (
                <td key={column} title={text} style={{ '--shade': `${shade}%` }}>
                  <span class={narrow ? undefined : 'visually-hidden'}>
                    {f.short(Math.round((average ?? 0) * 10) / 10)}
                  </span>
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export const WeekGrid = () => {
  const { t, state, span } = useApp()
  const params = { ...filterParams(state.filters), ...span }
  const report = useReport<WeekdayHour[]>('/dimensions/weekday/hour', params)
  return (
    <Loaded state={report}>
      {({ data, meta }) =>
        data.every(({ sessions }) => sessions === 0) ? (
          <NoRows breakdown={{ empty: 'empty_range' }} />
        ) : (
          <>
            <Grid cells={data} />
            <p class="faint">{t('week_average')}</p>
            <Explain breakdown={{ path: '/dimensions/weekday/hour', columns: explained }} params={params} meta={meta} />
          </>
        )
      }
    </Loaded>
  )
}
