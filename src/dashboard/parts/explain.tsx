import { useEffect, useState } from 'preact/hooks'
import { type Meta, type Params, queryText, report } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import type { TextKey } from '../app/texts.ts'
import { ErrorMessage } from './status.tsx'

type Trace = NonNullable<Meta['explain']>[number]

type Explained = { path: string; columns: readonly { key: string; label: TextKey }[] }

/** How figures are computed: their definitions, and the SQL statements for those who want them. */
export const Explain = ({ breakdown, params, meta }: { breakdown: Explained; params: Params; meta: Meta }) => {
  const { t, f, showsCommands } = useApp()
  const [open, setOpen] = useState(false)
  const [traces, setTraces] = useState<readonly Trace[] | null>(null)
  const [error, setError] = useState<unknown>(null)
  const key = queryText(params)
  useEffect(() => {
    if (!open) return undefined
    const abort = new AbortController()
    setError(null)
    report(breakdown.path, { ...params, explain: 1 }, abort.signal).then(
      ({ meta: traced }) => setTraces(traced.explain ?? []),
      (problem: unknown) => {
        if (!abort.signal.aborted) setError(problem)
      },
    )
    return () => abort.abort()
  }, [open, breakdown.path, key])
  return (
    <details class="explain">
      <summary>{t('how_counted')}</summary>
      <dl>
        {breakdown.columns.map(
          ({ key, label }) =>
            meta.definitions[key] && (
              <div key={key}>
                <dt>{t(label)}</dt>
                <dd>{meta.definitions[key]?.text}</dd>
              </div>
            ),
        )}
      </dl>
      {breakdown.columns.some(({ key }) => key === 'visitors') && <p class="note">{t('visitors_networks')}</p>}
      {showsCommands && (
        <details onToggle={event => setOpen(event.currentTarget.open)}>
          <summary>{t('statements')}</summary>
          {error !== null && <ErrorMessage error={error} />}
          {traces?.map(({ sql, rows, milliseconds, plan }, index) => (
            <div key={index}>
              <p class="faint">{t('statement_took', { n: rows, time: f.fine(milliseconds) })}</p>
              <pre tabIndex={0}>
                {sql.trim()}
                {'\n\n'}
                {plan.map(line => `-- ${line}`).join('\n')}
              </pre>
            </div>
          ))}
        </details>
      )}
    </details>
  )
}
