// What stands in for content that is loading, empty or failed.
import type { ComponentChildren } from 'preact'
import { Failure, isUnreachable } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import type { ReportState } from '../app/use-report.ts'

/** Why the service refused each parameter, as translated sentences, or else the server's own. */
export const useRefusals = (): ((error: Failure) => Record<string, string>) => {
  const { t } = useApp()
  return ({ params }) =>
    Object.fromEntries(
      Object.entries(params).map(([name, reason]) => {
        const values = /: (.*?)\.?$/.exec(reason)?.[1] ?? ''
        return [name, t.maybe(`invalid_${name}`, reason, { values })]
      }),
    )
}

/** An error as a translated sentence, or else the server's message. */
export const useSentence = (): ((error: unknown) => string) => {
  const { t, f } = useApp()
  const refusals = useRefusals()
  return error => {
    if (!(error instanceof Failure)) return t('failed')
    if (isUnreachable(error)) return t('unreachable')
    const first = earliestOf(error.message)
    if (first !== null) return t('too_early', { day: f.day(first) })
    const sentences = Object.values(refusals(error)).join(' ')
    const name = /“(.*)”/.exec(error.message)?.[1] ?? ''
    const otherwise = error.status === 404 ? t('error_gone') : error.message
    return sentences || t.maybe(`error_${error.code}`, otherwise, { name }) || t('failed')
  }
}

/** The earliest possible day, from the error of a report that reached back too far. */
const earliestOf = (message: string): string | null =>
  /\bmust not (?:be|reach back) before (\d{4}-\d\d-\d\d)\b/.exec(message)?.[1] ?? null

export const ErrorMessage = ({ error, retry }: { error: unknown; retry?: () => void }) => {
  const { t, f, go, span, lost } = useApp()
  const sentence = useSentence()
  // The page says so once, and loads everything again by itself.
  if (lost && isUnreachable(error)) return <div class="loading" />
  const first = error instanceof Failure ? earliestOf(error.message) : null
  if (first !== null && first <= span.to)
    return (
      <Empty why={sentence(error)}>
        <button type="button" onClick={() => go({ from: first, to: span.to, period: null, interval: null })}>
          {t('show_from', { day: f.day(first) })}
        </button>
      </Empty>
    )
  return (
    <div class="problem" role="alert">
      <p>{sentence(error)}</p>
      {retry && (
        <button type="button" onClick={retry}>
          {t('retry')}
        </button>
      )}
    </div>
  )
}

export const Loading = () => {
  const { t } = useApp()
  return (
    <div class="loading" role="status">
      <span class="visually-hidden">{t('loading')}</span>
    </div>
  )
}

/** The error of a request, or that it is loading. */
export const Pending = ({ error, retry }: { error: unknown; retry: () => void }) =>
  error === null ? <Loading /> : <ErrorMessage error={error} retry={retry} />

/** The same as a card of its own. */
export const PendingCard = (request: { error: unknown; retry: () => void }) => (
  <section class="card">
    <Pending {...request} />
  </section>
)

/** A report's content, once it is there; while a newer one loads, the last one stays. */
export const Loaded = <T,>({
  state: { result, error, retry, loading },
  children,
}: {
  state: ReportState<T>
  children: (result: NonNullable<ReportState<T>['result']>) => ComponentChildren
}) =>
  error !== null || result === null ? (
    <Pending error={error} retry={retry} />
  ) : (
    <div class={loading ? 'content stale' : 'content'} aria-busy={loading}>
      {children(result)}
    </div>
  )

/** The credit that a supplier of place data requires wherever places are shown. */
export const Attribution = ({ of }: { of: { text: string; url: string } | undefined }) => {
  const { t } = useApp()
  return (
    of && (
      <p class="faint attribution">
        {t('place_data')}{' '}
        <a href={of.url} target="_blank" rel="noreferrer">
          {of.text}
        </a>
      </p>
    )
  )
}

export const Empty = ({ why, children }: { why: string; children?: ComponentChildren }) => (
  <div class="empty">
    <p>{why}</p>
    {children}
  </div>
)
