import { useApp } from '../app/app-context.ts'
import { Change, ComparedWith, Difference } from '../parts/change.tsx'
import { Chart } from '../parts/chart.tsx'
import type { Point } from '../parts/compared-series.ts'
import { Explain } from '../parts/explain.tsx'
import { IntervalChoice } from '../parts/interval-choice.tsx'
import { write, type Kind } from '../app/metrics.ts'
import { Panel } from '../overview/panel.tsx'
import { Empty, Loaded } from '../parts/status.tsx'
import { Funnel, type FunnelData } from './funnel.tsx'
import { Refunds } from './refunds.tsx'
import { ShopState, type ShopStatus } from './shop-state.tsx'
import type { TextKey } from '../app/texts.ts'
import { useReport } from '../app/use-report.ts'
import { DatePicker } from '../parts/date-picker.tsx'
import { Unfiltered } from '../parts/filters.tsx'
import { Failure } from '../app/api.ts'

type Totals = Readonly<Record<string, number | null>>

const tiles: readonly { id: TextKey; kind: Kind; lowerIsBetter?: true }[] = [
  { id: 'net_revenue', kind: 'money' },
  { id: 'orders', kind: 'count' },
  { id: 'average_order_value', kind: 'money' },
  { id: 'gross_revenue', kind: 'money' },
  { id: 'refund_rate', kind: 'percent', lowerIsBetter: true },
  { id: 'tax_and_shipping', kind: 'money' },
]

type Day = { date: string; orders: number; revenue: number; gross_revenue: number }
/** Which key of the series a tile shows; the others have no course of their own. */
const courses: Readonly<Record<string, keyof Omit<Day, 'date'>>> = {
  net_revenue: 'revenue',
  orders: 'orders',
  gross_revenue: 'gross_revenue',
}

const Figures = () => {
  const { t, f, state, go, span, before, interval } = useApp()
  const report = useReport<Totals>('/revenue/summary', { ...span })
  const currency = report.result?.meta.currency ?? undefined
  const was = useReport<Totals>(before === null || currency === undefined ? null : '/revenue/summary', {
    ...before,
    currency,
  })
  const fine = interval === 'hour' ? 'day' : interval
  const course = useReport<Day[]>('/revenue/timeseries', { ...span, interval: fine })
  const old = useReport<Day[]>(before === null || currency === undefined ? null : '/revenue/timeseries', {
    ...before,
    interval: fine,
    currency,
  })
  const metric = state.metric !== null && state.metric in courses ? state.metric : 'net_revenue'
  const key = courses[metric] ?? 'revenue'
  const points = (days: readonly Day[] | undefined): Point[] =>
    days?.map(day => ({ date: day.date, value: day[key] })) ?? []
  return (
    <section class="card" aria-label={t('key_figures')}>
      <Loaded state={report}>
        {({ data, meta }) => (
          <>
            <div class="kpis" role="group" aria-label={t('key_figures')}>
              {tiles.map(({ id, kind, lowerIsBetter }) => {
                const content = (
                  <>
                    <span class="kpi-label">{t(id)}</span>
                    <span class="kpi-value">{write(f, kind, data[id], meta.currency)}</span>
                    <span class="kpi-change">
                      <Change
                        now={data[id]}
                        before={was.result?.data[id]}
                        lowerIsBetter={lowerIsBetter === true}
                        whole
                      />
                      <Difference
                        now={data[id]}
                        before={was.result?.data[id]}
                        kind={kind}
                        currency={meta.currency ?? null}
                      />
                    </span>
                  </>
                )
                return id in courses ? (
                  <button
                    type="button"
                    key={id}
                    class="kpi"
                    aria-pressed={id === metric}
                    title={meta.definitions[id]?.text}
                    onClick={() => go({ metric: id }, true)}
                  >
                    {content}
                  </button>
                ) : (
                  <div key={id} class="kpi" title={meta.definitions[id]?.text}>
                    {content}
                  </div>
                )
              })}
            </div>
            {before !== null && <ComparedWith until={null} />}
            {(meta.other_currencies?.length ?? 0) > 0 && (
              <p class="note">{t('other_currencies', { names: meta.other_currencies?.join(', ') ?? '' })}</p>
            )}
            <Loaded state={course}>
              {({ data: days }) =>
                data.orders === 0 && (was.result?.data.orders ?? 0) === 0 ? (
                  <Empty why={t('empty_orders')} />
                ) : (
                  <Chart
                    series={points(days)}
                    old={points(old.result?.data)}
                    name={t(metric as TextKey)}
                    kind={key === 'orders' ? 'count' : 'money'}
                    currency={meta.currency ?? null}
                    by={fine}
                  >
                    <Explain
                      breakdown={{ path: '/revenue/summary', columns: tiles.map(({ id }) => ({ key: id, label: id })) }}
                      params={{ ...span }}
                      meta={meta}
                    />
                    <IntervalChoice but="hour" />
                  </Chart>
                )
              }
            </Loaded>
          </>
        )}
      </Loaded>
    </section>
  )
}

const funnelFigures = [
  { key: 'sessions', label: 'sessions' },
  { key: 'step_rate', label: 'step' },
  { key: 'overall_conversion', label: 'conversion' },
] as const

const FunnelCard = () => {
  const { t, span } = useApp()
  const report = useReport<FunnelData>('/revenue/funnel', { ...span })
  return (
    <section class="card" aria-labelledby="funnel">
      <h2 id="funnel">{t('funnel')}</h2>
      <Loaded state={report}>
        {({ data, meta }) => (
          <>
            <Funnel data={data} />
            <Explain breakdown={{ path: '/revenue/funnel', columns: funnelFigures }} params={{ ...span }} meta={meta} />
          </>
        )}
      </Loaded>
    </section>
  )
}

/** What the visits earned; where no shop is connected, why this is empty and what to do. */
export const Revenue = () => {
  const { t } = useApp()
  const report = useReport<ShopStatus>('/revenue/wc-status')
  if (report.error instanceof Failure && report.error.status === 404)
    return (
      <section class="card">
        <h2>{t('view_revenue')}</h2>
        <Empty why={t('no_revenue')} />
      </section>
    )
  return (
    <Loaded state={report}>
      {({ data }) =>
        data.woocommerce_active ? (
          <div class="stack">
            <div class="bar">
              <DatePicker />
            </div>
            <Unfiltered why="filters_not_here" />
            <Figures />
            <div class="grid">
              <Panel
                panel="origins"
                title={t('origins')}
                tabs={['order_channels', 'order_campaigns', 'landing_pages']}
              />
              <Panel panel="goods" title={t('goods')} tabs={['products', 'coupons']} />
              <FunnelCard />
              <Refunds />
            </div>
            <ShopState status={data} changed={report.retry} />
          </div>
        ) : (
          <section class="card first-run">
            <h2>{t('no_shop')}</h2>
            <p>{t('no_shop_how')}</p>
            <pre tabIndex={0}>{shopCommand}</pre>
            <p class="faint">{t('no_shop_also')}</p>
          </section>
        )
      }
    </Loaded>
  )
}

const shopCommand = `FOOTFALL_WOOCOMMERCE_KEY=ck_… FOOTFALL_WOOCOMMERCE_SECRET=cs_… FOOTFALL_WOOCOMMERCE_WEBHOOK_SECRET=… \\
  footfall serve --woocommerce-url https://shop.example`
