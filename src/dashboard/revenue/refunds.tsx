import { useApp } from '../app/app-context.ts'
import { write } from '../app/metrics.ts'
import { orderParams } from '../app/order-filters.ts'
import { useReport } from '../app/use-report.ts'
import { Chart } from '../parts/chart.tsx'
import { Explain } from '../parts/explain.tsx'
import { Empty, Loaded } from '../parts/status.tsx'

type RefundData = {
  trend: readonly {
    date?: string
    time?: string
    partial?: true
    refunds: number
    refund_total: number
    refund_rate: number | null
  }[]
  products: readonly { product_id: number; name: string; units: number; amount: number }[]
}

const figures = [
  { key: 'refunds', label: 'refunds' },
  { key: 'refund_total', label: 'refund_total' },
  { key: 'amount', label: 'products' },
] as const

/** Refunds by day, and the products with the most refunds. */
export const Refunds = () => {
  const app = useApp()
  const { t, f, span, interval } = app
  const params = { ...orderParams(app), ...span, interval }
  const report = useReport<RefundData>('/revenue/refunds', params)
  return (
    <section class="card panel" aria-labelledby="refunds">
      <h2 id="refunds">{t('refunds')}</h2>
      <Loaded state={report}>
        {({ data: { trend, products }, meta }) =>
          trend.every(({ refunds }) => refunds === 0) ? (
            <Empty why={t('empty_refunds')} />
          ) : (
            <>
              <Chart
                series={trend.map(({ refund_total, ...point }) => ({ ...point, value: refund_total }))}
                old={[]}
                name={t('refund_total')}
                kind="money"
                currency={meta.currency ?? null}
                height={160}
              >
                <Explain breakdown={{ path: '/revenue/refunds', columns: figures }} params={params} meta={meta} />
              </Chart>
              {products.length > 0 && (
                <table class="rows refunded">
                  <thead>
                    <tr>
                      <th scope="col">{t('products')}</th>
                      <th scope="col">{t('units')}</th>
                      <th scope="col">{t('refund_total')}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {products.map(({ product_id, name, units, amount }) => (
                      <tr key={product_id}>
                        <th scope="row">
                          <span class="row-name">
                            <span class="name">{name}</span>
                          </span>
                        </th>
                        <td>{f.count(units)}</td>
                        <td>{write(f, 'money', amount, meta.currency)}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              )}
            </>
          )
        }
      </Loaded>
    </section>
  )
}
