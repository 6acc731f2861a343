import type { Meta } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'

/** Which currency is shown, where orders of the period have several. */
export const CurrencySwitch = ({ meta: { currency, other_currencies: others = [] } }: { meta: Meta }) => {
  const { t, go } = useApp()
  if (currency === undefined || currency === null || others.length === 0) return null
  return (
    <p class="note currencies" role="group" aria-label={t('currency')}>
      {t('currency')}{' '}
      {[currency, ...others].sort().map(one => (
        <button key={one} type="button" aria-pressed={one === currency} onClick={() => go({ currency: one }, true)}>
          {one}
        </button>
      ))}{' '}
      {t('other_currencies', { names: others.join(', ') })}
    </p>
  )
}
