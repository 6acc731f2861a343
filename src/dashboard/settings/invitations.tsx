// Invitations: links by which somebody makes a user for themselves, once.
import { useState } from 'preact/hooks'
import type { InvitationAnswer } from '../../endpoints/invitations.ts'
import { viewer } from '../../identity/roles.ts'
import { resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { invitationLink } from '../app/invited.tsx'
import { filterParams, filtersOf } from '../app/url.ts'
import { useResource } from '../app/use-report.ts'
import { ConfirmButton, OneTimeSecret, useAction } from '../parts/action.tsx'
import { useWords } from '../parts/filters.tsx'
import { ErrorMessage } from '../parts/status.tsx'
import { FilteredChoice } from './filtered-choice.tsx'
import { RoleChoice, RoleNotice, useRoleName } from './role-choice.tsx'

type Made = InvitationAnswer & { token: string }

export const Invitations = () => {
  const { t, f, zone, state } = useApp()
  const words = useWords()
  const roleName = useRoleName()
  const list = useResource('invitations', () => resource<InvitationAnswer[]>('/invitations'))
  const { busy, act, errorNote } = useAction()
  const [name, setName] = useState('')
  const [role, setRole] = useState<string>(viewer)
  const [filtered, setFiltered] = useState(true)
  const [made, setMade] = useState<Made | null>(null)
  const filterable = role === viewer && state.filters.length > 0
  const invite = (event: Event): void => {
    event.preventDefault()
    const body = { name, role, ...(filterable && filtered && { filters: filterParams(state.filters) }) }
    act(async () => {
      setMade(await resource<Made>('/invitations', { method: 'POST', body }))
      setName('')
      list.retry()
    })
  }
  const withdraw = (uuid: string) => (): void =>
    act(async () => {
      await resource(`/invitations/${uuid}`, { method: 'DELETE' })
      if (made?.uuid === uuid) setMade(null)
      list.retry()
    })
  const facts = (one: InvitationAnswer): string =>
    [
      roleName(one.role),
      words(filtersOf(one.filters ?? {})),
      t('share_until', { time: f.moment(one.expires_at, zone) }),
    ]
      .filter(part => part !== '')
      .join(' · ')
  return (
    <section class="card" aria-labelledby="invite">
      <h2 id="invite">{t('invite')}</h2>
      <p class="faint">{t('invite_about')}</p>
      {list.error !== null && <ErrorMessage error={list.error} retry={list.retry} />}
      <ul class="links">
        {list.value?.map(one => (
          <li key={one.uuid}>
            <span>
              <b>{one.name}</b> <span class="faint">{facts(one)}</span>
            </span>
            <ConfirmButton label={t('revoke')} of={one.name} disabled={busy} work={withdraw(one.uuid)} />
          </li>
        ))}
      </ul>
      {made !== null && <OneTimeSecret of={made.name} text={invitationLink(made.token)} />}
      <form class="tools" onSubmit={invite}>
        <label class="beside">
          {t('app_password_name')}
          <input
            value={name}
            required
            maxLength={100}
            autoComplete="off"
            onInput={event => setName(event.currentTarget.value)}
          />
        </label>
        <RoleChoice role={role} choose={setRole} />
        <button type="submit" disabled={busy}>
          {t('create')}
        </button>
      </form>
      {filterable && <FilteredChoice filtered={filtered} choose={setFiltered} />}
      <RoleNotice role={role} />
      {errorNote}
    </section>
  )
}
