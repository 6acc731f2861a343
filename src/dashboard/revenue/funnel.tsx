import { useApp } from '../app/app-context.ts'
import { Empty } from '../parts/status.tsx'

export type FunnelData = {
  stages: readonly { stage: string; sessions: number; step_rate: number | null; overall_rate: number | null }[]
  overall_conversion: number | null
}

/** The stages to a purchase as bars: each relative to the largest stage, with its rate of the previous one. */
export const Funnel = ({ data: { stages, overall_conversion } }: { data: FunnelData }) => {
  const { t, f } = useApp()
  const max = Math.max(...stages.map(({ sessions }) => sessions))
  if (max <= 0) return <Empty why={t('empty_funnel')} />
  // The rate is that of the largest stage; of purchases themselves there is nothing to say.
  const largest = stages.find(({ sessions }) => sessions === max)?.stage
  const conversion =
    overall_conversion === null ? '' : t.maybe(`conversion_of_${largest}`, '', { rate: f.percent(overall_conversion) })
  return (
    <div class="funnel">
      <ol>
        {stages.map(({ stage, sessions, step_rate, overall_rate }) => (
          <li key={stage}>
            <span class="funnel-name">{t.maybe(`stage_${stage}`, stage)}</span>
            <span class="funnel-bar" aria-hidden="true">
              <i style={{ width: `${((sessions / max) * 100).toFixed(1)}%` }} />
            </span>
            <b>{f.count(sessions)}</b>
            <span class="faint">
              {step_rate === null ? '' : t('step_rate', { rate: f.percent(step_rate) })}
              {overall_rate === null ? '' : <span class="visually-hidden"> {f.percent(overall_rate)}</span>}
            </span>
          </li>
        ))}
      </ol>
      <p class="note">{conversion}</p>
    </div>
  )
}
