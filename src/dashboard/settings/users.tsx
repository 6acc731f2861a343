// Users, their roles and passwords.

import { useState } from 'preact/hooks'
import type { Site } from '../../endpoints/site.ts'
import { administrator, rolesWithoutAccess, viewer } from '../../identity/roles.ts'
import type { UserResponse as User } from '../../identity/user-schemas.ts'
import { resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { useResource } from '../app/use-report.ts'
import { ConfirmButton, OneTimeSecret, useAction } from '../parts/action.tsx'
import { ErrorMessage } from '../parts/status.tsx'
import { type Undo, useUndo } from '../parts/undo.tsx'
import { AppPasswords } from './app-passwords.tsx'
import { ChangePassword } from './change-password.tsx'

/** The name of a role: those of Footfall in the language of the page, others as they are. */
const useRoleName = (): ((role: string) => string) => {
  const { t } = useApp()
  return role => (role === administrator ? t('role_administrator') : role === viewer ? t('role_viewer') : role)
}

/** The roles of WordPress, where it is connected. */
type RolesOf = { ofWordPress: readonly string[] }

/** The roles to choose from: those of WordPress where it is connected, and one that a user has until another is chosen. */
const RoleChoice = ({
  role,
  choose,
  ofWordPress,
  titled = false,
}: RolesOf & {
  role: string
  choose: (role: string) => void
  /** Whether a heading above it names it. */
  titled?: boolean
}) => {
  const { t } = useApp()
  const name = useRoleName()
  const known: readonly string[] = [administrator, viewer]
  const others = [...new Set([...ofWordPress, role])].filter(other => !known.includes(other))
  const option = (value: string) => (
    <option key={value} value={value}>
      {name(value)}
    </option>
  )
  return (
    <label class="beside">
      <span class={titled ? 'visually-hidden' : undefined}>{t('role')}</span>
      <select value={role} onChange={event => choose(event.currentTarget.value)}>
        {known.map(option)}
        {others.length > 0 && <optgroup label={t('roles_without_access')}>{others.map(option)}</optgroup>}
      </select>
    </label>
  )
}

/** What a role may do. In WordPress most of those that give no access here have some. */
const RoleNotice = ({ role }: { role: string }) => {
  const { t } = useApp()
  return (
    <p class="faint" role="status">
      {role === administrator || role === viewer ? t(`role_${role}_about`) : t('role_without_access', { role })}
    </p>
  )
}

type Changed = { changed: () => void }

type OneProps = { user: User; remove: () => void; removing: boolean } & Changed & RolesOf

const OneUser = ({ user, ofWordPress, changed, remove, removing }: OneProps) => {
  const { t, session } = useApp()
  const { busy, act, errorNote } = useAction()
  const roleName = useRoleName()
  const [role, setRole] = useState(user.role)
  const own = user.login === session?.login
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
        <b>{user.login}</b>{' '}
        <span class="faint">{own ? `${roleName(user.role)} · ${t('you')}` : roleName(user.role)}</span>
      </summary>
      <AppPasswords user={user.id} login={user.login} />
      <section class="sub">
        <h4>{t('change_password')}</h4>
        <p class="faint">{t('change_password_about')}</p>
        <ChangePassword login={user.login} path={`/users/${user.id}`} own={own} />
      </section>
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
  const { t, language } = useApp()
  const { busy, act, errorNote } = useAction()
  const [fields, setFields] = useState({ login: '', role: viewer, password: '' })
  const [made, setMade] = useState<Made | null>(null)
  const add = (event: Event): void => {
    event.preventDefault()
    const { password, ...others } = fields
    act(async () => {
      setMade(
        await resource<Made>('/users', {
          method: 'POST',
          body: { ...others, locale: language, ...(password !== '' && { password }) },
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
  const removalOf = ({ id, login, role, locale }: User) => ({
    name: login,
    remove: async () => {
      await resource(`/users/${id}`, { method: 'DELETE' })
      setAgain(null)
      users.retry()
    },
    restore: async () => {
      setAgain(await resource<Made>('/users', { method: 'POST', body: { login, role, locale } }))
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
