// "Does this match my shop?": the stored orders compared with the shop's, one by one.
import type { ReconcileAnswer } from '../../endpoints/revenue.ts'
import { resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { isHosted } from '../app/platform.ts'
import { usePolling, useResource } from '../app/use-report.ts'
import { useAction } from '../parts/action.tsx'
import { Scroll } from '../parts/scroll.tsx'
import { Pending } from '../parts/status.tsx'

type Row = ReconcileAnswer['differences'][number]

/** So many differing orders are listed; the command line lists all. */
const shownRows = 100

const Differences = ({ rows, differing }: { rows: readonly Row[]; differing: number }) => {
  const { t, f } = useApp()
  const textOf = ({ reason, fields = [] }: Row): string =>
    [
      ...(reason === undefined ? [] : [reason]),
      ...fields.map(({ field, shop, here }) => t('match_field', { field, shop: shop ?? '–', here: here ?? '–' })),
    ].join('; ')
  return (
    <>
      <Scroll label={t('match_title')}>
        <table class="answer-table">
          <thead>
            <tr>
              {[t('match_order'), t('match_day'), t('match_cause'), t('match_fields')].map(head => (
                <th key={head} scope="col" class="text">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(row => (
              <tr key={row.id}>
                <td class="text">{row.id}</td>
                <td class="text">{row.date === null ? '–' : f.day(row.date)}</td>
                <td class="text">{t(`cause_${row.cause}`)}</td>
                <td class="text uses">{textOf(row)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {differing > rows.length && (
        <p class="note">
          {t('match_more', { n: rows.length, all: f.count(differing) })}
          {!isHosted && (
            <>
              {' '}
              {t('match_all')} <code>footfall shop reconcile</code>
            </>
          )}
        </p>
      )}
    </>
  )
}

const Result = ({ result, importDays }: { result: ReconcileAnswer; importDays: (() => void) | null }) => {
  const { t, f } = useApp()
  const { state, from, to, compared, differing, differences, unsettled, last_error } = result
  if (state === 'failed') return <p class="bad">{last_error}</p>
  if (state !== 'done' || from === null || to === null) return null
  return (
    <>
      <p class={differing === 0 ? 'verdict ok' : undefined}>
        {differing === 0 && <b aria-hidden="true">✓ </b>}
        {t('match_compared', { n: compared, span: f.span({ from, to }) })}{' '}
        {differing === 0 ? t('match_equal') : t('match_differ', { n: differing })}
      </p>
      {differing > 0 && <Differences rows={differences} differing={differing} />}
      {unsettled.length > 0 && <p class="note">{t('match_unsettled', { n: unsettled.length })}</p>}
      {differing > 0 && importDays !== null && (
        <p class="tools">
          <button type="button" onClick={importDays}>
            {t('match_import')}
          </button>
          <span class="faint">{t('match_import_about')}</span>
        </p>
      )}
    </>
  )
}

/** Compares the period of the page; `changed` is called when an import was started. */
export const ShopMatch = ({ changed }: { changed: () => void }) => {
  const { t, f, span, manages } = useApp()
  const load = (): Promise<ReconcileAnswer> =>
    resource<ReconcileAnswer>('/revenue/reconcile', { params: { limit: shownRows } })
  const { value, error, retry } = useResource('reconcile', load)
  const { busy, act, errorNote } = useAction()
  const running = value?.state === 'running'
  usePolling(running, value, retry, 1000)
  const send = (path: string, body: object, then: () => void) => (): void =>
    act(async () => {
      await resource(path, { method: 'POST', body })
      then()
    })
  return (
    <section class="card" aria-labelledby="shop-match">
      <h2 id="shop-match">{t('match_title')}</h2>
      <p class="faint">{t('match_about')}</p>
      {value === null ? (
        <Pending error={error} retry={retry} />
      ) : (
        <>
          {manages && (
            <p class="tools">
              {running ? (
                <button type="button" disabled={busy} onClick={send('/revenue/reconcile', { cancel: true }, retry)}>
                  {t('match_cancel')}
                </button>
              ) : (
                <button type="button" disabled={busy} onClick={send('/revenue/reconcile', span, retry)}>
                  {t('match_start', { span: f.span(span) })}
                </button>
              )}
              {running && (
                <span role="status" class="progress">
                  <progress
                    max={value.total ?? undefined}
                    value={value.total === null ? undefined : value.compared}
                    aria-label={t('match_title')}
                  />{' '}
                  {f.count(value.compared)}
                  {value.total === null ? '' : ` / ${f.count(value.total)}`}
                </span>
              )}
            </p>
          )}
          {errorNote}
          <Result
            result={value}
            importDays={manages ? send('/revenue/backfill', { from: value.from, to: value.to }, changed) : null}
          />
        </>
      )}
    </section>
  )
}
