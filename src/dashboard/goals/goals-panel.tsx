// The goals of the site, with their rates and what changed.
import type { GoalRow } from '../../reports/of/goals.ts'
import type { Meta } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { write } from '../app/metrics.ts'
import { filterParams, toggleFilter } from '../app/url.ts'
import { useReport } from '../app/use-report.ts'
import { type Comparison, useComparison } from '../overview/comparison.ts'
import { Change } from '../parts/change.tsx'
import { Explain } from '../parts/explain.tsx'
import { Empty, Loaded } from '../parts/status.tsx'
import { KnownFrom } from './known-from.tsx'
import { MakeGoal } from './make-goal.tsx'

const proposals = 3

/** The most frequent events, of which a click makes goals. */
const NoGoals = () => {
  const { t, manages, span } = useApp()
  const { result } = useReport<{ name: string }[]>(manages ? '/events' : null, { ...span, limit: proposals })
  const names = result?.data.map(({ name }) => name) ?? []
  return (
    <Empty why={t('empty_goals')}>
      {manages && names.length > 0 && <p>{t('goal_proposals')}</p>}
      {names.map(name => (
        <p key={name}>
          <MakeGoal kind="event" name={name} />
        </p>
      ))}
    </Empty>
  )
}

type GoalLineProps = { row: GoalRow; meta: Meta; comparison: Comparison | null; hasValues: boolean }

const GoalLine = ({ row, meta, comparison, hasValues }: GoalLineProps) => {
  const { t, f, state, go } = useApp()
  const id = String(row.goal_id)
  const isFilter = state.filters.some(({ key, included, values }) => key === 'goal' && included && values[0] === id)
  const isShown = state.goal === id
  return (
    <tr>
      <th scope="row" style={{ '--part': `${((row.conversion_rate ?? 0) * 100).toFixed(1)}%` }}>
        <button
          type="button"
          class="row-name"
          aria-pressed={isFilter}
          title={t('filter_by', { name: row.name })}
          onClick={() => go({ filters: toggleFilter(state.filters, 'goal', id) })}
        >
          <span class="name">{row.name}</span>
        </button>
      </th>
      <td>{f.count(row.sessions)}</td>
      <td class="share">{write(f, 'percent', row.conversion_rate)}</td>
      {hasValues && <td class="share">{row.value === null ? '' : write(f, 'money', row.value, meta.currency)}</td>}
      {comparison !== null && (
        <td class="delta">
          <Change
            now={row.sessions}
            before={row.previous}
            lengths={comparison.lengths}
            change={row.change}
            unfair={comparison.unfair}
          />
        </td>
      )}
      <td class="more-cell">
        <button
          type="button"
          class="link"
          aria-pressed={isShown}
          title={t('show_conversions', { name: row.name })}
          onClick={() => go({ goal: isShown ? null : id }, true)}
        >
          {t(isShown ? 'hide_rates' : 'in_rows')}
          <span class="visually-hidden">: {row.name}</span>
        </button>
      </td>
    </tr>
  )
}

const GoalTable = ({ rows, meta }: { rows: readonly GoalRow[]; meta: Meta }) => {
  const { t } = useApp()
  const comparison = useComparison(meta)
  const hasValues = rows.some(({ value }) => value !== null)
  const about = (key: string): string | undefined => meta.definitions[key]?.text
  return (
    <table class="rows goals">
      <thead>
        <tr>
          <th scope="col">{t('goal')}</th>
          <th scope="col" title={about('sessions')}>
            {t('sessions')}
          </th>
          <th scope="col" class="share" title={about('conversion_rate')}>
            {t('conversion_rate')}
          </th>
          {hasValues && (
            <th scope="col" class="share" title={about('value')}>
              {t('goal_value')}
            </th>
          )}
          {comparison !== null && (
            <th scope="col" class="delta">
              {t('change')}
            </th>
          )}
          <th scope="col" class="more-cell">
            <span class="visually-hidden">{t('in_rows')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(row => (
          <GoalLine key={row.goal_id} row={row} meta={meta} comparison={comparison} hasValues={hasValues} />
        ))}
      </tbody>
    </table>
  )
}

/** After a change it is asked for again. */
export const Goals = () => <GoalList key={useApp().goals.changes} />

const GoalList = () => {
  const { t, state, span, compare } = useApp()
  const params = { ...filterParams(state.filters), ...span }
  const report = useReport<GoalRow[]>('/goals/report', {
    ...params,
    ...(compare !== undefined && { compare }),
  })
  return (
    <Loaded state={report}>
      {({ data, meta }) =>
        data.length === 0 ? (
          <NoGoals />
        ) : (
          <>
            <GoalTable rows={data} meta={meta} />
            {data.some(({ kind }) => kind === 'event') && <p class="note">{t('goals_differ')}</p>}
            <KnownFrom day={meta.known_from} />
            <Explain
              breakdown={{
                path: '/goals/report',
                columns: [
                  { key: 'sessions', label: 'sessions' },
                  { key: 'conversion_rate', label: 'conversion_rate' },
                  { key: 'value', label: 'goal_value' },
                ],
              }}
              params={params}
              meta={meta}
            />
          </>
        )
      }
    </Loaded>
  )
}
