// Users, their roles and passwords.

import { useState } from 'preact/hooks'
import { viewer } from '../../identity/roles.ts'
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
import { HeldForm } from './held-form.tsx'
import { RoleChoice, RoleNotice, useRoleName } from './role-choice.tsx'

type Changed = { changed: () => void }

const ChangePassword = ({ user, own }: { user: User; own: boolean }) => {
  const { t } = useApp()
  const { busy, act, errorNote } = useAction()
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const [done, setDone] = useState(false)
  const change = (event: Event): void => {
    event.preventDefault()
    setDone(false)
    act(async () => {
      await resource(`/users/${user.id}`, {
        method: 'PUT',
        body: { password, ...(own && { current_password: current }) },
      })
      setCurrent('')
      setPassword('')
      setDone(true)
    })
  }
  return (
    <form class="sub" onSubmit={change}>
      <h4>{t('change_password')}</h4>
      <p class="faint">{t('change_password_about')}</p>
      <div class="tools">
        <input type="text" name="username" autoComplete="username" value={user.login} hidden readOnly />
        {own && (
          <label class="beside">
            {t('password_current')}
            <input
              type="password"
              autoComplete="current-password"
              required
              value={current}
              onInput={event => setCurrent(event.currentTarget.value)}
            />
          </label>
        )}
        <label class="beside">
          {t('password_new')}
          <input
            type="password"
            autoComplete="new-password"
            required
            minLength={8}
            maxLength={1024}
            value={password}
            onInput={event => setPassword(event.currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={busy}>
          {t('save')}
        </button>
        <span role="status" class="good">
          {done ? t('password_changed') : ''}
        </span>
      </div>
      {errorNote}
    </form>
  )
}

type OneProps = { user: User; remove: () => void; removing: boolean } & Changed

const OneUser = ({ user, changed, remove, removing }: OneProps) => {
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
      <ChangePassword user={user} own={own} />
      {user.role === viewer && <HeldForm user={user} changed={changed} />}
      <form class="sub" onSubmit={put}>
        <h4>{t('role')}</h4>
        <p class="faint">{t('role_about')}</p>
        <div class="tools">
          <RoleChoice role={role} choose={setRole} titled />
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

const NewUser = ({ changed, sayMade }: Changed & Pick<Undo, 'sayMade'>) => {
  const { t, language, state } = useApp()
  const words = useWords()
  const { busy, act, errorNote } = useAction()
  const [fields, setFields] = useState({ login: '', role: 'administrator', password: '' })
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
      setFields({ login: '', role: 'administrator', password: '' })
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
        <RoleChoice role={fields.role} choose={role => setFields({ ...fields, role })} />
        {field('password', t('password'), { type: 'password', autoComplete: 'new-password', maxLength: 1024 })}
        <button type="submit" disabled={busy}>
          {t('add')}
        </button>
      </div>
      {filterable && (
        <label class="choice">
          <input type="checkbox" checked={filtered} onChange={event => setFiltered(event.currentTarget.checked)} />
          {t('share_filtered', { filters: words(state.filters) })}
        </label>
      )}
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
  return (
    <section class="card" aria-labelledby="access">
      <h2 id="access">{t('access')}</h2>
      {users.error !== null && <ErrorMessage error={users.error} retry={users.retry} />}
      {users.value?.map(user => (
        <OneUser
          key={`${user.id} ${user.role}`}
          user={user}
          changed={users.retry}
          remove={() => remove(removalOf(user))}
          removing={busy}
        />
      ))}
      {note}
      {again?.password !== undefined && <OneTimeSecret of={again.login} text={again.password} />}
      <NewUser changed={users.retry} sayMade={sayMade} />
    </section>
  )
}
