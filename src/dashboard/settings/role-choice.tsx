// The role of a user, and which there are.
import { administrator, capabilitiesOf, roles, rolesWithoutAccess, viewer } from '../../identity/roles.ts'
import { useApp } from '../app/app-context.ts'

/** The name of a role: those of Footfall in the language of the page, others as they are. */
export const useRoleName = (): ((role: string) => string) => {
  const { t } = useApp()
  return role => (role === administrator ? t('role_administrator') : role === viewer ? t('role_viewer') : role)
}

/** The roles to choose from. A role that an older version accepted stays until another one is chosen. */
export const RoleChoice = ({
  role,
  choose,
  titled = false,
}: {
  role: string
  choose: (role: string) => void
  /** Whether a heading above it names it. */
  titled?: boolean
}) => {
  const { t } = useApp()
  const name = useRoleName()
  const isKnown = roles.some(known => known === role)
  const option = (value: string) => (
    <option key={value} value={value}>
      {name(value)}
    </option>
  )
  return (
    <label class="beside">
      <span class={titled ? 'visually-hidden' : undefined}>{t('role')}</span>
      <select value={role} onChange={event => choose(event.currentTarget.value)}>
        {[administrator, viewer].map(option)}
        <optgroup label={t('roles_without_access')}>
          {[...rolesWithoutAccess, ...(isKnown ? [] : [role])].map(option)}
        </optgroup>
      </select>
    </label>
  )
}

/** Says that a role gives no access, while in WordPress most of these roles have some. */
export const RoleNotice = ({ role }: { role: string }) => {
  const { t } = useApp()
  return (
    <p class="faint" role="status">
      {capabilitiesOf(role).length === 0 ? t('role_without_access', { role }) : ''}
    </p>
  )
}
