// The browsers that are logged in: one's own, for administrators those of all users.
import type { SessionRow } from '../../endpoints/sessions.ts'
import { resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { useResource } from '../app/use-report.ts'
import { ConfirmButton, useAction } from '../parts/action.tsx'
import { Scroll } from '../parts/scroll.tsx'
import { ErrorMessage } from '../parts/status.tsx'

const Row = ({ row, busy, end }: { row: SessionRow; busy: boolean; end: () => void }) => {
  const { t, f, zone } = useApp()
  const { login, browser, os, network, new_network, current, created, last_used } = row
  const device = [browser, os].filter(part => part !== null).join(' · ') || t('unknown')
  return (
    <tr>
      <td class="text">{login}</td>
      <td class="text">
        {device}
        {current && <b> ({t('session_current')})</b>}
      </td>
      <td class="text">
        {network ?? t('unknown')}
        {new_network && <b class="warn"> · {t('session_new_network')}</b>}
      </td>
      <td class="text">{f.moment(created, zone)}</td>
      <td class="text">{f.moment(last_used, zone)}</td>
      <td>
        <ConfirmButton label={t('session_end')} of={`${login}, ${device}`} disabled={busy} work={end} />
      </td>
    </tr>
  )
}

export const Sessions = () => {
  const { t, session, onSessionExpired } = useApp()
  const list = useResource('sessions', () => resource<SessionRow[]>('/sessions'))
  const { busy, act, errorNote } = useAction()
  const end = ({ id, current }: SessionRow): void =>
    act(async () => {
      await resource(`/sessions/${id}`, { method: 'DELETE' })
      if (current) onSessionExpired()
      else list.retry()
    })
  const endAll = (): void =>
    act(async () => {
      await resource('/sessions', { method: 'DELETE' })
      onSessionExpired()
    })
  return (
    <section class="card" aria-labelledby="sessions">
      <h2 id="sessions">{t('session_list')}</h2>
      <p class="faint">{t('sessions_about')}</p>
      {list.error !== null && <ErrorMessage error={list.error} retry={list.retry} />}
      {list.value !== null && list.value.length > 0 && (
        <Scroll label={t('session_list')}>
          <table class="answer-table">
            <thead>
              <tr>
                {[t('login'), t('session_browser'), t('session_network'), t('session_since'), t('last_used')].map(
                  head => (
                    <th key={head} scope="col" class="text">
                      {head}
                    </th>
                  ),
                )}
                <th scope="col">
                  <span class="visually-hidden">{t('session_end')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {list.value.map(row => (
                <Row key={row.id} row={row} busy={busy} end={() => end(row)} />
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {list.value?.some(({ current }) => current) === true && (
        <div class="tools">
          <ConfirmButton label={t('log_out_everywhere')} of={session?.login ?? ''} disabled={busy} work={endAll} />
        </div>
      )}
      {errorNote}
    </section>
  )
}
