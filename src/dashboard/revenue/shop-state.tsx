import { useState } from 'preact/hooks'
import { resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { isHosted, platformShop } from '../app/platform.ts'
import { usePolling } from '../app/use-report.ts'
import { Facts } from '../parts/figures.tsx'
import { useSentence } from '../parts/status.tsx'
import { ShopCommand } from './notes.tsx'

export type ShopStatus = {
  woocommerce_active: boolean
  api_connected: boolean | null
  woocommerce_version: string | null
  hpos_enabled: boolean | null
  attribution_enabled: boolean | null
  webhook: { last_received_at: string | null; rejected: number }
  backfill: {
    state: string
    total: number | null
    processed: number
    refunds: number
    started_at: string | null
    finished_at: string | null
    last_error: string | null
    orders_in_shop: number | null
    orders_stored: number
  }
}

/** The connection to the shop, and the import of past orders: progress, start and cancel. */
export const ShopState = ({
  status: { api_connected, woocommerce_version, webhook, backfill },
  changed,
}: {
  status: ShopStatus
  changed: () => void
}) => {
  const { t, f, zone, manages } = useApp()
  const sentence = useSentence()
  const [problem, setProblem] = useState('')
  const running = backfill.state === 'running' || backfill.state === 'pending'
  const canImport = platformShop || api_connected === true
  usePolling(running, backfill, changed, 2000)
  const order = (body: object): void => {
    setProblem('')
    resource('/revenue/backfill', { method: 'POST', body }).then(changed, (error: unknown) =>
      setProblem(sentence(error)),
    )
  }
  const facts = [
    { label: t('orders_stored'), value: f.count(backfill.orders_stored) },
    { label: 'WooCommerce', value: woocommerce_version ?? t('unknown') },
    ...(platformShop
      ? [{ label: t('shop_connection'), value: t('shop_by_wordpress') }]
      : [
          {
            label: t('webhook_last'),
            value: webhook.last_received_at === null ? t('never') : f.moment(webhook.last_received_at, zone),
          },
          { label: t('webhook_rejected'), value: f.count(webhook.rejected) },
        ]),
    { label: t('backfill'), value: t.maybe(`backfill_${backfill.state}`, backfill.state) },
  ]
  return (
    <section class="card" aria-labelledby="shop">
      <h2 id="shop">{t('shop')}</h2>
      <Facts facts={facts} />
      {running && (
        <p class="progress">
          <progress
            max={backfill.total ?? undefined}
            value={backfill.total === null ? undefined : backfill.processed}
            aria-label={t('backfill')}
          />{' '}
          {f.count(backfill.processed)}
          {backfill.total === null ? '' : ` / ${f.count(backfill.total)}`}
        </p>
      )}
      {backfill.last_error !== null && <p class="bad">{backfill.last_error}</p>}
      {problem !== '' && (
        <p class="bad" role="alert">
          {problem}
        </p>
      )}
      {manages && !canImport && !isHosted && (
        <>
          <p class="note">{t('backfill_needs_api')}</p>
          <ShopCommand />
        </>
      )}
      {manages && canImport && (
        <p>
          <button type="button" onClick={() => order(running ? { cancel: true } : {})}>
            {t(running ? 'backfill_cancel' : 'backfill_start')}
          </button>
        </p>
      )}
    </section>
  )
}
