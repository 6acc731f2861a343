import { useEffect, useState } from 'preact/hooks'
import type { Site } from '../../endpoints/site.ts'
import type { RefusalsData } from '../../reports/of/refusals.ts'
import type { Settings } from '../../settings/settings.ts'
import { report, resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { isHosted } from '../app/platform.ts'
import { useResource } from '../app/use-report.ts'
import { useAction } from '../parts/action.tsx'
import { Copy } from '../parts/controls.tsx'
import { LeftOut, useLeftOut } from '../parts/left-out.tsx'
import { Link } from '../parts/link.tsx'
import { useReasons } from './data-notes.tsx'
import { FirstSite } from './first-site.tsx'

/** The script element for the pages of the site, with this host. */
export const tagOf = (): string =>
  `<script defer src="${new URL('tracker.js', location.href.replace(/[?#].*/, '')).href}"></script>`

export const Tag = () => (
  <pre id="tag" tabIndex={0}>
    {tagOf()}
  </pre>
)

const pollInterval = 3000

/** Counts up while the page is visible. */
const usePulse = (): number => {
  const [count, setCount] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) setCount(before => before + 1)
    }, pollInterval)
    return () => clearInterval(timer)
  }, [])
  return count
}

/** A host that is not one of the site, with the button that makes it one. */
const AllowHost = ({ host }: { host: string }) => {
  const { t } = useApp()
  const { busy, act, errorNote } = useAction()
  const site = useResource('site', () => resource<Site>('/site'))
  const hosts = site.value?.options?.allowed_hosts
  const allowed = Array.isArray(hosts?.value) ? hosts.value : []
  const allow = (): void =>
    act(async () => {
      await resource('/site', { method: 'PUT', body: { allowed_hosts: [...allowed, host] } })
      site.retry()
    })
  return (
    <li>
      {t('first_host', { host })}{' '}
      {hosts !== undefined && hosts.from !== 'option' && !allowed.includes(host) && (
        <button type="button" disabled={busy} onClick={allow}>
          {t('first_allow', { host })}
        </button>
      )}
      {errorNote}
    </li>
  )
}

/** Why no visit was counted, as far as the service knows: counting is off, or hits were rejected. */
const Obstacles = () => {
  const { t, today } = useApp()
  const pulse = usePulse()
  const reasons = useReasons()
  const { busy, act, errorNote } = useAction()
  const settings = useResource(`settings ${pulse}`, () => resource<Settings>('/settings'))
  const refusals = useResource(
    `refusals ${pulse}`,
    async () => (await report<RefusalsData>('/refusals', { from: today, to: today })).data,
  )
  const { n, words } = reasons(refusals.value?.outcomes ?? [])
  const came = (outcome: string): boolean => refusals.value?.outcomes.some(one => one.outcome === outcome) === true
  const host = refusals.value?.foreign_hosts[0]?.host
  return (
    <>
      {settings.value?.tracking_enabled === false && (
        <div class="obstacle" role="alert">
          <p>{t('first_off')}</p>
          <button
            type="button"
            disabled={busy}
            onClick={() =>
              act(async () => {
                await resource('/settings', { method: 'PUT', body: { tracking_enabled: true } })
                settings.retry()
              })
            }
          >
            {t('first_turn_on')}
          </button>
          {errorNote}
        </div>
      )}
      {n > 0 && (
        <div class="obstacle" role="status">
          <p>{t('first_refused', { reasons: words })}</p>
          <ul>
            {host !== undefined && host !== '' && <AllowHost host={host} />}
            {came('excluded_role') && <li>{t('first_why_role')}</li>}
            {(came('gpc') || came('dnt') || came('excluded_ip') || came('no_consent')) && (
              <li>
                {t('first_settings')} <Link to={{ view: 'settings' }}>{t('view_settings')}</Link>
              </li>
            )}
          </ul>
        </div>
      )}
    </>
  )
}

/** Before the first visit: the script element to paste, and hints if nothing arrives. */
export const FirstRun = () => {
  const { t, manages } = useApp()
  const [leftOut, changeLeftOut] = useLeftOut()
  return (
    <section class="card first-run" aria-labelledby="first-run">
      <h2 id="first-run">{t('first_title')}</h2>
      <ol>
        {manages && !isHosted && <FirstSite />}
        {!isHosted && (
          <li>
            <p>{t('first_paste')}</p>
            <Tag />
            <Copy text={tagOf()} label={t('copy_tag')} />
          </li>
        )}
        <li>
          <p>{t('first_open')}</p>
        </li>
        <li>
          <p class="waiting" role="status">
            <i class="dot on pulse" aria-hidden="true" />
            {t('first_waiting')}
          </p>
        </li>
      </ol>
      {manages && <Obstacles />}
      {leftOut && (
        <p class="obstacle" role="status">
          <LeftOut undo={() => changeLeftOut(false)} />
        </p>
      )}
      <details>
        <summary>{t('first_nothing')}</summary>
        <ul>
          <li>{t('first_why_role')}</li>
          <li>{t('first_why_blocker')}</li>
          <li>{t('first_why_host')}</li>
          <li>{t('first_why_signals')}</li>
        </ul>
      </details>
    </section>
  )
}
