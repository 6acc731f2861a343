// The operator's own rules of what is not counted: previewed, added, and removed, which can be undone.
import { useState } from 'preact/hooks'
import type { RulesAnswer } from '../../endpoints/rules.ts'
import type { RefusalsData } from '../../reports/of/refusals.ts'
import type { RulePreview } from '../../reports/rule-preview.ts'
import type { RefusalRule, RuleField } from '../../settings/refusal-rules.ts'
import { report, resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { useResource } from '../app/use-report.ts'
import { ConfirmButton, useAction } from '../parts/action.tsx'
import { ErrorMessage } from '../parts/status.tsx'
import { useUndo } from '../parts/undo.tsx'

const fields: readonly RuleField[] = ['path', 'host', 'country', 'agent', 'query', 'referrer']
type Given = Pick<RefusalRule, 'field' | 'pattern'>

const stored = (): Promise<RulesAnswer> => resource<RulesAnswer>('/rules')
/** Those in the file are read again: another window may have changed them. */
const save = async (next: (rules: RulesAnswer['rules']) => readonly (RefusalRule | Given)[]): Promise<void> => {
  const { rules } = await stored()
  await resource('/rules', { method: 'PUT', body: { rules: next(rules) } })
}

const NewRule = ({ made }: { made: (rule: Given) => Promise<unknown> }) => {
  const { t } = useApp()
  const { busy, act, errorNote } = useAction()
  const [rule, setRule] = useState<Given>({ field: 'path', pattern: '' })
  const [seen, setSeen] = useState<RulePreview['rules'][number] | null>(null)
  const change = (changes: Partial<Given>): void => {
    setRule({ ...rule, ...changes })
    setSeen(null)
  }
  const add = (event: Event): void => {
    event.preventDefault()
    act(async () => {
      await made(rule)
      change({ pattern: '' })
    })
  }
  const preview = (): void =>
    act(async () => {
      const { rules } = await resource<RulePreview>('/rules/preview', { method: 'POST', body: { rules: [rule] } })
      setSeen(rules[0] ?? null)
    })
  return (
    <form onSubmit={add}>
      <p class="tools">
        <label>
          {t('refuse_field')}{' '}
          <select value={rule.field} onChange={event => change({ field: event.currentTarget.value as RuleField })}>
            {fields.map(field => (
              <option key={field} value={field}>
                {t(`refuse_${field}`)}
              </option>
            ))}
          </select>
        </label>
        <label>
          {t('refuse_pattern')}{' '}
          <input
            required
            maxLength={200}
            value={rule.pattern}
            onInput={event => change({ pattern: event.currentTarget.value })}
          />
        </label>
        <button type="button" disabled={busy || rule.pattern === ''} onClick={preview}>
          {t('refuse_preview')}
        </button>
        <button type="submit" class="primary" disabled={busy}>
          {t('refuse_add')}
        </button>
      </p>
      <p class="note" role="status" hidden={seen === null}>
        {seen !== null &&
          (seen.sessions === null || seen.views === null
            ? t('refuse_unknown')
            : t('refuse_would', { visits: seen.sessions, views: seen.views }))}
      </p>
      {errorNote}
    </form>
  )
}

export const RefusalRules = () => {
  const { t, span, refreshTick } = useApp()
  const { busy, remove, sayMade, note } = useUndo()
  const { value, error, retry } = useResource(`rules ${span.from} ${span.to} ${refreshTick}`, async () => {
    const [{ rules }, refused] = await Promise.all([stored(), report<RefusalsData>('/refusals', { ...span })])
    return rules.map(rule => ({ ...rule, n: refused.data.rules.find(one => one.rule === rule.name)?.requests ?? 0 }))
  })
  const change = async (next: Parameters<typeof save>[0]): Promise<void> => {
    await save(next)
    retry()
  }
  return (
    <section class="card" aria-labelledby="refusal-rules">
      <h2 id="refusal-rules">{t('refuse')}</h2>
      <p class="faint">{t('refuse_about')}</p>
      {error !== null && <ErrorMessage error={error} retry={retry} />}
      <ul class="links">
        {value?.map(({ n, ...rule }) => (
          <li key={rule.name}>
            <span>
              <b>{rule.name}</b>{' '}
              <span class="faint">
                {t(`refuse_${rule.field}`)} {rule.pattern} · {t('refuse_count', { n })}
              </span>
            </span>
            <span class="tools">
              <ConfirmButton
                label={t('refuse_remove')}
                of={rule.name}
                disabled={busy}
                work={() =>
                  remove({
                    name: rule.name,
                    remove: () => change(rules => rules.filter(({ name }) => name !== rule.name)),
                    restore: () => change(rules => [...rules, rule]),
                  })
                }
              />
            </span>
          </li>
        ))}
      </ul>
      {note}
      <NewRule
        made={async rule => {
          await change(rules => [...rules, rule])
          sayMade(rule.pattern)
        }}
      />
    </section>
  )
}
