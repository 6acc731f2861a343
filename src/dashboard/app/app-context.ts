// What every part of the page knows: the state, the language, the site and how to change where one is.
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { RealtimeData } from '../../endpoints/realtime.ts'
import type { Meta, Session } from './api.ts'
import type { Span } from './days.ts'
import type { Format } from './format.ts'
import type { Interval } from './periods.ts'
import type { Translate } from './texts.ts'
import type { Shared } from './share.ts'
import type { State, View } from './url.ts'

export type Theme = 'system' | 'light' | 'dark'

export type App = {
  state: State
  /** The views that whoever looks may see. */
  views: readonly View[]
  /** Changes the address; `replace` leaves no step to go back to. */
  go: (patch: Partial<State>, replace?: boolean) => void
  t: Translate
  f: Format
  session: Session | null
  /** What a shared link shows; null for somebody who is logged in. */
  shared: Shared | null
  zone: string
  today: string
  /** The first day with a view, or the first of its month; null before any. */
  firstDay: string | null
  span: Span
  interval: Interval
  /** The days that the span is compared with; null without a comparison. */
  before: Span | null
  /** Until when today's figures are, `HH:MM`, where today is the last day of the span and days are held against as many; else null. */
  until: string | null
  live: { data: RealtimeData; meta: Meta }
  /** Counts up whenever reports that include today should be asked anew. */
  refreshTick: number
  theme: Theme
  setTheme: (theme: Theme) => void
  language: string
  setLanguage: (language: string) => void
  leave: () => void
  /** To be called when an answer says that nobody is logged in any more. */
  onSessionExpired: () => void
}

export const AppContext = createContext<App | null>(null)

export const useApp = (): App => {
  const app = useContext(AppContext)
  if (app === null) throw new Error('There is no app around this part.')
  return app
}
