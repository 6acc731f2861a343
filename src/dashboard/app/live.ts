// Polls for the visitors online; not while the page is hidden.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { DimensionRow } from '../../reports/of/dimensions.ts'
import type { RealtimeData } from '../../reports/of/realtime.ts'
import type { SummaryData } from '../../reports/of/summary.ts'
import { Failure, isUnreachable, type Meta, report } from './api.ts'
import type { App } from './app-context.ts'
import { addDays, monthEnd } from './days.ts'
import type { View } from './url.ts'

export type Live = { data: RealtimeData; meta: Meta; firstDay: string | null; hosts: readonly string[] }

const seconds = { waiting: 0.7, lost: 2, realtime: 3, usual: 10, refresh: 30 }
/** Delays, in milliseconds, at which reports are reloaded after the first visit. */
const eager = [300, 700, 1200, 1700, 2500, 4000]
const longest = 3660

/** The first day with a view; null before any. */
const findFirstDay = async (today: string): Promise<string | null> => {
  const {
    data: { series },
  } = await report<SummaryData>('/summary', { from: addDays(today, 1 - longest), to: today, interval: 'month' })
  const month = series.find(({ views }) => views > 0)
  if (month === undefined || !('date' in month)) return null
  const end = monthEnd(month.date)
  const { data } = await report<SummaryData>('/summary', { from: month.date, to: end > today ? today : end })
  const day = data.series.find(({ views }) => views > 0)
  return day !== undefined && 'date' in day ? day.date : month.date
}

const maxHosts = 100

/** The known hosts of a range, busiest first. */
const findHosts = async (from: string, to: string): Promise<string[]> => {
  const { data } = await report<DimensionRow[]>('/dimensions/host', { from, to, limit: maxHosts })
  return data.flatMap(({ key, name }) => (key === null ? [] : [name ?? key]))
}

const nobody: RealtimeData = { active_visitors: 0, window_seconds: 0, active_pages: [], recent: [], minutes: [] }

/** The visitors online; a link with filters may not see them and gets only the date. */
const fetchNow = async (filtered: boolean): Promise<Pick<Live, 'data' | 'meta'>> => {
  if (!filtered) return report<RealtimeData>('/realtime')
  const { meta } = await report<unknown>('/pages', { limit: 1 })
  return { data: nobody, meta }
}

/** The data to start with. A link with filters reaches back one year at most. */
export const loadInitial = async (filtered = false): Promise<Live> => {
  const { data, meta } = await fetchNow(filtered)
  // Of all days, single visits would have to be read.
  if (filtered)
    return { data, meta, firstDay: addDays(meta.to, -364), hosts: await findHosts(addDays(meta.to, -27), meta.to) }
  const firstDay = await findFirstDay(meta.to)
  return { data, meta, firstDay, hosts: firstDay === null ? [] : await findHosts(firstDay, meta.to) }
}

export const useLive = (
  first: Live,
  view: View,
  filtered: boolean,
  onSessionExpired: () => void,
): { live: Live; firstDay: string | null; refreshTick: number } & Pick<App, 'lost' | 'recoveries' | 'onLost'> => {
  const [live, setLive] = useState(first)
  const [firstDay, setFirstDay] = useState(first.firstDay)
  const [refreshTick, setRefreshTick] = useState(0)
  const [lost, setLost] = useState(false)
  const [recoveries, setRecoveries] = useState(0)
  const refreshed = useRef(Date.now())
  const waiting = firstDay === null

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    let over = false
    const wait = seconds[waiting ? 'waiting' : lost ? 'lost' : view === 'realtime' ? 'realtime' : 'usual'] * 1000
    const tick = async (): Promise<void> => {
      if (!document.hidden) {
        try {
          const { data, meta } = await fetchNow(filtered)
          if (over) return
          setLive({ data, meta, firstDay, hosts: first.hosts })
          if (lost) {
            setLost(false)
            setRecoveries(count => count + 1)
          }
          if (waiting && data.recent.length > 0) {
            setFirstDay(meta.to)
            for (const delay of eager) setTimeout(() => setRefreshTick(count => count + 1), delay)
          } else if (!waiting && Date.now() - refreshed.current > seconds.refresh * 1000) {
            refreshed.current = Date.now()
            setRefreshTick(count => count + 1)
          }
        } catch (error) {
          if (over) return
          if (error instanceof Failure && error.status === 401) return onSessionExpired()
          // The user's role gives no access any more.
          if (error instanceof Failure && error.status === 403) return location.reload()
          if (isUnreachable(error)) setLost(true)
        }
      }
      timer = setTimeout(() => void tick(), wait)
    }
    const shown = (): void => {
      if (document.hidden) return
      clearTimeout(timer)
      void tick()
    }
    timer = setTimeout(() => void tick(), wait)
    document.addEventListener('visibilitychange', shown)
    return () => {
      over = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', shown)
    }
  }, [waiting, view, lost])

  return { live, firstDay, refreshTick, lost, recoveries, onLost: () => setLost(true) }
}
