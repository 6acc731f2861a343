// Who did what, newest first.
import { useState } from 'preact/hooks'
import type { AuditEntry } from '../../endpoints/audit.ts'
import { resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { useResource } from '../app/use-report.ts'
import { ErrorMessage } from '../parts/status.tsx'

const pageSize = 25

/** What was done, in the user's language; an action that this page does not know, in English. */
const useSentences = (): ((entry: AuditEntry) => string) => {
  const { t } = useApp()
  return ({ action, what, values }) => {
    const { kind, role, rules } = values
    const setting = action === 'suspects_changed' ? 'suspects' : values.setting
    const word = (name: 'from' | 'to'): string => {
      const value = String(values[name]).replaceAll('-', '_')
      return t.maybe(`${setting}_${value}`, t.maybe(`value_${value}`, String(values[name])))
    }
    return t.maybe(`did_${action}`, what, {
      ...values,
      ...(setting !== undefined && {
        setting: t.maybe(`setting_${setting}`, t.maybe(`option_${setting}`, String(setting))),
        ...(values.from !== undefined && { from: word('from'), to: word('to') }),
      }),
      ...(rules !== undefined && {
        rules:
          String(rules)
            .replaceAll(', ', '; ')
            .replace(/\w+/g, rule => t.maybe(`rule_${rule}`, rule)) || '–',
      }),
      ...(role !== undefined && { role: t.maybe(`role_${role}`, String(role)) }),
      ...(kind !== undefined && { kind: t.maybe(`erased_${kind}`, String(kind)) }),
    })
  }
}

const Rows = ({ entries }: { entries: readonly AuditEntry[] }) => {
  const { t, f, zone } = useApp()
  const sentence = useSentences()
  return (
    <ul class="log">
      {entries.map((entry, index) => (
        <li key={index}>
          <time class="faint" dateTime={entry.at}>
            {f.moment(entry.at, zone)}
          </time>
          <b>{entry.who === null ? t('unknown') : t.maybe(`who_${entry.who}`, entry.who)}</b>
          <span>{sentence(entry)}</span>
        </li>
      ))}
    </ul>
  )
}

export const AuditLog = () => {
  const { t, f } = useApp()
  const [offset, setOffset] = useState(0)
  const { value, error, retry } = useResource(`audit ${offset}`, () =>
    // One more than is shown says whether there is a next page.
    resource<AuditEntry[]>('/audit', { params: { limit: pageSize + 1, offset } }),
  )
  const entries = value?.slice(0, pageSize) ?? []
  const hasNext = (value?.length ?? 0) > pageSize
  return (
    <>
      <p class="faint">{t('activity_about')}</p>
      {error !== null && <ErrorMessage error={error} retry={retry} />}
      {value?.length === 0 && offset === 0 ? <p>{t('activity_none')}</p> : <Rows entries={entries} />}
      {(offset > 0 || hasNext) && (
        <div class="pages">
          <button type="button" disabled={offset === 0} onClick={() => setOffset(Math.max(0, offset - pageSize))}>
            {t('previous_page')}
          </button>
          <span>{`${f.count(offset + 1)}–${f.count(offset + entries.length)}`}</span>
          <button type="button" disabled={!hasNext} onClick={() => setOffset(offset + pageSize)}>
            {t('next_page')}
          </button>
        </div>
      )}
    </>
  )
}
