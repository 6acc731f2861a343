import { channels } from '../../channel/channels.ts'
import type { FunnelAnswer } from '../../endpoints/funnels.ts'
import { resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { notOfOrders, orderParams } from '../app/order-filters.ts'
import { useReport } from '../app/use-report.ts'
import { useAction } from '../parts/action.tsx'
import { Explain } from '../parts/explain.tsx'
import { Empty, Loaded } from '../parts/status.tsx'

export type FunnelData = {
  stages: readonly { stage: string; sessions: number }[]
  orders_without_visit: number
}

/** The part as a rate; empty where events are missing and the part is larger than the whole. */
const rateOf = (part: number, whole: number | undefined, write: (rate: number) => string): string =>
  whole === undefined || whole === 0 || part > whole ? '' : write(part / whole)

/** The stages to a purchase as bars: each relative to the largest stage; orders without a recorded visit are apart. */
export const Funnel = ({ data: { stages: counted, orders_without_visit: apart } }: { data: FunnelData }) => {
  const { t, f } = useApp()
  const stages = counted.map(({ stage, sessions }) => ({
    stage,
    sessions: stage === 'purchase' ? sessions - apart : sessions,
  }))
  const max = Math.max(...stages.map(({ sessions }) => sessions))
  if (max + apart <= 0) return <Empty why={t('empty_funnel')} />
  // The rate is that of the largest stage; of purchases themselves there is nothing to say.
  const largest = stages.find(({ sessions }) => sessions === max)?.stage
  const conversion = rateOf(stages.at(-1)?.sessions ?? 0, max, rate =>
    t.maybe(`conversion_of_${largest}`, '', { rate: f.percent(rate) }),
  )
  return (
    <div class="funnel">
      <ol>
        {stages.map(({ stage, sessions }, index) => {
          const next = stages[index + 1]?.sessions
          const left = next === undefined ? 0 : sessions - next
          return (
            <li key={stage}>
              <span class="funnel-name">{t.maybe(`stage_${stage}`, stage)}</span>
              <span class="funnel-bar" style={{ '--part': `${((sessions / Math.max(1, max)) * 100).toFixed(1)}%` }}>
                <b>{f.count(sessions)}</b>
                <span class="visually-hidden"> {rateOf(sessions, max, f.percent)}</span>
              </span>
              {left > 0 && (
                <span class="faint funnel-left">{t('left_here', { n: left, rate: f.percent(left / sessions) })}</span>
              )}
            </li>
          )
        })}
      </ol>
      {apart > 0 && <p class="note">{t('orders_without_visit', { n: apart })}</p>}
      <p class="note">{conversion}</p>
    </div>
  )
}

const figures = [
  { key: 'sessions', label: 'sessions' },
  { key: 'step_rate', label: 'step' },
  { key: 'overall_conversion', label: 'conversion' },
  { key: 'orders_without_visit', label: 'without_visit' },
] as const

/** The stages as steps of a saved funnel, which counts the visits that made them one after the other. */
const steps = ['product_view', 'add_to_cart', 'checkout_start', 'purchase'].map(pattern => ({
  kind: 'event' as const,
  pattern,
}))

const OpenFunnel = () => {
  const { t, state, go, goals, manages } = useApp()
  const { busy, act, errorNote } = useAction()
  const own = goals.funnels.find(
    funnel =>
      funnel.steps.length === steps.length &&
      steps.every(({ kind, pattern }, index) => {
        const step = funnel.steps[index]
        return step?.kind === kind && step.pattern === pattern
      }),
  )
  const open = ({ id }: { id: number }): void =>
    go({ view: 'overview', tabs: { ...state.tabs, events: 'funnels', funnels: String(id) } })
  const save = (): void =>
    act(async () => {
      const made = await resource<FunnelAnswer>('/funnels', { method: 'POST', body: { name: t('funnel'), steps } })
      goals.reload()
      open(made)
    })
  return (
    <div class="note">
      {t('funnel_differs')}{' '}
      {own !== undefined && (
        <button type="button" class="link" onClick={() => open(own)}>
          {t('funnel_open', { name: own.name })}
        </button>
      )}
      {own === undefined && manages && (
        <button type="button" class="link" disabled={busy} onClick={save}>
          {t('funnel_save')}
        </button>
      )}
      {errorNote}
    </div>
  )
}

/** The funnel of all visits, or of those of one channel. */
export const FunnelCard = () => {
  const app = useApp()
  const { t, state, go, span } = app
  const given = orderParams(app)
  const chosen = channels.find(channel => channel === state.tabs.funnel)
  // A filter by channel takes precedence over the choice.
  const channel = given.channel === undefined ? chosen : undefined
  const params = { ...given, ...span, ...(channel !== undefined && { channel }) }
  const report = useReport<FunnelData>('/revenue/funnel', params)
  return (
    <section class="card panel" aria-labelledby="funnel">
      <header>
        <h2 id="funnel">{t('funnel')}</h2>
        {given.channel === undefined && notOfOrders(app).every(({ key }) => key !== 'channel') && (
          <label class="interval">
            <span class="faint">{t('channel')}</span>
            <select
              value={channel ?? ''}
              onChange={event => go({ tabs: { ...state.tabs, funnel: event.currentTarget.value } }, true)}
            >
              <option value="">{t('all_channels')}</option>
              {channels.map(one => (
                <option key={one} value={one}>
                  {t.maybe(`channel_${one}`, one)}
                </option>
              ))}
            </select>
          </label>
        )}
      </header>
      <div class="panel-body funnel-body">
        <Loaded state={report}>{({ data }) => <Funnel data={data} />}</Loaded>
        <OpenFunnel />
      </div>
      {report.result !== null && (
        <Explain breakdown={{ path: '/revenue/funnel', columns: figures }} params={params} meta={report.result.meta} />
      )}
    </section>
  )
}
