import { useApp } from '../app/app-context.ts'
import { notOfOrders } from '../app/order-filters.ts'
import { useWords } from '../parts/filters.tsx'

/** Which of the filters do not apply, because they are not known of orders. */
export const NotOfOrders = () => {
  const app = useApp()
  const { t, state, go } = app
  const words = useWords()
  const left = notOfOrders(app)
  if (left.length === 0) return null
  return (
    <p class="note unfiltered" role="note">
      {t('filters_not_of_orders', { filters: words(left) })}{' '}
      <button
        type="button"
        class="link"
        onClick={() => go({ filters: state.filters.filter(filter => !left.includes(filter)) })}
      >
        {t('remove_those')}
      </button>
    </p>
  )
}

const command = `FOOTFALL_WOOCOMMERCE_KEY=ck_… \\
  FOOTFALL_WOOCOMMERCE_SECRET=cs_… \\
  FOOTFALL_WOOCOMMERCE_WEBHOOK_SECRET=… \\
  footfall serve --woocommerce-url https://shop.example`

/** How a shop is connected. */
export const ShopCommand = () => <pre tabIndex={0}>{command}</pre>
