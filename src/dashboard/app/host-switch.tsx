import { useApp } from './app-context.ts'
import { currentHost, withHost } from './hosts.ts'

const SiteName = () => {
  const { hosts } = useApp()
  return hosts.length === 0 ? null : (
    <span class="site-name" title={hosts.join(', ')}>
      {hosts.join(', ')}
    </span>
  )
}

/** The name of the site; of several hosts one is chosen, which is the filter by host in the address. */
export const HostSwitch = () => {
  const app = useApp()
  const { t, state, hosts, shared, go } = app
  const host = currentHost(app)
  const isOther = host === null && state.filters.some(({ key }) => key === 'host')
  const isFixed = shared?.filters.some(({ key }) => key === 'host') === true
  if (hosts.length < 2 || isFixed) return <SiteName />
  if (['settings', 'system'].includes(state.view)) return null
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
      <option value="">{t('all_sites')}</option>
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
