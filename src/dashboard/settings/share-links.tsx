// Shared links, which show reports to people without an account.
import { useState } from 'preact/hooks'
import type { ShareLinkAnswer } from '../../endpoints/share-links.ts'
import { OneTimeSecret, ConfirmButton, useAction } from '../parts/action.tsx'
import { useResource } from '../app/use-report.ts'
import { resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { useNames } from '../parts/filters.tsx'
import { ErrorMessage } from '../parts/status.tsx'
import { filtersOf, linkOf } from '../app/share.ts'
import { filterParams, type Filter } from '../app/url.ts'

export const useWords = (): ((filters: readonly Filter[]) => string) => {
  const { t } = useApp()
  const names = useNames()
  return filters =>
    filters
      .map(
        ({ key, included, values }) =>
          `${names.key(key)} ${t(included ? 'is' : 'is_not')} ${values.map(value => names.value(key, value)).join(', ')}`,
      )
      .join('; ')
}

const NewLink = ({ onCreate }: { onCreate: () => void }) => {
  const { t, state } = useApp()
  const words = useWords()
  const { busy, act, errorNote } = useAction()
  const [fields, setFields] = useState({ name: '', password: '' })
  const [filtered, setFiltered] = useState(true)
  const [created, setCreated] = useState<{ name: string; token: string } | null>(null)
  const create = (event: Event): void => {
    event.preventDefault()
    const { name, password } = fields
    act(async () => {
      setCreated(
        await resource('/share-links', {
          method: 'POST',
          body: {
            name,
            ...(password !== '' && { password }),
            ...(filtered && { filters: filterParams(state.filters) }),
          },
        }),
      )
      setFields({ name: '', password: '' })
      onCreate()
    })
  }
  return (
    <>
      {created !== null && <OneTimeSecret of={created.name} text={linkOf(created.token)} />}
      <form class="tools" onSubmit={create}>
        <label class="beside">
          {t('app_password_name')}
          <input
            value={fields.name}
            required
            maxLength={100}
            autoComplete="off"
            onInput={event => setFields({ ...fields, name: event.currentTarget.value })}
          />
        </label>
        <label class="beside">
          {t('share_password')}
          <input
            type="password"
            value={fields.password}
            minLength={8}
            maxLength={1024}
            autoComplete="new-password"
            onInput={event => setFields({ ...fields, password: event.currentTarget.value })}
          />
        </label>
        <button type="submit" disabled={busy}>
          {t('create')}
        </button>
      </form>
      {state.filters.length > 0 ? (
        <label class="choice">
          <input type="checkbox" checked={filtered} onChange={event => setFiltered(event.currentTarget.checked)} />
          {t('share_filtered', { filters: words(state.filters) })}
        </label>
      ) : (
        <p class="faint">{t('share_filters')}</p>
      )}
      {errorNote}
    </>
  )
}

export const ShareLinks = () => {
  const { t, f, zone } = useApp()
  const words = useWords()
  const links = useResource('share-links', () => resource<ShareLinkAnswer[]>('/share-links'))
  const { busy, act, errorNote } = useAction()
  const revoke = (uuid: string) => (): void =>
    act(async () => {
      await resource(`/share-links/${uuid}`, { method: 'DELETE' })
      links.retry()
    })
  return (
    <section class="card" aria-labelledby="shares">
      <h2 id="shares">{t('shares')}</h2>
      <p class="faint">{t('shares_about')}</p>
      {links.error !== null && <ErrorMessage error={links.error} retry={links.retry} />}
      <ul class="links">
        {links.value?.map(({ uuid, name, filters, has_password, created }) => (
          <li key={uuid}>
            <span>
              <b>{name}</b>{' '}
              <span class="faint">
                {[words(filtersOf(filters)), has_password ? t('share_has_password') : '', f.moment(created, zone)]
                  .filter(part => part !== '')
                  .join(' · ')}
              </span>
            </span>
            <ConfirmButton label={t('revoke')} of={name} disabled={busy} work={revoke(uuid)} />
          </li>
        ))}
      </ul>
      <NewLink onCreate={links.retry} />
      {errorNote}
    </section>
  )
}
