// Notes on the figures: what was not counted, and what was imported.
import type { ComponentChildren } from 'preact'
import { historyTitles } from '../../lib/histories.ts'
import type { RefusalsData } from '../../reports/of/refusals.ts'
import type { Meta } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { useReport } from '../app/use-report.ts'
import { LeftOut, useLeftOut } from '../parts/left-out.tsx'

const counted = ['received', 'accepted', 'repeated', 'trimmed']

/** Why requests were not counted, in words, the most frequent reason first. */
export const useReasons = (): ((outcomes: RefusalsData['outcomes']) => { n: number; words: string }) => {
  const { t, f } = useApp()
  return outcomes => {
    const refused = outcomes.filter(({ outcome, requests }) => requests > 0 && !counted.includes(outcome))
    return {
      n: refused.reduce((sum, { requests }) => sum + requests, 0),
      words: refused
        .map(({ outcome, requests }) => `${t.maybe(`refused_${outcome}`, outcome)} ${f.count(requests)}`)
        .join(', '),
    }
  }
}

/** Days without any view among days with many, as an outage leaves them. */
const silentDays = (
  days: readonly { date?: string; views: number }[],
  first: string | null,
  today: string,
): string[] => {
  const known = days.filter(({ date }) => date !== undefined && first !== null && date > first && date < today)
  const usual = known.reduce((sum, { views }) => sum + views, 0) / Math.max(1, known.length)
  return usual < 20 ? [] : known.flatMap(({ date, views }) => (views === 0 && date !== undefined ? [date] : []))
}

const Note = ({ sign, children }: { sign: string; children: ComponentChildren }) => (
  <li>
    <span aria-hidden="true">{sign}</span>
    <span>{children}</span>
  </li>
)

type Imported = NonNullable<Meta['imported']>[number]

/** Where the figures of imported days are from, and what they do not know. */
const useImported = (): ((imported: Imported) => string) => {
  const { t, f } = useApp()
  return ({ from, to, kind, lacks }) => {
    const span = f.span({ from, to })
    if (kind === 'requests') return t('imported_requests', { span })
    if (kind === 'access-log') return t('imported_access_log', { span })
    const program = historyTitles[kind]
    return lacks.length === 0
      ? t('imported_history', { program, span })
      : t('imported_lacks', { program, span, list: lacks.map(name => t(`lacks_${name}`)).join(', ') })
  }
}

/** How many requests were not counted, and on a click why. */
export const NotCounted = () => {
  const { t, f, span, manages } = useApp()
  const reasons = useReasons()
  const refusals = useReport<RefusalsData>(manages && span.from_hour === undefined ? '/refusals' : null, { ...span })
  const outcomes = refusals.result?.data.outcomes ?? []
  const { n, words } = reasons(outcomes)
  const counted = outcomes.filter(({ outcome }) => outcome === 'accepted' || outcome === 'repeated')
  const all = counted.reduce((sum, { requests }) => sum + requests, n)
  if (n === 0) return null
  return (
    <details class="not-counted">
      <summary>{t('n_not_counted', { n, all: f.count(all) })}</summary>
      <p class="note">{t('not_counted', { n, all: f.count(all), share: f.percent(n / all), reasons: words })}</p>
    </details>
  )
}

type DataNotesProps = {
  meta: Meta
  days: readonly { date?: string; views: number }[]
  /** Whether imports, time zones and days without visits are among the notes above. */
  listed: boolean
  noComparison: boolean
}

export const DataNotes = ({ meta, days, listed, noComparison }: DataNotesProps) => {
  const { t, f, state, firstDay, today } = useApp()
  const imported = useImported()
  const [leftOut, changeLeftOut] = useLeftOut()
  const silent = listed || state.filters.length > 0 ? [] : silentDays(days, firstDay, today)
  const marks: ComponentChildren[] = [
    // What days do not know is said here only.
    ...(meta.imported ?? [])
      .filter(({ lacks }) => !listed || lacks.length > 0)
      .map(span => (
        <Note key={`${span.kind} ${span.from}`} sign="↧">
          {imported(span)}
        </Note>
      )),
    ...(listed ? [] : (meta.timezone_changes ?? [])).map(({ date, previous }) => (
      <Note key={date} sign="◷">
        {t('zone_changed', { day: f.day(date), zone: previous })}
      </Note>
    )),
    silent.length > 0 && (
      <Note key="silent" sign="∅">
        {t('silent_days', { days: [...silent.slice(0, 5).map(f.day), ...(silent.length > 5 ? ['…'] : [])].join('; ') })}
      </Note>
    ),
    noComparison && (
      <Note key="comparison" sign="⌫">
        {t('no_comparison')}
      </Note>
    ),
    leftOut && (
      <Note key="device" sign="⊘">
        <LeftOut undo={() => changeLeftOut(false)} />
      </Note>
    ),
  ].filter(mark => mark !== false)
  return marks.length === 0 ? null : (
    <ul class="marks" aria-label={t('marks')}>
      {marks}
    </ul>
  )
}
