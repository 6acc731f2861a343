// Users, their roles and passwords.

import { useState } from 'preact/hooks'
import type { Site } from '../../endpoints/site.ts'
import { rolesWithoutAccess, viewer } from '../../identity/roles.ts'
import type { UserResponse as User } from '../../identity/user-schemas.ts'
import { resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { filterParams, filtersOf } from '../app/url.ts'
import { useResource } from '../app/use-report.ts'
import { ConfirmButton, OneTimeSecret, useAction } from '../parts/action.tsx'
import { useWords } from '../parts/filters.tsx'
import { ErrorMessage } from '../parts/status.tsx'
import { type Undo, useUndo } from '../parts/undo.tsx'
import { AppPasswords } from './app-passwords.tsx'
import { ChangePassword } from './change-password.tsx'
import { FilteredChoice } from './filtered-choice.tsx'
import { HeldForm } from './held-form.tsx'
import { RoleChoice, RoleNotice, useRoleName } from './role-choice.tsx'

/** The roles of WordPress, where it is connected. */
type RolesOf = { ofWordPress: readonly string[] }

type Changed = { changed: () => void }

type OneProps = { user: User; remove: () => void; removing: boolean } & Changed & RolesOf

const OneUser = ({ user, ofWordPress, changed, remove, removing }: OneProps) => {
  const { t, session } = useApp()
  const { busy, act, errorNote } = useAction()
  const roleName = useRoleName()
  const [role, setRole] = useState(user.role)
  const own = user.login === session?.login
  const words = useWords()
  const facts = [roleName(user.role), own ? t('you') : '', words(filtersOf(user.filters ?? {}))]
  const put = (event: Event): void => {
    event.preventDefault()
    act(async () => {
      await resource(`/users/${user.id}`, { method: 'PUT', body: { role } })
      changed()
    })
  }
  return (
    <details class="user">
      <summary>
        <b>{user.login}</b> <span class="faint">{facts.filter(part => part !== '').join(' · ')}</span>
      </summary>
      <AppPasswords user={user.id} login={user.login} />
      <section class="sub">
        <h4>{t('change_password')}</h4>
        <p class="faint">{t('change_password_about')}</p>
        <ChangePassword login={user.login} path={`/users/${user.id}`} own={own} />
      </section>
      {user.role === viewer && <HeldForm user={user} changed={changed} />}
      <form class="sub" onSubmit={put}>
        <h4>{t('role')}</h4>
        <div class="tools">
          <RoleChoice role={role} choose={setRole} ofWordPress={ofWordPress} titled />
          <button type="submit" disabled={busy || role === user.role}>
            {t('save')}
          </button>
          {!own && <ConfirmButton label={t('remove_user')} of={user.login} disabled={busy || removing} work={remove} />}
        </div>
        <RoleNotice role={role} />
        {errorNote}
      </form>
    </details>
  )
}

type Made = { login: string; password?: string }

const NewUser = ({ ofWordPress, changed, sayMade }: Changed & RolesOf & Pick<Undo, 'sayMade'>) => {
  const { t, language, state } = useApp()
  const { busy, act, errorNote } = useAction()
  const [fields, setFields] = useState({ login: '', role: viewer, password: '' })
  const [made, setMade] = useState<Made | null>(null)
  const [filtered, setFiltered] = useState(false)
  const filterable = fields.role === viewer && state.filters.length > 0
  const add = (event: Event): void => {
    event.preventDefault()
    const { password, ...others } = fields
    act(async () => {
      setMade(
        await resource<Made>('/users', {
          method: 'POST',
          body: {
            ...others,
            locale: language,
            ...(password !== '' && { password }),
            ...(filterable && filtered && { filters: filterParams(state.filters) }),
          },
        }),
      )
      sayMade(others.login)
      setFields({ login: '', role: viewer, password: '' })
      changed()
    })
  }
  const field = (name: 'login' | 'password', label: string, more: object) => (
    <label class="beside">
      {label}
      <input
        value={fields[name]}
        autoCapitalize="none"
        maxLength={60}
        {...more}
        onInput={event => setFields({ ...fields, [name]: event.currentTarget.value })}
      />
    </label>
  )
  return (
    <form class="sub" onSubmit={add} aria-labelledby="add-user">
      <h3 id="add-user">{t('add_user')}</h3>
      <div class="tools">
        {field('login', t('login'), { required: true, autoComplete: 'off' })}
        <RoleChoice role={fields.role} choose={role => setFields({ ...fields, role })} ofWordPress={ofWordPress} />
        {field('password', t('password'), { type: 'password', autoComplete: 'new-password', maxLength: 1024 })}
        <button type="submit" disabled={busy}>
          {t('add')}
        </button>
      </div>
      {filterable && <FilteredChoice filtered={filtered} choose={setFiltered} />}
      <RoleNotice role={fields.role} />
      <p class="faint">{t('password_generated')}</p>
      {errorNote}
      {made?.password !== undefined && <OneTimeSecret of={made.login} text={made.password} />}
    </form>
  )
}

export const Users = () => {
  const { t } = useApp()
  const { busy, remove, sayMade, note } = useUndo()
  const [again, setAgain] = useState<Made | null>(null)
  const removalOf = ({ id, login, role, locale, filters }: User) => ({
    name: login,
    remove: async () => {
      await resource(`/users/${id}`, { method: 'DELETE' })
      setAgain(null)
      users.retry()
    },
    restore: async () => {
      setAgain(await resource<Made>('/users', { method: 'POST', body: { login, role, locale, filters } }))
      users.retry()
    },
    lost: t('user_lost'),
  })
  const users = useResource('users', () => resource<User[]>('/users'))
  const site = useResource('site', () => resource<Site>('/site'))
  const ofWordPress = (site.value?.wordpress_timezone ?? null) === null ? [] : rolesWithoutAccess
  return (
    <section class="card" aria-labelledby="access">
      <h2 id="access">{t('access')}</h2>
      {users.error !== null && <ErrorMessage error={users.error} retry={users.retry} />}
      {users.value?.map(user => (
        <OneUser
          key={`${user.id} ${user.role}`}
          user={user}
          ofWordPress={ofWordPress}
          changed={users.retry}
          remove={() => remove(removalOf(user))}
          removing={busy}
        />
      ))}
      {note}
      {again?.password !== undefined && <OneTimeSecret of={again.login} text={again.password} />}
      <NewUser ofWordPress={ofWordPress} changed={users.retry} sayMade={sayMade} />
    </section>
  )
}
