// The filters that a user is held to: those of the page, as for a shared link.
import type { UserResponse as User } from '../../identity/user-schemas.ts'
import { resource } from '../app/api.ts'
import { useApp } from '../app/app-context.ts'
import { filterParams, filtersOf } from '../app/url.ts'
import { ConfirmButton, useAction } from '../parts/action.tsx'
import { useWords } from '../parts/filters.tsx'

export const HeldForm = ({ user, changed }: { user: User; changed: () => void }) => {
  const { t, state } = useApp()
  const words = useWords()
  const { busy, act, errorNote } = useAction()
  const put = (filters: Record<string, string> | null) => (): void =>
    act(async () => {
      await resource(`/users/${user.id}`, { method: 'PUT', body: { filters } })
      changed()
    })
  return (
    <section class="sub" aria-label={`${t('held_visits')}: ${user.login}`}>
      <h4>{t('held_visits')}</h4>
      <p>{user.filters === null ? t('held_all') : words(filtersOf(user.filters))}</p>
      <p class="faint">{t('held_about')}</p>
      <div class="tools">
        {state.filters.length > 0 && (
          <button type="button" disabled={busy} onClick={put(filterParams(state.filters))}>
            {t('share_filtered', { filters: words(state.filters) })}
          </button>
        )}
        {user.filters !== null && (
          <ConfirmButton label={t('remove_filters')} of={user.login} disabled={busy} work={put(null)} />
        )}
      </div>
      {state.filters.length === 0 && <p class="faint">{t('share_filters')}</p>}
      {errorNote}
    </section>
  )
}
