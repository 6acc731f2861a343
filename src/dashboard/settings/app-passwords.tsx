import { useState } from 'preact/hooks'
import type { ApplicationPassword } from '../../endpoints/application-passwords.ts'
import { OneTimeSecret, ConfirmButton, useAction } from '../parts/action.tsx'
import { useResource } from '../app/use-report.ts'
import { resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { ErrorMessage } from '../parts/status.tsx'

/** The application passwords of a user: created, shown once, and revoked. */
export const AppPasswords = ({ user, login }: { user: number; login: string }) => {
  const { t, f, zone } = useApp()
  const path = `/users/${user}/application-passwords`
  const list = useResource(path, () => resource<ApplicationPassword[]>(path))
  const { busy, act, errorNote } = useAction()
  const [name, setName] = useState('')
  const [made, setMade] = useState<{ name: string; password: string } | null>(null)
  const create = (event: Event): void => {
    event.preventDefault()
    act(async () => {
      setMade(await resource<{ name: string; password: string }>(path, { method: 'POST', body: { name } }))
      setName('')
      list.retry()
    })
  }
  const revoke = (uuid: string) => (): void =>
    act(async () => {
      await resource(`${path}/${uuid}`, { method: 'DELETE' })
      list.retry()
    })
  return (
    <section class="sub" aria-label={`${t('app_passwords')}: ${login}`}>
      <h4>{t('app_passwords')}</h4>
      <p class="faint">{t('app_password_about')}</p>
      {list.error !== null && <ErrorMessage error={list.error} retry={list.retry} />}
      {list.value !== null && list.value.length > 0 && (
        <div class="scroll" tabIndex={0} role="region" aria-label={t('app_passwords')}>
          <table class="answer-table">
            <thead>
              <tr>
                {[t('app_password_name'), t('created'), t('last_used')].map(head => (
                  <th key={head} scope="col" class="text">
                    {head}
                  </th>
                ))}
                <th scope="col">
                  <span class="visually-hidden">{t('revoke')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {list.value.map(({ uuid, name: called, created, last_used, last_ip }) => (
                <tr key={uuid}>
                  <td class="text">{called}</td>
                  <td class="text">{f.moment(created, zone)}</td>
                  <td class="text">
                    {last_used === null
                      ? t('never')
                      : [f.moment(last_used, zone), last_ip].filter(part => part !== null).join(' · ')}
                  </td>
                  <td>
                    <ConfirmButton label={t('revoke')} of={called} disabled={busy} work={revoke(uuid)} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {made !== null && <OneTimeSecret of={made.name} text={made.password} />}
      <form class="tools" onSubmit={create}>
        <label class="beside">
          {t('app_password_name')}
          <input
            value={name}
            maxLength={100}
            required
            autoComplete="off"
            onInput={event => setName(event.currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={busy}>
          {t('create')}
        </button>
      </form>
      {errorNote}
    </section>
  )
}
