// Links and codes by which the operator's own devices are left out of the figures.
import type { Site } from '../../endpoints/site.ts'
import { resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { useResource } from '../app/use-report.ts'
import { Copy } from '../parts/controls.tsx'
import { useLeftOut } from '../parts/left-out.tsx'
import { QrCode } from '../parts/qr-code.tsx'
import { ErrorMessage } from '../parts/status.tsx'

const Host = ({ url }: { url: string }) => {
  const { t } = useApp()
  const { host } = new URL(url)
  const out = `${url}#footfall=out`
  return (
    <li>
      <QrCode text={out} label={t('leave_out_code', { host })} />
      <b>{host}</b>
      <a href={out} target="_blank" rel="noreferrer">
        {t('leave_out_link')}
        <span class="visually-hidden">: {host}</span>
      </a>
      <a href={`${url}#footfall=in`} target="_blank" rel="noreferrer">
        {t('leave_out_undo')}
        <span class="visually-hidden">: {host}</span>
      </a>
      <Copy text={out} label={t('leave_out_copy')} />
    </li>
  )
}

/** The state of this device, if the dashboard is at an address of the site: other origins cannot be asked. */
const ThisDevice = ({ urls }: { urls: readonly string[] }) => {
  const { t } = useApp()
  const [out, change] = useLeftOut()
  const isOwn = urls.some(url => new URL(url).origin === location.origin)
  return isOwn || out ? (
    <p class="tools">
      <span role="status">{t(out ? 'device_out' : 'device_not_out')}</span>
      <button type="button" onClick={() => change(!out)}>
        {t(out ? 'device_count' : 'device_leave_out')}
      </button>
    </p>
  ) : null
}

export const LeaveOut = () => {
  const { t } = useApp()
  const site = useResource('site', () => resource<Site>('/site'))
  const urls = site.value?.urls ?? []
  return (
    <section class="card leave-out" aria-labelledby="leave-out">
      <h2 id="leave-out">{t('leave_out')}</h2>
      <p class="faint">{t('leave_out_about')}</p>
      {site.error !== null && <ErrorMessage error={site.error} retry={site.retry} />}
      {site.value !== null && <ThisDevice urls={urls} />}
      {site.value !== null && urls.length === 0 && <p class="faint">{t('leave_out_no_site')}</p>}
      <ul>
        {urls.map(url => (
          <Host key={url} url={url} />
        ))}
      </ul>
    </section>
  )
}
