// "What changed": a line with the first of up to three sentences, which opens; a click on one shows its visits.
import type { ChangesAnswer } from '../../endpoints/advisor-changes.ts'
import { queryText, resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { filterParams, filtersOf } from '../app/url.ts'
import { useResource } from '../app/use-report.ts'

type Change = ChangesAnswer['changes'][number]

export const WhatChanged = () => {
  const { t, f, state, go, span, compare } = useApp()
  const params = { ...filterParams(state.filters), ...span, compare, lang: f.language }
  const { value } = useResource(`changes ${queryText(params)}`, () =>
    resource<ChangesAnswer>('/advisor/changes', { params }),
  )
  const [first] = value?.changes ?? []
  if (value === null || first === undefined) return null
  const show = ({ kind, filters, from, to }: Change): void => {
    const own = filtersOf(filters)
    go({
      filters: [...state.filters.filter(({ key }) => own.every(one => one.key !== key)), ...own],
      ...(kind === 'day' || kind === 'campaign' ? { from, to, period: null, interval: null } : {}),
    })
  }
  return (
    <section class="card what-changed" aria-labelledby="what-changed">
      <details>
        <summary>
          <h2 id="what-changed">{t('what_changed')}</h2>
          <span class="faint">{first.text}</span>
        </summary>
        <ul>
          {value.changes.map(change => (
            <li key={change.kind}>
              <button type="button" onClick={() => show(change)}>
                {change.text} <span aria-hidden="true">→</span>
              </button>
            </li>
          ))}
        </ul>
      </details>
    </section>
  )
}
