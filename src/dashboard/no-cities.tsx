import { useState } from 'preact/hooks'
import { resource } from './api.ts'
import { useApp } from './app-context.ts'
import { Empty, useSentence } from './parts.tsx'

type Fallback = { status: 'pending' | 'ready' | 'failed'; last_error: string | null }

/** Cities need a database of their own; a free one is a button away. */
export const NoCities = () => {
  const { t, shared } = useApp()
  const sentence = useSentence()
  const [told, setTold] = useState('')
  const fetchThem = (): void => {
    resource<Fallback>('/diagnostics/enable-fallback-city', { method: 'POST', body: {} }).then(
      ({ status, last_error }) =>
        setTold(
          status === 'failed' ? (last_error ?? t('failed')) : t(status === 'ready' ? 'cities_ready' : 'cities_pending'),
        ),
      (error: unknown) => setTold(sentence(error)),
    )
  }
  return (
    <Empty why={t('empty_cities')}>
      {shared === null && (
        <button type="button" onClick={fetchThem}>
          {t('fetch_cities')}
        </button>
      )}
      <p role="status">{told}</p>
    </Empty>
  )
}
