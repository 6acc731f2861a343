import { useState } from 'preact/hooks'
import { type Meta, resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { Empty, useSentence } from '../parts/status.tsx'
import type { Breakdown } from './breakdown.ts'

type Fallback = { status: 'pending' | 'ready' | 'failed'; last_error: string | null }

/** Cities need a database of their own; a button downloads the free one. */
const NoCities = () => {
  const { t, manages } = useApp()
  const sentence = useSentence()
  const [message, setMessage] = useState('')
  const download = (): void => {
    resource<Fallback>('/diagnostics/enable-fallback-city', { method: 'POST', body: {} }).then(
      ({ status, last_error }) =>
        setMessage(
          status === 'failed' ? (last_error ?? t('failed')) : t(status === 'ready' ? 'cities_ready' : 'cities_pending'),
        ),
      (error: unknown) => setMessage(sentence(error)),
    )
  }
  return (
    <Empty why={t('empty_cities')}>
      {manages && (
        <button type="button" onClick={download}>
          {t('fetch_cities')}
        </button>
      )}
      <p role="status">{message}</p>
    </Empty>
  )
}

type NoRowsProps = {
  breakdown: Pick<Breakdown, 'empty'>
  /** Filter values that nothing has, with the nearest ones that something has. */
  unmatched?: Meta['unmatched']
}

/** Why a table is empty, and what to do. */
export const NoRows = ({ breakdown, unmatched = [] }: NoRowsProps) => {
  const { t, f, state, go, span, firstDay } = useApp()
  if (state.filters.length > 0 && breakdown.empty !== 'empty_orders')
    return (
      <Empty why={t('empty_filters')}>
        {unmatched.map(({ key, value, nearest }) => (
          <p key={`${key} ${value}`}>
            {t('unmatched', { value })} {nearest.length > 0 && t('nearest_values', { names: nearest.join(', ') })}
          </p>
        ))}
        <button type="button" onClick={() => go({ filters: [] })}>
          {t('remove_filters')}
        </button>
      </Empty>
    )
  if (breakdown.empty === 'empty_cities') return <NoCities />
  if (breakdown.empty !== 'empty_range') return <Empty why={t(breakdown.empty)} />
  return (
    <Empty why={t('empty_range', { span: f.span(span) })}>
      {firstDay !== null && (
        <button type="button" onClick={() => go({ period: 'all', from: null, to: null })}>
          {t('show_all')}
        </button>
      )}
    </Empty>
  )
}
