// How far visits come in a funnel, and where they go instead.

import { change } from '../../reports/numbers.ts'
import type { FunnelData } from '../../reports/of/funnels.ts'
import type { Meta } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { filterParams, toggleFilter } from '../app/url.ts'
import { useReport } from '../app/use-report.ts'
import { useComparison } from '../overview/comparison.ts'
import { Change } from '../parts/change.tsx'
import { Explain } from '../parts/explain.tsx'
import { Empty, Loaded } from '../parts/status.tsx'
import { KnownFrom } from './known-from.tsx'

type Step = FunnelData['steps'][number]

/** Where those went that a step lost. */
const Lost = ({ step: { dropped, exits, next_instead: pages } }: { step: Step }) => {
  const { t, f } = useApp()
  if (dropped === 0) return null
  const shown = [...pages.map(({ page, sessions }) => `${page} (${f.count(sessions)})`)]
  return (
    <span class="faint">
      {t('funnel_lost', { n: dropped })}
      {shown.length > 0 && ` ${t('funnel_next', { pages: shown.join(', ') })}`}
      {exits > 0 && ` ${t('funnel_exits', { n: exits })}`}
    </span>
  )
}

const Steps = ({ data: { id, steps, previous }, meta }: { data: FunnelData; meta: Meta }) => {
  const { t, f, state, go } = useApp()
  const comparison = useComparison(meta)
  const max = Math.max(1, steps[0]?.sessions ?? 0)
  return (
    <ol>
      {steps.map((step, index) => {
        const value = `${id}:${step.step}`
        const before = previous?.steps[index]?.sessions
        return (
          <li key={step.step}>
            <button
              type="button"
              class="row-name funnel-name"
              aria-pressed={state.filters.some(({ key, values }) => key === 'funnel' && values[0] === value)}
              title={t('filter_reached', { name: step.name })}
              onClick={() => go({ filters: toggleFilter(state.filters, 'funnel', value) })}
            >
              <span class="name">{step.name}</span>
            </button>
            <span class="funnel-bar" style={{ '--part': `${((step.sessions / max) * 100).toFixed(1)}%` }}>
              <b>{f.count(step.sessions)}</b>
            </span>
            <span class="faint">
              {index > 0 && step.step_rate !== null && t('step_rate', { rate: f.percent(step.step_rate) })}{' '}
              {before !== undefined && comparison !== null && (
                <Change
                  now={step.sessions}
                  before={before}
                  lengths={comparison.lengths}
                  change={change(step.sessions, before)}
                  unfair={comparison.unfair}
                />
              )}
            </span>
            <Lost step={step} />
          </li>
        )
      })}
    </ol>
  )
}

export const Funnels = () => {
  const { t, f, state, go, span, compare, goals } = useApp()
  const chosen = goals.funnels.find(({ id }) => String(id) === state.tabs.funnels) ?? goals.funnels[0]
  const params = { ...filterParams(state.filters), ...span }
  const report = useReport<FunnelData>(chosen === undefined ? null : `/funnels/${chosen.id}/report`, {
    ...params,
    ...(compare !== undefined && { compare }),
  })
  if (chosen === undefined) return null
  return (
    <div class="funnel own-funnel">
      {goals.funnels.length > 1 && (
        <select
          aria-label={t('funnels')}
          value={chosen.id}
          onChange={event => go({ tabs: { ...state.tabs, funnels: event.currentTarget.value } }, true)}
        >
          {goals.funnels.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
      <Loaded state={report}>
        {({ data, meta }) =>
          (data.steps[0]?.sessions ?? 0) === 0 ? (
            <Empty why={t('empty_steps')} />
          ) : (
            <>
              <Steps data={data} meta={meta} />
              {data.conversion !== null && (
                <p class="note">{t('funnel_conversion', { rate: f.percent(data.conversion) })}</p>
              )}
              <KnownFrom day={meta.known_from} />
              <Explain
                breakdown={{
                  path: `/funnels/${chosen.id}/report`,
                  columns: [
                    { key: 'sessions', label: 'sessions' },
                    { key: 'dropped', label: 'dropped' },
                  ],
                }}
                params={params}
                meta={meta}
              />
            </>
          )
        }
      </Loaded>
    </div>
  )
}
