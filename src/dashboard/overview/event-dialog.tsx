import { currencyCode } from '../../lib/money-text.ts'
import type { EventDetail } from '../../reports/of/events.ts'
import { useApp } from '../app/app-context.ts'
import type { Format } from '../app/format.ts'
import { write } from '../app/metrics.ts'
import { type Filter, type FilterKey, filterBy, filterParams } from '../app/url.ts'
import { useReport } from '../app/use-report.ts'
import { MakeGoal } from '../goals/make-goal.tsx'
import { Chart } from '../parts/chart.tsx'
import { Dialog } from '../parts/controls.tsx'
import { Explain } from '../parts/explain.tsx'
import { Loaded } from '../parts/status.tsx'
import { NoRows } from './no-rows.tsx'

const figures = (['total', 'visitors', 'sessions', 'value_sum'] as const).map(key => ({ key, label: key }))

/** The sum of the values, in money where all events name the same currency. */
const valueSum = (f: Format, { total, value_sum, properties }: EventDetail): string => {
  const [currency, ...others] = properties.find(({ key }) => key === 'currency')?.values ?? []
  const isMoney = currency?.total === total && others.length === 0 && currencyCode.test(currency.value)
  return isMoney ? write(f, 'money', value_sum, currency.value) : f.fine(value_sum)
}

type RankedProps = {
  title: string
  rows: readonly { name: string; total: number }[]
  /** What a click on a name does. */
  choose?: ((name: string) => void) | undefined
}

const Ranked = ({ title, rows, choose }: RankedProps) => {
  const { t, f } = useApp()
  const max = Math.max(1, ...rows.map(({ total }) => total))
  return (
    <table class="rows">
      <thead>
        <tr>
          <th scope="col">{title}</th>
          <th scope="col">{t('total')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, total }) => (
          <tr key={name}>
            <th scope="row" style={{ '--part': `${((total / max) * 100).toFixed(1)}%` }}>
              {choose === undefined ? (
                <span class="row-name">
                  <span class="name" title={name}>
                    {name}
                  </span>
                </span>
              ) : (
                <button
                  type="button"
                  class="row-name"
                  title={t('filter_by', { name: `${title}: ${name}` })}
                  onClick={() => choose(name)}
                >
                  <span class="name">{name}</span>
                </button>
              )}
            </th>
            <td>{f.count(total)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** One event, with the filters of the page: its series, its properties and its pages. */
export const EventDialog = ({ name }: { name: string }) => {
  const { t, f, state, go, span, shared, manages } = useApp()
  const path = `/events/${encodeURIComponent(name)}`
  const params = { ...filterParams(state.filters), ...span }
  const report = useReport<EventDetail>(path, params)
  const isFixed = (key: FilterKey): boolean => shared?.filters.some(fixed => fixed.key === key) === true
  /** Shows the sessions that hold the event with this value. */
  const show = (property: string, value: string): void => {
    const own: Filter[] = [filterBy('event', name), filterBy(`property.${property}`, value)]
    const others = state.filters.filter(({ key }) => own.every(one => one.key !== key))
    go({ event: null, filters: [...others, ...own.filter(({ key }) => !isFixed(key))] })
  }
  return (
    <Dialog id="event" title={name} close={() => go({ event: null })}>
      <Loaded state={report}>
        {({ data, meta }) => (
          <>
            <p class="faint">
              {f.span(span)} · {t('n_events', { n: data.total })} · {t('n_visitors', { n: data.visitors })}
              {data.value_sum === 0 ? '' : ` · ${t('value_sum')} ${valueSum(f, data)}`}{' '}
              {manages && <MakeGoal kind="event" name={name} />}
            </p>
            {data.total === 0 && <NoRows breakdown={{ empty: 'empty_range' }} />}
            {data.total > 0 && span.from !== span.to && (
              <Chart
                series={data.series.map(({ date, total }) => ({ date, value: total }))}
                old={[]}
                name={name}
                kind="count"
                by="day"
                height={140}
              />
            )}
            {data.total > 0 && data.properties.length === 0 && <p class="empty">{t('empty_properties')}</p>}
            {meta.properties_known_from != null && meta.properties_known_from > span.from && (
              <p class="faint">{t('properties_known_from', { day: f.day(meta.properties_known_from) })}</p>
            )}
            {data.properties.map(({ key, values }) => (
              <Ranked
                key={key}
                title={key}
                rows={values.map(({ value, total }) => ({ name: value, total }))}
                choose={isFixed(`property.${key}`) ? undefined : value => show(key, value)}
              />
            ))}
            {data.pages.length > 0 && (
              <Ranked title={t('top_pages')} rows={data.pages.map(({ page, total }) => ({ name: page, total }))} />
            )}
            <Explain breakdown={{ path, columns: figures }} params={params} meta={meta} />
          </>
        )}
      </Loaded>
    </Dialog>
  )
}
