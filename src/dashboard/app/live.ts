// Polls for the visitors online; not while the page is hidden.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { DimensionRow } from '../../reports/of/dimensions.ts'
import type { RealtimeData } from '../../reports/of/realtime.ts'
import type { Start } from '../../reports/start.ts'
import { Failure, isUnreachable, report } from './api.ts'
import type { App, Live } from './app-context.ts'
import { addDays } from './days.ts'
import type { View } from './url.ts'

const seconds = { waiting: 0.7, lost: 2, realtime: 3, usual: 10, refresh: 30 }
/** Delays, in milliseconds, at which reports are reloaded after the first visit. */
const eager = [300, 700, 1200, 1700, 2500, 4000]
const maxHosts = 100

/** The known hosts of a range, busiest first. */
const findHosts = async (from: string, to: string): Promise<string[]> => {
  const { data } = await report<DimensionRow[]>('/dimensions/host', { from, to, limit: maxHosts })
  return data.flatMap(({ key, name }) => (key === null ? [] : [name ?? key]))
}

/** Before the service has first said who is online. */
const unknown: RealtimeData = { active_visitors: 0, window_seconds: 0, active_pages: [], recent: [], minutes: [] }

export const isKnown = ({ data }: Live): boolean => data !== unknown

/** The visitors online; a link with filters may not see them and gets only the date. */
const fetchNow = async (filtered: boolean): Promise<Live> => {
  if (!filtered) return report<RealtimeData>('/realtime')
  const { meta } = await report<unknown>('/pages', { limit: 1 })
  return { data: unknown, meta }
}

/** What the page begins with. */
const liveAt = ({ today, ...meta }: Start): Live => ({ data: unknown, meta: { ...meta, to: today } })

/** The days that are looked at for hosts: with filters, single visits have to be read. */
const hostDays = 27

/** The known hosts since a day; null until the service has said them. */
const useHosts = (firstDay: string | null, today: string, filtered: boolean): readonly string[] | null => {
  const [hosts, setHosts] = useState<readonly string[] | null>(null)
  const from = filtered ? addDays(today, -hostDays) : firstDay
  const isWaiting = from === null
  useEffect(() => {
    if (from === null) return
    findHosts(from, today).then(setHosts, () => setHosts([]))
  }, [isWaiting])
  return hosts
}

export const useLive = (
  start: Start,
  view: View,
  filtered: boolean,
  { onSessionExpired, onForbidden }: { onSessionExpired: () => void; onForbidden: () => void },
): { live: Live; firstDay: string | null; hosts: readonly string[] | null; refreshTick: number } & Pick<
  App,
  'lost' | 'recoveries' | 'onLost'
> => {
  const [live, setLive] = useState(() => liveAt(start))
  // A link with filters reaches back one year at most.
  const [firstDay, setFirstDay] = useState(filtered ? addDays(start.today, -364) : start.first_day)
  const hosts = useHosts(firstDay, live.meta.to, filtered)
  const [refreshTick, setRefreshTick] = useState(0)
  const [lost, setLost] = useState(false)
  const [recoveries, setRecoveries] = useState(0)
  const refreshed = useRef(Date.now())
  const waiting = firstDay === null

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    let over = false
    let hasAnswered = filtered || isKnown(live)
    const wait = seconds[waiting ? 'waiting' : lost ? 'lost' : view === 'realtime' ? 'realtime' : 'usual'] * 1000
    const tick = async (): Promise<void> => {
      if (!document.hidden) {
        try {
          const { data, meta } = await fetchNow(filtered)
          hasAnswered = true
          if (over) return
          setLive({ data, meta })
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
          // The user's role gives no access, or not any more: then what is left of it is seen by beginning anew.
          if (error instanceof Failure && error.status === 403) return hasAnswered ? location.reload() : onForbidden()
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
    timer = setTimeout(() => void tick(), hasAnswered ? wait : 0)
    document.addEventListener('visibilitychange', shown)
    return () => {
      over = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', shown)
    }
  }, [waiting, view, lost])

  return { live, firstDay, hosts, refreshTick, lost, recoveries, onLost: () => setLost(true) }
}
