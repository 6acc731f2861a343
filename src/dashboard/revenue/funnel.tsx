import { useApp } from '../app/app-context.ts'
import { Empty } from '../parts/status.tsx'

export type FunnelData = {
  stages: readonly { stage: string; sessions: number; step_rate: number | null; overall_rate: number | null }[]
  overall_conversion: number | null
}

/** The way to a purchase as a picture: each stage as wide as its part of the widest, with the step to it. */
export const Funnel = ({ data: { stages, overall_conversion } }: { data: FunnelData }) => {
  const { t, f } = useApp()
  const widest = Math.max(...stages.map(({ sessions }) => sessions))
  if (widest <= 0) return <Empty why={t('empty_funnel')} />
  return (
    <div class="funnel">
      <ol>
        {stages.map(({ stage, sessions, step_rate, overall_rate }) => (
          <li key={stage}>
            <span class="funnel-name">{t.maybe(`stage_${stage}`, stage)}</span>
            <span class="funnel-bar" aria-hidden="true">
              <i style={{ width: `${((sessions / widest) * 100).toFixed(1)}%` }} />
            </span>
            <b>{f.count(sessions)}</b>
            <span class="faint">
              {step_rate === null ? '' : t('step_rate', { rate: f.percent(step_rate) })}
              {overall_rate === null ? '' : <span class="visually-hidden"> {f.percent(overall_rate)}</span>}
            </span>
          </li>
        ))}
      </ol>
      <p class="note">
        {overall_conversion === null ? '' : t('overall_conversion', { rate: f.percent(overall_conversion) })}
      </p>
    </div>
  )
}
