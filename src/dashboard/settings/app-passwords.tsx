import type { ApplicationPassword } from '../../endpoints/application-passwords.ts'
import { resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { filtersOf } from '../app/url.ts'
import { useResource } from '../app/use-report.ts'
import { ConfirmButton, useAction } from '../parts/action.tsx'
import { useWords } from '../parts/filters.tsx'
import { Scroll } from '../parts/scroll.tsx'
import { ErrorMessage } from '../parts/status.tsx'
import { NewAppPassword } from './new-app-password.tsx'

const Row = ({
  password: { uuid, name, scopes, filters, segment_id, expires, expired, last_used, last_ip },
  disabled,
  revoke,
}: {
  password: ApplicationPassword
  disabled: boolean
  revoke: (uuid: string) => void
}) => {
  const { t, f, zone } = useApp()
  const words = useWords()
  const uses = scopes.map(scope => t(`scope_${scope}`)).join(', ')
  const limits = words(filtersOf({ ...filters, ...(segment_id !== null && { segment: String(segment_id) }) }))
  return (
    <tr>
      <td class="text">{name}</td>
      <td class="text uses">{limits === '' ? uses : `${uses}; ${limits}`}</td>
      <td class="text">
        {expires === null ? t('never') : expired ? <b class="bad">{t('expired')}</b> : f.moment(expires, zone)}
      </td>
      <td class="text">
        {last_used === null
          ? t('never')
          : [f.moment(last_used, zone), last_ip].filter(part => part !== null).join(' · ')}
      </td>
      <td>
        <ConfirmButton label={t('revoke')} of={name} disabled={disabled} work={() => revoke(uuid)} />
      </td>
    </tr>
  )
}

/** The application passwords of a user: created, shown once, and revoked. */
export const AppPasswords = ({ user, login }: { user: number; login: string }) => {
  const { t } = useApp()
  const path = `/users/${user}/application-passwords`
  const list = useResource(path, () => resource<ApplicationPassword[]>(path))
  const { busy, act, errorNote } = useAction()
  const revoke = (uuid: string): void =>
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
        <Scroll label={t('app_passwords')}>
          <table class="answer-table">
            <thead>
              <tr>
                {[t('app_password_name'), t('app_password_may'), t('expires'), t('last_used')].map(head => (
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
              {list.value.map(password => (
                <Row key={password.uuid} password={password} disabled={busy} revoke={revoke} />
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      <NewAppPassword path={path} onCreate={list.retry} />
      {errorNote}
    </section>
  )
}
