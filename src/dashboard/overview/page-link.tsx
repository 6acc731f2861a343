import { useApp } from '../app/app-context.ts'
import { withPlatform } from '../app/platform.ts'
import { type Filter, filterBy, type State, writeState } from '../app/url.ts'

/** The page that a view of one page is about; null if the filters name none, or several. */
export const pageOf = (filters: readonly Filter[]): string | null => {
  const filter = filters.find(({ key }) => key === 'page')
  const [page = null, ...others] = filter?.values ?? []
  return filter?.included === true && others.length === 0 && page?.includes('*') === false ? page : null
}

/** A link to everything about a page, with the other filters. */
export const PageLink = ({ page }: { page: unknown }) => {
  const { t, state, go, shared } = useApp()
  if (typeof page !== 'string' || page.includes('*') || shared?.filters.some(({ key }) => key === 'page')) return null
  const patch: Partial<State> = {
    view: 'page',
    filters: [...state.filters.filter(({ key }) => key !== 'page'), filterBy('page', page)],
    details: null,
    search: '',
    sort: null,
    at: 0,
  }
  return (
    <a
      class="about-page"
      href={`${withPlatform(writeState({ ...state, ...patch }))}${location.hash}`}
      title={t('about_page', { page })}
      onClick={event => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        go(patch)
        scrollTo(0, 0)
      }}
    >
      <span aria-hidden="true">→</span>
      <span class="visually-hidden">{t('about_page', { page })}</span>
    </a>
  )
}
