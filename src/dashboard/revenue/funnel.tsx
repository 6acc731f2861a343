import { useApp } from '../app/app-context.ts'
import { Empty } from '../parts/status.tsx'

export type FunnelData = {
  stages: readonly { stage: string; sessions: number }[]
  orders_without_visit: number
}

/** The part as a rate; empty where events are missing and the part is larger than the whole. */
const rateOf = (part: number, whole: number | undefined, write: (rate: number) => string): string =>
  whole === undefined || whole === 0 || part > whole ? '' : write(part / whole)

/** The stages to a purchase as bars: each relative to the largest stage; orders without a recorded visit stand apart. */
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
        {stages.map(({ stage, sessions }, index) => (
          <li key={stage}>
            <span class="funnel-name">{t.maybe(`stage_${stage}`, stage)}</span>
            <span class="funnel-bar" aria-hidden="true">
              <i style={{ width: `${((sessions / Math.max(1, max)) * 100).toFixed(1)}%` }} />
            </span>
            <b>{f.count(sessions)}</b>
            <span class="faint">
              {rateOf(sessions, stages[index - 1]?.sessions, rate => t('step_rate', { rate: f.percent(rate) }))}
              <span class="visually-hidden"> {rateOf(sessions, max, f.percent)}</span>
            </span>
          </li>
        ))}
      </ol>
      {apart > 0 && <p class="note">{t('orders_without_visit', { n: apart, n_text: f.count(apart) })}</p>}
      <p class="note">{conversion}</p>
    </div>
  )
}
