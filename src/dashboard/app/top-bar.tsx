import { useEffect, useRef } from 'preact/hooks'
import { startPageOf, startPages } from '../../identity/start-pages.ts'
import { useAction } from '../parts/action.tsx'
import { LanguageField } from '../parts/language-field.tsx'
import { Link } from '../parts/link.tsx'
import { Menu } from '../parts/menu.tsx'
import { type Theme, useApp } from './app-context.ts'
import { currentHost, withHost } from './hosts.ts'
import { isKnown } from './live.ts'

const SiteName = () => {
  const { hosts, session } = useApp()
  const list = hosts.join(', ')
  const name = session?.site_name ?? list
  return name === '' ? null : (
    <span class="site-name" title={list}>
      {name}
    </span>
  )
}

/** The name of the site; of several hosts one is chosen, which is the filter by host in the address. */
const HostSwitch = () => {
  const app = useApp()
  const { t, state, hosts, shared, session, go } = app
  const host = currentHost(app)
  const isOther = host === null && state.filters.some(({ key }) => key === 'host')
  const isFixed = shared?.filters.some(({ key }) => key === 'host') === true
  if (hosts.length < 2 || isFixed) return <SiteName />
  if (['sites', 'settings', 'system'].includes(state.view)) return null
  return (
    <select
      id="host"
      class="host-switch"
      aria-label={t('site_choice')}
      value={isOther ? 'other' : (host ?? '')}
      onChange={({ currentTarget: { value } }) =>
        go({ filters: withHost(state.filters, value === '' ? null : value), at: 0 })
      }
    >
      <option value="">{[session?.site_name ?? [], t('all_sites')].flat().join(' · ')}</option>
      {isOther && (
        <option value="other" disabled>
          …
        </option>
      )}
      {hosts.map(name => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  )
}

const themes: readonly Theme[] = ['system', 'light', 'dark']

/** Language, theme, keyboard help and log-out. */
const Options = ({ help, print }: { help: () => void; print: () => void }) => {
  const { t, session, shared, views, home, setHome, theme, setTheme, language, setLanguage, leave } = useApp()
  const { busy, act, errorNote } = useAction()
  const choose = (name: string): void => act(() => setHome(startPageOf(name)))
  // Credentials that a proxy adds cannot be left here.
  const hasCookie = session !== null && session.nonce !== null
  return (
    <div class="options">
      <p class="faint">
        {session === null ? t('shared_as', { name: shared?.name ?? '' }) : t('logged_in_as', { name: session.login })}
      </p>
      <LanguageField label={t('language')} value={language} choose={setLanguage} />
      <label>
        {t('theme')}
        <select
          value={theme}
          onChange={event => setTheme(themes.find(one => one === event.currentTarget.value) ?? 'system')}
        >
          {themes.map(one => (
            <option key={one} value={one}>
              {t(`theme_${one}`)}
            </option>
          ))}
        </select>
      </label>
      {hasCookie && (
        <label>
          {t('start_page')}
          <select
            value={views.includes(home) ? home : views[0]}
            disabled={busy}
            onChange={event => choose(event.currentTarget.value)}
          >
            {startPages
              .filter(one => views.includes(one))
              .map(one => (
                <option key={one} value={one}>
                  {t(`view_${one}`)}
                </option>
              ))}
          </select>
        </label>
      )}
      {errorNote}
      <button type="button" onClick={help}>
        {t('keyboard')} <kbd>?</kbd>
      </button>
      <button type="button" onClick={print}>
        {t('print')}
      </button>
      {hasCookie && (
        <button type="button" onClick={leave}>
          {t('log_out')}
        </button>
      )}
    </div>
  )
}

/** The name, the views, the visitors online, and the options. */
export const TopBar = ({ help }: { help: () => void }) => {
  const { t, f, state, views, go, live, shared } = useApp()
  const { settings: _, ...tabs } = state.tabs
  const active = live.data.active_visitors
  const nav = useRef<HTMLElement>(null)
  useEffect(
    () => nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' }),
    [state.view],
  )
  return (
    <header class="top">
      <div class="top-inner">
        <h1>Footfall</h1>
        <HostSwitch />
        {shared !== null && <span class="badge">{t('read_only')}</span>}
        {live.meta.demo !== undefined && (
          <span class="badge" title={t('demo_data', { span: f.span(live.meta.demo) })}>
            {t('demo')}
          </span>
        )}
        <nav ref={nav} aria-label={t('navigation')}>
          {views.map(view => (
            <Link
              key={view}
              to={{
                ...{ view, tabs, details: null, event: null, ask: null, search: '', metric: null, sort: null },
                ...(view === 'sites' && { filters: withHost(state.filters, null) }),
              }}
              current={(state.view === 'page' ? 'overview' : state.view) === view}
            >
              {t(`view_${view}`)}
            </Link>
          ))}
        </nav>
        {views.includes('realtime') && (
          <button type="button" class="live" onClick={() => go({ view: 'realtime' })} title={t('live_help')}>
            <i class={active > 0 ? 'dot on' : 'dot'} aria-hidden="true" />
            {isKnown(live) && (
              <span>
                <b id="live-count">{f.count(active)}</b> <span class="live-words">{t('now_here', { n: active })}</span>
              </span>
            )}
          </button>
        )}
        <Menu id="options" name={t('options')} label={<span aria-hidden="true">☰</span>}>
          {close => (
            <Options
              help={() => {
                close()
                help()
              }}
              print={() => {
                close()
                setTimeout(() => window.print())
              }}
            />
          )}
        </Menu>
      </div>
    </header>
  )
}
