import { Failure, type Meta } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { type Kind, write, writeShort } from '../app/metrics.ts'
import { orderParams } from '../app/order-filters.ts'
import { isHosted } from '../app/platform.ts'
import type { TextKey } from '../app/texts.ts'
import { useReport } from '../app/use-report.ts'
import { useComparison } from '../overview/comparison.ts'
import { Panel } from '../overview/panel.tsx'
import { AddFilter } from '../parts/add-filter.tsx'
import { Change, ComparedWith, Difference, NotCompared } from '../parts/change.tsx'
import { Chart, IntervalChoice } from '../parts/chart.tsx'
import type { Point } from '../parts/compared-series.ts'
import { DatePicker } from '../parts/date-picker.tsx'
import { Explain } from '../parts/explain.tsx'
import { Pills } from '../parts/pills.tsx'
import { Empty, Loaded } from '../parts/status.tsx'
import { FunnelCard } from './funnel.tsx'
import { NotOfOrders, ShopCommand } from './notes.tsx'
import { Refunds } from './refunds.tsx'
import { ShopMatch } from './shop-match.tsx'
import { ShopState, type ShopStatus } from './shop-state.tsx'

/** Which currency is shown, where orders of the period have several. */
const CurrencySwitch = ({ meta: { currency, other_currencies: others = [] } }: { meta: Meta }) => {
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

type Totals = Readonly<Record<string, number | null>>
type Summary = Readonly<Record<TileId, number | null>> & { previous?: { totals: Totals }; change?: Totals }

type TileId = 'net_revenue' | 'orders' | 'average_order_value' | 'gross_revenue' | 'refund_rate' | 'tax_and_shipping'

/** `sum`: it grows with the number of days. */
const tiles: readonly { id: TileId; kind: Kind; sum?: true; lowerIsBetter?: true }[] = [
  { id: 'net_revenue', kind: 'money', sum: true },
  { id: 'orders', kind: 'count', sum: true },
  { id: 'average_order_value', kind: 'money' },
  { id: 'gross_revenue', kind: 'money', sum: true },
  { id: 'refund_rate', kind: 'percent', lowerIsBetter: true },
  { id: 'tax_and_shipping', kind: 'money', sum: true },
]

type Day = { date?: string; time?: string; orders: number; revenue: number; gross_revenue: number }
/** The key of the time series that a tile shows; the other tiles have none. */
const seriesKeys: Readonly<Record<string, keyof Omit<Day, 'date' | 'time'>>> = {
  net_revenue: 'revenue',
  orders: 'orders',
  gross_revenue: 'gross_revenue',
}

type TileProps = { tile: (typeof tiles)[number]; data: Summary; metric: string; meta: Meta }

/** A key figure; a button where the chart can show it. */
const TileView = ({ tile: { id, kind, sum, lowerIsBetter }, data, metric, meta }: TileProps) => {
  const { t, f, go } = useApp()
  const comparison = useComparison(meta)
  const value = data[id]
  const before = comparison === null ? null : data.previous?.totals[id]
  const lengths = sum === true ? comparison?.lengths : null
  const content = (
    <>
      <span class="kpi-label">{t(id)}</span>
      <span class="kpi-value" title={write(f, kind, value, meta.currency)}>
        {writeShort(f, kind, value, meta.currency)}
      </span>
      <span class="kpi-change">
        <Change
          now={value}
          before={before}
          lengths={lengths}
          change={data.change?.[id]}
          lowerIsBetter={lowerIsBetter === true}
          unfair={comparison?.unfair === true}
        />
        <Difference now={value} before={before} lengths={lengths} kind={kind} currency={meta.currency ?? null} />
      </span>
    </>
  )
  return id in seriesKeys ? (
    <button
      type="button"
      class="kpi"
      aria-pressed={id === metric}
      title={meta.definitions[id]?.text}
      onClick={() => go({ metric: id }, true)}
    >
      {content}
    </button>
  ) : (
    <div class="kpi" title={meta.definitions[id]?.text}>
      {content}
    </div>
  )
}

const hour = 3_600_000

/** Leaves out the value of the point that the comparison cuts: the whole of it would be too much. */
const untilCut = (points: readonly Point[], until: string | null): Point[] =>
  points.map((point, index) => {
    const ends =
      point.time === undefined
        ? index === points.length - 1
        : until !== null && Date.parse(point.time) + hour > Date.parse(until)
    return until !== null && ends ? { ...point, value: null } : point
  })

const Figures = () => {
  const app = useApp()
  const { t, state, span, compare, interval } = app
  const filters = orderParams(app)
  const report = useReport<Summary>('/revenue/summary', { ...filters, ...span, compare })
  const comparison = useComparison(report.result?.meta)
  const currency = report.result?.meta.currency ?? undefined
  const series = useReport<Day[]>('/revenue/timeseries', { ...filters, ...span, interval })
  const previousSeries = useReport<Day[]>(comparison === null ? null : '/revenue/timeseries', {
    ...filters,
    ...comparison?.span,
    interval,
    currency,
  })
  const metric = state.metric !== null && state.metric in seriesKeys ? state.metric : 'net_revenue'
  const key = seriesKeys[metric] ?? 'revenue'
  const points = (days: readonly Day[] | undefined): Point[] =>
    days?.map(({ [key]: value, date, time }) => ({
      ...(date !== undefined && { date }),
      ...(time !== undefined && { time }),
      value,
    })) ?? []
  return (
    <section class="card" aria-label={t('key_figures')}>
      <Loaded state={report}>
        {({ data, meta }) => (
          <>
            <div class="kpis" role="group" aria-label={t('key_figures')}>
              {tiles.map(tile => (
                <TileView key={tile.id} tile={tile} data={data} metric={metric} meta={meta} />
              ))}
            </div>
            {comparison !== null && <ComparedWith comparison={comparison} />}
            <NotCompared meta={meta} />
            <CurrencySwitch meta={meta} />
            <Loaded state={series}>
              {({ data: days }) =>
                data.orders === 0 && (data.previous?.totals.orders ?? 0) === 0 ? (
                  <Empty why={t('empty_orders')} />
                ) : (
                  <Chart
                    series={points(days)}
                    old={untilCut(points(previousSeries.result?.data), comparison?.until ?? null)}
                    name={t(metric as TextKey)}
                    kind={key === 'orders' ? 'count' : 'money'}
                    currency={meta.currency ?? null}
                    choosable
                  >
                    <Explain
                      breakdown={{ path: '/revenue/summary', columns: tiles.map(({ id }) => ({ key: id, label: id })) }}
                      params={{ ...filters, ...span }}
                      meta={meta}
                    />
                    <IntervalChoice />
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

/** The revenue view; without a shop, how to connect one. */
export const Revenue = () => {
  const { t, refused } = useApp()
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
              <AddFilter />
            </div>
            <Pills />
            <NotOfOrders />
            {Object.keys(refused).length === 0 && (
              <>
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
              </>
            )}
            {data.api_connected === true && <ShopMatch changed={report.retry} />}
            <ShopState status={data} changed={report.retry} />
          </div>
        ) : (
          <section class="card first-run">
            <h2>{t('no_shop')}</h2>
            {isHosted ? (
              <p>{t('no_shop_hosted')}</p>
            ) : (
              <>
                <p>{t('no_shop_how')}</p>
                <ShopCommand />
                <p class="faint">{t('no_shop_also')}</p>
              </>
            )}
          </section>
        )
      }
    </Loaded>
  )
}
