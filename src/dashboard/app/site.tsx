// The page of a logged-in user: reads the address, polls for new data, and shows the view.
import { useEffect, useMemo, useState } from 'preact/hooks'
import { logOut, type Session } from './api.ts'
import { AppContext, type App, type Theme } from './app-context.ts'
import { DatePicker } from '../parts/date-picker.tsx'
import { Details } from '../overview/details.tsx'
import { EventDialog } from '../overview/event-dialog.tsx'
import { AddFilter } from '../parts/add-filter.tsx'
import { Pills } from '../parts/pills.tsx'
import { FirstRun } from '../overview/first-run.tsx'
import { Ask } from '../ask/ask.tsx'
import { createFormat } from './format.ts'
import { withPlatform } from './platform.ts'
import { KeysHelp, useKeys } from './keys.tsx'
import { useLive, type Live } from './live.ts'
import { pageOf } from '../overview/page-link.tsx'
import { PageView } from '../overview/page-view.tsx'
import { Overview } from '../overview/overview.tsx'
import { intervalsFor, presets, usualInterval } from './periods.ts'
import { Realtime } from '../overview/realtime.tsx'
import { Revenue } from '../revenue/revenue.tsx'
import { Settings } from '../settings/settings.tsx'
import { useSegments } from './segments.ts'
import type { Shared } from './share.ts'
import { System } from '../settings/system.tsx'
import { localeFor, type Translate } from './texts.ts'
import { chosenHosts } from './hosts.ts'
import { TopBar } from './top-bar.tsx'
import { readState, views as allViews, writeState, type State, type View as ViewName } from './url.ts'

const useAddress = (): [State, App['go']] => {
  const [state, setState] = useState(() => readState(location.search))
  useEffect(() => {
    const read = (): void => setState(readState(location.search))
    addEventListener('popstate', read)
    return () => removeEventListener('popstate', read)
  }, [])
  const go: App['go'] = (patch, replace = false) => {
    const next = { ...readState(location.search), ...patch }
    const address = withPlatform(writeState(next))
    if (address !== location.search)
      history[replace ? 'replaceState' : 'pushState'](
        null,
        '',
        (address === '' ? location.pathname : address) + location.hash,
      )
    setState(readState(location.search))
  }
  return [state, go]
}

/** `wrong`: the requested days are no range, or in the future. */
type Chosen = Pick<App, 'span'> & { period: string; wrong: boolean }

/** The requested days; by default the last 28, and on the very first day that day. */
const spanOf = (state: State, today: string, firstDay: string | null): Chosen => {
  // Days in the future have no data.
  if (state.from !== null && state.to !== null && state.from <= today)
    return { span: { from: state.from, to: state.to > today ? today : state.to }, period: 'custom', wrong: false }
  const usual = firstDay === null || firstDay === today ? 'today' : '28d'
  const preset = presets.find(({ id }) => id === (state.period ?? usual)) ?? presets[0]
  return {
    span: preset?.span(today, firstDay ?? today) ?? { from: today, to: today },
    period: preset?.id ?? usual,
    wrong: state.wrongDays || state.from !== null,
  }
}

const administration: readonly ViewName[] = ['settings', 'system']

/** The views of the user; those of a shared link are fewer, with realtime only without filters. */
const viewsOf = (shared: Shared | null, manages: boolean, session: Session | null): readonly ViewName[] => {
  if (shared !== null) return shared.filters.length > 0 ? ['overview'] : ['overview', 'realtime']
  // Users of this service have settings of their account; others, who come with a token, have no nonce.
  const hidden = session === null || session.nonce === null ? administration : ['system']
  return manages ? allViews : allViews.filter(view => !hidden.includes(view))
}

/** The view of one page is part of the overview. */
const isOpen = (view: ViewName, views: readonly ViewName[]): boolean =>
  views.includes(view === 'page' ? 'overview' : view)

const comparisonOf = ({ compare, compareFrom, compareTo }: State): string | undefined =>
  compare === 'off' ? undefined : compare === 'custom' ? `${compareFrom}..${compareTo}` : compare

export type SiteProps = {
  session: Session | null
  shared: Shared | null
  first: Live
  t: Translate
  language: string
  setLanguage: (language: string) => void
  theme: Theme
  setTheme: (theme: Theme) => void
  onSessionExpired: () => void
}

const View = ({ app }: { app: App }) => {
  const { t, state } = app
  if (state.view === 'settings') return <Settings />
  if (state.view === 'system') return <System />
  if (state.view === 'ask') return <Ask />
  if (state.view === 'revenue') return <Revenue />
  if (app.firstDay === null) return <FirstRun />
  if (state.view === 'realtime') return <Realtime />
  const page = state.view === 'page' ? pageOf(state.filters) : null
  return (
    <>
      <div class="bar">
        <DatePicker />
        <AddFilter />
      </div>
      <Pills />
      <h2 class="visually-hidden">{[t(`view_${state.view}`), ...chosenHosts(state, app.shared)].join(' · ')}</h2>
      {page === null ? <Overview /> : <PageView page={page} />}
    </>
  )
}

export const Site = ({
  session,
  shared,
  first,
  t,
  language,
  setLanguage,
  theme,
  setTheme,
  onSessionExpired,
}: SiteProps) => {
  const [asked, go] = useAddress()
  const filtered = (shared?.filters.length ?? 0) > 0
  const manages = session?.capabilities.includes('manage_options') === true
  const views = viewsOf(shared, manages, session)
  const segments = useSegments(shared)
  // Only the user's own views, whatever the address says.
  const address = { ...asked, view: isOpen(asked.view, views) ? asked.view : (views[0] ?? 'overview') }
  const [help, setHelp] = useState(false)
  const { live, firstDay, refreshTick, lost } = useLive(first, address.view, filtered, onSessionExpired)
  const today = live.meta.to
  const zone = live.meta.timezone
  const { span, period, wrong } = spanOf(address, today, firstDay)
  const possible = intervalsFor(span)
  const interval = possible.find(one => one === address.interval) ?? usualInterval(span)
  const f = useMemo(() => createFormat(localeFor(language, navigator.languages)), [language])
  const app: App = {
    state: { ...address, period },
    go,
    t,
    f,
    session,
    manages,
    shared,
    segments,
    views,
    zone,
    today,
    hosts: first.hosts,
    firstDay,
    span,
    interval,
    compare: comparisonOf(address),
    live,
    refreshTick: span.to === today ? refreshTick : 0,
    theme,
    setTheme,
    language,
    setLanguage,
    onSessionExpired,
    leave: () => void logOut().finally(onSessionExpired),
  }
  useKeys(app, () => setHelp(true))
  useEffect(() => {
    document.title = [t(`view_${address.view}`), ...chosenHosts(address, shared), 'Footfall'].join(' · ')
  }, [address.view, language, address.filters])
  return (
    <AppContext.Provider value={app}>
      <TopBar help={() => setHelp(true)} />
      <main>
        {lost && (
          <p class="banner" role="status">
            {t('lost')}
          </p>
        )}
        {live.meta.demo !== undefined && (
          <p class="banner quiet" role="note">
            {t('demo_data', { span: f.span(live.meta.demo) })}
          </p>
        )}
        {wrong && (
          <p class="banner" role="status">
            {t('wrong_days', { span: f.span(span) })}
          </p>
        )}
        <View app={app} />
      </main>
      {address.details !== null && <Details />}
      {address.event !== null && <EventDialog name={address.event} />}
      {help && <KeysHelp close={() => setHelp(false)} />}
    </AppContext.Provider>
  )
}
