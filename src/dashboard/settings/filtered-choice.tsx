// Whether a link, a password, a user or an invitation is held to the filters of the page.
import { useApp } from '../app/app-context.ts'
import { useWords } from '../parts/filters.tsx'

export const FilteredChoice = ({ filtered, choose }: { filtered: boolean; choose: (filtered: boolean) => void }) => {
  const { t, state } = useApp()
  const words = useWords()
  return (
    <label class="choice">
      <input type="checkbox" checked={filtered} onChange={event => choose(event.currentTarget.checked)} />
      {t('share_filtered', { filters: words(state.filters) })}
    </label>
  )
}
