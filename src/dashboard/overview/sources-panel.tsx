// Where visits came from; what only a referrer names may be spam.
import { useApp } from '../app/app-context.ts'
import { Link } from '../parts/link.tsx'
import { type Row, text } from './breakdown.ts'
import { Panel } from './panel.tsx'

/** The host of a row of sources that only a referrer names; sources with a name of their own are no spam. */
const referrerOf = (row: Row): string | null => {
  const host = text(row, 'domain') ?? text(row, 'source') ?? ''
  return text(row, 'channel') === 'Referral' && /^[^\s.]+(?:\.[^\s.]+)+$/.test(host) ? host : null
}

/** Leads to erasing a referrer, and to refusing it from then on. */
const SpamLink = ({ name }: { name: string }) => {
  const { t, state } = useApp()
  const label = t('is_spam', { name })
  return (
    <Link
      class="about-page"
      to={{ view: 'settings', tabs: { ...state.tabs, settings: 'privacy' }, search: name }}
      title={label}
    >
      <span aria-hidden="true">⊘</span>
      <span class="visually-hidden">{label}</span>
    </Link>
  )
}

export const SourcesPanel = () => {
  const { t, state, manages } = useApp()
  const cell = (row: Row) => {
    const name = referrerOf(row)
    return name === null ? null : <SpamLink name={name} />
  }
  return (
    <Panel
      panel="sources"
      title={t('sources')}
      tabs={['channel', 'source', 'utm_campaign', 'utm_source', 'utm_medium']}
      extra={manages && state.tabs.sources === 'source' ? { label: 'erase', narrow: true, cell } : undefined}
    />
  )
}
