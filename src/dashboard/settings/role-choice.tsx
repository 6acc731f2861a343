// The role of a user, and which there are.
import { administrator, viewer } from '../../identity/roles.ts'
import { useApp } from '../app/app-context.ts'

/** The name of a role: those of Footfall in the language of the page, others as they are. */
export const useRoleName = (): ((role: string) => string) => {
  const { t } = useApp()
  return role => (role === administrator ? t('role_administrator') : role === viewer ? t('role_viewer') : role)
}

/** The roles to choose from: those of WordPress where it is connected, and one that a user has until another is chosen. */
export const RoleChoice = ({
  role,
  choose,
  ofWordPress = [],
  titled = false,
}: {
  role: string
  choose: (role: string) => void
  ofWordPress?: readonly string[]
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
export const RoleNotice = ({ role }: { role: string }) => {
  const { t } = useApp()
  return (
    <p class="faint" role="status">
      {role === administrator || role === viewer ? t(`role_${role}_about`) : t('role_without_access', { role })}
    </p>
  )
}
