// The context of all components: state, language, site and navigation.
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { StartPage } from '../../identity/start-pages.ts'
import type { RealtimeData } from '../../reports/of/realtime.ts'
import type { Meta, Session } from './api.ts'
import type { Span } from './days.ts'
import type { Format } from './format.ts'
import type { Goals } from './goals.ts'
import type { Interval } from './periods.ts'
import type { Segments } from './segments.ts'
import type { Shared } from './share.ts'
import type { Translate } from './texts.ts'
import type { State, View } from './url.ts'

/** Who is online, as last heard; `meta` also says what day it is. */
export type Live = { data: RealtimeData; meta: Pick<Meta, 'to' | 'timezone' | 'generated_at' | 'demo'> }

export type Theme = 'system' | 'light' | 'dark'

export type App = {
  state: State
  /** The page that the dashboard opens with. */
  home: View
  /** Keeps it with the user. */
  setHome: (home: StartPage) => Promise<void>
  /** The views that this user may see. */
  views: readonly View[]
  /** Changes the address; `replace` adds no entry to the history. */
  go: (patch: Partial<State>, replace?: boolean) => void
  t: Translate
  f: Format
  session: Session | null
  /** Whether the user may change settings and see diagnostics; else reports only. */
  manages: boolean
  /** Whether the user may see what was sold, and what goals are worth. */
  money: boolean
  /** What a shared link shows, or a user held to filters sees; null for others. */
  shared: Shared | null
  segments: Segments
  goals: Goals
  zone: string
  today: string
  /** The weekday on which weeks begin: 1 for Monday to 7 for Sunday. */
  weekStart: number
  /** The present hour in the time zone of the site. */
  hour: number
  /** The hosts of the site that are known, busiest first. */
  hosts: readonly string[]
  /** The first day with a page view; null before any. */
  firstDay: string | null
  span: Span
  interval: Interval
  /** What reports are compared with, as their parameter. */
  compare: string | undefined
  live: Live
  /** Counts up whenever reports that include today should be reloaded. */
  refreshTick: number
  /** Whether the service does not answer; all that failed meanwhile is loaded again at the next `recoveries`. */
  lost: boolean
  recoveries: number
  onLost: () => void
  /** Why filters of the page cannot be, by their keys; then there are no figures. */
  refused: Readonly<Record<string, string>>
  onRefused: (params: Readonly<Record<string, string>>) => void
  theme: Theme
  setTheme: (theme: Theme) => void
  language: string
  setLanguage: (language: string) => void
  /** Whether reports show their SQL statements and curl commands. */
  showsCommands: boolean
  showCommands: (shown: boolean) => void
  leave: () => void
  /** To be called when a response says that the session has ended. */
  onSessionExpired: () => void
}

export const AppContext = createContext<App | null>(null)

export const useApp = (): App => {
  const app = useContext(AppContext)
  if (app === null) throw new Error('There is no app around this part.')
  return app
}
