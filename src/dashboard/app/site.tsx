// The page of a logged-in user: reads the address, polls for new data, and shows the view.

import { useEffect, useMemo, useState } from 'preact/hooks'
import { startPageOf } from '../../identity/start-pages.ts'
import type { Start } from '../../reports/start.ts'
import { Ask } from '../ask/ask.tsx'
import { Details } from '../overview/details.tsx'
import { EventDialog } from '../overview/event-dialog.tsx'
import { FirstRun } from '../overview/first-run.tsx'
import { Overview } from '../overview/overview.tsx'
import { pageOf } from '../overview/page-link.tsx'
import { PageView } from '../overview/page-view.tsx'
import { Realtime } from '../overview/realtime.tsx'
import { Sites } from '../overview/sites.tsx'
import { AddFilter } from '../parts/add-filter.tsx'
import { DatePicker } from '../parts/date-picker.tsx'
import { useNames } from '../parts/filters.tsx'
import { Pills } from '../parts/pills.tsx'
import { Loading } from '../parts/status.tsx'
import { PathsDialog } from '../paths/paths-dialog.tsx'
import { Revenue } from '../revenue/revenue.tsx'
import { Settings } from '../settings/settings.tsx'
import { System } from '../settings/system.tsx'
import { logOut, resource, type Session } from './api.ts'
import { type App, AppContext, type Theme, useApp } from './app-context.ts'
import type { Now } from './days.ts'
import { clockIn, createFormat } from './format.ts'
import { useGoals } from './goals.ts'
import { siteNames } from './hosts.ts'
import { KeysHelp, useKeys } from './keys.tsx'
import { isKnown, useLive } from './live.ts'
import { recall, remember } from './memory.ts'
import { intervalsFor, presets, usualInterval } from './periods.ts'
import { withPlatform } from './platform.ts'
import { useRefused } from './refused.ts'
import { useSegments } from './segments.ts'
import { foreignFilters, type Shared } from './share.ts'
import { localeFor, type Translate } from './texts.ts'
import { TopBar } from './top-bar.tsx'
import { type Filter, readState, type State, type View as ViewName, writeState } from './url.ts'
import { isOpen, seesMoney, viewsOf } from './views.ts'

// What is said above every view: that the service does not answer, and what of the address is refused.

/** In place of figures for days that are not a range: others would be taken for them. */
const WrongDays = () => {
  const { t, f, go, span } = useApp()
  return (
    <section class="card">
      <p role="alert">{t('wrong_days')}</p>
      <p class="tools">
        <button
          type="button"
          onClick={() => go({ period: null, from: null, to: null, compareFrom: null, compareTo: null })}
        >
          {t('show_span', { span: f.span(span) })}
        </button>
      </p>
    </section>
  )
}

/** `foreign`: filters that the shared link refuses, or the user is held to others of. */
const Notices = ({ foreign }: { foreign: readonly Filter[] }) => {
  const { t, f, zone, session, lost, live } = useApp()
  const names = useNames()
  const sentences = [
    lost && t('lost', { time: f.time(live.meta.generated_at, zone) }),
    foreign.length > 0 &&
      t(session === null ? 'share_foreign' : 'held_foreign', {
        names: foreign.map(({ key }) => names.key(key)).join(', '),
      }),
  ]
  return (
    <>
      {sentences.map(
        sentence =>
          sentence !== false && (
            <p key={sentence} class="banner" role="status">
              {sentence}
            </p>
          ),
      )}
    </>
  )
}

const useAddress = (session: Session | null): [State, Pick<App, 'go' | 'home' | 'setHome'>] => {
  const [home, keepHome] = useState(() => startPageOf(session?.start_page))
  const [state, setState] = useState(() => readState(location.search, home))
  useEffect(() => {
    const read = (): void => setState(readState(location.search, home))
    addEventListener('popstate', read)
    return () => removeEventListener('popstate', read)
  }, [home])
  const show = (next: State, way: 'replaceState' | 'pushState', base: ViewName): void => {
    const address = withPlatform(writeState(next, base))
    if (address !== location.search)
      history[way](null, '', (address === '' ? location.pathname : address) + location.hash)
    setState(readState(location.search, base))
  }
  const go: App['go'] = (patch, replace = false) =>
    show({ ...readState(location.search, home), ...patch }, replace ? 'replaceState' : 'pushState', home)
  const setHome: App['setHome'] = async chosen => {
    await resource('/users/me', { method: 'PUT', body: { start_page: chosen } })
    keepHome(chosen)
    // The address names the same view as before.
    show(readState(location.search, home), 'replaceState', chosen)
  }
  return [state, { go, home, setHome }]
}

/** `wrong`: the requested days are not a range, or in the future. */
type Chosen = Pick<App, 'span'> & { period: string; wrong: boolean }

/** The requested days; by default the last 28, and on the very first day that day. */
const spanOf = (state: State, { today, weekStart }: Now, hour: number, firstDay: string | null): Chosen => {
  // Days in the future have no data.
  if (state.from !== null && state.to !== null && state.from <= today)
    return { span: { from: state.from, to: state.to > today ? today : state.to }, period: 'custom', wrong: false }
  const usual = firstDay === null || firstDay === today ? 'today' : '28d'
  const preset = presets.find(({ id }) => id === (state.period ?? usual)) ?? presets[0]
  const span = preset?.span({ today, weekStart, hour, first: firstDay ?? today }) ?? { from: today, to: today }
  const wrong = state.wrongDays || state.from !== null
  // Elsewhere days are whole.
  return span.from_hour === undefined || state.view === 'overview' || state.view === 'page'
    ? { span, period: preset?.id ?? usual, wrong }
    : { span: { from: span.from, to: span.to }, period: 'custom', wrong }
}

const comparisonOf = ({ compare, compareFrom, compareTo }: State): string | undefined =>
  compare === 'off' ? undefined : compare === 'custom' ? `${compareFrom}..${compareTo}` : compare

export type SiteProps = {
  session: Session | null
  shared: Shared | null
  start: Start
  t: Translate
  language: string
  setLanguage: (language: string) => void
  theme: Theme
  setTheme: (theme: Theme) => void
  onSessionExpired: () => void
  onForbidden: () => void
  onLeave: () => void
}

const View = ({ app, wrong }: { app: App; wrong: boolean }) => {
  const { t, state } = app
  if (state.view === 'settings') return <Settings />
  if (state.view === 'system') return <System />
  if (wrong && state.view !== 'realtime')
    return (
      <>
        <div class="bar">
          <DatePicker />
        </div>
        <WrongDays />
      </>
    )
  if (state.view === 'ask') return <Ask />
  if (state.view === 'revenue') return <Revenue />
  if (app.firstDay === null) return <FirstRun />
  if (state.view === 'realtime') return isKnown(app.live) ? <Realtime /> : <Loading />
  const page = state.view === 'page' ? pageOf(state.filters) : null
  const isRefused = Object.keys(app.refused).length > 0
  return (
    <>
      <div class="bar">
        <DatePicker />
        <AddFilter />
      </div>
      <Pills />
      <h2 class="visually-hidden">{[t(`view_${state.view}`), ...siteNames(app)].join(' · ')}</h2>
      {!isRefused && (state.view === 'sites' ? <Sites /> : page === null ? <Overview /> : <PageView page={page} />)}
    </>
  )
}

/** Leads keyboards past the top bar. No link: the fragment of the address may be a shared one. */
const SkipButton = () => {
  const { t } = useApp()
  return (
    <button type="button" class="skip" onClick={() => document.getElementById('content')?.focus()}>
      {t('skip')}
    </button>
  )
}

export const Site = ({
  session,
  shared,
  start,
  t,
  language,
  setLanguage,
  theme,
  setTheme,
  onSessionExpired,
  onForbidden,
  onLeave,
}: SiteProps) => {
  const [asked, navigation] = useAddress(session)
  const filtered = (shared?.filters.length ?? 0) > 0
  const manages = session?.capabilities.includes('manage_options') === true
  const [segments, goals] = [useSegments(shared), useGoals(shared)]
  const { live, firstDay, hosts, refreshTick, ...connection } = useLive(start, asked.view, filtered, {
    onSessionExpired,
    onForbidden,
  })
  // Until the hosts are known, as the address says.
  const hasSites = hosts === null ? asked.view === 'sites' : hosts.length > 1
  const views = viewsOf(shared, manages, session).filter(view => view !== 'sites' || hasSites)
  // Only the user's own views, whatever the address says.
  const foreign = foreignFilters(asked.filters, shared)
  const address = {
    ...asked,
    view: isOpen(asked.view, views) ? asked.view : (views[0] ?? 'overview'),
    filters: asked.filters.filter(filter => !foreign.includes(filter)),
  }
  const [help, setHelp] = useState(false)
  const [showsCommands, setShowsCommands] = useState(() => manages && recall('commands') === 'on')
  const today = live.meta.to
  const zone = live.meta.timezone
  const weekStart = start.week_start
  const hour = Number(clockIn(zone, live.meta.generated_at).slice(0, 2))
  const { span, period, wrong } = spanOf(address, { today, weekStart }, hour, firstDay)
  const possible = intervalsFor(span)
  const interval = possible.find(one => one === address.interval) ?? usualInterval(span)
  const f = useMemo(() => createFormat(localeFor(language, navigator.languages)), [language])
  const app: App = {
    state: { ...address, period },
    ...navigation,
    t,
    f,
    session,
    manages,
    money: seesMoney(session),
    shared,
    segments,
    goals,
    views,
    zone,
    today,
    weekStart,
    hour,
    hosts: hosts ?? [],
    firstDay,
    span,
    interval,
    compare: comparisonOf(address),
    live,
    refreshTick: span.to === today ? refreshTick : 0,
    ...connection,
    ...useRefused(address.filters),
    theme,
    setTheme,
    language,
    setLanguage,
    onSessionExpired,
    showsCommands,
    showCommands: shown => {
      remember('commands', shown ? 'on' : 'off')
      setShowsCommands(shown)
    },
    leave: () => void logOut().finally(onLeave),
  }
  useKeys(app, () => setHelp(true))
  useEffect(() => {
    document.title = [t(`view_${address.view}`), ...siteNames(app), 'Footfall'].join(' · ')
  }, [address.view, language, address.filters, hosts])
  return (
    <AppContext.Provider value={app}>
      <SkipButton />
      <TopBar help={() => setHelp(true)} />
      <div id="content" tabIndex={-1} />
      <main>
        <Notices foreign={foreign} />
        <View app={app} wrong={wrong} />
      </main>
      {address.details !== null && Object.keys(app.refused).length === 0 && <Details />}
      {address.event !== null && <EventDialog name={address.event} />}
      {address.paths !== null && <PathsDialog page={address.paths} />}
      {help && <KeysHelp close={() => setHelp(false)} />}
    </AppContext.Provider>
  )
}
