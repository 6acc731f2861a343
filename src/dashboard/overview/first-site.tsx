// The first thing that a new file needs to know: where the site is, and when its days begin.
import { useState } from 'preact/hooks'
import type { Site } from '../../endpoints/site.ts'
import { resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { useResource } from '../app/use-report.ts'
import { useAction } from '../parts/action.tsx'
import { Link } from '../parts/link.tsx'
import { zoneLabel, zonesWith } from '../parts/zones.ts'

const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

type ZoneProps = { zone: string; choose: (zone: string) => void }

const ZoneChoice = ({ zone, choose }: ZoneProps) => {
  const { t } = useApp()
  return (
    <label class="beside">
      {t('option_timezone')}
      <select value={zone} onChange={event => choose(event.currentTarget.value)}>
        {zonesWith(zone).map(one => (
          <option key={one} value={one}>
            {zoneLabel(one)}
          </option>
        ))}
      </select>
    </label>
  )
}

/** `asksZone`: nothing but the default says which zone it is. */
const SiteQuestion = ({ asksZone, done }: { asksZone: boolean; done: () => void }) => {
  const { t, zone } = useApp()
  const { busy, act, errorNote } = useAction()
  const [address, setAddress] = useState('')
  const [days, setDays] = useState(browserZone)
  const save = (event: Event): void => {
    event.preventDefault()
    const text = address.trim()
    const site_url = /^https?:/i.test(text) ? text : `https://${text}`
    act(async () => {
      await resource('/site', { method: 'PUT', body: { site_url, ...(asksZone && { timezone: days }) } })
      // Every day of the page is another in another zone.
      if (asksZone && days !== zone) location.reload()
      else done()
    })
  }
  return (
    <form onSubmit={save}>
      <p>{t('first_site')}</p>
      <div class="tools">
        <label class="beside">
          {t('option_site_url')}
          <input
            type="text"
            inputMode="url"
            required
            maxLength={2048}
            placeholder="https://www.example.org"
            value={address}
            onInput={event => setAddress(event.currentTarget.value)}
          />
        </label>
        {asksZone && <ZoneChoice zone={days} choose={setDays} />}
        <button type="submit" class="primary" disabled={busy}>
          {t('save')}
        </button>
      </div>
      {asksZone && (
        <p class="faint">{t(days === browserZone() ? 'first_zone' : 'first_zone_other', { zone: zoneLabel(days) })}</p>
      )}
      {errorNote}
    </form>
  )
}

/** A step of the first run. */
export const FirstSite = () => {
  const { t, zone, state } = useApp()
  const site = useResource('site', () => resource<Site>('/site'))
  const { site_url: url, timezone } = site.value?.options ?? {}
  if (url === undefined || timezone === undefined) return null
  return (
    <li>
      {url.from === 'default' ? (
        <SiteQuestion asksZone={timezone.from === 'default'} done={site.retry} />
      ) : (
        <p>
          {t('first_site_done', { host: new URL(String(url.value)).host, zone: zoneLabel(zone) })}{' '}
          <Link to={{ view: 'settings', tabs: { ...state.tabs, settings: 'site' } }}>{t('first_site_change')}</Link>
        </p>
      )}
    </li>
  )
}
